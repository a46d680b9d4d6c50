import type { ShownState } from '../../protocol/message/taskState.ts';
import type { Shape } from './rows.ts';

/** Time that a task spent in a state, in milliseconds. */
interface StateTime {
  readonly state: ShownState;
  readonly ms: number;
}

/** The time until the agent's first response, and the times per state until a status. */
export interface StateTimes {
  /** From the person's message to the agent's first response, in milliseconds; absent where the message is not loaded. */
  readonly first?: number;
  /** In the order in which they first occurred; repeated states are added up. */
  readonly states: readonly StateTime[];
}

/** The times of one turn of a task: from the person's message to the status `seq`. */
export function stateTimes(shapes: readonly Shape[], seq: number): StateTimes {
  const end = shapes.findIndex(shape => shape.seq === seq);
  const status = shapes[end];
  if (status === undefined) return { states: [] };
  const ofTask = shapes.slice(0, end + 1).filter(({ taskId }) => taskId === status.taskId);
  const turn = ofTask.findLastIndex(({ mine, foreign }) => mine && foreign !== true);
  const asked = ofTask[turn];
  const answers = ofTask.slice(turn + 1);
  if (asked?.untimed || answers.some(({ untimed }) => untimed === true)) return { states: [] };
  const times = new Map<ShownState, number>();
  const statuses = answers.filter(({ state }) => state !== undefined);
  for (const [index, { state, at }] of statuses.entries()) {
    const next = statuses[index + 1];
    if (state !== undefined && next !== undefined) times.set(state, (times.get(state) ?? 0) + next.at - at);
  }
  const first = asked === undefined || answers[0] === undefined ? undefined : answers[0].at - asked.at;
  return { ...(first !== undefined && { first }), states: [...times].map(([state, ms]) => ({ state, ms })) };
}
