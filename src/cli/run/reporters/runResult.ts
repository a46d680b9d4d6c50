import { ConnectionProblem } from '../../../client/http/connectionProblem.ts';
import type { ComparedSnapshot, RequestOutcome } from '../../../model/requests/requestOutcome.ts';
import type { Finding } from '../../../protocol/finding.ts';
import { textOf } from '../../../protocol/message/part.ts';
import { beginningOf } from '../../../protocol/ownText.ts';
import { inTerminal, sentence, type LocalizedMessage, type Problem } from '../../../protocol/problem.ts';
import { taskStates } from '../../../protocol/message/taskState.ts';
import { A2AError } from '../../../protocol/errors.ts';
import { checkExpectations, type ExpectationResult } from '../../../request/expect/expectations.ts';
import { descriptionOf, tagsOf } from '../../../request/file/control.ts';
import type { RequestEntry } from '../../../request/file/requestEntry.ts';
import { shown } from '../../../request/expect/check.ts';
import type { TextPosition } from '../../../request/text/textPosition.ts';
import { answerOf, type RunAnswer, type RunExchange } from './runAnswer.ts';
import { isBad, type Verdict } from './verdict.ts';

export interface RunFailure extends TextPosition {
  readonly kind: string;
  readonly message: string;
  readonly nextStep?: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** A failure in lines, for a format that has one text of it. */
export const failureText = ({ message, nextStep, expected, actual }: RunFailure, agentSaid: string | undefined): string =>
  [
    message,
    nextStep,
    expected === undefined ? undefined : `expected: ${expected}`,
    actual === undefined ? undefined : `actual: ${actual}`,
    agentSaid === undefined ? undefined : `The agent says: ${agentSaid}`,
  ]
    .filter(text => text !== undefined)
    .join('\n');

/** The result of one request, or of one of its data rows, as reporters write it. */
export interface RunResult extends TextPosition, RunAnswer {
  readonly file: string;
  readonly name: string;
  readonly verdict: Verdict;
  /** With fractions. */
  readonly ms: number;
  /** Until the first event, or the answer; with fractions. */
  readonly firstEventMs?: number;
  readonly state?: string;
  readonly taskId?: string;
  readonly failures: readonly RunFailure[];
  /** The `description` of the request in the file. */
  readonly description?: string;
  readonly tags?: readonly string[];
  /** Number of times it was sent, where that is more than once. */
  readonly sent?: number;
  /** The snapshot beside the answer; absent where none is expected, and where nothing came to compare. */
  readonly snapshot?: ComparedSnapshot['result'];
  /** Something about the sending, such as why it was not repeated. */
  readonly remark?: string;
  /** The reason in the agent's own words; absent where the agent gave none, or where the failures already quote it. */
  readonly agentSaid?: string;
  /** The agent was still working on the task when the request ended as expected. */
  readonly left?: true;
  /** Deviations from the protocol found while reading the answer; absent where there are none. */
  readonly findings?: readonly Omit<Finding, 'sentence'>[];
  /** The agent was not reached or refused the request: not a fault of the file. */
  readonly agentFailed: boolean;
  /** As far as they are reported. */
  readonly exchanges?: readonly RunExchange[];
}

/** Verdicts on requests that were sent and did not come through. */
export const hasFailed = (verdict: Verdict): boolean => verdict === 'failed' || verdict === 'error';

/** Codes of problems caused by the agent or the connection to it. */
const agentCodes: ReadonlySet<string> = new Set([
  'unauthorized',
  'http-error',
  'redirected',
  'not-json',
  'unreadable-answer',
  'empty-answer',
  'nested-too-deeply',
  'too-large',
  'not-grpc',
  'grpc-error',
  'no-card',
  'html-instead-of-card',
  'card-not-json',
  'not-a-card',
  'no-interface',
  'stream-error',
  'stream-ended',
  'lost-contact',
  'stop-unknown',
  'stop-unsent',
  'other-task',
  'unknown-state',
]);

const nameOf = ({ name, index }: RequestEntry): string => name ?? `Request ${index + 1}`;

/** A request's file, with the path shown to people. */
interface FileRun {
  readonly path: string;
  readonly positionAt: (offset: number) => TextPosition;
}

/**
 * One result, or one per data row. `interruptedAt`: when the run was interrupted, in milliseconds since the epoch; undefined where it was
 * not.
 */
export function resultsOf(run: FileRun, entry: RequestEntry, outcome: RequestOutcome, interruptedAt?: number): readonly RunResult[] {
  const one = (own: RequestOutcome, name: string): RunResult => afterInterrupt(resultOf(run, entry, own, name), own, interruptedAt);
  if (outcome.rows === undefined) return [one(outcome, nameOf(entry))];
  return outcome.rows.map(row => one(row.outcome, `${nameOf(entry)} [${row.label}]`));
}

/** A request that ended after the run was interrupted is not a fault of the agent or the file. */
function afterInterrupt(result: RunResult, { problem, endedAt }: RequestOutcome, interruptedAt = Number.POSITIVE_INFINITY): RunResult {
  if (!isBad(result.verdict) || endedAt < interruptedAt) return result;
  const { line, column } = result;
  if (problem?.code === 'needed-failed') return { ...result, verdict: 'not-run', failures: [], agentFailed: false };
  const message = inTerminal(interrupted);
  const own =
    problem?.code === 'stop-unknown' || problem?.code === 'stop-unsent' ? [{ kind: problem.code, ...wordsOf(problem), line, column }] : [];
  return {
    ...result,
    verdict: 'interrupted',
    failures: [{ kind: 'interrupted', message, line, column }, ...own],
    agentFailed: false,
    agentSaid: undefined,
  };
}

const interrupted = sentence('The run ended before this request had a result.');

/** The result of a request that was not sent before the run ended. */
export function notRun({ path, positionAt }: FileRun, entry: RequestEntry): RunResult {
  return {
    file: path,
    name: nameOf(entry),
    verdict: 'not-run',
    ms: 0,
    failures: [],
    agentFailed: false,
    ...factsOf(entry),
    ...positionAt(entry.nameRange.offset),
  };
}

function factsOf(entry: RequestEntry): Pick<RunResult, 'description' | 'tags'> {
  const [description, tags] = [descriptionOf(entry), tagsOf(entry)];
  return { ...(description !== undefined && { description }), ...(tags.length > 0 && { tags }) };
}

/** The result of a request that its file leaves out. */
export function leftOut(run: FileRun, entry: RequestEntry, why: LocalizedMessage): RunResult {
  const place = run.positionAt(entry.nameRange.offset);
  return { ...notRun(run, entry), verdict: 'left-out', failures: [{ kind: 'left-out', message: inTerminal(why), ...place }] };
}

/** The result of a request that was still running when the run was given up. */
export function withoutResult(
  run: FileRun,
  entry: RequestEntry,
  { problem, ms }: { readonly problem: Problem; readonly ms: number },
): RunResult {
  const place = run.positionAt(entry.nameRange.offset);
  return {
    ...notRun(run, entry),
    verdict: problem.code === 'stopped' ? 'interrupted' : 'error',
    ms: fraction(ms),
    failures: [{ kind: problem.code, ...wordsOf(problem), ...place }],
  };
}

function resultOf({ path, positionAt }: FileRun, entry: RequestEntry, outcome: RequestOutcome, name: string): RunResult {
  const { problem, task, startedAt, firstEventAt, endedAt, findings = [] } = outcome;
  // Without "expect", an answer is expected, and a task that has not failed.
  const wrong = (outcome.expectations ?? checkExpectations(entry, {}, outcome)).filter(({ ok }) => !ok);
  const cause = wrong.length > 0 && wrong.every(({ kind }) => kind === 'answer') ? problem : undefined;
  const agentSaid = wrong.length === 0 ? undefined : reasonIn(outcome, wrong);
  return {
    file: path,
    name,
    ...positionAt(entry.nameRange.offset),
    verdict: wrong.length > 0 ? badVerdict(cause) : outcome.expectations === undefined ? 'sent' : 'passed',
    ms: fraction(endedAt - startedAt),
    ...(firstEventAt !== undefined && { firstEventMs: fraction(firstEventAt - startedAt) }),
    taskId: task?.id,
    state: task === undefined ? undefined : taskStates[task.status.state].label,
    ...factsOf(entry),
    ...(outcome.sent !== undefined && { sent: outcome.sent }),
    ...(outcome.snapshot !== undefined && { snapshot: outcome.snapshot.result }),
    ...(outcome.remark !== undefined && { remark: inTerminal(outcome.remark) }),
    failures: wrong.map(failure => failureOf(failure, positionAt, cause)),
    agentFailed: cause !== undefined && isOfAgent(cause),
    ...(agentSaid !== undefined && { agentSaid }),
    ...(outcome.left === true && { left: true }),
    ...(findings.length > 0 && { findings: findings.map(({ sentence: _, ...finding }) => finding) }),
    ...answerOf(outcome),
  };
}

/** To a thousandth of a millisecond, and never below 0: the clock of the machine may have been set back. */
const fraction = (ms: number): number => Math.max(0, Math.round(ms * 1000) / 1000);

/** Maximum length of a reported reason, in UTF-16 code units. */
const maxReasonLength = 4_000;

/** The agent's message for a task that did not complete, or for its error. */
function reasonIn({ task, problem }: RequestOutcome, wrong: readonly ExpectationResult[]): string | undefined {
  const { state, message } = task?.status ?? {};
  const said =
    state === 'TASK_STATE_COMPLETED'
      ? []
      : [textOf(message?.parts ?? []), ...(message?.parts ?? []).flatMap(part => ('data' in part ? shown(part.data) : []))];
  if (problem?.details !== undefined && isOfAgent(problem)) said.push(problem.details);
  const text = said.filter(one => one !== '' && !wrong.some(({ actual }) => actual === one)).join('\n');
  return text === '' ? undefined : beginningOf(text, maxReasonLength, '…');
}

/** The verdict of a failed request. `cause`: the problem because of which there is nothing to check. */
function badVerdict(cause: Problem | undefined): Verdict {
  if (cause === undefined || cause.code === 'time-limit' || cause.code === 'not-reached') return 'failed';
  if (cause.code === 'nothing-to-clean-up') return 'left-out';
  if (cause.code === 'needed-failed') return 'skipped';
  return cause.code === 'stopped' ? 'not-run' : 'error';
}

const wordsOf = ({ sentence, nextStep }: Problem): Pick<RunFailure, 'message' | 'nextStep'> => ({
  message: inTerminal(sentence),
  nextStep: nextStep === undefined ? undefined : inTerminal(nextStep),
});

function failureOf(
  { kind, range, message, expected, actual }: ExpectationResult,
  positionAt: FileRun['positionAt'],
  problem: Problem | undefined,
): RunFailure {
  return {
    kind: problem?.code ?? kind,
    message: inTerminal(message),
    expected,
    actual,
    ...positionAt(range.offset),
    nextStep: problem?.nextStep === undefined ? undefined : inTerminal(problem.nextStep),
  };
}

const isOfAgent = (problem: Problem): boolean =>
  problem instanceof A2AError ||
  problem instanceof ConnectionProblem ||
  agentCodes.has(problem.code) ||
  (problem.code === 'needed-failed' && isOfAgent(problem.cause as Problem));
