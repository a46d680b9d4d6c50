/** Length of the prefix of each message, in bytes: a flag byte and the message's length (gRPC over HTTP/2, "Length-Prefixed-Message"). */
export const prefixLength = 5;

/**
 * Splits a body into its messages as it arrives, in linear time and with at most twice the memory of one message, however small the chunks
 * are. Messages longer than the limit are not collected.
 */
export class Envelopes {
  /** True once a message announced a length beyond the limit; later bytes are ignored. */
  tooLong = false;
  readonly #limit: number;
  /** The message that is still incomplete: its first `#length` bytes. */
  #begun = new Uint8Array(0);
  #length = 0;

  /** @param limit length of the longest message, in bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Yields each message that the chunk completes, with its prefix. */
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

  /** The received part of an incomplete message. */
  get rest(): Uint8Array {
    return this.#begun.subarray(0, this.#length);
  }

  /** Takes bytes until there are `wanted`, and returns the rest. */
  #take(bytes: Uint8Array, wanted: number): Uint8Array {
    const taken = Math.min(wanted - this.#length, bytes.byteLength);
    const length = this.#length + taken;
    if (length > this.#begun.byteLength) {
      // The announced length may never arrive, so memory grows with what does.
      const larger = new Uint8Array(Math.min(wanted, Math.max(length, 2 * this.#begun.byteLength)));
      larger.set(this.rest);
      this.#begun = larger;
    }
    this.#begun.set(bytes.subarray(0, taken), this.#length);
    this.#length = length;
    return bytes.subarray(taken);
  }
}
