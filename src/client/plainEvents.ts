const returnByte = 13;
const dataField = 'data:';
/** Of an event. */
const end = '\n\n';

/**
 * Server-sent events as most servers write all of theirs: one line of data and a blank line, ended by line feeds. Their bytes become
 * text once, where a parser of every possible stream joins and cuts texts. The first thing that is anything else ends it: `rest` is
 * then for such a parser, with everything that comes after.
 */
export class PlainEvents {
  readonly #longest: number;
  /** What belongs to no whole event yet, in its first `#length` bytes. */
  #begun = Buffer.alloc(0);
  #length = 0;

  /** `longest`: an event that is longer, in bytes, is for the other parser. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The bytes that were taken since the last whole event. */
  get rest(): Uint8Array {
    return this.#begun.subarray(0, this.#length);
  }

  /** The data of the events that the bytes complete; undefined where they are not plain. */
  take(chunk: Uint8Array): readonly string[] | undefined {
    let bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (bytes.includes(returnByte)) {
      this.#keep(bytes);
      return undefined;
    }
    const known = this.#length;
    if (known > 0) {
      this.#keep(bytes);
      bytes = this.#begun.subarray(0, this.#length);
    }
    const looked = Math.max(0, known - 1);
    const last = bytes.subarray(looked).lastIndexOf(end);
    const complete = last === -1 ? 0 : looked + last + end.length;
    const texts = complete === 0 ? [] : dataIn(bytes.toString('utf8', 0, complete));
    if (known === 0) this.#keep(texts === undefined ? bytes : bytes.subarray(complete));
    else if (texts !== undefined && complete > 0) {
      this.#begun.copyWithin(0, complete, this.#length);
      this.#length -= complete;
    }
    return texts?.length === 0 && this.#length > this.#longest ? undefined : texts;
  }

  #keep(bytes: Uint8Array): void {
    const length = this.#length + bytes.byteLength;
    if (length > this.#begun.byteLength) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#begun.byteLength));
      larger.set(this.rest);
      this.#begun = larger;
    }
    this.#begun.set(bytes, this.#length);
    this.#length = length;
  }
}

/** Of whole events; undefined where one is not plain. */
function dataIn(text: string): string[] | undefined {
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    if (!text.startsWith(dataField, at)) return undefined;
    const colon = at + dataField.length;
    const from = text.charCodeAt(colon) === 32 ? colon + 1 : colon;
    const to = text.indexOf('\n', from);
    if (!text.startsWith(end, to)) return undefined;
    found.push(text.slice(from, to));
    at = to + end.length;
  }
  return found;
}
