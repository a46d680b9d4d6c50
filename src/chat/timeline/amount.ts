import { type ShownPart, sizeOf } from '../transcript/shownParts.ts';
import type { EntryView } from '../transcript/transcript.ts';

/** How much data an agent has sent. */
export interface DataAmount {
  /** Number of artifact updates. */
  readonly chunks: number;
  /** Size of artifacts and messages when saved. */
  readonly bytes: number;
}

/** Cached sizes of parts that do not grow: measuring pictures and data takes time. */
const known = new WeakMap<ShownPart, number>();

/** Total of these entries. */
export function totalOf(views: readonly EntryView[]): DataAmount {
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
