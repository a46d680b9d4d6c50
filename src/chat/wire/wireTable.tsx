import type { JSX, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../text/strings.ts';
import { columnClass, gridTracks, wireColumns } from './wireColumns.tsx';
import { kindOf, type ShownRow } from './wireRows.ts';

/** Height of a row, in pixels, as in wire.css: rows that are not in sight are not drawn, so their place is computed. */
export const rowHeight = 24;
/** Rows that are drawn above and below those in sight. */
const spare = 12;
/** Within so many pixels of its end the table follows new rows. */
const atEnd = 2 * rowHeight;

interface WireTableProps {
  readonly rows: readonly ShownRow[];
  readonly chosen: number;
  readonly isChosen: (key: string) => boolean;
  /** Dims rows after this one, while a stream is stepped through. */
  readonly lastPlayed?: number | undefined;
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly onChoose: (index: number, how: { readonly extend: boolean; readonly toggle: boolean }) => void;
  readonly onOpen: (index: number) => void;
  readonly onFold: (row: ShownRow) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The rows in sight, and a few around them, of a table of any length. */
export function WireTable({ rows, chosen, isChosen, lastPlayed, grid, onChoose, onOpen, onFold, onKeyDown }: WireTableProps): JSX.Element {
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const follows = useRef(true);
  useLayoutEffect(() => {
    const box = grid.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => setHeight(box.clientHeight));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  // New rows at the end stay in sight for a person who reads there.
  useLayoutEffect(() => {
    const box = grid.current;
    if (box !== null && follows.current && chosen < 0) box.scrollTop = box.scrollHeight;
  }, [rows.length, chosen < 0]);
  useEffect(() => {
    const box = grid.current;
    if (box === null || chosen < 0) return;
    const [above, below] = [chosen * rowHeight, (chosen + 2) * rowHeight - box.clientHeight];
    if (box.scrollTop > above) box.scrollTop = above;
    else if (box.scrollTop < below) box.scrollTop = below;
  }, [chosen, rows[chosen]?.key, height]);
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  const drawn = rows.slice(first, first + Math.ceil(height / rowHeight) + 2 * spare);
  const active = rows[chosen];
  return (
    <div
      class="wire-table"
      style={gridTracks}
      ref={grid}
      role="treegrid"
      tabIndex={0}
      aria-label={t('Network Traffic')}
      aria-rowcount={rows.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={active !== undefined && drawn.includes(active) ? idOf(active) : undefined}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => {
        setTop(currentTarget.scrollTop);
        follows.current = currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < atEnd;
      }}
    >
      <div class="wire-row wire-head" role="row" aria-rowindex={1}>
        {wireColumns.map((column, index) => (
          <span key={index} role="columnheader" class={columnClass(column)}>
            {column.title()}
          </span>
        ))}
      </div>
      <div class="wire-room" role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
        <div class="wire-drawn" role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {drawn.map((row, index) => (
            <Row
              key={row.key}
              row={row}
              index={first + index}
              isActive={row === active}
              isChosen={isChosen(row.key)}
              isAhead={lastPlayed !== undefined && first + index > lastPlayed}
              onChoose={onChoose}
              onOpen={onOpen}
              onFold={onFold}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** Ids of exchanges are this program's own. */
const idOf = ({ key }: ShownRow): string => `wire-${key.replaceAll(/\W/g, '-')}`;

function Row({
  row,
  index,
  isActive,
  isChosen,
  isAhead,
  onChoose,
  onOpen,
  onFold,
}: Pick<WireTableProps, 'onChoose' | 'onOpen' | 'onFold'> & {
  readonly row: ShownRow;
  readonly index: number;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly isAhead: boolean;
}): JSX.Element {
  const { direction, folds } = row;
  const name = [
    'wire-row',
    `wire-${direction}`,
    isActive && 'active',
    row.isBad && 'bad',
    row.inside ? 'inside' : kindOf(row) === 'request' && 'begins',
    isAhead && 'ahead',
  ];
  return (
    <div
      id={idOf(row)}
      class={name.filter(Boolean).join(' ')}
      role="row"
      aria-rowindex={index + 2}
      aria-level={row.inside ? 2 : 1}
      aria-selected={isChosen}
      aria-expanded={folds === undefined ? undefined : folds === 'open'}
      onClick={event => onChoose(index, { extend: event.shiftKey, toggle: event.ctrlKey || event.metaKey })}
      onDblClick={() => onOpen(index)}
    >
      {wireColumns.map((column, place) => (
        <span key={place} role="gridcell" class={`${column.class} ${columnClass(column)}`} title={column.hint?.(row)}>
          {column.cell(row, onFold)}
        </span>
      ))}
    </div>
  );
}
