import { isObject } from './json.ts';

/** What stands for a value that is nobody else's to see. */
export const mask = '••••••';

/** Shorter values are not masked: they stand in many texts by chance. In code units. */
const shortest = 4;
/** Most values that are masked, so that a file that grows without end cannot make every output slow. */
const mostValues = 10_000;

const encoder = new TextEncoder();
const ellipsis = '…';

/**
 * The secret values of a run, and what is shown without them. A value is found as it is, line by line, and in the encodings in which it comes
 * back in answers and reports: JSON, URL, XML, base64; also the beginning or end of one that was cut at an ellipsis.
 */
export class SecretValues {
  readonly #values = new Set<string>();
  /** What is looked for, longest first. */
  #forms: readonly string[] = [];

  /** Texts and numbers; of lists and objects, all that are in them. */
  add(value: unknown): void {
    if (Array.isArray(value)) value.forEach(item => this.add(item));
    else if (isObject(value)) Object.values(value).forEach(item => this.add(item));
    else if (typeof value === 'string' || typeof value === 'number') this.#addText(String(value));
  }

  /** The value of a header, and the credential in it. */
  addHeader(name: string, value: string): void {
    if (harmless.test(name)) return;
    for (const each of credentialsIn(value)) this.add(each);
  }

  /** The text with every secret value in it masked. */
  mask(text: string): string {
    let masked = text;
    for (const form of this.#forms) if (masked.includes(form)) masked = masked.replaceAll(form, mask);
    return masked.includes(ellipsis) ? this.#maskCut(masked) : masked;
  }

  /** The same for every text and number in a JSON value. Names of members that are one word belong to its shape and stay. */
  maskIn<T>(value: T): T {
    return this.#forms.length === 0 ? value : this.#maskIn(value) as T;
  }

  /** How many characters at the end of a text may be the beginning of a secret value whose rest is still to come. */
  pendingIn(text: string): number {
    let longest = 0;
    for (const form of this.#forms) longest = Math.max(longest, prefixAtEnd(text, form, form.length - 1));
    return longest;
  }

  #addText(text: string): void {
    if (text.length < shortest || this.#values.has(text) || this.#values.size >= mostValues) return;
    this.#values.add(text);
    this.#forms = [...new Set([...this.#forms, ...formsOf(text)])].sort((one, other) => other.length - one.length);
  }

  #maskIn(value: unknown): unknown {
    if (typeof value === 'string') return this.mask(value);
    if (typeof value === 'number') {
      const written = String(value);
      const masked = this.mask(written);
      return masked === written ? value : masked;
    }
    if (Array.isArray(value)) return value.map(item => this.#maskIn(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [/^[a-z]+$/i.test(name) ? name : this.mask(name), this.#maskIn(member)]));
  }

  /** A value that is cut is found in no form: what is left of it stands before or after the ellipsis. */
  #maskCut(text: string): string {
    const pieces = text.split(ellipsis);
    return pieces.map((piece, index) => {
      let [start, end] = [0, 0];
      for (const form of this.#forms) {
        if (index < pieces.length - 1) end = Math.max(end, prefixAtEnd(piece, form, form.length));
        if (index > 0) start = Math.max(start, suffixAtStart(piece, form));
      }
      const head = start >= shortest ? mask : piece.slice(0, start);
      if (start + end >= piece.length && end >= shortest) return mask;
      return head + (end >= shortest ? piece.slice(start, piece.length - end) + mask : piece.slice(start));
    }).join(ellipsis);
  }
}

/** Headers whose values say nothing about who sends them. */
const harmless = /^(accept|accept-.*|cache-control|content-type|user-agent|traceparent|tracestate|a2a-version|a2a-extensions)$/i;

/** The value, and what in it a server compares: behind the scheme, the password, the cookies. */
function credentialsIn(value: string): readonly string[] {
  const [, scheme = '', rest] = /^([\w-]+)\s+(.+)$/s.exec(value) ?? [];
  if (rest === undefined) return [value, ...value.split(/;\s*/).flatMap(pair => (pair.includes('=') ? [pair.slice(pair.indexOf('=') + 1)] : []))];
  if (!/^basic$/i.test(scheme)) return [value, rest];
  try {
    const pair = new TextDecoder().decode(Uint8Array.from(atob(rest), character => character.charCodeAt(0)));
    return [value, rest, pair, pair.slice(pair.indexOf(':') + 1)];
  } catch {
    // Not base64: then there is nothing more in it.
    return [value, rest];
  }
}

/** The ways in which a value may be written; those that are too short to be told from other text are left out. */
export function formsOf(text: string): readonly string[] {
  const plain = [text, text.trim(), text.replaceAll(/\s+/g, ' ').trim(), text.replaceAll(/[^\P{Cc}\t\n]/gu, ''), ...text.split(/\r\n?|\n/).map(line => line.trim())];
  return [...new Set(plain.flatMap(one => (one.length < shortest ? [] : [one, ...inJson(one), ...inUrls(one), ...inXml(one), ...inBase64(one)])))]
    .filter(form => form.length >= shortest);
}

function inJson(text: string): readonly string[] {
  const once = JSON.stringify(text).slice(1, -1);
  const ascii = once.replaceAll(/[\u007f-\uffff]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const upper = ascii.replaceAll(/\\u[0-9a-f]{4}/g, escape => `\\u${escape.slice(2).toUpperCase()}`);
  // PHP escapes slashes; the lower control characters of Unicode are escaped where JSON goes to a terminal.
  return [once, ascii, upper, once.replaceAll('/', '\\/'), ascii.replaceAll('/', '\\/'), JSON.stringify(once).slice(1, -1), JSON.stringify(ascii).slice(1, -1)];
}

function inUrls(text: string): readonly string[] {
  const wellFormed = text.toWellFormed();
  const component = encodeURIComponent(wellFormed);
  const form = new URLSearchParams({ '': wellFormed }).toString().slice(1);
  const all = [component, encodeURI(wellFormed), form, component.replaceAll(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)];
  return [...all, ...all.map(each => each.replaceAll(/%[0-9A-F]{2}/g, code => code.toLowerCase()))];
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;', '\t': '&#9;' };

function inXml(text: string): readonly string[] {
  const escaped = text.replaceAll(/[&<>"\n\t]/g, character => entities[character] ?? character);
  return [escaped, escaped.replaceAll('\'', '&#39;'), escaped.replaceAll('\'', '&apos;')];
}

/** Alone, and where it stands among other bytes: then its first and last characters depend on those beside it. */
function inBase64(text: string): readonly string[] {
  const bytes = encoder.encode(text);
  const all = [0, 1, 2].flatMap(before => {
    const whole = btoa(`${'\0'.repeat(before)}${Array.from(bytes, byte => String.fromCharCode(byte)).join('')}`);
    const inside = whole.slice(Math.ceil(before * 8 / 6), Math.floor((before + bytes.length) * 8 / 6));
    return before === 0 ? [whole, whole.replace(/=+$/, ''), inside] : [inside];
  });
  return [...all, ...all.map(each => each.replaceAll('+', '-').replaceAll('/', '_'))];
}

/** Length of the longest beginning of a form, up to `most`, that the text ends with. */
function prefixAtEnd(text: string, form: string, most: number): number {
  for (let length = Math.min(most, text.length); length > 0; length -= 1) if (text.endsWith(form.slice(0, length))) return length;
  return 0;
}

function suffixAtStart(text: string, form: string): number {
  for (let length = Math.min(form.length, text.length); length > 0; length -= 1) if (text.startsWith(form.slice(-length))) return length;
  return 0;
}
