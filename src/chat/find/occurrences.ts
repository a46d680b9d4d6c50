/** Parts of a row that are not text of the conversation. */
const apart =
  '.speaker, .tools, .task-chip, .delivery, .code-head, .part-facts, .actions, .findings, .text-button, .icon-button, .menu-button, time, [aria-hidden=true]';
/** Elements that separate words. */
const blocks = 'p, div, li, td, th, pre, blockquote, section, h1, h2, h3, summary, dt, dd, tr';

/** Ranges where the pattern occurs in the visible text of a row, across inline elements such as bold, links and colors. */
export function occurrencesIn(row: Element, pattern: RegExp, most: number): Range[] {
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
