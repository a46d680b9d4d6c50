import { utf8Size } from './measures.ts';

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly quoted: boolean;
  /** Part of a list item: a line at the margin ends it together with the item. */
  readonly listed: boolean;
  /** Outside lists and quotations, so that it is a block of its own. */
  readonly atMargin: boolean;
}

const listMarker = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const opening = /^((?:\s|[-*+]\s|\d{1,9}[.)]\s|>)*)(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * Markdown that arrives in pieces, split into blocks that can be parsed separately. It is split at the last blank line that is outside a
 * code fence and is followed by a new block at the margin, and around code fences at the margin. Closed blocks never change, so only `open`
 * is parsed again when text arrives. `closed` and `open` joined are the text.
 */
export class BlockText {
  readonly closed: string[] = [];
  /** UTF-16 code units. */
  length = 0;
  /** Size in UTF-8. */
  bytes = 0;
  #block = '';
  #line = '';
  #fence: Fence | undefined;
  #started = false;
  #listed = false;
  #blank = false;

  constructor(text = '') {
    if (text !== '') this.append(text);
  }

  get open(): string {
    return this.#block + this.#line;
  }

  /** True while the text ends inside an open code fence. */
  get inFence(): boolean {
    return this.#fence !== undefined;
  }

  append(chunk: string): void {
    this.length += chunk.length;
    this.bytes += utf8Size(chunk);
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      this.#take(this.#line + chunk.slice(start, end + 1));
      this.#line = '';
      start = end + 1;
    }
    this.#line += chunk.slice(start);
  }

  toString(): string {
    return this.closed.join('') + this.open;
  }

  #take(line: string): void {
    if (this.#fence !== undefined && !endsWithItsContainer(line, this.#fence)) {
      this.#block += line;
      if (!closes(line, this.#fence)) return;
      if (this.#fence.atMargin) this.#cut();
      this.#fence = undefined;
      return;
    }
    this.#fence = undefined;
    const blank = line.trim() === '';
    if (!blank) {
      if (this.#started && this.#blank && this.#startsAnew(line)) this.#cut();
      if (!this.#started) this.#listed = listMarker.test(line);
      this.#fence = this.#opens(line);
      if (this.#started && this.#fence?.atMargin === true) this.#cut();
      this.#started = true;
    }
    this.#blank = blank && this.#started;
    this.#block += line;
  }

  #cut(): void {
    this.closed.push(this.#block);
    this.#block = '';
    this.#started = false;
    this.#blank = false;
  }

  #startsAnew(line: string): boolean {
    return !/^\s/.test(line) && !(this.#listed && listMarker.test(line));
  }

  #opens(line: string): Fence | undefined {
    const [, before = '', marks = ''] = opening.exec(line.trimEnd()) ?? [];
    if (marks === '' || (/^(?: {4}|\t)/.test(before) && !this.#listed)) return undefined;
    const listed = before !== '' && (this.#listed || listMarker.test(line));
    return { mark: marks.charAt(0), length: marks.length, quoted: before.includes('>'), listed, atMargin: before === '' };
  }
}

function endsWithItsContainer(line: string, fence: Fence): boolean {
  if (fence.quoted && !/^\s*>/.test(line)) return true;
  return fence.listed && !/^\s/.test(line) && !closes(line, fence);
}

function closes(line: string, fence: Fence): boolean {
  const marks = line.replace(/^[\s>]*/, '').trimEnd();
  return marks.length >= fence.length && marks === fence.mark.repeat(marks.length);
}
