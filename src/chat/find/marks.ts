import { occurrencesIn } from './occurrences.ts';

/** Most occurrences that are marked at once, of all that is on show. */
const maxMarked = 5_000;

/** Marks every occurrence in the rows of the transcript, without a change to the page. */
export function markAll(rows: Element, pattern: RegExp | undefined): void {
  const ranges: Range[] = [];
  if (pattern !== undefined) {
    // The newest first: they are nearest to the reader where there are more than can be marked.
    for (const row of [...rows.querySelectorAll('.row')].reverse()) {
      ranges.push(...occurrencesIn(row, pattern, maxMarked - ranges.length));
      if (ranges.length >= maxMarked) break;
    }
  }
  put('found', ranges);
  if (pattern === undefined) put('found-current', []);
}

/** Marks the occurrence the reader is at. */
export function markCurrent(range: Range | undefined): void {
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
