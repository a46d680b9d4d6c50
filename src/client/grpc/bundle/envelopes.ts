/** Flag byte and length of the message, before each message (gRPC over HTTP/2, "Length-Prefixed-Message"). */
export const prefixLength = 5;

/**
 * Cuts the bytes of a body into its messages, as they arrive, in time linear in their number and in at most twice the room of one message,
 * however small the chunks are. Messages longer than the limit are not collected.
 */
export class Envelopes {
  /** True once a message said it was longer than the limit; nothing is taken from then on. */
  tooLong = false;
  readonly #limit: number;
  /** What came of the message that is not whole yet: the first `#length` bytes. */
  #begun = new Uint8Array(0);
  #length = 0;

  /** @param limit longest message, in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Each message that the chunk completes, with its prefix. */
  *push(chunk: Uint8Array): Generator<Uint8Array> {
    for (let rest = chunk; rest.byteLength > 0 && !this.tooLong; ) {
      if (this.#length < prefixLength) rest = this.#take(rest, prefixLength);
      if (this.#length < prefixLength) return;
      const length = new DataView(this.#begun.buffer, this.#begun.byteOffset).getUint32(1);
      this.tooLong = length > this.#limit;
      if (this.tooLong) return;
      rest = this.#take(rest, prefixLength + length);
      if (this.#length < prefixLength + length) return;
      yield this.rest;
      this.#begun = new Uint8Array(0);
      this.#length = 0;
    }
  }

  /** What has come of a message that is not whole yet. */
  get rest(): Uint8Array {
    return this.#begun.subarray(0, this.#length);
  }

  /** Takes bytes until there are `wanted`. Returns those that are left. */
  #take(bytes: Uint8Array, wanted: number): Uint8Array {
    const taken = Math.min(wanted - this.#length, bytes.byteLength);
    const length = this.#length + taken;
    if (length > this.#begun.byteLength) {
      // What a prefix promises may never come: room is made for what does.
      const larger = new Uint8Array(Math.min(wanted, Math.max(length, 2 * this.#begun.byteLength)));
      larger.set(this.rest);
      this.#begun = larger;
    }
    this.#begun.set(bytes.subarray(0, taken), this.#length);
    this.#length = length;
    return bytes.subarray(taken);
  }
}
