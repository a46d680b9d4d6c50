import type { Part } from '../../protocol/message/part.ts';

/** Shortest text whose repetition counts, in UTF-16 code units: a shorter one may be meant, such as a rule of dashes. */
const shortest = 40;
/** Longest beginning that is searched for a repetition of its own. */
const longestBeginning = 4_096;

/**
 * Length of an artifact's text where a chunk begins with all of it once more; else undefined. Counts only for text of two parts or more
 * that does not repeat itself: lines that are alike may go on so. The work is bounded by the length of the chunk, whatever came before.
 */
export function repeatedLength(known: readonly Part[], chunk: readonly Part[]): number | undefined {
  const text = chunk.map(part => ('text' in part ? part.text : '')).join('');
  if (known.length < 2 || known.length > text.length || text.length < shortest) return undefined;
  let length = 0;
  for (const part of known) {
    if (!('text' in part) || !text.startsWith(part.text, length)) return undefined;
    length += part.text.length;
  }
  if (length < shortest) return undefined;
  const beginning = text.slice(0, Math.min(length, longestBeginning));
  const repeatsItself = beginning.includes(beginning.slice(0, beginning.length >> 1), 1);
  return repeatsItself ? undefined : length;
}
