import { hasControls } from './controlCharacters.ts';
import { ownData } from './ownData.ts';

const returnByte = 13;
const dataField = 'data: ';
/** Of an event. */
const end = '\n\n';

/**
 * Server-sent events as most servers write all of theirs: one line of `data: ` and a blank line, ended by line feeds. Their bytes become
 * text once, where a parser of every possible stream joins and cuts texts. The first thing that is anything else ends it: `rest` is
 * then for such a parser, with everything that comes after.
 */
export class PlainEvents {
  readonly #longest: number;
  /** What belongs to no whole event yet, in its first `#length` bytes. */
  #begun = Buffer.alloc(0);
  #length = 0;
  /** So many of them were told as events by the last `take`. */
  #told = 0;
  /** What the last `take` has told: bytes and the text they make. */
  #bytes: Buffer = Buffer.alloc(0);
  #lines: readonly Line[] = [];
  #isAscii = false;

  /** `longest`: an event that is longer, in bytes, is for the other parser. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The bytes that were taken since the last whole event. */
  get rest(): Uint8Array {
    return this.#begun.subarray(this.#told, this.#length);
  }

  /**
   * Whether the data of that event of the last `take` is known to have no control characters; it may have none all the same. Costs much
   * less than looking at each character of a text.
   */
  isClean(index: number): boolean {
    const line = this.#lines[index];
    return line !== undefined && this.#isAscii && !hasControls(this.#bytes, line.from, line.to);
  }

  /** The data of the events that the bytes complete; undefined where they are not plain. */
  take(chunk: Uint8Array): readonly string[] | undefined {
    this.#forget();
    let bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#lines = [];
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
    const text = bytes.toString('utf8', 0, complete);
    const lines = linesIn(text);
    if (known === 0) this.#keep(lines === undefined ? bytes : bytes.subarray(complete));
    else if (lines !== undefined) this.#told = complete;
    if (lines === undefined || (lines.length === 0 && this.#length > this.#longest)) return undefined;
    this.#bytes = bytes.subarray(0, complete);
    this.#lines = lines;
    this.#isAscii = text.length === complete;
    return lines.map(({ from, to }) => ownData(text.slice(from, to), text.length));
  }

  #forget(): void {
    if (this.#told === 0) return;
    this.#begun.copyWithin(0, this.#told, this.#length);
    this.#length -= this.#told;
    this.#told = 0;
  }

  #keep(bytes: Uint8Array): void {
    const length = this.#length + bytes.byteLength;
    if (length > this.#begun.byteLength) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#begun.byteLength));
      larger.set(this.#begun.subarray(0, this.#length));
      this.#begun = larger;
    }
    this.#begun.set(bytes, this.#length);
    this.#length = length;
  }
}

/** Where the data of an event is in its text. */
interface Line {
  readonly from: number;
  readonly to: number;
}

/** Of whole events; undefined where one is not plain. */
function linesIn(text: string): Line[] | undefined {
  const found: Line[] = [];
  for (let at = 0; at < text.length; ) {
    if (!text.startsWith(dataField, at)) return undefined;
    const from = at + dataField.length;
    const to = text.indexOf('\n', from);
    if (!text.startsWith(end, to)) return undefined;
    found.push({ from, to });
    at = to + end.length;
  }
  return found;
}
