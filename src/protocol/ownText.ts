/**
 * The same text, which holds no other. For whatever outlives what it was cut from: `slice`, `split`, `trim` and the groups of a regular
 * expression give pieces that keep the whole of it in memory, as long as they are there.
 */
export const copyOf = (text: string): string => JSON.parse(JSON.stringify(text)) as string;

/**
 * The beginning of a text, of at most so many UTF-16 code units, as a copy. No character is cut in half.
 * @param mark is added where something was left out
 */
export function beginningOf(text: string, most: number, mark = ''): string {
  return text.length <= most ? copyOf(text) : copyOf(text.slice(0, most).toWellFormed()) + mark;
}
