import type { Frame } from '../../protocol/exchange.ts';
import { copyOf } from '../../protocol/ownText.ts';

/** Most lines of data of one event: each takes memory beside its characters until the event is whole. */
export const maxEventLines = 500_000;
/** Most lines of data of one event whose surroundings are kept. */
const maxKeptLines = 10_000;
/** How much of what stands around the data of an event is kept, in characters, and of a line that is no field while it comes. */
const maxAround = 16 * 1024;
/** The longest beginning of a line that decides what it is. */
const longestName = 'event:'.length;
const fields = ['data:', 'event:', 'id:'];
/** Longest text, in UTF-16 code units, that its pieces may keep in memory: copying every piece costs more. */
const maxShared = 256 * 1024;

/**
 * Reads the text of any stream of server-sent events (WHATWG HTML §9.2), however it is cut, and keeps what cannot be made anew from the
 * events: comments, the order of fields, spaces and line ends.
 */
export class EventReader {
  readonly #limit: number;
  #events: Frame[] = [];
  #seq = 0;
  /** When what is read now has come. */
  #at = 0;
  /** The pieces of a line whose end has not come, how long it is, and its beginning. */
  #pending: string[] = [];
  #pendingLength = 0;
  #head = '';
  /** The line before ended with a carriage return that was the last character so far. */
  #returned = false;
  #data: string[] = [];
  #dataLength = 0;
  #event: string | undefined;
  #id: string | undefined;
  /** Texts before and between the lines of data of this event; the text since then, and how much of all that is kept. */
  #around: string[] = [];
  #since = '';
  #kept = 0;
  #lastAround: readonly string[] = [];
  #fault: 'too-long' | 'too-many-lines' | undefined;
  #stray: string | undefined;

  /** @param limit longest event that is read, in characters */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Why nothing more is read. */
  get fault(): 'too-long' | 'too-many-lines' | undefined {
    return this.#fault;
  }

  /** The first line that is no part of an event. */
  get stray(): string | undefined {
    return this.#stray;
  }

  /**
   * Returns the events that the text completes.
   * @param now when it has come
   */
  take(text: string, now: number): readonly Frame[] {
    this.#at = now;
    let at = 0;
    if (this.#returned && text !== '') {
      this.#returned = false;
      if (text.startsWith('\n')) {
        at = 1;
        // The line end of a blank line is no part of the next event.
        if (this.#since !== '') this.#since += '\n';
      }
    }
    let [feed, back] = [text.indexOf('\n', at), text.indexOf('\r', at)];
    while (this.#fault === undefined) {
      if (feed !== -1 && feed < at) feed = text.indexOf('\n', at);
      if (back !== -1 && back < at) back = text.indexOf('\r', at);
      const to = feed === -1 ? back : back === -1 ? feed : Math.min(feed, back);
      if (to === -1) break;
      const end = text[to] === '\n' ? '\n' : text[to + 1] === '\n' ? '\r\n' : '\r';
      this.#returned = end === '\r' && to + 1 === text.length;
      this.#line(this.#whole(ownData(text.slice(at, to), text.length)), end);
      at = to + end.length;
    }
    if (at < text.length && this.#fault === undefined) this.#begin(ownData(text.slice(at), text.length));
    return this.#completed();
  }

  /** The stream is over: returns the event that no blank line ends. */
  end(): readonly Frame[] {
    if (this.#pendingLength > 0) this.#line(this.#whole(''), '');
    if (this.#fault === undefined) this.#blank('');
    return this.#completed();
  }

  #completed(): readonly Frame[] {
    const completed = this.#events;
    if (completed.length > 0) this.#events = [];
    return completed;
  }

  #begin(piece: string): void {
    if (this.#head.length < longestName) this.#head += piece.slice(0, longestName - this.#head.length);
    const isField = fields.some(field => field.startsWith(this.#head) || this.#head.startsWith(field));
    if (!isField && this.#pendingLength > maxAround) return;
    this.#pending.push(isField ? piece : piece.slice(0, maxAround));
    this.#pendingLength += piece.length;
    if (isField && this.#pendingLength + this.#dataLength > this.#limit) this.#fault = 'too-long';
  }

  /** The line that ends with this piece. */
  #whole(piece: string): string {
    if (this.#pendingLength === 0) return piece;
    const line = [...this.#pending, piece].join('');
    this.#pending = [];
    this.#pendingLength = 0;
    this.#head = '';
    return line;
  }

  #line(line: string, end: string): void {
    if (line === '') return this.#blank(end);
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const from = colon === -1 ? line.length : line[colon + 1] === ' ' ? colon + 2 : colon + 1;
    if (name === 'data') return this.#addData(line.slice(from), line.slice(0, from), end);
    const value = line.slice(from);
    if (name === 'event') this.#event = value === '' ? undefined : value;
    else if (name === 'id') this.#id = value.includes('\0') ? this.#id : value;
    else if (name !== '' && name !== 'retry') this.#stray ??= line;
    this.#keep(line + end);
  }

  #addData(value: string, before: string, end: string): void {
    this.#data.push(value);
    this.#dataLength += value.length + 1;
    if (this.#data.length <= maxKeptLines) this.#around.push(this.#since + before);
    this.#since = end;
    if (this.#dataLength - 1 > this.#limit) this.#fault = 'too-long';
    else if (this.#data.length > maxEventLines) this.#fault = 'too-many-lines';
  }

  #keep(text: string): void {
    if (this.#kept > maxAround) return;
    this.#kept += text.length;
    this.#since += this.#kept > maxAround ? `${text.slice(0, maxAround).trimEnd()}…\n` : text;
  }

  /** Dispatches the event. What has no data is none: it is kept with the next. */
  #blank(end: string): void {
    if (this.#data.length > 0) {
      const data = this.#data.length === 1 ? this.#data[0]! : this.#data.join('\n');
      const around = this.#keptAround();
      const frame: { -readonly [Name in keyof Frame]: Frame[Name] } = { seq: this.#seq++, at: this.#at, data };
      if (this.#event !== undefined) frame.event = this.#event;
      if (this.#id !== undefined) frame.id = this.#id;
      if (around !== undefined) frame.around = around;
      this.#events.push(frame);
      this.#data = [];
      this.#dataLength = 0;
      this.#around = [];
      this.#since = '';
      this.#kept = 0;
    } else this.#keep(end);
    this.#event = undefined;
    this.#id = undefined;
  }

  /** Undefined for what stands around plain data, and where there is too much of it; one array for neighbours that are alike. */
  #keptAround(): readonly string[] | undefined {
    if (this.#data.length > maxKeptLines) return undefined;
    if (this.#data.length === 1 && this.#around[0] === 'data: ' && this.#since === '\n') return undefined;
    const around = [...this.#around, this.#since];
    const last = this.#lastAround;
    if (last.length !== around.length || around.some((text, index) => text !== last[index])) this.#lastAround = around;
    return this.#lastAround;
  }
}

/** A piece of a text of that length: a small one must not keep a large one in memory. */
const ownData = (piece: string, length: number): string => (length > maxShared && piece.length < length / 2 ? copyOf(piece) : piece);
