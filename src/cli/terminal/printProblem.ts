import { inTerminal, type Problem } from '../../protocol/problem.ts';
import { excerpt } from './excerpt.ts';
import type { Output } from './output.ts';
import { exitStatus } from './usage.ts';

/**
 * Codes of problems that the person mends: what they wrote needs a value, a sign-in or a permission that they have not given, so that nothing
 * was sent. `a2a run` ends with the same status.
 */
const ofPerson: ReadonlySet<string> = new Set([
  'bad-url',
  'secret-missing',
  'variable-missing',
  'secret-elsewhere',
  'header-elsewhere',
  'folder-values',
  'sign-in-missing',
  'sign-in-value',
  'sign-in-person',
  'sign-in-certificate',
  'no-sqlite',
  'history-unread',
  'history-newer',
]);

/** Prints what went wrong, the next step and the beginning of what the agent sent. Returns the exit status for it. */
export function printProblem(output: Output, { message, nextStep, details, code }: Problem): number {
  output.printError(message, ...(nextStep === undefined ? [] : [inTerminal(nextStep)]), ...(details ? [`  | ${excerpt(details)}`] : []));
  if (ofPerson.has(code)) return exitStatus.usage;
  return code === 'time-limit' ? exitStatus.taskFailed : exitStatus.agent;
}

/** Prints a defect of this program that a push notification has met. Later notifications are received all the same. */
export function printFault(output: Output, error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  output.printError(`A push notification could not be handled, because something went wrong inside a2a: ${why}`);
}
