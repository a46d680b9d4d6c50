import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { isSend, type Operation } from '../../protocol/message/operations.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { namesOf } from '../../request/expect/error.ts';
import { checkExpectations, type ExpectationResult } from '../../request/expect/expectations.ts';
import { readRetry, standardDelayMs, standardTimes, type RetryPlan } from '../../request/file/controlKeys.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { memberOf, valueOf } from '../../request/text/jsonNode.ts';
import { runTiming } from '../run/runTiming.ts';
import type { RequestOutcome } from './requestOutcome.ts';

/** Why a request waits before it is sent, or sent again. */
export type PauseReason = 'delay' | 'retry' | 'until';

/** How a request is sent once, and how it waits. */
interface RepeatSteps {
  /** Sends it. `released`: it was about to leave, so that the agent may have it. */
  send(): Promise<{ readonly outcome: RequestOutcome; readonly released: boolean }>;
  /** Waits; rejects with a `Problem` `stopped` where a person stops it. */
  pause(ms: number, why: PauseReason): Promise<void>;
}

/** Sends a request as its `delay`, `retry` and `until` say. `awaited`: the expectations of `until`, templates filled in. Rejects as `pause` does. */
export async function sendWithRepeats(entry: RequestEntry, awaited: unknown, sending: RepeatSteps): Promise<RequestOutcome> {
  const delay: unknown = entry.members.get('delay')?.value?.value;
  if (typeof delay === 'number' && delay > 0) await sending.pause(delay, 'delay');
  const until = entry.members.get('until')?.value;
  if (until === undefined) return withRetries(entry, sending);
  const times = numberIn(memberOf(until, 'times')?.value?.value) ?? standardTimes;
  const between = numberIn(memberOf(until, 'delay')?.value?.value) ?? standardDelayMs;
  const member = memberOf(until, 'expect');
  const before: Spent[] = [];
  for (let round = 1; ; round++) {
    const outcome = await withRetries(entry, sending);
    const judged = checkExpectations(entry, awaited, outcome, member);
    const holds = judged.every(({ ok }) => ok);
    const failed = outcome.problem !== undefined && judged.some(({ kind, ok }) => kind === 'answer' && !ok);
    if (holds || failed || round >= times) return together(before, outcome, failed ? [] : judged);
    before.push(spent(outcome));
    await sending.pause(between, 'until');
  }
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

async function withRetries(entry: RequestEntry, { send, pause }: RepeatSteps): Promise<RequestOutcome> {
  const node = entry.members.get('retry')?.value;
  const plan = node === undefined ? undefined : readRetry(valueOf(node));
  const before: Spent[] = [];
  for (;;) {
    const { outcome, released } = await send();
    const again = plan === undefined || before.length >= plan.times ? false : isWorthIt(plan, outcome);
    if (plan === undefined || !again) return together(before, outcome);
    if (!plan.unsafe && released && !isHarmless(entry, outcome)) return { ...together(before, outcome), remark: mayHaveArrived };
    before.push(spent(outcome));
    await pause(Math.max(plan.delayMs, Math.min(outcome.problem?.waitMs ?? 0, runTiming.maxRetryMs)), 'retry');
  }
}

const mayHaveArrived: LocalizedMessage = sentence(
  'It was not sent again, as the agent may have received it. "unsafe": true under "retry" sends it again anyway.',
);

/** Errors that are mostly gone a moment later, besides those of connections: HTTP and gRPC. */
const passing: readonly (number | string)[] = [429, 502, 503, 504, 'UNAVAILABLE', 'RESOURCE_EXHAUSTED'];

function isWorthIt({ on }: RetryPlan, outcome: RequestOutcome): boolean {
  const { problem, expectations } = outcome;
  if (problem === undefined || problem.code === 'stopped') return false;
  // The error that should come.
  if (expectations?.every(({ ok }) => ok) === true) return false;
  const names = namesOf(outcome).map(String);
  const isOne = (wanted: number | string): boolean =>
    names.includes(String(wanted)) || (wanted === 'connection' && problem instanceof ConnectionProblem) || wanted === problem.code;
  return on === undefined ? problem instanceof ConnectionProblem || passing.some(isOne) : on.some(isOne);
}

/** True for operations that may begin work, or make something a second time. A raw body may be any operation. */
const begins = ({ operation, raw, method }: RequestEntry): boolean =>
  raw !== undefined ||
  (operation === undefined
    ? method === undefined
    : isSend(operation) || operation === ('CreateTaskPushNotificationConfig' satisfies Operation));

/** True if the request may be sent again without anything being done twice: it changes nothing, or it cannot have arrived. */
function isHarmless(entry: RequestEntry, { problem, task, message }: RequestOutcome): boolean {
  if (!begins(entry)) return true;
  if (task !== undefined || message !== undefined) return false;
  if (problem instanceof ConnectionProblem) return problem.reached === 'no';
  // Too many requests (RFC 6585 §4): refused before anything was done.
  return problem?.statuses.includes(429) === true;
}

/** The part of an outcome that is kept when another one replaces it. */
type Spent = Pick<RequestOutcome, 'startedAt' | 'sent' | 'exchangeIds'>;

const spent = ({ startedAt, sent, exchangeIds }: RequestOutcome): Spent => ({
  startedAt,
  ...(sent !== undefined && { sent }),
  exchangeIds,
});

/** The last outcome, with the time and the exchanges of those before it. */
function together(before: readonly Spent[], last: RequestOutcome, awaited: readonly ExpectationResult[] = []): RequestOutcome {
  const sent = before.reduce((sum, outcome) => sum + (outcome.sent ?? 1), last.sent ?? 1);
  return {
    ...last,
    startedAt: before[0]?.startedAt ?? last.startedAt,
    exchangeIds: [...new Set([...before.flatMap(({ exchangeIds }) => exchangeIds), ...last.exchangeIds])],
    ...(sent > 1 && { sent }),
    ...(awaited.length > 0 && { expectations: [...awaited, ...(last.expectations ?? [])] }),
  };
}
