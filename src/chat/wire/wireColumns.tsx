import type { ComponentChildren, JSX } from 'preact';
import type { ListedExchange } from '../host/messages.ts';
import { language } from '../panel/panelContext.ts';
import { byteSize, durationText, exactTime, preciseTime } from '../text/measures.ts';
import { t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';
import { Icon } from '../widgets/button.tsx';
import { failureText, type Direction, type ShownRow } from './wireRows.ts';

/** A column of the table. */
interface WireColumn {
  readonly title: () => string;
  /** Its tracks of the grid in a wide, a narrow and the narrowest table, as in wire.css; hidden where it has none. */
  readonly tracks: readonly [wide: string, narrow?: string, narrowest?: string];
  /** Aligned at the end, as numbers are. */
  readonly end?: true;
  /** Class of its cells. */
  readonly class: string;
  /** Tooltip of a cell. */
  readonly hint?: (row: ShownRow) => string | undefined;
  readonly cell: (row: ShownRow, onFold: (row: ShownRow) => void) => ComponentChildren;
}

/**
 * To add one: a row here, its text in `test/ui/panel/wire.test.ts` and its name in `docs/wire.md`. One that leaves the content too little room
 * also has a wider breakpoint in `wire.css` (`@container wire-table`). `media/screenshots/wire-dark.png` is taken anew.
 */
export const wireColumns: readonly WireColumn[] = [
  { title: () => '#', tracks: ['7ch', '6ch'], end: true, class: 'muted', cell: ({ number }) => number },
  {
    title: () => t('Time'),
    tracks: ['11ch', '11ch'],
    class: 'muted',
    hint: ({ at }) => (at === undefined ? undefined : exactTime(at, language())),
    cell: ({ at }) => at !== undefined && preciseTime(at, language()),
  },
  { title: () => t('Gap'), tracks: ['15ch'], end: true, class: 'muted', cell: ({ gap }) => gap !== undefined && `+${durationText(gap)}` },
  {
    title: () => t('Type'),
    tracks: ['minmax(18ch, 30ch)', 'minmax(12ch, 26ch)', 'minmax(12ch, 1fr)'],
    class: 'wire-type',
    hint: ({ line: { type, method } }) => (method === undefined ? undefined : `${type} · ${visibleName(method, 60)}`),
    cell: (row, onFold) => <TypeCell row={row} onFold={onFold} />,
  },
  { title: () => t('Size'), tracks: ['8ch', '8ch', '8ch'], end: true, class: 'muted', cell: ({ size }) => size > 0 && byteSize(size) },
  {
    title: () => t('Content'),
    tracks: ['minmax(0, 1fr)', 'minmax(0, 1fr)'],
    class: 'wire-preview',
    hint: row => (row.direction === 'more' ? undefined : visibleName(previewOf(row), 1000)),
    cell: row => visibleName(previewOf(row), 240),
  },
];

/** Classes by which wire.css aligns the cells of a column and hides them in a narrow table. */
export const columnClass = ({ tracks, end }: WireColumn): string =>
  `${['wide-only', 'not-narrowest', ''][tracks.length - 1]} ${end === true ? 'end' : ''}`;

/** Custom properties with the columns of the grid, for wire.css. */
export const gridTracks: Readonly<Record<string, string>> = Object.fromEntries(
  ['--wide', '--narrow', '--narrowest'].map((name, index) => [name, wireColumns.flatMap(({ tracks }) => tracks[index] ?? []).join(' ')]),
);

const arrows: Readonly<Record<Direction, string>> = { out: 'arrow-up', in: 'arrow-down', end: 'debug-stop', more: 'ellipsis' };

function TypeCell({ row, onFold }: { readonly row: ShownRow; readonly onFold: (row: ShownRow) => void }): JSX.Element {
  const { direction, exchange, count, folds, findings } = row;
  return (
    <>
      {folds !== undefined && (
        <button
          type="button"
          class="wire-fold"
          tabIndex={-1}
          aria-label={folds === 'open' ? t('Fold') : t('Unfold')}
          onClick={event => {
            event.stopPropagation();
            onFold(row);
          }}
        >
          <Icon name={folds === 'open' ? 'chevron-down' : 'chevron-right'} />
        </button>
      )}
      <Icon name={exchange.received === undefined ? arrows[direction] : 'inbox'} />
      <span class="wire-word" translate={false}>
        {wordOf(row)}
      </span>
      {count > 1 && <b class="wire-count">×{count}</b>}
      {row.seq === undefined && direction !== 'out' && direction !== 'more' && exchange.status !== undefined && (
        <span class="muted">{exchange.status}</span>
      )}
      {findings > 0 && (
        <span class="wire-finding" title={findings === 1 ? t('1 protocol finding') : t('{0} protocol findings', findings)}>
          <Icon name="warning" />
          {findings}
        </span>
      )}
    </>
  );
}

/** Kind of a row, in words of A2A where it has any. */
export function wordOf({ line, direction, exchange: { received } }: ShownRow): string {
  if (direction === 'more') return t('{0} more events', line.preview);
  if (direction === 'end') return line.type === 'failed' ? t('failed') : line.type === 'closed' ? t('closed by client') : t('stream ended');
  return received === undefined ? typeWord(line.type) : [t('Push'), ...deliveryFacts(received)].join(' · ');
}

function typeWord(type: string): string {
  const [, artifact] = /^(artifact.*) \(last\)$/.exec(type) ?? [];
  if (artifact !== undefined) return t('{0} (last)', artifact);
  switch (type) {
    case 'answer':
      return t('answer');
    case 'card':
      return t('card');
    case 'event':
      return t('event');
    case 'not JSON':
      return t('not JSON');
    default:
      return visibleName(type, 60);
  }
}

/** Outcome of a push notification. */
function deliveryFacts({ outcome, rehearsed }: NonNullable<ListedExchange['received']>): string[] {
  const word =
    outcome === 'refused' || outcome === 'unreadable'
      ? t('refused')
      : outcome === 'repeated'
        ? t('repeated')
        : outcome === 'applied'
          ? t('applied')
          : '';
  return [rehearsed === undefined ? '' : t('simulated'), word].filter(Boolean);
}

function previewOf({ line, direction, exchange, isBad }: ShownRow): string {
  if (direction === 'more') return '';
  if (direction === 'out' && line.preview === '') return `${exchange.method} ${exchange.url}`;
  return isBad ? (failureText(exchange) ?? exchange.error ?? line.preview) : line.preview;
}
