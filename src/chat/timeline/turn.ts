import { isActiveState } from '../text/statePresentation.ts';
import type { ShownState } from '../../protocol/message/taskState.ts';
import type { Shape } from '../transcript/rows.ts';
import { sizeOf } from '../transcript/shownParts.ts';
import type { EntryView } from '../transcript/transcript.ts';

/** A period of a turn in which the task was in one state; milliseconds since the epoch. */
export interface StatePeriod {
  /** Undefined before the agent's first response. */
  readonly state: ShownState | undefined;
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
}

/** The course of a task since the person's last message. */
interface Turn {
  readonly taskId: string;
  /** In order, without gaps; adjacent periods of the same state are merged. */
  readonly periods: readonly StatePeriod[];
  /** The final state. */
  readonly ended: ShownState | undefined;
  /** From the person's message to the agent's first response, in milliseconds; absent where either is missing. */
  readonly first: number | undefined;
  /** The agent's entries, oldest first. */
  readonly answers: readonly Shape[];
}

/** Maximum number of periods per turn; earlier ones are merged into one. */
const maxPeriods = 200;

/** The newest turn of a task, or of all, among entries, oldest first; undefined where there is no task or its times are unknown. */
export function newestTurn(
  shapes: readonly Shape[],
  taskId = shapes.findLast(shape => shape.taskId !== undefined)?.taskId,
): Turn | undefined {
  if (taskId === undefined) return undefined;
  const ofTask = shapes.filter(shape => shape.taskId === taskId);
  const spoke = ofTask.findLastIndex(({ mine, foreign }) => mine && foreign !== true);
  const answers = ofTask.slice(spoke + 1);
  const began = ofTask[spoke]?.at ?? answers[0]?.at;
  if (began === undefined || ofTask.slice(Math.max(0, spoke)).some(({ untimed }) => untimed === true)) return undefined;
  const states = answers.flatMap(({ state, at }) => (state === undefined ? [] : [{ state, at }])).slice(-maxPeriods);
  const last = states.at(-1);
  const ended = last !== undefined && !isActiveState(last.state) ? last.state : undefined;
  const periods: StatePeriod[] = [{ state: undefined, from: began, to: states[0]?.at }];
  for (const [index, { state, at }] of (ended === undefined ? states : states.slice(0, -1)).entries()) {
    const to = states[index + 1]?.at;
    const before = periods.at(-1);
    if (before?.state === state) periods[periods.length - 1] = { ...before, to };
    else periods.push({ state, from: at, to });
  }
  const answeredAt = answers[0]?.at;
  return { taskId, periods, ended, first: spoke < 0 || answeredAt === undefined ? undefined : answeredAt - began, answers };
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
