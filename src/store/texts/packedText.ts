/**
 * Texts as the bytes of one column: UTF-8, one after the other, beside their lengths in code units. As JSON each would be read and
 * written a character at a time, which at many megabytes a second is most of the work of writing them down.
 */

/** Most code units of one row, unless one text alone is longer. */
export const rowLength = 256 * 1024;

/** UTF-8 has no lone surrogates: a text that has any must be kept as JSON. */
export const isPackable = (text: string): boolean => text.isWellFormed();

/** Three bytes hold any code unit. */
const bytesPerUnit = 3;
let room: Buffer | undefined;

/** Of texts, or of what they are in UTF-8. The bytes are good until the next call. */
export function packed(texts: readonly (string | Uint8Array)[]): Uint8Array {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > 2 * rowLength) return Buffer.concat(texts.map(text => (typeof text === 'string' ? Buffer.from(text) : text)));
  // One buffer for all: memory that is new costs more than what is written into it.
  room ??= Buffer.allocUnsafeSlow(2 * rowLength * bytesPerUnit);
  let end = 0;
  for (const text of texts) {
    if (typeof text === 'string') end += room.write(text, end);
    else {
      room.set(text, end);
      end += text.length;
    }
  }
  return room.subarray(0, end);
}

/** Gives the texts back, one after the other, each asked for by its length. What the bytes have lost at their end shows as U+FFFD. */
export function unpacking(bytes: Uint8Array | null): (length: number) => string {
  const text = bytes === null ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  let from = 0;
  return length => text.slice(from, from += length).padEnd(length, '\uFFFD');
}
