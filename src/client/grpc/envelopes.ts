/** Flag byte and length of the message, before each message (gRPC over HTTP/2, "Length-Prefixed-Message"). */
export const prefixLength = 5;

/**
 * Cuts the bytes of a body into its messages, as they arrive, in time linear in their number. Messages longer than the limit are not
 * collected.
 */
export class Envelopes {
  /** True once a message said it was longer than the limit; nothing is taken from then on. */
  tooLong = false;
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** @param limit longest message, in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Each message that the chunk completes, with its prefix. */
  * push(chunk: Uint8Array): Generator<Uint8Array> {
    if (chunk.byteLength === 0) return;
    this.#chunks.push(chunk);
    this.#length += chunk.byteLength;
    while (!this.tooLong && this.#length >= prefixLength) {
      if (this.#chunks[0]!.byteLength < prefixLength) this.#join();
      const [first] = this.#chunks as [Uint8Array];
      const length = new DataView(first.buffer, first.byteOffset).getUint32(1);
      this.tooLong = length > this.#limit;
      const end = prefixLength + length;
      if (this.tooLong || this.#length < end) return;
      this.#join();
      const [all] = this.#chunks as [Uint8Array];
      this.#chunks = all.byteLength === end ? [] : [all.subarray(end)];
      this.#length -= end;
      yield all.subarray(0, end);
    }
  }

  /** What has come of a message that is not whole yet. */
  get rest(): Uint8Array {
    this.#join();
    return this.#chunks[0] ?? new Uint8Array();
  }

  /** A long message comes in many chunks, which are joined where its prefix and where its end has come. */
  #join(): void {
    if (this.#chunks.length > 1) this.#chunks = [new Uint8Array(Buffer.concat(this.#chunks))];
  }
}
