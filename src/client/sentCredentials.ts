import type { Frame, Headers } from '../protocol/exchange.ts';
import { authorizationScheme, mask, namesCredential } from './maskedHeaders.ts';

/** From so many characters on a credential is looked for inside of other words; a shorter one is a word of its own. */
const long = 8;
/** Shorter values are not looked for: they are in every text. */
const shortest = 4;
/** Longest value that is looked for, in characters. No server takes a longer header. */
const longest = 16_384;

/** How a text with the credential in it is shown. */
interface Needle {
  readonly text: string;
  readonly shown: string;
  /** Only where no letter, digit or underscore is beside it. */
  readonly word: boolean;
  /** Nothing says that it is a credential: it may also be a name that the agent goes by, in ids and addresses. */
  readonly doubtful: boolean;
}

/**
 * The credentials that went out with one request, and what the agent sends back of them: some servers quote the token in the body of a 401,
 * in an error or a header. There they are masked as in the request, before anything is read, kept or shown. They are found as they are,
 * with JSON's escapes, percent-encoded, and inside of base64.
 *
 * Credentials are the values of headers and URL parameters whose names say so, in whole and without their scheme (`Bearer`), Basic's password,
 * and each cookie. Of other configured headers only values that look like keys are (16 characters and more, with letters and digits), and
 * those stay in ids and addresses, which would not work without them. A value that may be any word (`test`, `1234`) is masked behind its
 * scheme alone, so that a token of development does not blot out texts.
 */
export class SentCredentials {
  readonly #url: URL;
  readonly #headers: Headers;
  readonly #secret: ReadonlySet<string>;
  /** Made when the first answer is looked at. */
  #made: readonly Needle[] | undefined;
  #pattern: RegExp | undefined;

  /** @param secret names of configured headers, in lower case. */
  constructor(url: URL, headers: Headers, secret: ReadonlySet<string>) {
    this.#url = url;
    this.#headers = headers;
    this.#secret = secret;
  }

  /** The text with every credential in it replaced; the same text where there is none. JSON stays JSON. */
  mask(text: string): string {
    const needles = this.#needles;
    return needles.some(needle => text.includes(needle.text)) ? text.replace(this.#patternOf(needles), this.#replace) : text;
  }

  maskHeaders(headers: Headers): Headers {
    return this.#needles.length === 0 ? headers : headers.map(([name, value]) => [name, this.mask(value)]);
  }

  /** Frames without credentials in them are the same objects. */
  maskFrames(frames: readonly Frame[]): readonly Frame[] {
    if (this.#needles.length === 0) return frames;
    return frames.map(frame => {
      const data = this.mask(frame.data);
      const id = frame.id === undefined ? undefined : this.mask(frame.id);
      const event = frame.event === undefined ? undefined : this.mask(frame.event);
      return data === frame.data && id === frame.id && event === frame.event ? frame
        : { ...frame, data, ...(id !== undefined && { id }), ...(event !== undefined && { event }) };
    });
  }

  /** Whether nothing was sent that is looked for. */
  get none(): boolean {
    return this.#needles.length === 0;
  }

  /** How many characters at the end of a text may be the beginning of a credential whose rest is still to come. */
  pendingIn(text: string): number {
    let longest = 0;
    for (const { text: needle, word } of this.#needles) {
      for (let at = text.indexOf(needle[0]!, text.length - Math.min(needle.length - 1, text.length)); at !== -1 && text.length - at > longest; at = text.indexOf(needle[0]!, at + 1)) {
        if (needle.startsWith(text.slice(at)) && !(word && /[\p{L}\p{N}_]$/u.test(text.slice(0, at)))) longest = text.length - at;
      }
    }
    return longest;
  }

  /** The same number of bytes, so that lengths that are written among them stay right. */
  maskBytes(bytes: Uint8Array): Uint8Array {
    const masked = Buffer.from(bytes);
    for (const { text } of this.#needles) {
      const needle = Buffer.from(text);
      for (let at = masked.indexOf(needle); at !== -1; at = masked.indexOf(needle, at + needle.byteLength)) masked.fill('*', at, at + needle.byteLength);
    }
    return masked;
  }

  get #needles(): readonly Needle[] {
    return this.#made ??= needlesIn(this.#url, this.#headers, this.#secret);
  }

  #patternOf(needles: readonly Needle[]): RegExp {
    return this.#pattern ??= new RegExp(needles.map(({ text, word }) => {
      const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
      return word ? `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])` : literal;
    }).join('|'), 'gu');
  }

  readonly #replace = (found: string, ...rest: readonly unknown[]): string => {
    const [offset, text] = rest.slice(-2) as [number, string];
    const needle = this.#needles.find(each => each.text === found);
    if (needle === undefined) return mask;
    const before = text.slice(Math.max(0, offset - 2048), offset);
    const after = text.slice(offset + found.length, offset + found.length + 16);
    if (needle.doubtful && (/"\w*id"\s*:\s*"$/i.test(before) || /https?:\/\/[^\s"'<>]*$/i.test(before))) return found;
    if (isWord(found)) {
      // The name of a member, which may be any word.
      if (before.endsWith('"') && /^"\s*:/.test(after)) return found;
      // A number outside of texts: dots would be no JSON.
      if (/^\d/.test(found) && /(?:^|[[:,])\s*$/.test(before) && /^\s*(?:$|[,}\]])/.test(after)) return '0';
    }
    return needle.shown;
  };
}

/** Any word or number, as texts and JSON are full of. */
const isWord = (value: string): boolean => /^(?:\p{L}+|\d+)$/u.test(value);

const looksLikeKey = (value: string): boolean => /^[\w.~+=-]{16,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);

/** The longest first: one may be the beginning of another. */
function needlesIn(url: URL, headers: Headers, secret: ReadonlySet<string>): readonly Needle[] {
  const found = new Map<string, Needle>();
  const add = (needle: Needle): void => {
    if (needle.text.length <= longest && !found.has(needle.text)) found.set(needle.text, needle);
  };
  const look = (value: string, doubtful = false): void => {
    if (value.length < shortest || (value.length < long && isWord(value))) return;
    const word = value.length < long || isWord(value);
    for (const text of writtenForms(value)) add({ text, shown: mask, word, doubtful });
    if (value.length >= long) for (const text of base64Forms(value)) add({ text, shown: dotsInBase64(text.length), word: false, doubtful });
  };
  for (const [name, value] of headers) {
    if (namesCredential(name)) {
      const scheme = authorizationScheme(value);
      const bare = value.slice(scheme.length).trim();
      if (scheme !== '' && bare !== '') for (const text of writtenForms(value)) add({ text, shown: scheme + mask, word: true, doubtful: false });
      look(bare);
      // Schemes that are in no register, such as `token`.
      const behind = /^[\w-]+\s+(\S.*)$/s.exec(bare)?.[1];
      if (behind !== undefined) look(behind);
      if (/^basic\s/i.test(scheme)) {
        const both = Buffer.from(bare, 'base64').toString();
        look(both);
        look(both.slice(both.indexOf(':') + 1));
      }
      if (/^cookie$/i.test(name)) for (const cookie of bare.split(';')) look(cookie.slice(cookie.indexOf('=') + 1).trim());
    } else if (secret.has(name.toLowerCase()) && looksLikeKey(value)) look(value, true);
  }
  for (const [name, value] of url.searchParams) if (namesCredential(name)) look(value);
  return [...found.values()].toSorted((one, other) => other.text.length - one.text.length);
}

/** As it is, in JSON by different writers, and in addresses. */
function writtenForms(value: string): Set<string> {
  const json = JSON.stringify(value).slice(1, -1);
  const percent = encodeURIComponent(value.toWellFormed());
  return new Set([
    value, json,
    json.replaceAll('/', '\\/'),
    json.replace(/[<>&'+]/g, unicodeEscape),
    json.replace(/[<>&'+]/g, character => unicodeEscape(character).toUpperCase().replace('\\U', '\\u')),
    ...[percent, percent.replaceAll('%20', '+'), encodeURI(value.toWellFormed())].flatMap(text => [text, text.replace(/%[0-9A-F]{2}/g, escape => escape.toLowerCase())]),
  ]);
}

const unicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** What is in base64 of any text with the value in it: three beginnings, since three bytes are four characters. */
function base64Forms(value: string): Set<string> {
  const bytes = Buffer.from(value);
  const forms = [0, 1, 2].map(lead => {
    const text = Buffer.concat([Buffer.alloc(lead), bytes]).toString('base64');
    return text.slice(lead === 0 ? 0 : lead + 1, Math.floor((lead + bytes.byteLength) * 8 / 6));
  });
  return new Set([...forms, ...forms.map(form => form.replaceAll('+', '-').replaceAll('/', '_'))]);
}

/** Base64 of as many dots, so that what it is in can be read all the same. */
const dotsInBase64 = (length: number): string => '4oCi'.repeat(Math.ceil(length / 4)).slice(0, length);
