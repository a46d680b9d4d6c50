import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { maxExported } from '../host/limits.ts';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { TextButton } from '../widgets/button.tsx';
import { keyStep } from './wireKeys.ts';
import { indexOfWanted, noFilter, type ShownRow, shownRows, type WireFilter, wireRows } from './wireRows.ts';
import { WireDetail } from './wireDetail.tsx';
import { rowHeight, WireTable } from './wireTable.tsx';
import { WireTools } from './wireTools.tsx';
import './wire.css';

/** Minimum time between two reads of new exchanges while the tab is shown, in milliseconds. */
const pause = 500;

/** Network traffic of this context as a table, and the details of a row. */
export function WireView(): JSX.Element {
  const panel = usePanel();
  const { wire } = panel;
  const grid = useRef<HTMLDivElement>(null);
  const [filter, setFilter] = useState<WireFilter>(noFilter);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<string>();
  const [anchor, setAnchor] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [raw, setRaw] = useState(false);

  useEffect(() => {
    void wire.refresh();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let begun = false;
    const soon = (): void => {
      // A signal calls a new subscriber at once.
      if (begun)
        timer ??= setTimeout(() => {
          timer = undefined;
          void wire.refresh();
        }, pause);
    };
    const stops = [panel.arrivals.subscribe(soon), panel.state.subscribe(soon)];
    begun = true;
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, []);

  const all = useMemo(
    () => wireRows(wire.list.value, wire.events.value, wire.countBefore.value),
    [wire.list.value, wire.events.value, wire.countBefore.value],
  );
  const rows = useMemo(() => shownRows(all, filter, unfolded), [all, filter, unfolded]);
  const index = rows.findIndex(({ key }) => key === active);
  const row = rows[index];

  const replay = panel.replay.state.value;
  const lastPlayed =
    replay === undefined
      ? undefined
      : rows.findLastIndex(
          each =>
            each.exchange.id === replay.exchangeId && (each.direction === 'out' || (each.seq !== undefined && each.seq < replay.position)),
        );
  // The table goes with the stream.
  useEffect(() => {
    const now = lastPlayed === undefined ? undefined : rows[lastPlayed];
    if (now !== undefined) choose([now], now);
  }, [lastPlayed]);

  const { wanted } = wire;
  useEffect(() => {
    if (wanted.value === undefined || all.length === 0) return;
    const { exchangeId, at } = wanted.value;
    wanted.value = undefined;
    setFilter(noFilter);
    const found = shownRows(all, noFilter, unfolded);
    const target = found[indexOfWanted(found, exchangeId, at)];
    if (target === undefined) return;
    choose([target], target);
    setOpen(true);
    grid.current?.focus({ preventScroll: true });
  }, [wanted.value, all]);

  const choose = (some: readonly ShownRow[], now: ShownRow, from = now.key): void => {
    setChosen(new Set(some.map(({ key }) => key)));
    setActive(now.key);
    setAnchor(from);
  };
  const goTo = (next: number, { extend = false, toggle = false } = {}): void => {
    const now = rows[next];
    if (now === undefined) return;
    const start = rows.findIndex(({ key }) => key === anchor);
    if (extend && start >= 0) choose(rows.slice(Math.min(start, next), Math.max(start, next) + 1), now, anchor);
    else if (toggle) {
      const others = rows.filter(({ key }) => chosen.has(key) && key !== now.key);
      choose(chosen.has(now.key) ? others : [...others, now], now);
    } else choose([now], now);
  };
  const fold = ({ key }: ShownRow, wish?: boolean): void => {
    const next = new Set(unfolded);
    if (wish ?? !next.has(key)) next.add(key);
    else next.delete(key);
    setUnfolded(next);
  };
  const open = (at: number): void => {
    const now = rows[at];
    if (now === undefined) return;
    if (now.direction === 'more') void wire.moreEvents(now.exchange.id);
    else setOpen(true);
  };
  const close = (): void => {
    setOpen(false);
    grid.current?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((grid.current?.clientHeight ?? rowHeight) / rowHeight) - 2);
    const step = keyStep(event, { index, length: rows.length, page });
    if (step !== undefined) goTo(step, { extend: event.shiftKey });
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') setChosen(new Set(rows.map(({ key }) => key)));
    else if (event.key === 'Enter') open(index);
    else if (event.key === 'Escape') {
      if (isOpen) close();
      else setFilter(noFilter);
    } else if (event.key === 'ArrowRight' && row?.folds === 'closed') fold(row, true);
    else if (event.key === 'ArrowLeft' && row?.inside === true) goTo(rows.findLastIndex(({ folds }, at) => folds === 'open' && at < index));
    else if (event.key === 'ArrowLeft' && row?.folds === 'open') fold(row, false);
    else return;
    event.preventDefault();
  };

  const exported = [...new Set(rows.filter(({ key }) => chosen.has(key)).map(({ exchange }) => exchange.id))].slice(0, maxExported);
  return (
    <div class="wire" id="panel-wire" role="tabpanel" aria-labelledby="tab-wire">
      <WireTools
        filter={filter}
        onFilter={setFilter}
        shown={rows.reduce((sum, { count, inside }) => (inside ? sum : sum + count), 0)}
        isAll={!wire.more.value && all.every(({ direction }) => direction !== 'more')}
        onLeave={() => {
          if (index < 0) goTo(0);
          grid.current?.focus({ preventScroll: true });
        }}
        chosen={exported.length}
        onExport={ids => void panel.ask('exportHar', ids === 'all' ? {} : { exchangeIds: exported })}
      />
      {all.length === 0 && <p class="muted wire-empty">{t('No network traffic for this context yet.')}</p>}
      {all.length > 0 && rows.length === 0 && (
        <p class="muted wire-empty">
          {t('Nothing matches the filter.')}{' '}
          <TextButton class="quiet" onClick={() => setFilter(noFilter)}>
            {t('Show All')}
          </TextButton>
        </p>
      )}
      {wire.more.value && (
        <TextButton class="quiet wire-older" onClick={() => void wire.older()}>
          {t('Show Older Exchanges')}
        </TextButton>
      )}
      <div class={`wire-split${isOpen && row !== undefined ? ' open' : ''}`}>
        <WireTable
          rows={rows}
          chosen={index}
          isChosen={key => chosen.has(key)}
          grid={grid}
          onChoose={(at, how) => {
            goTo(at, how);
            if (rows[at]?.direction === 'more') open(at);
            else if (!how.extend && !how.toggle) setOpen(true);
          }}
          onOpen={open}
          lastPlayed={lastPlayed}
          onFold={each => fold(each)}
          onKeyDown={onKeyDown}
        />
        {isOpen && row !== undefined && row.direction !== 'more' && (
          <div
            class="wire-side"
            role="presentation"
            onKeyDown={event => {
              if (event.key !== 'Escape') return;
              event.preventDefault();
              close();
            }}
          >
            <WireDetail key={row.key} row={row} raw={raw} onRaw={() => setRaw(!raw)} onClose={close} />
          </div>
        )}
      </div>
    </div>
  );
}
