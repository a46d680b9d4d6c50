import type { Exchange } from '../protocol/exchange.ts';
import { sentence } from '../protocol/problem.ts';
import type { RuleId } from '../protocol/ruleId.ts';
import { answerView, requestView } from './rules/rule/answerView.ts';
import type { ProbeResult } from './rules/rule/probe.ts';
import type { Rule } from './rules/rule/rule.ts';
import type { ExchangeRecorder } from './exchangeRecorder.ts';
import { familyOf } from './checkReport.ts';
import type { Finding } from '../protocol/finding.ts';

/** Counts of what an interface answered in a run. */
interface Evidence {
  /** True if the card came from the agent and is of the interface's version. */
  readonly hasCard: boolean;
  readonly isSigned: boolean;
  readonly answers: number;
  readonly errors: number;
  readonly events: number;
  /** Operations that were answered with a result. */
  readonly results: ReadonlySet<string>;
  readonly refusals: number;
}

/** The finding of an answer that could not be read: it has the message of the failure. Undefined for any other answer. */
export const unreadIn = ({ failure, findings }: Exchange): Finding | undefined =>
  failure === undefined ? undefined : findings.find(({ pointer, message }) => pointer === '' && message === failure);

/** Counts what came in exchanges that could be read. */
export function evidenceOf(
  exchanges: readonly Exchange[],
  recorder: ExchangeRecorder,
  card: Pick<Evidence, 'hasCard' | 'isSigned'>,
): Evidence {
  const results = new Set<string>();
  let [answers, errors, events, refusals] = [0, 0, 0, 0];
  for (const exchange of exchanges) {
    // A card says nothing of how its interface answers.
    if (exchange.operation === 'AgentCard') continue;
    if (unreadIn(exchange) !== undefined) continue;
    const frames = recorder.eventsOf(exchange.id);
    events += frames;
    if (frames > 0) results.add(exchange.operation);
    const asked = requestView(exchange);
    const view = asked === undefined || exchange.response?.body === undefined ? undefined : answerView(exchange, asked);
    if (view === undefined) continue;
    answers++;
    if (view.status === 401 || view.status === 403) refusals++;
    if (view.error !== undefined || view.status >= 400) errors++;
    else if (view.result !== undefined) results.add(exchange.operation);
  }
  return { ...card, answers, errors, events, results, refusals };
}

type Needs = (evidence: Evidence) => boolean;

const sends: Needs = ({ results }) => results.has('SendMessage') || results.has('SendStreamingMessage');
const tells: Needs = evidence => sends(evidence) || evidence.results.has('GetTask') || evidence.events > 0;
const streams: Needs = ({ events }) => events > 0;
const answers: Needs = ({ answers }) => answers > 0;
const errors: Needs = ({ errors }) => errors > 0;
const hasCard: Needs = ({ hasCard }) => hasCard;
const never: Needs = () => false;

/**
 * The exchanges that are needed before the absence of findings counts as passed, by family. Families without a row need an answer of any
 * kind.
 */
const needs: Readonly<Record<string, Needs>> = {
  CARD: hasCard,
  SIGN: ({ hasCard, isSigned }) => hasCard && isSigned,
  EXT: never,
  EXTCARD: ({ results }) => results.has('GetExtendedAgentCard'),
  AUTH: ({ refusals }) => refusals > 0,
  VER: tells,
  DATA: tells,
  CORE: tells,
  LIST: ({ results }) => results.has('ListTasks'),
  STRM: streams,
  PUSH: never,
  'TASK-AUTH': never,
  EQ: never,
};

/** The same for rules that need something else than their family. */
const exceptions: Readonly<Partial<Record<RuleId, Needs>>> = {
  'RPC-01': answers,
  'RPC-07': errors,
  'HTTP-04': errors,
  'HTTP-05': errors,
  'HTTP-06': tells,
  'HTTP-07': tells,
  'GRPC-02': errors,
  'GRPC-04': tells,
  'GRPC-05': tells,
  'DATA-06': streams,
  'CORE-01': sends,
  'CORE-05': sends,
  'CORE-09': sends,
  // Only a message to a task that is over, or a request that says how long a history may be, shows whether these are kept.
  'CORE-02': never,
  'CORE-08': never,
  'CORE-13': never,
  'CORE-14': never,
  'STRM-07': streams,
  // What an artifact loses or repeats shows only where its pieces are put together.
  'STRM-08': never,
  'STRM-13': never,
};

/** The verdict on a rule that no probe asks about, and that nothing which came has broken. */
export function silenceOn(id: RuleId, rule: Rule, evidence: Evidence): ProbeResult {
  if (familyOf(id) === 'SIGN' && evidence.hasCard && !evidence.isSigned)
    return { verdict: 'not-applicable', why: sentence('The card is not signed.') };
  const isObserved = rule.passive !== undefined || rule.whileReading === true;
  if (!isObserved) return { verdict: 'not-testable', why: sentence('This tool has no check for it.') };
  const enough = exceptions[id] ?? needs[familyOf(id)] ?? answers;
  if (!enough(evidence))
    return { verdict: 'not-testable', why: sentence('Nothing received in this run shows whether the rule is followed.') };
  if (familyOf(id) === 'CARD' || familyOf(id) === 'SIGN')
    return { verdict: 'pass', why: sentence('Nothing in the card deviates from it.') };
  return {
    verdict: 'pass',
    why: sentence('None of the {0} answers and {1} events in this run deviates from it.', evidence.answers, evidence.events),
  };
}
