import type { ExchangeFindings, FindingLine } from '../host/chatState.ts';
import type { Row, Shape } from './rows.ts';

/** A finding of a row, and its exchange. */
export interface RowFinding extends FindingLine {
  readonly exchangeId: string;
}

const none: ReadonlyMap<number, readonly RowFinding[]> = new Map();

/**
 * Findings by row key: at the last row that the exchange produced, or, for an exchange that produced none, at the last row before it began.
 * Findings with the same rule and text are shown once per row, with the newest exchange.
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
    // Its row is in older history that is not loaded.
    if (key === undefined) continue;
    const mark = marks.get(key) ?? new Map<string, RowFinding>();
    for (const line of lines) {
      const same = `${line.rule} ${line.message}`;
      mark.set(same, { ...line, exchangeId, times: line.times + (mark.get(same)?.times ?? 0) });
    }
    marks.set(key, mark);
  }
  return new Map([...marks].map(([key, mark]) => [key, [...mark.values()]]));
}
