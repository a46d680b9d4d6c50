import type { ShownState } from '../../protocol/message/taskState.ts';
import type { Shape } from './rows.ts';

/** How long a task was in a state, milliseconds. */
interface StateTime {
  readonly state: ShownState;
  readonly ms: number;
}

/** When the agent first answered a message, and how the time until a status was spent. */
export interface StateTimes {
  /** From the person's message to the first thing the agent said, milliseconds; absent where the message is not loaded. */
  readonly first?: number;
  /** In the order in which they were first told; what a task came back to counts once. */
  readonly states: readonly StateTime[];
}

/** The times of one turn of a task, which ends with the status `seq` and begins with the person's message before it. */
export function stateTimes(shapes: readonly Shape[], seq: number): StateTimes {
  const end = shapes.findIndex(shape => shape.seq === seq);
  const status = shapes[end];
  if (status === undefined) return { states: [] };
  const ofTask = shapes.slice(0, end + 1).filter(({ taskId }) => taskId === status.taskId);
  const turn = ofTask.findLastIndex(({ mine }) => mine);
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
