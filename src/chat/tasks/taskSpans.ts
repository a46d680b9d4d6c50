import { isActiveState } from '../text/statePresentation.ts';
import type { ShownTask } from '../host/taskGraphMessages.ts';
import { placeOf } from '../host/target.ts';
import type { ShownState } from '../../protocol/message/taskState.ts';
import type { Stretch } from './timeAxis.ts';

/** A stretch of time in which a task was in one state. */
export interface Span extends Stretch {
  readonly state: ShownState;
}

/**
 * The states of a task in order, from its first message, or from its first known state where its start is not known, to its end, or to `now`
 * where it is not over; none where its times are unknown.
 */
export function spansOf(
  { createdAt, states = [], state }: Pick<ShownTask, 'createdAt' | 'states' | 'state'>,
  now: number,
): readonly Span[] {
  const [first] = states;
  if (first === undefined) return [];
  const spans: Span[] = [];
  if (createdAt !== undefined && first.at > createdAt) spans.push({ state: 'TASK_STATE_SUBMITTED', from: createdAt, to: first.at });
  for (const [index, change] of states.entries()) {
    const next = states[index + 1];
    if (next !== undefined) spans.push({ state: change.state, from: change.at, to: Math.max(change.at, next.at) });
    else if (placeOf(state) !== 'over') spans.push({ state: change.state, from: change.at, to: Math.max(change.at, now) });
  }
  return spans.length > 0 ? spans : [{ state: first.state, from: first.at, to: first.at }];
}

/** The stretches in which the agent worked. */
export const workOf = (spans: readonly Span[]): readonly Stretch[] => {
  const work = spans.filter(({ state }) => isActiveState(state));
  return work.length > 0 ? work : spans.slice(0, 1).map(({ from }) => ({ from, to: from }));
};
