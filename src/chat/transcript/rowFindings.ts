import type { ExchangeFindings, FindingLine } from '../host/messages.ts';
import type { Row, Shape } from './rows.ts';

/** A finding on a row, and the exchange that it leads to. */
export interface RowFinding extends FindingLine {
  readonly exchangeId: string;
}

const none: ReadonlyMap<number, readonly RowFinding[]> = new Map();

/**
 * Which rows bear findings, by their key: the last row that the exchange brought; for an exchange that brought none, the last one
 * before it began. One rule is one line of a row, however many exchanges broke it: the newest of them stands for the others.
 */
export function rowFindings(
  rows: readonly Row[],
  shapes: readonly Shape[],
  exchanges: readonly ExchangeFindings[],
): ReadonlyMap<number, readonly RowFinding[]> {
  if (exchanges.length === 0) return none;
  const marks = new Map<number, Map<string, RowFinding>>();
  const rowOf = new Map(rows.flatMap(({ key, seqs }) => seqs.map(seq => [seq, key] as const)));
  const lastOf = new Map(shapes.map(({ exchangeId, seq }) => [exchangeId, seq]));
  for (const { exchangeId, startedAt, lines } of exchanges) {
    const seq = lastOf.get(exchangeId) ?? shapes.findLast(({ at }) => at <= startedAt)?.seq;
    const key = seq === undefined ? undefined : rowOf.get(seq);
    // What it belongs to is further up, and not loaded yet.
    if (key === undefined) continue;
    const mark = marks.get(key) ?? new Map<string, RowFinding>();
    for (const line of lines) mark.set(line.rule, { ...line, exchangeId, times: line.times + (mark.get(line.rule)?.times ?? 0) });
    marks.set(key, mark);
  }
  return new Map([...marks].map(([key, mark]) => [key, [...mark.values()]]));
}
