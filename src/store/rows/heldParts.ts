import type { Part } from '../../protocol/message/part.ts';
import { plainChunkIn } from '../../protocol/versions/shared/plainChunk.ts';
import type { FrameRows } from './frameRows.ts';

/** Consecutive frames of an exchange, each of them a plain chunk (`plainChunkIn`). */
export interface Holding {
  /** Row id. */
  readonly exchange: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Parts that are stored only in the frames that brought them: histories have such rows from a time when that was how the text of a stream was
 * stored once. Text that its frame has lost shows as U+FFFD.
 */
export function* heldParts(frames: FrameRows, { exchange, first, last }: Holding): Generator<Part> {
  for (const { seq, data } of frames.from(exchange, first)) {
    if (seq > last) return;
    yield* partsOf(data);
  }
}

function partsOf(data: string): readonly Part[] {
  try {
    const chunk = plainChunkIn(JSON.parse(data));
    if (chunk !== undefined) return chunk.artifactUpdate.artifact.parts;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return [{ text: '\uFFFD' }];
}
