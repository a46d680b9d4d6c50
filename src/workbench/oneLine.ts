import { printable } from './log.ts';

/** Labels take no Markdown, but line breaks and control characters of an agent would still tear them. */
export const oneLine = (text: string): string => printable(text).replaceAll(/\s+/g, ' ').trim();

/** Longest title of a tree row, so that what stands behind it (state, time) is not cut off in a side bar of usual width. */
const maxTitle = 24;

export function shortTitle(text: string): string {
  const line = oneLine(text);
  return line.length > maxTitle ? `${line.slice(0, maxTitle - 1).trimEnd()}…` : line;
}
