import { isDeepStrictEqual } from 'node:util';
import type { Trust } from '../client/http/origin.ts';
import { offeredInterfaces } from '../client/interfaces/offeredInterface.ts';
import type { AgentInterface } from '../protocol/card/agentCard.ts';
import { type Finding, findingSentence } from '../protocol/finding.ts';
import { sentence, type LocalizedMessage } from '../protocol/problem.ts';
import { noCard } from './rules/rule/unless.ts';
import { ruleIds, type RuleId } from '../protocol/ruleId.ts';
import { rules } from './rules/index.ts';
import { seeLog } from './rules/rule/outcome.ts';
import { bytePlace, jsonPlace } from './rules/rule/jsonPlace.ts';
import type { ProbeResult } from './rules/rule/probe.ts';
import { clauseOf, type Rule, type RuleVersion, sectionOf } from './rules/rule/rule.ts';
import {
  decidedWithoutAnswers,
  isMust,
  isOfCard,
  type CheckEnd,
  type CheckExchange,
  type CheckReport,
  type CheckResult,
} from './checkReport.ts';
import { holds, interfaceOf, noInterface, obstaclesOf, versionIn } from './checkedInterfaces.ts';
import { checkBounds, CheckLimit, type CheckBounds } from './checkLimit.ts';
import { CheckReceiver } from './checkReceiver.ts';
import type { OpenWebhook } from './checkWebhook.ts';
import { evidenceOf, silenceOn } from './evidence.ts';
import type { ExchangeRecorder } from './exchangeRecorder.ts';
import { departureOf, failureOf, refusalOf, remarkOn, type Failing } from './interfaceFailure.ts';
import { MadeContexts } from './madeContexts.ts';
import type { CheckLog } from './port/probeRequests.ts';
import { checkAgent, type SuiteOptions } from './suite.ts';
import { badVerdicts, type Verdict, verdictOrder } from './rules/rule/verdict.ts';

export interface CheckOptions extends Omit<SuiteOptions, 'log' | 'onGone' | 'trust' | 'signal' | 'receiver'> {
  readonly signal: AbortSignal;
  /** The address that the person gave. */
  readonly agentUrl: string;
  /** Findings from reading the card. */
  readonly findings: readonly Finding[];
  readonly trust: Trust;
  /** Has recorded how the card was fetched, and records the rest. */
  readonly recorder: ExchangeRecorder;
  /** The receiver of push notifications, for rules that need one. Without it they are not testable. */
  readonly openWebhook?: OpenWebhook | undefined;
  /** Called with the id of each context in which the agent answers what is sent to it. */
  readonly onContext?: ((contextId: string) => void) | undefined;
  /** {@link checkBounds} where undefined. */
  readonly bounds?: CheckBounds;
}

/**
 * Checks an agent over each interface of its card: asks what probes ask, and takes what all exchanges show by the way. Of each rule that holds
 * for an interface there is one result. A run that is stopped, or reaches its bounds, has those of what was asked until then.
 * Rejects with a Problem `no-interface` where there is none to ask over.
 */
export async function runCheck(options: CheckOptions): Promise<CheckReport> {
  const {
    card,
    cardUrl,
    agentUrl,
    recorder,
    signal,
    trust,
    allowWork,
    openWebhook,
    noCard: isMissing = false,
    wants = () => true,
  } = options;
  const startedAt = Date.now();
  const all = offeredInterfaces(card, cardUrl).filter(({ interface: entry }) => wants(entry));
  const obstacles = obstaclesOf(all, trust);
  const checked = all.map(({ interface: entry }) => entry).filter((_, index) => obstacles[index] === undefined);
  if (checked.length === 0) throw noInterface(obstacles, card);
  // Where no card is there, nothing that came in its place is judged as one.
  const byCard = isMissing ? [] : recorder.all.map(({ id }) => id);
  const over = new Map<string, AgentInterface>();
  const lost = new Set<AgentInterface>();
  const found = new Map<string, ProbeResult>();
  const indexOf = (entry: AgentInterface): number => all.findIndex(each => each.interface === entry);
  const add = (entry: AgentInterface, rule: RuleId, result: ProbeResult): void => {
    const key = keyOf(indexOf(entry), rule);
    found.set(key, worse(found.get(key), result));
  };
  const made = options.onContext && new MadeContexts(options.onContext);
  const limit = new CheckLimit(options.bounds ?? checkBounds, signal);
  const log: CheckLog = {
    exchange: (exchange, entry) => {
      // What the agent sends is none of its own.
      if (exchange.operation !== 'PushNotification') limit.asks(exchange.id);
      over.set(exchange.id, entry);
      recorder.exchange(exchange);
      made?.exchange(exchange);
    },
    frames: (exchangeId, frames) => {
      recorder.frames(exchangeId, frames);
      made?.frames(exchangeId, frames);
    },
    received: recorder.received.bind(recorder),
  };
  let bailed = false;
  const receiver = openWebhook && new CheckReceiver({ open: openWebhook, http: options.http, signal: limit.signal, log });
  const suite = checkAgent({
    ...options,
    signal: limit.signal,
    receiver: receiver && (entry => receiver.webhook(entry)),
    log,
    wants: entry => checked.includes(entry),
    onGone: entry => lost.add(entry),
  });
  try {
    for await (const verdict of suite) {
      add(verdict.interface, verdict.rule, verdict);
      bailed = options.bail === true && verdict.verdict === 'fail' && isMust(verdict.level);
    }
  } finally {
    limit.close();
    await receiver?.close();
  }
  const end: CheckEnd = signal.aborted ? 'stopped' : bailed ? 'bailed' : (limit.end ?? 'complete');
  const wanted = ruleIds.filter(id => options.rules?.has(id) !== false);
  for (const [rule, faults] of Map.groupBy(ofCard(byCard, recorder, options.findings), ({ finding }) => finding.rule)) {
    const entry = wanted.includes(rule) ? checked.find(each => holds(rule, each)) : undefined;
    if (entry !== undefined) add(entry, rule, deviationIn(faults));
  }
  let unchecked = 0;
  for (const entry of checked) {
    const own = recorder.all.filter(({ id }) => over.get(id) === entry);
    const evidence = evidenceOf(own, recorder, { hasCard: byCard.length > 0, isSigned: (card.signatures ?? []).length > 0 });
    for (const id of wanted) {
      if (!holds(id, entry) || found.has(keyOf(indexOf(entry), id))) continue;
      // A fault of the card is reported once, over the first interface that the rule covers.
      const first = isOfCard(id) ? checked.find(each => holds(id, each)) : entry;
      if (isOfCard(id) && (first !== entry || checked.some(each => found.has(keyOf(indexOf(each), id))))) continue;
      if (end === 'complete')
        add(entry, id, isMissing && isOfCard(id) ? { verdict: 'not-applicable', why: noCard } : silenceOn(id, rules[id], evidence));
      else unchecked++;
    }
  }
  const undecided = new Set([...found.values()].flatMap(({ verdict, exchangeId }) => (verdict === 'inconclusive' ? [exchangeId] : [])));
  const refused = new Map<AgentInterface, string>();
  const failing = new Map<AgentInterface, Failing>();
  const departed = new Map<AgentInterface, LocalizedMessage>();
  for (const entry of checked) {
    const own = recorder.all.filter(({ id }) => over.get(id) === entry);
    const departure = lost.has(entry) ? departureOf(own) : undefined;
    if (departure !== undefined) departed.set(entry, departure);
    const refusal = refusalOf(own, undecided);
    const failure = refusal === undefined ? failureOf(own, undecided) : undefined;
    if (refusal !== undefined) refused.set(entry, refusal);
    if (failure === undefined) continue;
    failing.set(entry, failure);
    // A rule that nothing breaks is not kept by that where nothing is answered.
    const { why } = failure;
    for (const id of wanted) {
      const key = keyOf(indexOf(entry), id);
      if (found.get(key)?.verdict === 'pass' && !decidedWithoutAnswers(id)) found.set(key, { verdict: 'inconclusive', why });
    }
  }
  const kept = new Map<string, CheckExchange>();
  for (const { exchangeId } of found.values()) {
    const one = exchangeId === undefined ? undefined : recorder.kept(exchangeId);
    if (one !== undefined) kept.set(one.exchange.id, one);
  }
  return {
    format: 1,
    agent: { name: card.name, version: card.version, url: agentUrl, cardUrl },
    startedAt,
    endedAt: Date.now(),
    end,
    ...(unchecked > 0 && { unchecked }),
    ...(lost.size > 0 && { isGone: true }),
    ...(refused.size > 0 && { isLocked: true }),
    ...(failing.size > 0 && { isFailing: true }),
    ...(receiver?.origin !== undefined && { receivedAt: receiver.origin }),
    allowWork,
    interfaces: all.map(({ interface: entry }, index) => ({
      ...interfaceOf(
        entry,
        obstacles[index],
        remarkOn(refused.get(entry), failing.get(entry)) ?? departed.get(entry) ?? (isMissing ? givenInterface : undefined),
      ),
      ...(lost.has(entry) && { isGone: true as const }),
      ...(failing.has(entry) && { isFailing: true as const }),
    })),
    results: all.flatMap(({ interface: entry }, index) =>
      wanted.flatMap(id => {
        const result = found.get(keyOf(index, id));
        return result === undefined ? [] : [resultOn(id, index, entry, result, kept)];
      }),
    ),
    exchanges: [...kept.values()].sort((one, other) => one.exchange.startedAt - other.exchange.startedAt),
  };
}

const keyOf = (index: number, rule: RuleId): string => `${index} ${rule}`;

const givenInterface = sentence('No card: the interface was set by you. Card declarations are not judged.');

/** The worse of two results on one rule counts. */
const worse = (one: ProbeResult | undefined, other: ProbeResult): ProbeResult =>
  one !== undefined && verdictOrder.indexOf(one.verdict) <= verdictOrder.indexOf(other.verdict) ? one : other;

interface CardFinding {
  readonly finding: Finding;
  readonly exchangeId?: string;
}

/** Findings about the card: those of its exchange, and others from reading it. */
function ofCard(ids: readonly string[], recorder: ExchangeRecorder, read: readonly Finding[]): readonly CardFinding[] {
  const exchanges = recorder.all.filter(({ id }) => ids.includes(id));
  const last = exchanges.at(-1)?.id;
  const told = exchanges.flatMap(({ id, findings }) => findings.map((finding): CardFinding => ({ finding, exchangeId: id })));
  return [...told, ...read.map((finding): CardFinding => ({ finding, ...(last !== undefined && { exchangeId: last }) }))];
}

/** Most faults of a card that one verdict names. */
const maxNamed = 5;

/** The worst of some faults of a card that break the same rule, in the words of all that are as bad. */
function deviationIn(faults: readonly CardFinding[]): ProbeResult {
  const results = faults.map(
    ({ finding, exchangeId }): ProbeResult => ({ ...deviation(finding), ...(exchangeId !== undefined && { exchangeId }) }),
  );
  const worst = results.reduce(worse);
  const alike = results.filter(({ verdict }) => verdict === worst.verdict).map(({ why }) => why);
  const words = alike.filter((why, index) => alike.findIndex(other => isDeepStrictEqual(other, why)) === index);
  const named = words.slice(0, maxNamed).reduce((before, why) => sentence('{0} {1}', before, why));
  return { ...worst, why: words.length > maxNamed ? sentence('{0} (and {1} more)', named, words.length - maxNamed) : named };
}

function deviation(finding: Finding): ProbeResult {
  const { rule, pointer, disputed, frame } = finding;
  return {
    verdict: disputed === true ? 'disputed' : isMust(rules[rule].level) ? 'fail' : 'warn',
    why: findingSentence(finding),
    pointer,
    ...(frame !== undefined && { frame }),
  };
}

function resultOn(
  id: RuleId,
  index: number,
  entry: AgentInterface,
  { verdict, why, exchangeId, frame, pointer }: ProbeResult,
  kept: ReadonlyMap<string, CheckExchange>,
): CheckResult {
  const rule: Rule = rules[id];
  const version = versionIn(entry) as RuleVersion;
  const isBad = badVerdicts.includes(verdict) && verdict !== 'inconclusive';
  // Of an answer that is wrong as a whole, what is inside its envelope is shown.
  const places = pointer !== undefined ? [pointer] : isBad ? ['/error', '/result'] : [];
  const bytes =
    exchangeId === undefined ? undefined : places.map(each => bytesOf(kept.get(exchangeId), each, frame)).find(each => each !== undefined);
  return {
    rule: id,
    interface: index,
    level: rule.level,
    section: sectionOf(rule, version),
    clause: clauseOf(rule, version),
    title: rule.title,
    verdict,
    why,
    ...(isBad && {
      remedy: isEmpty(kept.get(exchangeId ?? '')) ? sentence('{0} {1}', seeLog, remedyOf(rule, verdict)) : remedyOf(rule, verdict),
    }),
    ...(exchangeId !== undefined && kept.has(exchangeId) && { exchangeId }),
    ...(frame !== undefined && { frame }),
    ...(pointer !== undefined && { pointer }),
    ...(bytes !== undefined && { bytes }),
  };
}

/** True for an answer that began and has nothing in it: it broke off inside the agent. */
const isEmpty = (one: CheckExchange | undefined): boolean =>
  one?.exchange.response !== undefined && (one.exchange.response.body ?? '') === '' && one.frames.length === 0;

/** The change that mends it, after the disagreement of the official texts where the verdict is disputed. */
function remedyOf({ remedy, disputed }: Rule, verdict: Verdict): LocalizedMessage {
  const change = sentence(remedy);
  return verdict === 'disputed' && disputed !== undefined ? sentence('{0} {1}', sentence(disputed), change) : change;
}

/**
 * Where the value is that a pointer names, in the data of the event or in the body; of one that is missing, where the value is that it should
 * be in.
 */
function bytesOf(one: CheckExchange | undefined, pointer: string, frame: number | undefined): readonly [number, number] | undefined {
  const text = frame === undefined ? one?.exchange.response?.body : one?.frames.find(({ seq }) => seq === frame)?.data;
  if (text === undefined) return undefined;
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const place = jsonPlace(text, at);
    if (place !== undefined) return bytePlace(text, place);
  }
  return undefined;
}
