import { offeredInterfaces } from '../client/interfaces/offeredInterface.ts';
import { ConnectionProblem } from '../client/http/connectionProblem.ts';
import type { AgentInterface } from '../protocol/card/agentCard.ts';
import type { Exchange, Frame } from '../protocol/exchange.ts';
import { type Finding, findingSentence } from '../protocol/finding.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { ruleIds, type RuleId, type RuleLevel } from '../protocol/ruleId.ts';
import { rules } from './rules/index.ts';
import { askedRules } from './rules/askedRules.ts';
import { isRuleVersion } from './rules/rule/answerView.ts';
import type { ProbeResult } from './rules/rule/probe.ts';
import { notTestable, unanswered } from './rules/rule/outcome.ts';
import { withStream } from './rules/rule/streamed.ts';
import { clauseOf, holdsFor, type Rule, type RuleVersion, sectionOf } from './rules/rule/rule.ts';
import { versionOf } from '../protocol/versions/index.ts';
import { isOfCard } from './checkReport.ts';
import { wholePointer } from './findingPlace.ts';
import { InterfacePort, type PortOptions } from './port/interfacePort.ts';
import { RetryWaits, type Sleep } from './port/retryWaits.ts';
import { silenceMs, type CheckLog } from './port/probeRequests.ts';
import { Silences } from './port/silences.ts';
import { noWork, obstacleTo } from './ruleObstacle.ts';
import type { Verdict } from './rules/rule/verdict.ts';

/** The verdict on one rule over one interface. */
export interface RuleVerdict extends ProbeResult {
  readonly rule: RuleId;
  readonly interface: AgentInterface;
  readonly level: RuleLevel;
  /** Section in the specification of the interface's version. */
  readonly section: string;
  /** Address of the clause. */
  readonly clause: string;
}

export interface SuiteOptions extends Omit<PortOptions, 'interface' | 'signal' | 'log' | 'silences' | 'waits'> {
  /** Stops the suite: what has not been asked then has no verdict. */
  readonly signal?: AbortSignal;
  readonly log?: CheckLog;
  /** Only these rules; all where undefined. */
  readonly rules?: ReadonlySet<RuleId>;
  /** Only interfaces that this is true of; all that are supported here where undefined. */
  readonly wants?: (entry: AgentInterface) => boolean;
  /** True to include checks that start tasks. */
  readonly allowWork: boolean;
  /** Ends with the first MUST that failed. */
  readonly bail?: boolean;
  /** Called when an interface could not be reached any more: what is left over it is `inconclusive`. */
  readonly onGone?: (entry: AgentInterface) => void;
  /** How the suite waits where the agent asks for that; as time passes where undefined. */
  readonly sleep?: Sleep | undefined;
  /** Called before each rule. */
  readonly onProgress?: (progress: SuiteProgress) => void;
}

export interface SuiteProgress {
  readonly done: number;
  readonly total: number;
  /** `resume`: streams are cut. */
  readonly rule: RuleId | 'resume';
  readonly interface: AgentInterface;
  /** Set while the agent is given the time that it asked for: how long, in milliseconds. */
  readonly waitMs?: number;
}

const gone = sentence('The agent can no longer be reached.');

interface Planned {
  readonly rule: RuleId;
  readonly port: InterfacePort;
}

/**
 * Checks an agent by asking it, rule by rule and interface by interface. Deviations that the exchanges show by the way are verdicts on their
 * rules too. An interface that is down in mid-suite gives `inconclusive` for what is left over it, and is asked nothing more.
 */
export async function* checkAgent(options: SuiteOptions): AsyncGenerator<RuleVerdict> {
  const { signal = new AbortController().signal, allowWork, bail = false, onGone, onProgress } = options;
  const seen = new SeenExchanges(options.log);
  const silences = new Silences();
  let now: SuiteProgress | undefined;
  const waits = new RetryWaits(waitMs => now && onProgress?.({ ...now, waitMs }), options.sleep);
  const ports = interfacesOf(options).map(
    entry => new InterfacePort({ ...options, interface: entry, signal, log: seen.log, silences, waits }),
  );
  const asked = askedRules.filter(id => options.rules?.has(id) !== false);
  const plan: Planned[] = ports.flatMap(port =>
    asked.filter(id => holdsFor(rules[id], port.version, port.interface.protocolBinding)).map(rule => ({ rule, port })),
  );
  const lost = new Set<InterfacePort>();
  const look = async (port: InterfacePort): Promise<void> => {
    if (lost.has(port) || (await isThere(port, options.silenceMs ?? silenceMs))) return;
    lost.add(port);
    onGone?.(port.interface);
  };
  for (const [done, { rule, port }] of plan.entries()) {
    if (signal.aborted) break;
    now = { done, total: plan.length, rule, interface: port.interface };
    onProgress?.(now);
    waits.renew(rules[rule].probe?.mustRefuse);
    const before = seen.count;
    const isLost = lost.has(port);
    const result: ProbeResult | undefined = isLost
      ? { verdict: 'inconclusive', why: gone }
      : await resultOf(rule, port, options, allowWork);
    if (result === undefined) break;
    if (!isLost && seen.count > before && result.verdict === 'inconclusive') await look(port);
    // With one that is gone others often are: they are asked side by side, since each that is silent takes as long as its time limit.
    if (!isLost && lost.has(port)) await Promise.all(ports.slice(ports.indexOf(port) + 1).map(look));
    const verdict = verdictOn(rule, port, result);
    if (verdict.verdict === 'fail' || verdict.verdict === 'warn' || verdict.verdict === 'disputed') seen.markReported(rule, port.interface);
    yield verdict;
    if (bail && verdict.verdict === 'fail' && isMust(verdict.level)) return;
  }
  // Rules that are seen by the way alone need something to be seen by.
  const byTheWayOnly = options.rules === undefined ? [] : [...options.rules].filter(id => rules[id].probe === undefined && !isOfCard(id));
  for (const port of ports) {
    const [rule] = byTheWayOnly.filter(id => holdsFor(rules[id], port.version, port.interface.protocolBinding));
    if (rule === undefined || lost.has(port) || signal.aborted) continue;
    onProgress?.({ done: plan.length, total: plan.length + 1, rule, interface: port.interface });
    await askSomething(port, allowWork);
  }
  for (const port of ports) yield* seen.verdicts(port, id => options.rules?.has(id) !== false);
}

/** A few requests of different kinds, for what their answers show by the way. */
async function askSomething(port: InterfacePort, allowWork: boolean): Promise<void> {
  try {
    await port.call('GetTask', { id: crypto.randomUUID() });
    if (port.version === '1.0') await port.call('ListTasks', {});
    const begun = allowWork ? await port.make('task') : undefined;
    if (begun?.task !== undefined) await port.call('GetTask', { id: begun.task.taskId });
    if (begun !== undefined && port.card.capabilities.streaming === true) await withStream(port, 'task', () => notTestable(noWork));
  } catch (error) {
    if (!(error instanceof Problem) && !port.signal.aborted) throw error;
  }
}

const isMust = (level: RuleLevel): boolean => level === 'MUST' || level === 'MUST NOT';

/** The interfaces whose version has rules and which are supported here. */
function interfacesOf({ card, cardUrl, wants = () => true }: SuiteOptions): readonly AgentInterface[] {
  return offeredInterfaces(card, cardUrl)
    .filter(({ isSupported, interface: entry }) => isSupported && isRuleVersion(versionOf(entry.protocolVersion)?.protocolVersion ?? ''))
    .map(({ interface: entry }) => entry)
    .filter(wants);
}

/** Undefined where the suite was stopped meanwhile. */
async function resultOf(
  id: RuleId,
  port: InterfacePort,
  { receiver, other, silenceMs: timeoutMs = silenceMs }: SuiteOptions,
  allowWork: boolean,
): Promise<ProbeResult | undefined> {
  const rule: Rule = rules[id];
  const probe = rule.probe!;
  const obstacle = obstacleTo(rule, port, { hasReceiver: receiver !== undefined, hasOther: other !== undefined });
  if (obstacle !== undefined) return obstacle;
  try {
    if (rule.startsWork !== true || allowWork) return await probe.run(port);
    const part = await probe.withoutWork?.(port);
    return part?.verdict === 'fail' ? part : notTestable(noWork);
  } catch (error) {
    if (port.signal.aborted) return undefined;
    const isLost = error instanceof Problem && error.code === 'connection-lost';
    return unanswered(error, isLost && probe.mustRefuse === true && (await isThere(port, timeoutMs)) ? 'fail' : 'inconclusive');
  }
}

/**
 * Resolves to true if anything answers at the address of the interface within the longest time for an answer, since a slow agent is there.
 * A second operation is tried if the first got no answer, now or before: an agent may leave a single one unanswered, and an agent that
 * answers none is not waited for with every rule. Also true if the suite was stopped before an answer could come.
 */
async function isThere(port: InterfacePort, timeoutMs: number): Promise<boolean> {
  for (const operation of (['GetTask', 'CancelTask'] as const).filter(each => !port.wasSilent(each))) {
    try {
      await port.call(operation, { id: crypto.randomUUID() }, { timeoutMs });
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (port.signal.aborted) return true;
      // Neither says that it is there: no answer came now, or none before.
      if (error.code === 'timeout' || error.code === 'silent') continue;
      return !(error instanceof ConnectionProblem);
    }
  }
  return false;
}

function verdictOn(
  id: RuleId,
  port: { readonly version: RuleVersion; readonly interface: AgentInterface },
  result: ProbeResult,
): RuleVerdict {
  const rule: Rule = rules[id];
  const verdict: Verdict = result.verdict === 'fail' && !isMust(rule.level) ? 'warn' : result.verdict;
  return {
    ...result,
    verdict,
    rule: id,
    interface: port.interface,
    level: rule.level,
    section: sectionOf(rule, port.version),
    clause: clauseOf(rule, port.version),
  };
}

interface Seen extends Pick<Exchange, 'id' | 'protocolBinding' | 'findings'> {
  readonly interface: AgentInterface;
}

/** The exchanges of a suite as they are recorded, for what they show by the way. */
class SeenExchanges {
  readonly log: CheckLog;
  readonly #seen = new Map<string, Seen>();
  readonly #reported = new Map<AgentInterface, Set<RuleId>>();

  constructor(log: CheckLog | undefined) {
    this.log = {
      ...(log?.passwords !== undefined && { passwords: log.passwords }),
      exchange: (exchange, over) => {
        const { id, protocolBinding, findings } = exchange;
        this.#seen.set(id, { interface: over, id, protocolBinding, findings });
        log?.exchange(exchange, over);
      },
      frames: (id: string, frames: readonly Frame[]) => log?.frames(id, frames),
      received: bytes => log?.received?.(bytes),
    };
  }

  /** Keeps a deviation that a probe found from being reported a second time. */
  markReported(rule: RuleId, entry: AgentInterface): void {
    this.#reported.set(entry, (this.#reported.get(entry) ?? new Set()).add(rule));
  }

  get count(): number {
    return this.#seen.size;
  }

  /** A verdict on each rule that an exchange over the interface broke, by its first deviation. */
  *verdicts(port: InterfacePort, wants: (id: RuleId) => boolean): Iterable<RuleVerdict> {
    const own = [...this.#seen.values()].filter(seen => seen.interface === port.interface);
    for (const id of ruleIds.filter(wants)) {
      if (this.#reported.get(port.interface)?.has(id) === true) continue;
      if (!holdsFor(rules[id], port.version, port.interface.protocolBinding)) continue;
      // An answer in the shape of another version is also one of an interface that lacks the version of its card.
      const isBroken = ({ rule, shape }: Finding): boolean => rule === id || (id === 'CARD-07' && shape !== undefined);
      const broken = own.flatMap(exchange => exchange.findings.filter(isBroken).map(finding => ({ exchange, finding })));
      const [first] = broken.filter(({ finding }) => finding.disputed !== true).concat(broken);
      const count = new Set(broken.map(({ exchange }) => exchange)).size;
      if (first !== undefined) yield verdictOn(id, port, byTheWay(first.exchange, first.finding, count));
    }
  }
}

function byTheWay({ id, protocolBinding }: Seen, finding: Finding, count: number): ProbeResult {
  const { disputed, frame } = finding;
  const what = findingSentence(finding);
  return {
    verdict: disputed === true ? 'disputed' : 'fail',
    why: count === 1 ? what : sentence('{0} ({1} exchanges)', what, count),
    exchangeId: id,
    pointer: wholePointer(finding, protocolBinding),
    ...(frame !== undefined && { frame }),
  };
}
