import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Panel } from '../panel/panel.ts';
import type { Occurrence } from '../panel/finder.ts';
import { scrollWithinPanel } from '../widgets/scrollWithinPanel.ts';

/** Minimum time between two searches of changing rows, in milliseconds. */
const pause = 250;

/** Waits two frames: after the first, the rows are in the DOM; after the second, rows not painted before have their real height. */
const drawn = (): Promise<void> => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

interface Find {
  readonly step: (by: 1 | -1) => void;
  readonly close: () => void;
}

/** Marks occurrences in the transcript, goes from one to the next, and handles the keys that open the bar. */
export function useFind(panel: Panel, scroller: RefObject<HTMLElement | null>): Find {
  const before = useRef<Element | null>(null);
  const { finder } = panel;

  const show = async (occurrence: Occurrence): Promise<void> => {
    const { seq, nth } = occurrence;
    const box = scroller.current;
    const { pattern } = finder;
    if (!(await panel.scrollback.goTo(seq))) return;
    panel.tab.value = 'chat';
    panel.following = false;
    await drawn();
    const row = panel.texts.rowWith(seq);
    const element = row && box?.querySelector<HTMLElement>(`[data-row="${row.key}"]`);
    if (!element || !box || pattern.peek() === undefined) return;
    const drawnRanges = (): readonly Range[] => occurrencesIn(element, pattern.peek()!, nth + 1);
    if (!isInSight(element.getBoundingClientRect(), box)) scrollWithinPanel(element, 'center');
    await drawn();
    const ranges = drawnRanges();
    const range = ranges[Math.min(nth, ranges.length - 1)];
    // Of a long text, or a large table, a part alone is drawn: a document has the rest.
    if (ranges.length <= nth) void finder.findLine(occurrence);
    markCurrent(range);
    // Folded or cut text has no range: the row that contains it is highlighted.
    if (range === undefined) element.classList.add('revealed');
    else wordsIntoSight(range, box);
    element.addEventListener('animationend', () => element.classList.remove('revealed'), { once: true });
  };

  const step = (by: 1 | -1): void => {
    const next = finder.step(by, lastInSight(scroller.current, panel));
    if (next !== undefined) void show(next);
  };

  const open = (): void => {
    if (finder.query.peek() === undefined) before.current = document.activeElement;
    panel.tab.value = 'chat';
    const words = String(getSelection() ?? '').trim();
    finder.open(words.length <= 200 && !words.includes('\n') ? words : '');
  };

  const close = (): void => {
    finder.close();
    if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    else scroller.current?.focus();
  };

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'f') {
        if (panel.tab.peek() === 'wire') panel.wire.filterWanted.value++;
        else open();
      } else if (event.key === 'F3' && finder.query.peek() !== undefined) step(event.shiftKey ? -1 : 1);
      else return;
      event.preventDefault();
    };
    const wanted = panel.findWanted.subscribe(wishes => {
      if (wishes > 0) open();
    });
    window.addEventListener('keydown', onKeyDown);
    return () => {
      wanted();
      window.removeEventListener('keydown', onKeyDown);
    };
  }, []);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const mark = (): void => {
      timer = undefined;
      if (scroller.current !== null) markAll(scroller.current, finder.pattern.peek());
    };
    const soon = (): void => {
      if (finder.pattern.peek() !== undefined) timer ??= setTimeout(mark, pause);
    };
    const observer = new MutationObserver(soon);
    const stops = [
      finder.pattern.subscribe(pattern => {
        if (pattern === undefined) observer.disconnect();
        else if (scroller.current !== null) observer.observe(scroller.current, { childList: true, subtree: true, characterData: true });
        markCurrent(undefined);
        mark();
      }),
      panel.arrivals.subscribe(() => finder.refresh()),
    ];
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      for (const stop of stops) stop();
    };
  }, []);

  return { step, close };
}

const isInSight = ({ top, bottom }: DOMRect, box: Element): boolean => {
  const view = box.getBoundingClientRect();
  return top >= view.top && bottom <= view.bottom;
};

/** Scrolls as little as needed to show the range, also inside scrolling elements of the row. */
function wordsIntoSight(range: Range, box: HTMLElement): void {
  const holder = range.startContainer.parentElement;
  if (holder !== null) scrollWithinPanel(holder, 'nearest');
  const words = range.getBoundingClientRect();
  if (isInSight(words, box)) return;
  const view = box.getBoundingClientRect();
  box.scrollTop += words.top - view.top - view.height / 2;
}

/** The seq of the last visible entry. */
function lastInSight(box: HTMLElement | null, panel: Panel): number | undefined {
  if (box === null) return undefined;
  const { left, width, bottom } = box.getBoundingClientRect();
  for (let y = bottom - 4; y > 0; y -= 24) {
    const row = document.elementFromPoint(left + width / 2, y)?.closest<HTMLElement>('.row');
    const key = Number(row?.dataset['row']);
    const seqs = panel.rows.peek().find(each => each.key === key)?.seqs;
    if (seqs !== undefined) return seqs.at(-1);
  }
  return undefined;
}

/** Maximum number of occurrences marked at once. */
const maxMarked = 5_000;

/** Marks every occurrence in the transcript's rows with the CSS highlight API, without changing the DOM. */
function markAll(rows: Element, pattern: RegExp | undefined): void {
  const ranges: Range[] = [];
  if (pattern !== undefined) {
    // Newest rows first: where not all can be marked, these are nearest to the reader.
    for (const row of [...rows.querySelectorAll('.row')].reverse()) {
      ranges.push(...occurrencesIn(row, pattern, maxMarked - ranges.length));
      if (ranges.length >= maxMarked) break;
    }
  }
  put('found', ranges);
  if (pattern === undefined) put('found-current', []);
}

/** Marks the current occurrence. */
function markCurrent(range: Range | undefined): void {
  put('found-current', range === undefined ? [] : [range]);
}

function put(name: string, ranges: readonly Range[]): void {
  if (ranges.length === 0) {
    CSS.highlights.delete(name);
    return;
  }
  const highlight = new Highlight(...ranges);
  highlight.priority = name === 'found-current' ? 1 : 0;
  CSS.highlights.set(name, highlight);
}

/** Parts of a row that are not text of the conversation. */
const apart =
  '.speaker, .tools, .task-chip, .delivery, .code-head, .part-facts, .actions, .findings, .text-button, .icon-button, .menu-button, time, [aria-hidden=true]';
/** Elements that separate words. */
const blocks = 'p, div, li, td, th, pre, blockquote, section, h1, h2, h3, summary, dt, dd, tr';

/** Ranges where the pattern occurs in the visible text of a row, across inline elements such as bold, links and colors. */
function occurrencesIn(row: Element, pattern: RegExp, most: number): Range[] {
  const pieces: { readonly node: Text; readonly start: number }[] = [];
  let words = '';
  let block: Element | null | undefined;
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, node =>
    node instanceof Element ? (node.matches(apart) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP) : NodeFilter.FILTER_ACCEPT,
  );
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const around = node.parentElement?.closest(blocks);
    if (words !== '' && around !== block) words += '\n\n';
    block = around;
    pieces.push({ node: node as Text, start: words.length });
    words += (node as Text).data;
  }
  const ranges: Range[] = [];
  let piece = 0;
  const place = (offset: number): readonly [Text, number] | undefined => {
    while (piece < pieces.length - 1 && (pieces[piece + 1]?.start ?? Infinity) <= offset) piece++;
    const found = pieces[piece];
    return found && [found.node, Math.min(offset - found.start, found.node.length)];
  };
  for (const {
    index,
    0: { length },
  } of words.matchAll(pattern)) {
    if (ranges.length === most) break;
    const start = place(index);
    const end = place(index + length - 1);
    if (start === undefined || end === undefined) continue;
    const range = document.createRange();
    range.setStart(...start);
    range.setEnd(end[0], Math.min(end[1] + 1, end[0].length));
    ranges.push(range);
  }
  return ranges;
}
