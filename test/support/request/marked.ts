import type { TextRange } from '../../../src/request/text/textRange.ts';

/** A text in which ranges stand between `«` and `»` (not nested), and at most one place is marked with `‸`. */
export interface Marked {
  readonly text: string;
  readonly ranges: readonly TextRange[];
  /** Offset of the caret; -1 without one. */
  readonly caret: number;
}

export function marked(source: string): Marked {
  const ranges: TextRange[] = [];
  let text = '';
  let open = 0;
  let caret = -1;
  for (const character of source) {
    if (character === '«') open = text.length;
    else if (character === '»') ranges.push({ offset: open, length: text.length - open });
    else if (character === '‸') caret = text.length;
    else text += character;
  }
  return { text, ranges, caret };
}

/** The periods of text that the ranges cover. */
export const covered = (text: string, ranges: readonly TextRange[]): string[] =>
  ranges.map(({ offset, length }) => text.slice(offset, offset + length));
