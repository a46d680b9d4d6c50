import * as z from 'zod';
import { listOf, sentence } from '../../protocol/problem.ts';
import { readTaskState, taskStates, TaskState } from '../../protocol/message/taskState.ts';
import { isObject } from '../../protocol/json.ts';
import { kindOf, neverTurns, type Check } from './check.ts';
import { choiceShape, chosen, narrowMatcher, notChosen } from './choice.ts';

const labels = TaskState.options.map(state => taskStates[state].label);
/** A state as people or the protocol write it. */
export const State = z.enum([...labels, ...TaskState.options]);

export const StateMatcher = narrowMatcher(choiceShape(State), State, notChosen);
/** One state, several of which any will do, or a matcher. */
export const WantedState = z.union([State, z.array(State).min(1), StateMatcher]);

const labelOf = (state: unknown): string => taskStates[readTaskState(state) ?? 'TASK_STATE_UNSPECIFIED'].label;

/** The wanted states that match the actual one. */
export const chosenStates = (wanted: z.infer<typeof WantedState>, actual: TaskState | undefined) =>
  chosen(wanted, one => actual !== undefined && labelOf(one) === labelOf(actual));

/** The state in which the task is when the request is over. */
export const state = kindOf(
  WantedState.meta({
    description:
      'The final state of the task, such as `completed`, or a list of alternatives. Or a matcher with `equals`, `in` or `not`, such as `{ "not": ["failed", "rejected"] }`.',
  }),
  (wanted, { task }): Check[] => {
    const actual = task?.status.state;
    return chosenStates(wanted, actual).map(({ path, any, negated, holds }): Check => {
      if (actual !== undefined && holds) return { path };
      const labels = any.map(labelOf);
      const label = actual && labelOf(actual);
      return {
        path,
        failure: {
          message:
            label === undefined
              ? negated
                ? sentence('There is no task, so it has no state.')
                : sentence('There is no task, so it is not {0}.', listOf(labels))
              : negated
                ? sentence('The task must not be {0}.', label)
                : sentence('The task is {0}, not {1}.', label, listOf(labels)),
          expected: labels.map(one => (negated ? `not ${one}` : one)).join('\n'),
          actual: label ?? '–',
        },
      };
    });
  },
  // While the agent works the task is none of the states in which it may end.
  wanted => isObject(wanted) && wanted['not'] !== undefined,
);

/** One of the states on the way as it is wanted, for people. */
const wordsOf = (wanted: z.infer<typeof WantedState>): string =>
  chosen(wanted, () => true)
    .map(({ any, negated }) => `${negated ? 'not ' : ''}${any.map(labelOf).join('|')}`)
    .join(', ');

/** The whole way of the task. */
export const states = kindOf(
  z.array(WantedState).meta({
    description:
      'The states of the task from first to last; each is a state, a list of alternatives, or a matcher as under `state`. Repeated states count once.',
  }),
  (wanted, observed): Check[] => {
    const expected = wanted.map(wordsOf);
    const went = observed.states ?? [];
    const actual = went.map(labelOf);
    const differs = wanted.findIndex(
      (one, index) => went[index] === undefined || !chosenStates(one, went[index]).every(({ holds }) => holds),
    );
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
