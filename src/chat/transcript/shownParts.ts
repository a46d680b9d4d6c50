import type { Part, TextPart } from '../../protocol/message/part.ts';
import { BlockText } from '../text/blockText.ts';
import { base64Size, utf8Size } from '../text/measures.ts';

/** A displayed part. Text is kept as growing blocks; `length` changes whenever it grew, so that its view renders again. */
export type ShownPart =
  | { readonly kind: 'text'; readonly part: TextPart; readonly text: BlockText; readonly length: number }
  | { readonly kind: 'other'; readonly part: Exclude<Part, TextPart> };

/**
 * The parts of an entry, with the same indexes. `before`: the parts that they replace; unchanged text keeps its blocks, so that completing
 * an artifact does not parse it again.
 */
export function showParts(parts: readonly Part[], before: readonly ShownPart[] = []): readonly ShownPart[] {
  return parts.map((part, index) => {
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
      last.text.append(part.text);
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

/** A missing media type means `text/plain`. */
const continues = (one: TextPart, next: TextPart): boolean =>
  isBare(one) && isBare(next) && (one.mediaType ?? 'text/plain') === (next.mediaType ?? 'text/plain');
const isBare = (part: TextPart): boolean => part.metadata === undefined && part.filename === undefined;

/** Size of a part when saved, in bytes; undefined for one that only refers to a file. */
export function sizeOf(shown: ShownPart): number | undefined {
  if (shown.kind === 'text') return shown.text.bytes;
  if ('raw' in shown.part) return base64Size(shown.part.raw);
  if ('url' in shown.part) return undefined;
  return utf8Size(JSON.stringify(shown.part.data, null, 2) ?? '');
}
