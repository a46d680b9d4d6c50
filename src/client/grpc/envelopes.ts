/** Flag byte and length of the message, before each message (gRPC over HTTP/2, "Length-Prefixed-Message"). */
const prefixLength = 5;

/** Cuts the bytes of a body into its messages, as they arrive. Messages longer than the limit are not collected. */
export class Envelopes {
  /** Complete messages that nobody took yet. */
  readonly waiting: Uint8Array[] = [];
  /** True once a message said it was longer than the limit. */
  tooLong = false;
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** @param limit longest message, in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Uint8Array): void {
    if (this.tooLong || chunk.byteLength === 0) return;
    this.#chunks.push(chunk);
    this.#length += chunk.byteLength;
    for (let message = this.#next(); message !== undefined; message = this.#next()) this.waiting.push(message);
  }

  #next(): Uint8Array | undefined {
    if (this.#length < prefixLength) return undefined;
    // A long message comes in many chunks; joined only where its prefix or its end has come, each byte is copied at most twice.
    if (this.#chunks[0]!.byteLength < prefixLength) this.#join();
    const [first] = this.#chunks as [Uint8Array];
    const length = new DataView(first.buffer, first.byteOffset).getUint32(1);
    if (length > this.#limit) {
      this.tooLong = true;
      this.#chunks = [];
      return undefined;
    }
    const end = prefixLength + length;
    if (this.#length < end) return undefined;
    this.#join();
    const [all] = this.#chunks as [Uint8Array];
    this.#chunks = all.byteLength === end ? [] : [all.subarray(end)];
    this.#length -= end;
    return all.slice(prefixLength, end);
  }

  #join(): void {
    if (this.#chunks.length > 1) this.#chunks = [new Uint8Array(Buffer.concat(this.#chunks))];
  }
}
