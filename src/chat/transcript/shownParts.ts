import type { Part, TextPart } from '../../protocol/message/part.ts';
import { BlockText } from '../text/blockText.ts';
import type { CutPart } from '../host/messages.ts';
import { base64Size, utf8Size } from '../text/measures.ts';

/** A displayed part. Text is kept as growing blocks; `length` changes whenever it grew, so that its view renders again. */
export type ShownPart =
  | { readonly kind: 'text'; readonly part: TextPart; readonly text: BlockText; readonly length: number; readonly cut?: CutPart }
  | { readonly kind: 'other'; readonly part: Exclude<Part, TextPart>; readonly cut?: CutPart };

/**
 * The parts of an entry, with the same indexes. `before`: the parts that they replace; unchanged text keeps its blocks, so that completing
 * an artifact does not parse it again. `cut`: those that are not whole.
 */
export function showParts(parts: readonly Part[], before: readonly ShownPart[] = [], cut: readonly CutPart[] = []): readonly ShownPart[] {
  const cutAt = new Map(cut.map(each => [each.part, each]));
  return parts.map((part, index) => {
    const isCut = cutAt.get(index);
    if (isCut !== undefined) return showCut(part, isCut);
    const shown = before[index];
    const same = shown?.kind === 'text' && 'text' in part && shown.length === part.text.length && shown.text.toString() === part.text;
    return same ? { ...shown, part } : show(part);
  });
}

/**
 * Appends parts. Text that continues the last part is added to it in place (do not use the old view afterwards). Indexes are the same as in
 * the history, since both join by the same rule (`joinText` in `protocol/message/transcript.ts`).
 */
export function appendParts(shown: readonly ShownPart[], parts: readonly Part[]): readonly ShownPart[] {
  const next = [...shown];
  for (const part of parts) {
    const last = next.at(-1);
    if ('text' in part && last?.kind === 'text' && continues(last.part, part)) {
      if (last.cut === undefined) last.text.append(part.text);
      // What follows a beginning is not what comes after it.
      else last.text.bytes += utf8Size(part.text);
      next[next.length - 1] = { ...last, length: last.text.length };
    } else next.push(show(part));
  }
  return next;
}

function show(part: Part): ShownPart {
  if (!('text' in part)) return { kind: 'other', part };
  const text = new BlockText(part.text);
  return { kind: 'text', part, text, length: text.length };
}

function showCut(part: Part, cut: CutPart): ShownPart {
  const shown = show(part);
  if (shown.kind === 'text') shown.text.bytes = cut.bytes ?? shown.text.bytes;
  return { ...shown, cut };
}

/** A missing media type means `text/plain`. */
const continues = (one: TextPart, next: TextPart): boolean =>
  isBare(one) && isBare(next) && (one.mediaType ?? 'text/plain') === (next.mediaType ?? 'text/plain');
const isBare = (part: TextPart): boolean => part.metadata === undefined && part.filename === undefined;

/** Sizes of parts that do not grow: measuring files and data takes time. */
const sizes = new WeakMap<Part, number>();

/** Size of a part in bytes, of data as compact JSON; undefined for one that only refers to a file. */
export function sizeOf(shown: ShownPart): number | undefined {
  if (shown.kind === 'text') return shown.text.bytes;
  if (shown.cut !== undefined) return shown.cut.bytes;
  const { part } = shown;
  if ('url' in part) return undefined;
  const size = sizes.get(part) ?? ('raw' in part ? base64Size(part.raw) : utf8Size(JSON.stringify(part.data) ?? ''));
  sizes.set(part, size);
  return size;
}
