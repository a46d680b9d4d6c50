import { compareNumbers, isNumber } from '../../protocol/exactNumber.ts';

/** The column that a table is sorted by, and which way. */
export interface TableOrder {
  readonly column: number;
  readonly descending: boolean;
}

/** The next order when a header is pressed: up, down, as it came. */
export function nextOrder(order: TableOrder | undefined, column: number): TableOrder | undefined {
  if (order?.column !== column) return { column, descending: false };
  return order.descending ? undefined : { column, descending: true };
}

/** Positions of the rows in an order: numbers by size, everything else as words; cells without a value last, whichever way. Stable. */
export function orderedRows(
  count: number,
  cell: (row: number, column: number) => unknown,
  order: TableOrder | undefined,
): readonly number[] {
  const rows = Array.from({ length: count }, (_, index) => index);
  if (order === undefined) return rows;
  const words = new Intl.Collator(undefined, { numeric: true });
  const values = rows.map(row => cell(row, order.column));
  const sign = order.descending ? -1 : 1;
  return rows.sort((one, other) => {
    const [left, right] = [values[one], values[other]];
    if (isMissing(left) || isMissing(right)) return Number(isMissing(left)) - Number(isMissing(right));
    return sign * (isNumber(left) && isNumber(right) ? compareNumbers(left, right) : words.compare(textOf(left), textOf(right)));
  });
}

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';
const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 1_000);

/** The items of a list that are in sight, and some around them. Sizes and positions are in pixels. */
export function window(
  { position, room, size, count }: { readonly position: number; readonly room: number; readonly size: number; readonly count: number },
  spare: number,
): { readonly from: number; readonly to: number } {
  const from = Math.max(0, Math.min(Math.floor(position / size) - spare, count - 1));
  return { from, to: Math.min(count, Math.ceil((position + room) / size) + spare) };
}
