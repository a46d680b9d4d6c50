import { ConnectionProblem } from '../client/connectionProblem.ts';
import type { RequestOutcome } from '../model/requestOutcome.ts';
import { english, type Problem } from '../protocol/problem.ts';
import { taskStates } from '../protocol/taskState.ts';
import { A2AError } from '../protocol/errors.ts';
import { checkExpectations, type ExpectationResult } from '../request/expect/expectations.ts';
import type { RequestEntry } from '../request/requestEntry.ts';
import { positionAt, type TextPosition } from '../request/textPosition.ts';
import type { RunFile } from './runFiles.ts';

/** `failed`: an expectation, or the task; `error`: the request did not come through; `skipped`: it was not sent. */
export type Verdict = 'passed' | 'failed' | 'error' | 'skipped';

export interface RunFailure extends TextPosition {
  readonly kind: string;
  readonly message: string;
  readonly nextStep?: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** How one request, or one row of it, came out; what reporters write. */
export interface RunResult extends TextPosition {
  readonly file: string;
  readonly name: string;
  readonly verdict: Verdict;
  readonly ms: number;
  readonly state?: string;
  readonly taskId?: string;
  readonly failures: readonly RunFailure[];
  /** Nothing reached the agent, or the agent said no: not a fault of the file. */
  readonly agentFailed: boolean;
}

/** Codes of problems whose cause is the agent or the way to it. */
const agentCodes: ReadonlySet<string> = new Set(['unauthorized', 'http-error', 'not-json', 'empty-answer', 'no-card', 'stream-ended']);

const nameOf = ({ name, index }: RequestEntry): string => name ?? `Request ${index + 1}`;

/** One result, or one for each row of data. */
export function resultsOf(run: RunFile, entry: RequestEntry, outcome: RequestOutcome): readonly RunResult[] {
  if (outcome.rows === undefined) return [resultOf(run, entry, outcome, nameOf(entry))];
  return outcome.rows.map(row => resultOf(run, entry, row.outcome, `${nameOf(entry)} [${row.label}]`));
}

export function skipped({ path, file }: RunFile, entry: RequestEntry): RunResult {
  return { file: path, name: nameOf(entry), verdict: 'skipped', ms: 0, failures: [], agentFailed: false, ...positionAt(file.text, entry.nameRange.offset) };
}

function resultOf({ path, file }: RunFile, entry: RequestEntry, outcome: RequestOutcome, name: string): RunResult {
  const { problem, task, startedAt, endedAt } = outcome;
  // Without "expect" an answer is expected, and a task that has not failed.
  const wrong = (outcome.expectations ?? checkExpectations(entry, {}, outcome)).filter(({ ok }) => !ok);
  const error = problem !== undefined && wrong.every(({ kind }) => kind === 'answer');
  return {
    file: path, name, ...positionAt(file.text, entry.nameRange.offset),
    verdict: wrong.length === 0 ? 'passed' : error ? 'error' : 'failed',
    ms: Math.round(endedAt - startedAt), taskId: task?.id, state: task === undefined ? undefined : taskStates[task.status.state].label,
    failures: wrong.map(failure => failureOf(failure, file.text, error ? problem : undefined)),
    agentFailed: error && isOfAgent(problem),
  };
}

function failureOf({ kind, range, message, expected, actual }: ExpectationResult, text: string, problem: Problem | undefined): RunFailure {
  return {
    kind: problem?.code ?? kind, message: english(message), expected, actual, ...positionAt(text, range.offset),
    nextStep: problem?.nextStep === undefined ? undefined : english(problem.nextStep),
  };
}

const isOfAgent = (problem: Problem): boolean => problem instanceof A2AError || problem instanceof ConnectionProblem || agentCodes.has(problem.code)
  || (problem.code === 'needed-failed' && isOfAgent(problem.cause as Problem));
