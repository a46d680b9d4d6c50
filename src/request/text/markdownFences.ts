import type { TextRange } from './textRange.ts';

/** The info string of a fence with requests. */
const ofRequests = /^a2a(?=$|[\s{])/i;
const marked = /^[ \t]*(?:`{3,}|~{3,})[ \t]*a2a(?![^\s{])/im;

/** True for a Markdown text that has a fence with requests, or seems to: a cheap look before it is read. */
export const hasRequestFence = (text: string): boolean => marked.test(text);

const opening = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)$/;
const closing = /^([ \t]*)(`{3,}|~{3,})[ \t]*$/;
const listItem = /^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)/;
/** More than that before a fence makes it indented code (CommonMark 0.31 §4.4), counted from the text of the list item around it. */
const maxIndent = 3;

/**
 * The contents of the fences of a Markdown text whose info string begins with `a2a` (CommonMark 0.31 §4.5), in text order, without their
 * first and last line. Fences inside of longer ones are text of those, as are indented ones outside of lists. One that is not closed
 * reaches to the end. Fences in block quotes are not found: each of their lines begins with what is no JSON. Linear time.
 */
export function requestFences(text: string): readonly TextRange[] {
  const fences: TextRange[] = [];
  if (!hasRequestFence(text)) return fences;
  let open: { readonly mark: string; readonly start: number; readonly isOurs: boolean } | undefined;
  let listIndent = 0;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end + 1;
    const line = text.slice(start, end === -1 ? text.length : end).replace(/\r$/, '');
    if (open !== undefined) {
      const [, indent = '', mark = ''] = closing.exec(line) ?? [];
      if (mark.startsWith(open.mark) && indent.length <= listIndent + maxIndent) {
        if (open.isOurs) fences.push({ offset: open.start, length: start - open.start });
        open = undefined;
      }
    } else {
      const item = listItem.exec(line)?.[1];
      const indent = line.length - line.trimStart().length;
      if (item !== undefined && indent <= listIndent + maxIndent) listIndent = item.length;
      else if (line.trim() !== '' && indent < listIndent) listIndent = 0;
      const [, before = '', mark, info = ''] = opening.exec(line) ?? [];
      if (mark !== undefined && before.length <= listIndent + maxIndent) open = { mark, start: next, isOurs: ofRequests.test(info.trim()) };
    }
    start = next;
  }
  if (open?.isOurs === true) fences.push({ offset: open.start, length: text.length - open.start });
  return fences;
}
