import { withDirectionMarksSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { maxLength } from './parse.ts';

/** Maximum number of blocks shown at once; of a longer text the end is shown, and more on demand. */
const page = 600;
/** Maximum weight of a page of several blocks: a browser needs some 200 ms for so many links or line breaks. */
const maxWeight = 6_000;

/** About how many elements a block is drawn as: each mark of Markdown may be one, and so may a hidden character that is spelled out. */
export function weightOf(block: string): number {
  const drawn = block.slice(0, maxLength);
  const marks = withDirectionMarksSpelledOut(drawn).match(/[\n!#$&()*+:<>[\]_`|~\u27e8-]/g)?.length ?? 0;
  return 1 + marks + Math.ceil(block.length / 100);
}

/** Index of the first block of so many pages at the end. */
export function firstShown(blocks: number, pages: number, weight: (index: number) => number): number {
  let start = blocks;
  for (let left = pages; left > 0 && start > 0; left--) {
    const end = start;
    let sum = 0;
    while (start > 0 && end - start < page) {
      sum += weight(start - 1);
      if (sum > maxWeight && start < end) break;
      start--;
    }
  }
  return start;
}
