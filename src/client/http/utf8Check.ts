import { isUtf8 } from 'node:buffer';

/** A check for UTF-8 of bytes that come in pieces. */
export class Utf8Check {
  /** The bytes so far of a character that the last piece ended in. */
  #begun: Uint8Array = new Uint8Array();
  isRight = true;

  /** Takes the next piece; none where the bytes are over. */
  take(piece?: Uint8Array): void {
    if (!this.isRight) return;
    if (piece === undefined) {
      this.isRight = this.#begun.length === 0;
      return;
    }
    const bytes = this.#begun.length === 0 ? piece : Buffer.concat([this.#begun, piece]);
    const end = endOfCharacters(bytes);
    this.isRight = isUtf8(bytes.subarray(0, end));
    this.#begun = new Uint8Array(bytes.subarray(end));
  }
}

/** End of the last whole character: the first byte of a character determines its length. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte >> 6 === 0b10) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
