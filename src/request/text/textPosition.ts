/** A position for people: line and column from 1, columns in UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Where the lines of the text begin that was asked about last: a file is asked about once for each of its requests. */
let last: { readonly text: string; readonly starts: readonly number[] } | undefined;

/** The position of an offset; lines end with `\n`, `\r\n` or `\r`. */
export function positionAt(text: string, position: number): TextPosition {
  const offset = Math.min(position, text.length);
  if (last?.text !== text) last = { text, starts: [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), end => end.index + end[0].length)] };
  const { starts } = last;
  let [line, after] = [0, starts.length];
  while (after - line > 1) {
    const middle = (line + after) >> 1;
    if ((starts[middle] ?? 0) <= offset) line = middle;
    else after = middle;
  }
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
}
