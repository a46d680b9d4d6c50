import type { Entry } from '../../protocol/message/transcript.ts';
import type { ShownState } from '../../protocol/message/taskState.ts';
import { gatherTurns, type TaskTurn } from './taskTurns.ts';

/** An entry without its content, as far as the order and grouping of rows depend on it. */
export interface Shape {
  readonly seq: number;
  readonly at: number;
  /** Its time is unknown. */
  readonly untimed?: true;
  /** See `Entry`. */
  readonly polled?: true;
  readonly kind: Entry['kind'];
  readonly taskId: string | undefined;
  readonly exchangeId: string | undefined;
  /** State of a status entry. */
  readonly state: ShownState | undefined;
  /** Set for a message of the user's. */
  readonly mine: boolean;
  /** Set for a user message that was not sent from here: the agent has it in its history. */
  readonly foreign?: true;
  /** Set for a gap after which the agent has sent the whole task. */
  readonly filled?: true;
}

export function shapeOf(entry: Entry): Shape {
  return {
    seq: entry.seq,
    at: entry.at,
    ...(entry.untimed && { untimed: true as const }),
    ...(entry.polled && { polled: true as const }),
    kind: entry.kind,
    taskId: entry.taskId,
    exchangeId: entry.exchangeId,
    state: entry.kind === 'status' ? entry.state : undefined,
    mine: entry.kind === 'message' && entry.message.role === 'ROLE_USER',
    ...(entry.kind === 'message' && entry.message.role === 'ROLE_USER' && entry.delivery === undefined && { foreign: true }),
    ...(entry.kind === 'gap' && entry.filled === true && { filled: true }),
  };
}

export const sameShape = (a: Shape, b: Shape): boolean =>
  (Object.keys({ ...a, ...b }) as (keyof Shape)[]).every(member => a[member] === b[member]);

/** A row of the transcript: one entry, or a run of progress statuses of one task. */
export interface Row {
  /** The seq of its first entry. */
  readonly key: number;
  readonly kind: Entry['kind'] | 'progress';
  /** More than one only for progress. */
  readonly seqs: readonly number[];
  /** The shapes of its entries. An entry that is loaded again has a new shape object. */
  readonly shapes: readonly Shape[];
  readonly taskId: string | undefined;
  /** The row before it belongs to another task. */
  readonly newTask: boolean;
  /** The agent is the speaker, and was not in the row before. */
  readonly newSpeaker: boolean;
  /** It holds the newest status of its task. */
  readonly current: boolean;
  /** Time of the user's last message to its task, or else of the last one before it, in milliseconds since the epoch. */
  readonly since: number | undefined;
  /** For progress: key of the row with the status that ended it. */
  readonly endedBy: number | undefined;
  /** For such a status: key of the row with the progress before it. */
  readonly ends: number | undefined;
  /** For a status: the seq of the problem entry of its task, directly before or after it. */
  readonly beside: number | undefined;
  /** Its place in the card of a task that runs at the same time as others. */
  readonly card: TaskCard | undefined;
}

/** A task's card: all entries of it since the person's last message to it. */
interface TaskCard {
  /** The row is the first or last of the card. */
  readonly first: boolean;
  readonly last: boolean;
  /** The newest status in the card, its seq and when it came, in milliseconds since the epoch (undefined where that is unknown). */
  readonly state: ShownState | undefined;
  readonly status: number | undefined;
  readonly at: number | undefined;
  readonly polled: boolean;
}

const progressStates: readonly (ShownState | undefined)[] = ['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_UNSPECIFIED'];
const isProgress = (shape: Shape): boolean => shape.kind === 'status' && progressStates.includes(shape.state);

/**
 * Groups entries, oldest first, into rows. Consecutive progress of one task becomes one row. `past`: later entries are not included, so
 * the newest status of a task is unknown.
 */
export function rowsOf(inTime: readonly Shape[], past = false): readonly Row[] {
  const { shapes, turns } = gatherTurns(inTime);
  const newest = new Map<string | undefined, number>();
  for (const { kind, taskId, seq } of shapes) if (kind === 'status') newest.set(taskId, seq);
  const openGap = new Map(shapes.filter(({ kind, filled }) => kind === 'gap' && filled !== true).map(({ taskId, seq }) => [taskId, seq]));
  const rows: (Writable<Row> & { seqs: number[]; shapes: Shape[] })[] = [];
  /** Progress rows by task id, since the person's last message. */
  const progressOf = new Map<string | undefined, (typeof rows)[number]>();
  let since: number | undefined;
  /** Start times by task id. */
  const sinceOf = new Map<string | undefined, number | undefined>();
  let before: Shape | undefined;
  let agentSpoke = false;
  for (const shape of shapes) {
    // One notice for all missing parts of a task, and none once nothing is missing.
    if (shape.kind === 'gap' && shape.seq !== openGap.get(shape.taskId)) continue;
    const last = rows.at(-1);
    const progress = isProgress(shape);
    const current = !past && newest.get(shape.taskId) === shape.seq && shape.kind === 'status';
    if (progress && last?.kind === 'progress' && last.taskId === shape.taskId) {
      last.seqs.push(shape.seq);
      last.shapes.push(shape);
      last.current ||= current;
    } else {
      rows.push({
        key: shape.seq,
        kind: progress ? 'progress' : shape.kind,
        seqs: [shape.seq],
        shapes: [shape],
        taskId: shape.taskId,
        newTask: shape.taskId !== undefined && shape.taskId !== before?.taskId,
        newSpeaker: !shape.mine && !agentSpoke,
        current,
        since: sinceOf.has(shape.taskId) ? sinceOf.get(shape.taskId) : since,
        endedBy: undefined,
        ends: undefined,
        beside: shape.kind === 'status' && last?.kind === 'problem' && last.taskId === shape.taskId ? last.key : undefined,
        card: undefined,
      });
      if (shape.kind === 'problem' && last?.kind === 'status' && last.taskId === shape.taskId) last.beside = shape.seq;
    }
    const row = rows.at(-1);
    if (progress && row !== undefined) progressOf.set(shape.taskId, row);
    else if (shape.kind === 'status' && row !== undefined) {
      const before = progressOf.get(shape.taskId);
      if (before !== undefined) [row.ends, before.endedBy] = [before.key, row.key];
      progressOf.delete(shape.taskId);
    }
    if (shape.mine) {
      if (shape.foreign !== true || shape.untimed) {
        since = shape.untimed ? undefined : shape.at;
        if (shape.taskId !== undefined) sinceOf.set(shape.taskId, since);
      }
      progressOf.clear();
    }
    // A problem is this program's word: no answer may have come.
    if (shape.kind !== 'problem') agentSpoke = !shape.mine;
    before = shape;
  }
  if (turns.size > 0) markCards(rows, turns);
  return rows;
}

function markCards(rows: readonly Writable<Row>[], turns: ReadonlyMap<Shape, TaskTurn>): void {
  const turnOf = (row: Row | undefined): TaskTurn | undefined => row?.shapes[0] && turns.get(row.shapes[0]);
  for (const [index, row] of rows.entries()) {
    const turn = turnOf(row);
    if (turn === undefined) continue;
    const status = turn.shapes.findLast(({ kind }) => kind === 'status');
    row.card = {
      first: turnOf(rows[index - 1]) !== turn,
      last: turnOf(rows[index + 1]) !== turn,
      state: status?.state,
      status: status?.seq,
      at: status?.untimed === true ? undefined : status?.at,
      polled: status?.polled === true,
    };
  }
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** The rows, with unchanged ones replaced by their earlier objects, which need not render again. */
export function reuseRows(rows: readonly Row[], before: readonly Row[]): readonly Row[] {
  const known = new Map(before.map(row => [row.key, row]));
  return rows.map(row => {
    const like = known.get(row.key);
    return like !== undefined && sameRow(like, row) ? like : row;
  });
}

function sameRow(a: Row, b: Row): boolean {
  return (
    a.kind === b.kind &&
    a.taskId === b.taskId &&
    a.newTask === b.newTask &&
    a.newSpeaker === b.newSpeaker &&
    a.current === b.current &&
    a.since === b.since &&
    a.endedBy === b.endedBy &&
    a.ends === b.ends &&
    a.beside === b.beside &&
    sameCard(a.card, b.card) &&
    a.shapes.length === b.shapes.length &&
    a.shapes.every((shape, index) => shape === b.shapes[index])
  );
}

/** Only the first row shows the card's state. */
function sameCard(a: TaskCard | undefined, b: TaskCard | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.first === b.first && a.last === b.last && a.state === b.state && (!a.first || (a.status === b.status && a.at === b.at));
}
