import { inTerminal, type Problem } from '../../protocol/problem.ts';
import { excerpt } from './excerpt.ts';
import { printError } from './output.ts';
import { exitStatus } from './usage.ts';

/** Prints what went wrong, the next step and the beginning of what the agent sent. Returns the exit status that says the same. */
export function printProblem({ message, nextStep, details, code }: Problem): number {
  printError(message, ...(nextStep === undefined ? [] : [inTerminal(nextStep)]), ...(details ? [`  | ${excerpt(details)}`] : []));
  return code === 'time-limit' ? exitStatus.taskFailed : exitStatus.agent;
}
