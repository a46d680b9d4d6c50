import { type ShownPart, sizeOf } from '../transcript/shownParts.ts';
import type { EntryView } from '../transcript/transcript.ts';

/** How much an agent has sent. */
export interface Amount {
  /** Pieces in which its artifacts came. */
  readonly chunks: number;
  /** Of artifacts and messages, as they would be saved. */
  readonly bytes: number;
}

/** Sizes of parts that do not grow: counting those of pictures and data takes time. */
const known = new WeakMap<ShownPart, number>();

/** What these entries hold together. */
export function amountOf(views: readonly EntryView[]): Amount {
  let chunks = 0;
  let bytes = 0;
  for (const { chunks: count, parts } of views) {
    chunks += count;
    for (const part of parts) bytes += bytesOf(part);
  }
  return { chunks, bytes };
}

function bytesOf(part: ShownPart): number {
  if (part.kind === 'text') return part.text.bytes;
  const size = known.get(part) ?? sizeOf(part) ?? 0;
  known.set(part, size);
  return size;
}
