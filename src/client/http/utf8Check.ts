import { isUtf8 } from 'node:buffer';

/** Whether bytes that come in pieces are UTF-8. */
export class Utf8Check {
  /** Undefined where each piece ended with a whole character, which is much cheaper to look at. */
  #decoder: TextDecoder | undefined;
  isRight = true;

  /** Takes the next piece; none where the bytes are over. */
  take(piece?: Uint8Array): void {
    if (!this.isRight || (this.#decoder === undefined && (piece === undefined || isUtf8(piece)))) return;
    this.#decoder ??= new TextDecoder('utf-8', { fatal: true });
    try {
      this.#decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      this.isRight = false;
    }
  }
}
