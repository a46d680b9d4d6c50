import { sizeOf } from '../transcript/shownParts.ts';
import type { EntryView } from '../transcript/transcript.ts';

/** How much data an agent has sent. */
export interface DataAmount {
  /** Number of artifact updates. */
  readonly chunks: number;
  /** Size of artifacts and messages when saved. */
  readonly bytes: number;
}

/** Total of these entries. */
export function totalOf(views: readonly EntryView[]): DataAmount {
  let chunks = 0;
  let bytes = 0;
  for (const { chunks: count, parts } of views) {
    chunks += count;
    for (const part of parts) bytes += sizeOf(part) ?? 0;
  }
  return { chunks, bytes };
}
