import type { Observed } from '../../request/expect/observed.ts';
import { taskStates, type TaskState } from '../../protocol/message/taskState.ts';
import { listOf, Problem, sentence } from '../../protocol/problem.ts';

/** The task has been in a state that is waited for, or no state is. */
export const hasReached = (wanted: readonly TaskState[] | undefined, { task, states = [] }: Pick<Observed, 'task' | 'states'>): boolean =>
  wanted === undefined ||
  wanted.length === 0 ||
  (task === undefined ? states : [...states, task.status.state]).some(state => wanted.includes(state));

/** The task was never in one of the awaited states. */
export function notReached(wanted: readonly TaskState[], { task, states = [] }: Pick<Observed, 'task' | 'states'>): Problem {
  const names = listOf(wanted.map(state => taskStates[state].label));
  if (task === undefined) return new Problem('not-reached', sentence('The agent answered without a task, so none was ever {0}.', names));
  const went = states.length > 0 ? states : [task.status.state];
  return new Problem(
    'not-reached',
    sentence('The task was never {0}. It went through {1}.', names, went.map(state => taskStates[state].label).join(' → ')),
    {
      nextStep: sentence('Wait for a state that the task goes through, or for its end without "waitFor".'),
    },
  );
}

/** A task that was not over in time, in a state that A2A does not define. */
export const lateIn = (late: Problem, name: string | undefined): Problem =>
  name === undefined
    ? late
    : new Problem(late.code, sentence('{0} The task is in the state {1}, which A2A does not define.', late.sentence, name), {
        nextStep: late.nextStep,
        cause: late,
      });

/** The agent goes on with a task that was not over in time. */
export const withRefusal = (late: Problem, refusal: Problem): Problem =>
  new Problem(
    late.code,
    sentence('{0} The agent was then asked to cancel the task, which continues: {1}', late.sentence, refusal.sentence),
    {
      nextStep: late.nextStep,
      details: refusal.details,
      cause: refusal,
    },
  );
