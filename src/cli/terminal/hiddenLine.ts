import { StringDecoder } from 'node:string_decoder';

/** Longest line, in UTF-16 code units: longer than any key or token. What goes on is no answer. */
const maxLength = 262_144;

/** The end of typing: Enter; Ctrl+D or a line that is too long; Ctrl+C. */
type LineEnd = 'line' | 'none' | 'interrupt';

/* eslint-disable no-control-regex -- such sequences begin with ESC */
/** A key that the terminal writes as a sequence, such as an arrow, or the bounds of pasted text. */
const sequence = /^\u001b(?:\[[\d;?]*[ -/]*[@-~]|O[@-~]|[^[O\u0000-\u001f\u007f])/;
const unfinished = /^\u001b(?:\[[\d;?]*[ -/]*|O)?$/;
/* eslint-enable no-control-regex */

/** A line that is typed in raw mode and not shown, with the editing that a terminal has in its own lines. */
export class HiddenLine {
  readonly #decoder = new StringDecoder('utf8');
  #characters: string[] = [];
  #length = 0;
  /** The beginning of a sequence whose rest is still to come. */
  #begun = '';

  get text(): string {
    return this.#characters.join('');
  }

  /** Takes in what was typed. Undefined while the line goes on. */
  add(chunk: Buffer): LineEnd | undefined {
    let text = this.#begun + this.#decoder.write(chunk);
    this.#begun = '';
    while (text !== '') {
      if (unfinished.test(text)) {
        this.#begun = text;
        return undefined;
      }
      const key = sequence.exec(text)?.[0];
      const character = key ?? String.fromCodePoint(text.codePointAt(0)!);
      text = text.slice(character.length);
      const end = key === undefined ? this.#type(character) : undefined;
      if (end !== undefined) return end;
    }
    return undefined;
  }

  #type(character: string): LineEnd | undefined {
    switch (character) {
      case '\u0003':
        return 'interrupt';
      case '\u0004':
        return 'none';
      case '\r':
      case '\n':
        return 'line';
      case '\u007f':
      case '\b':
        this.#length -= this.#characters.pop()?.length ?? 0;
        return undefined;
      // Ctrl+U and Ctrl+W: a secret has no words.
      case '\u0015':
      case '\u0017':
        this.#characters = [];
        this.#length = 0;
        return undefined;
    }
    if (character < ' ') return undefined;
    this.#characters.push(character);
    this.#length += character.length;
    return this.#length > maxLength ? 'none' : undefined;
  }
}
