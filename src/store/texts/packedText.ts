/**
 * Texts as the bytes of one column: UTF-8, one after the other, beside their lengths in code units. In JSON each character would be escaped
 * and read again, which at many megabytes a second is most of the cost of writing.
 */

/** Most code units of one row, unless one text alone is longer. */
export const rowLength = 256 * 1024;

/** UTF-8 cannot encode lone surrogates: a text that has any must be stored as JSON. */
export const isPackable = (text: string): boolean => text.isWellFormed();

/** Three bytes are enough for any code unit. */
const bytesPerUnit = 3;
let room: Buffer | undefined;

/** Packs texts. The result is valid until the next call. */
export function packed(texts: readonly string[]): Uint8Array {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > 2 * rowLength) return Buffer.from(texts.join(''));
  // One buffer for all calls: allocating memory costs more than writing into it.
  room ??= Buffer.allocUnsafeSlow(2 * rowLength * bytesPerUnit);
  let end = 0;
  for (const text of texts) end += room.write(text, end);
  return room.subarray(0, end);
}

/** Returns the texts one after the other, each by its length. */
export function unpacking(bytes: Uint8Array | null): (length: number) => string {
  const text = bytes === null ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  let from = 0;
  return length => text.slice(from, (from += length));
}
