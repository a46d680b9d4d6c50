import type { Part } from '../../protocol/message/part.ts';
import { decode, encode } from '../texts/jsonText.ts';
import { isPackable, packed, rowLength, unpacking } from '../texts/packedText.ts';

/** A row of `artifact_chunks`: parts as they came. A part that is only text is stored as its length in `parts` and its text in `text`. */
export interface ChunkRow {
  readonly parts: string;
  /** Null where the frames hold the parts. */
  readonly text: Uint8Array | null;
}

/** One row for all parts, whatever their length. */
export function chunkRow(parts: readonly Part[]): ChunkRow & { readonly text: Uint8Array } {
  const texts = parts.filter(isBareText).map(({ text }) => text);
  return { parts: encode(parts.map(part => (isBareText(part) ? part.text.length : part))), text: packed(texts) };
}

/** The rows for parts, at least one. `text` is valid until the next row is asked for. */
export function* chunkRows(parts: readonly Part[]): Generator<ChunkRow & { readonly text: Uint8Array }> {
  let facts: (number | Part)[] = [];
  let texts: string[] = [];
  let length = 0;
  for (const part of parts) {
    if (length > 0 && 'text' in part && length + part.text.length > rowLength) {
      yield { parts: encode(facts), text: packed(texts) };
      facts = [];
      texts = [];
      length = 0;
    }
    if (isBareText(part)) {
      facts.push(part.text.length);
      texts.push(part.text);
      length += part.text.length;
    } else facts.push(part);
  }
  yield { parts: encode(facts), text: packed(texts) };
}

function isBareText(part: Part): part is { readonly text: string } {
  for (const name in part) if (name !== 'text') return false;
  return 'text' in part && isPackable(part.text);
}

/** The parts of a row. */
export function partsIn({ parts, text }: ChunkRow): Part[] {
  const next = unpacking(text);
  return decode<(number | Part)[]>(parts).map(part => (typeof part === 'number' ? { text: next(part) } : part));
}
