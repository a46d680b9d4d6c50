import { withDirectionMarksSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { onPages } from '../text/pages.ts';
import { maxLength } from './parse.ts';

/** Maximum number of blocks shown at once; of a longer text the end is shown, and more on demand. */
const page = 600;

/** About how many elements a block is drawn as: each mark of Markdown may be one, and so may a hidden character that is spelled out. */
export function weightOf(block: string): number {
  const drawn = block.slice(0, maxLength);
  const marks = withDirectionMarksSpelledOut(drawn).match(/[\n!#$&()*+:<>[\]_`|~\u27e8-]/g)?.length ?? 0;
  return 1 + marks + Math.ceil(block.length / 100);
}

/** Index of the first block of so many pages at the end. */
export const firstShown = (blocks: number, pages: number, weight: (index: number) => number): number =>
  blocks - onPages(blocks, pages, page, index => weight(blocks - 1 - index));
