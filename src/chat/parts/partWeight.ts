import { roomAfter } from '../../protocol/json/depth.ts';
import { weightOf } from '../markdown/firstShown.ts';
import { maxWeight, onPages } from '../text/pages.ts';
import type { ShownPart } from '../transcript/shownParts.ts';
import { delimiterOf } from './delimited.ts';
import { isTextType } from './rawText.ts';

/** Weight of the frame of a part. */
const frame = 20;
/** Characters of base64 that weigh as much as an element: it is decoded and coloured. */
const perElement = 60;

/** Maximum number of parts on a page. */
const page = 50;

/** Number of parts on the first pages. A single one, which may grow with each frame, is not weighed. */
export const partsOnPages = (parts: readonly ShownPart[], pages: number): number =>
  parts.length < 2 ? parts.length : onPages(parts.length, pages, page, index => partWeight(parts[index]!));

/** About how many elements a part is drawn as, at most a page of them. */
const partWeight = (shown: ShownPart): number => Math.min(maxWeight, frame + contentWeight(shown));

function contentWeight(shown: ShownPart): number {
  if (shown.kind === 'text') return textWeight(shown.text);
  const { part } = shown;
  if ('raw' in part)
    return isTextType(part.mediaType) || delimiterOf(part.mediaType, part.filename) !== undefined ? part.raw.length / perElement : 0;
  return 'data' in part ? maxWeight - Math.max(0, roomAfter(part.data, maxWeight)) : 0;
}

/** Weight of the end of a text: of a long text only the end is shown. */
function textWeight({ closed, open }: { readonly closed: readonly string[]; readonly open: string }): number {
  let sum = weightOf(open);
  for (let index = closed.length - 1; index >= 0 && sum < maxWeight; index--) sum += weightOf(closed[index] ?? '');
  return sum;
}
