import type { ShownState } from '../../protocol/message/taskState.ts';
import { isActiveState } from '../text/statePresentation.ts';
import type { Shape } from './rows.ts';
import { sizeOf } from './shownParts.ts';
import type { EntryView } from './transcript.ts';

/** A period of a turn in which the task was in one state; milliseconds since the epoch. */
export interface StatePeriod {
  /** Undefined before the agent's first response, and for an `untimed` period. */
  readonly state: ShownState | undefined;
  /** Set for a time in which the task changed its state at a time that is not known. */
  readonly untimed?: true;
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
}

/** The course of a task since the person's last message. */
interface Turn {
  readonly taskId: string;
  /** In order, without gaps; adjacent periods of the same state are merged. Empty where no time is known. */
  readonly periods: readonly StatePeriod[];
  /** States that began or ended at a time that is not known. */
  readonly untimed: ReadonlySet<ShownState>;
  /** The final state. */
  readonly ended: ShownState | undefined;
  /** From the person's message to the agent's first response, in milliseconds; absent where one of these times is not known. */
  readonly first: number | undefined;
  /** The agent's entries, oldest first. */
  readonly answers: readonly Shape[];
}

const timeOf = (shape: Shape | undefined): number | undefined => (shape?.untimed === true ? undefined : shape?.at);

/** The newest turn of a task, or of all, among entries, oldest first; undefined where there is no task. */
export function newestTurn(
  shapes: readonly Shape[],
  taskId = shapes.findLast(shape => shape.taskId !== undefined)?.taskId,
): Turn | undefined {
  const ofTask = taskId === undefined ? [] : shapes.filter(shape => shape.taskId === taskId);
  if (taskId === undefined || ofTask.length === 0) return undefined;
  const spoke = ofTask.findLastIndex(({ mine, foreign }) => mine && foreign !== true);
  const answers = ofTask.slice(spoke + 1);
  const [begun, answered] = [timeOf(ofTask[spoke]), timeOf(answers[0])];
  const states = answers.flatMap(shape => (shape.state === undefined ? [] : [{ state: shape.state, at: timeOf(shape) }]));
  const last = states.at(-1);
  const ended = last !== undefined && !isActiveState(last.state) ? last.state : undefined;
  const { periods, untimed } = periodsOf([{ state: undefined, at: spoke < 0 ? answered : begun }, ...states], ended !== undefined);
  const first = begun === undefined || answered === undefined ? undefined : Math.max(0, answered - begun);
  return { taskId, periods, untimed, ended, first, answers };
}

interface Mark {
  readonly state: ShownState | undefined;
  /** Undefined where it is not known. */
  readonly at: number | undefined;
}

/** The periods between the beginnings of states. @param isOver the last one is the end of the task */
function periodsOf(marks: readonly Mark[], isOver: boolean): Pick<Turn, 'periods' | 'untimed'> {
  const periods: StatePeriod[] = [];
  const untimed = new Set<ShownState>();
  /** The last known time, where that of a later state is not known. */
  let since: number | undefined;
  for (const [index, { state, at }] of (isOver ? marks.slice(0, -1) : marks).entries()) {
    const next = marks[index + 1];
    const to = next?.at;
    const isEndKnown = next === undefined || to !== undefined;
    if (at !== undefined && isEndKnown) {
      const before = periods.at(-1);
      if (before !== undefined && before.state === state && before.untimed !== true) periods[periods.length - 1] = { ...before, to };
      else periods.push({ state, from: at, to });
      continue;
    }
    if (state !== undefined) untimed.add(state);
    since = at ?? since;
    if (since !== undefined && isEndKnown) periods.push({ state: undefined, untimed: true, from: since, to });
    if (isEndKnown) since = undefined;
  }
  return { periods, untimed };
}

/** Time that a task spent in a state, in milliseconds; undefined where that is not known. */
interface StateTime {
  readonly state: ShownState;
  readonly ms: number | undefined;
}

/** Time in each state, in the order in which they first occurred; repeated states are added up. @param now the end of a period that lasts */
export function timesPerState({ periods, untimed }: Pick<Turn, 'periods' | 'untimed'>, now: number): readonly StateTime[] {
  const times = new Map<ShownState, number | undefined>();
  for (const { state, from, to = now } of periods)
    if (state !== undefined) times.set(state, (times.get(state) ?? 0) + Math.max(0, to - from));
  for (const state of untimed) times.set(state, undefined);
  return [...times].map(([state, ms]) => ({ state, ms }));
}

/** The time until the agent's first response, and the times per state until a status. */
export interface StateTimes {
  /** See `Turn`. */
  readonly first?: number;
  readonly states: readonly StateTime[];
}

/** The times of one turn of a task: from the person's message to the status `seq`. */
export function stateTimes(shapes: readonly Shape[], seq: number): StateTimes {
  const end = shapes.findIndex(shape => shape.seq === seq);
  const turn = end < 0 ? undefined : newestTurn(shapes.slice(0, end + 1), shapes[end]?.taskId);
  if (turn === undefined) return { states: [] };
  const over = turn.periods.filter(({ to }) => to !== undefined);
  return { ...(turn.first !== undefined && { first: turn.first }), states: timesPerState({ ...turn, periods: over }, 0) };
}

/** Divides the time until `now` into `count` equal pieces; each gets the period at its middle. */
export function pieces(periods: readonly StatePeriod[], now: number, count: number): readonly StatePeriod[] {
  const began = periods[0]?.from ?? now;
  const piece = Math.max(0, now - began) / count;
  return Array.from({ length: count }, (_, index) => {
    const at = began + (index + 0.5) * piece;
    return periods.find(({ to }) => to === undefined || at < to) ?? periods.at(-1);
  }).filter(period => period !== undefined);
}

/** Amount of data that an agent has sent. */
interface DataAmount {
  /** Number of artifact updates. */
  readonly chunks: number;
  /** Size of artifacts and messages when saved. */
  readonly bytes: number;
}

/** Total of these entries. */
export function totalOf(views: readonly EntryView[]): DataAmount {
  let chunks = 0;
  let bytes = 0;
  for (const { chunks: count, parts } of views) {
    chunks += count;
    for (const part of parts) bytes += sizeOf(part) ?? 0;
  }
  return { chunks, bytes };
}
