import { isNumber } from '../../protocol/exactNumber.ts';
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Icon } from '../widgets/button.tsx';
import { t } from '../text/strings.ts';
import { maxWeight } from '../text/pages.ts';
import { visibleName } from '../text/visible.ts';
import { Leaf, weightOfLeaf } from './dataTree.tsx';
import { nextOrder, orderedRows, window, type TableOrder } from './tableOrder.ts';

/** A table of any length and width. */
export interface Table {
  readonly columns: readonly string[];
  readonly count: number;
  /** Undefined for a cell that is missing. */
  readonly cell: (row: number, column: number) => unknown;
}

/** Tables up to these sizes are drawn whole, with lines that break, where they are not heavier than a page. */
const small = { rows: 50, columns: 12 };
/** Height of a row and width of a column of larger tables, in pixels, as in chat.css. */
const rowHeight = 24;
const columnWidth = 160;
/** Rows and columns that are drawn around those in sight. */
const spare = { rows: 10, columns: 3 };

/** Its first column and its headers stay in sight; a header sorts. Of a large one only what is in sight is drawn. */
export function DataTable({ table }: { readonly table: Table }): JSX.Element {
  const [order, setOrder] = useState<TableOrder>();
  const rows = useMemo(() => orderedRows(table.count, table.cell, order), [table, order]);
  const isLarge = useMemo(
    () => table.count > small.rows || table.columns.length > small.columns || weightOfTable(table) > maxWeight,
    [table],
  );
  const sort = (column: number): void => setOrder(nextOrder(order, column));
  return isLarge ? (
    <LargeTable table={table} rows={rows} order={order} sort={sort} />
  ) : (
    <SmallTable table={table} rows={rows} order={order} sort={sort} />
  );
}

function weightOfTable({ count, columns, cell }: Table): number {
  let sum = 0;
  for (let row = 0; row < count && sum <= maxWeight; row++)
    for (let column = 0; column < columns.length; column++) sum += weightOfLeaf(cell(row, column));
  return sum;
}

interface OrderedProps {
  readonly table: Table;
  /** Positions of the rows in their order. */
  readonly rows: readonly number[];
  readonly order: TableOrder | undefined;
  readonly sort: (column: number) => void;
}

function SmallTable({ table, rows, order, sort }: OrderedProps): JSX.Element {
  return (
    <div class="table" tabIndex={0} role="group" aria-label={t('Table')}>
      <table>
        <thead>
          <tr>
            {table.columns.map((_, column) => (
              <Header key={column} table={table} column={column} order={order} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row}>
              {table.columns.map((_, column) => (
                <Cell key={column} value={table.cell(row, column)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LargeTable({ table, rows, order, sort }: OrderedProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState({ top: 0, left: 0, height: 400, width: 800 });
  const look = (): void => {
    const { scrollTop: top = 0, scrollLeft: left = 0, clientHeight: height = 0, clientWidth: width = 0 } = box.current ?? {};
    setAt({ top, left, height, width });
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const shown = window({ position: at.top, room: at.height, size: rowHeight, count: rows.length }, spare.rows);
  // The first column is always there.
  const others = table.columns.length - 1;
  const across = window({ position: at.left, room: at.width, size: columnWidth, count: others }, spare.columns);
  const drawn = [0, ...Array.from({ length: Math.max(0, across.to - across.from) }, (_, index) => across.from + index + 1)];
  const before = across.from * columnWidth;
  const after = Math.max(0, others - across.to) * columnWidth;
  const gap = (width: number, Tag: 'td' | 'th'): JSX.Element | null =>
    width > 0 ? <Tag class="gap" aria-hidden="true" style={{ flexBasis: `${width}px` }} /> : null;
  const cells = (Tag: 'td' | 'th', make: (column: number) => JSX.Element): JSX.Element => (
    <>
      {make(0)}
      {gap(before, Tag)}
      {drawn.slice(1).map(make)}
      {gap(after, Tag)}
    </>
  );
  return (
    <>
      <div class="table large" tabIndex={0} role="group" aria-label={t('Table')} ref={box} onScroll={look}>
        <table
          aria-rowcount={rows.length + 1}
          aria-colcount={table.columns.length}
          style={{ width: `${table.columns.length * columnWidth}px` }}
        >
          <thead>
            <tr aria-rowindex={1}>
              {cells('th', column => (
                <Header key={column} table={table} column={column} order={order} sort={sort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.from > 0 && <tr class="gap" aria-hidden="true" style={{ height: `${shown.from * rowHeight}px` }} />}
            {rows.slice(shown.from, shown.to).map((row, index) => (
              <tr key={row} aria-rowindex={shown.from + index + 2}>
                {cells('td', column => (
                  <Cell key={column} value={table.cell(row, column)} column={column} />
                ))}
              </tr>
            ))}
            {shown.to < rows.length && (
              <tr class="gap" aria-hidden="true" style={{ height: `${(rows.length - shown.to) * rowHeight}px` }} />
            )}
          </tbody>
        </table>
      </div>
      <div class="note">{t('{0} rows, {1} columns', rows.length, table.columns.length)}</div>
    </>
  );
}

function Header({ table, column, order, sort }: Pick<OrderedProps, 'table' | 'order' | 'sort'> & { readonly column: number }): JSX.Element {
  const sorted = order?.column === column ? (order.descending ? 'descending' : 'ascending') : undefined;
  const name = visibleName(table.columns[column] ?? '', 80);
  return (
    <th scope="col" aria-sort={sorted} aria-colindex={column + 1}>
      <button type="button" title={t('Sort by {0}', name)} onClick={() => sort(column)}>
        <bdi>{name}</bdi>
        {sorted !== undefined && <Icon name={sorted === 'ascending' ? 'arrow-up' : 'arrow-down'} />}
      </button>
    </th>
  );
}

/** @param column set in a large table, whose cells are one line: the whole value is in the tooltip */
function Cell({ value, column }: { readonly value: unknown; readonly column?: number }): JSX.Element {
  const title = column !== undefined && typeof value === 'string' && value.length > 20 ? visibleName(value, 500) : undefined;
  return (
    <td class={isNumber(value) ? 'align-right' : ''} title={title} aria-colindex={column === undefined ? undefined : column + 1}>
      {value === undefined ? null : column !== undefined && typeof value === 'string' ? (
        <bdi class="hljs-string">{visibleName(value, 200)}</bdi>
      ) : (
        <Leaf value={value} />
      )}
    </td>
  );
}
