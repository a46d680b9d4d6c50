import { occurrencesIn } from './occurrences.ts';

/** Maximum number of occurrences marked at once. */
const maxMarked = 5_000;

/** Marks every occurrence in the transcript's rows with the CSS highlight API, without changing the DOM. */
export function markAll(rows: Element, pattern: RegExp | undefined): void {
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
