import * as z from 'zod';
import { sentence } from '../../protocol/problem.ts';
import { readTaskState, taskStates, TaskState } from '../../protocol/message/taskState.ts';
import { kindOf, neverTurns, type Check } from './check.ts';

const labels = TaskState.options.map(state => taskStates[state].label);
/** A state as people or the protocol write it. */
export const State = z.enum([...labels, ...TaskState.options]);

const labelOf = (state: string): string => taskStates[readTaskState(state) ?? 'TASK_STATE_UNSPECIFIED'].label;

/** The state in which the task is when the request is over. */
export const state = kindOf(
  z.union([State, z.array(State).min(1)]).meta({ description: 'The state of the task at the end, such as `completed`; of several, any.' }),
  (wanted, { task }): Check[] => {
    const any = [wanted].flat().map(labelOf);
    const actual = task === undefined ? undefined : labelOf(task.status.state);
    if (actual !== undefined && any.includes(actual)) return [{ path: [] }];
    return [
      {
        path: [],
        failure: {
          message:
            actual === undefined
              ? sentence('There is no task, so it is not {0}.', any.join(', '))
              : sentence('The task is {0}, not {1}.', actual, any.join(', ')),
          expected: any.join('\n'),
          actual: actual ?? '–',
        },
      },
    ];
  },
  neverTurns,
);

/** The whole way of the task. */
export const states = kindOf(
  z
    .array(State)
    .meta({ description: 'The states of the task one after the other, from first to last. A state that is told again counts once.' }),
  (wanted, observed): Check[] => {
    const expected = wanted.map(labelOf);
    const actual = (observed.states ?? []).map(labelOf);
    const differs = expected.findIndex((label, index) => label !== actual[index]);
    if (differs === -1 && expected.length === actual.length) return [{ path: [] }];
    return [
      {
        path: differs === -1 ? [] : [differs],
        failure: {
          message: sentence('The task went through {0}, not {1}.', actual.join(' → ') || '–', expected.join(' → ') || '–'),
          expected: expected.join('\n'),
          actual: actual.join('\n'),
        },
      },
    ];
  },
  neverTurns,
);
