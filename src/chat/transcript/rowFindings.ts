import type { ExchangeFindings, FindingLine } from '../host/chatState.ts';
import type { Row, Shape } from './rows.ts';

/** A finding of a row, and its exchange. */
export interface RowFinding extends FindingLine {
  readonly exchangeId: string;
  /** How often it is in the exchange of each operation that has it most often; `times` is their sum. */
  readonly timesIn: ReadonlyMap<string, number>;
}

const none: ReadonlyMap<number, readonly RowFinding[]> = new Map();

/**
 * Findings by row key: at the last row that the exchange produced, or, for an exchange that produced none, at the last row before it began, of
 * the task that it is about where that has one.
 * Entries without a row, such as a gap that was filled, do not count. Findings with the same rule and text are shown once per row, with the newest exchange.
 * What is in each answer of an operation is not counted again with each: an agent that is polled repeats it.
 */
export function rowFindings(
  rows: readonly Row[],
  shapes: readonly Shape[],
  exchanges: readonly ExchangeFindings[],
): ReadonlyMap<number, readonly RowFinding[]> {
  if (exchanges.length === 0) return none;
  const marks = new Map<number, Map<string, RowFinding>>();
  const rowOf = new Map(rows.flatMap(({ key, seqs }) => seqs.map(seq => [seq, key] as const)));
  const drawn = shapes.filter(({ seq }) => rowOf.has(seq));
  const lastOf = new Map(drawn.map(({ exchangeId, seq }) => [exchangeId, seq]));
  for (const { exchangeId, operation, taskId, startedAt, lines } of exchanges) {
    const ofTask = taskId === undefined ? [] : drawn.filter(shape => shape.taskId === taskId);
    const seq = lastOf.get(exchangeId) ?? (lastBefore(ofTask, startedAt) ?? ofTask[0] ?? lastBefore(drawn, startedAt))?.seq;
    const key = seq === undefined ? undefined : rowOf.get(seq);
    // Its row is in older history that is not loaded.
    if (key === undefined) continue;
    const mark = marks.get(key) ?? new Map<string, RowFinding>();
    for (const line of lines) {
      const same = `${line.rule} ${line.message}`;
      const timesIn = new Map(mark.get(same)?.timesIn);
      timesIn.set(operation, Math.max(line.times, timesIn.get(operation) ?? 0));
      mark.set(same, { ...line, exchangeId, timesIn, times: [...timesIn.values()].reduce((sum, times) => sum + times) });
    }
    marks.set(key, mark);
  }
  return new Map([...marks].map(([key, mark]) => [key, [...mark.values()]]));
}

const lastBefore = (shapes: readonly Shape[], time: number): Shape | undefined => shapes.findLast(({ at }) => at <= time);

/** Keys of all rows of a turn with findings: the rows of one task from a message of the person's to the next. `marks`: see `rowFindings`. */
export function deviantTurns(rows: readonly Row[], marks: ReadonlyMap<number, unknown>): ReadonlySet<number> {
  if (marks.size === 0) return new Set();
  const turns: number[][] = [];
  const turnOf = new Map<string | undefined, number[]>();
  for (const { key, taskId, shapes } of rows) {
    const begins = shapes.some(({ mine, foreign }) => mine && foreign !== true);
    const turn = (begins ? undefined : turnOf.get(taskId)) ?? [];
    if (turn.length === 0) turns.push(turn);
    turnOf.set(taskId, turn);
    turn.push(key);
  }
  return new Set(turns.filter(turn => turn.some(key => marks.has(key))).flat());
}
