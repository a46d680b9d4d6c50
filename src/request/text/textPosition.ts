/** A position for people: line and column from 1, columns in UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The position of an offset; lines end with `\n`, `\r\n` or `\r`. For many offsets of one text, see `positionsIn`. */
export const positionAt = (text: string, offset: number): TextPosition => positionsIn(text)(offset);

/** The positions of a text's offsets. The text is gone through once, when the first is asked for. */
export function positionsIn(text: string): (offset: number) => TextPosition {
  let starts: readonly number[] | undefined;
  return offset => {
    starts ??= [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(end => end.index + end[0].length)];
    const at = Math.max(0, Math.min(offset, text.length));
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - starts[low]! + 1 };
  };
}
