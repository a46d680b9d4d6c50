import { namesCredential } from '../../protocol/secrets/credentialNames.ts';
import { withoutCutSecret } from '../../protocol/secrets/cutSecrets.ts';
import { base64Forms, hexForms, plainForms, twiceBase64Forms } from '../../protocol/secrets/encodedForms.ts';
import type { Frame, Headers } from '../../protocol/exchange.ts';
import { withoutSharedSecrets, type Span } from '../../protocol/secrets/jsonTexts.ts';
import { Needles, type Hit, type Needle } from '../../protocol/secrets/needles.ts';
import { authorizationScheme, mask } from './maskedHeaders.ts';
import { SentMembers } from './sentMembers.ts';
import type { SentPassword } from './wireLog.ts';

/** From so many characters on a credential is looked for inside of other words; a shorter one is a word of its own. */
const long = 8;
/** Shorter values are not looked for: they are in every text. */
const shortest = 4;
/** Longest value that is looked for, in characters. No server takes a longer header. */
const longest = 16_384;

/** How a text with the credential in it is shown. */
interface CredentialNeedle extends Needle {
  /** What stands in the place of so many characters. */
  readonly shown: (length: number) => string;
  /** Nothing says that it is a credential: it may also be a name that the agent goes by, in ids and addresses. */
  readonly doubtful: boolean;
  /** A password that may be any word: it is no part of names, and what is a whole value is found by the name of its member. */
  readonly weak?: true;
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
  readonly #passwords: readonly SentPassword[];
  readonly #members: SentMembers;
  /** Made when the first answer is looked at. */
  #made: Needles<CredentialNeedle> | undefined;

  /** @param secret names of configured headers, in lower case. @param passwords of forms: found in texts from four characters on. */
  constructor(url: URL, headers: Headers, secret: ReadonlySet<string>, passwords: readonly SentPassword[] = []) {
    this.#passwords = passwords;
    this.#members = new SentMembers(passwords);
    this.#url = url;
    this.#headers = headers;
    this.#secret = secret;
  }

  /** The text with every credential in it replaced; the same text where there is none. JSON stays JSON. */
  mask(given: string): string {
    const text = this.#members.mask(given);
    const hits = this.#needles.in(text);
    if (hits.length === 0) return text;
    const masked = replaced(text, hits);
    // What is found in escapes of escapes may reach beyond a text of the JSON.
    return isJson(masked) || !isJson(text)
      ? masked
      : text.replaceAll(jsonString, written => {
          const inner = JSON.parse(written) as string;
          const found = this.#needles.in(inner);
          return found.length === 0 ? written : JSON.stringify(replaced(inner, found));
        });
  }

  /** The same for a whole answer, in whose parts a credential may be in pieces. */
  maskAnswer(text: string): string {
    return this.none ? text : withoutSharedSecrets(this.mask(text), joined => this.spansIn(joined));
  }

  /** The same for a text that was cut, perhaps in the middle of a credential. */
  maskCut(text: string): string {
    return this.none ? text : withoutCutSecret(this.maskAnswer(text), this);
  }

  /** Where credentials are in a text, in order. */
  spansIn(text: string): readonly Span[] {
    return this.#needles.in(text);
  }

  /** Whether a text has what is a credential for certain. */
  isIn(text: string): boolean {
    return this.#needles.in(text).some(({ needle: { doubtful } }) => !doubtful);
  }

  maskHeaders(headers: Headers): Headers {
    return this.none ? headers : headers.map(([name, value]) => [this.mask(name), this.mask(value)]);
  }

  /** Frames without credentials in them are the same objects. */
  maskFrames(frames: readonly Frame[]): readonly Frame[] {
    if (this.none) return frames;
    return frames.map(frame => {
      const data = this.mask(frame.data);
      const id = frame.id === undefined ? undefined : this.mask(frame.id);
      const event = frame.event === undefined ? undefined : this.mask(frame.event);
      return data === frame.data && id === frame.id && event === frame.event
        ? frame
        : { ...frame, data, ...(id !== undefined && { id }), ...(event !== undefined && { event }) };
    });
  }

  /** Whether nothing was sent that is looked for. */
  get none(): boolean {
    return this.#needles.size === 0 && this.#members.none;
  }

  /** How many characters at the end of a text may be the beginning of a credential whose rest is still to come. */
  pendingIn(text: string): number {
    return this.#needles.pendingIn(text);
  }

  /** The same number of bytes, so that lengths that are written among them stay right. */
  maskBytes(bytes: Uint8Array): Uint8Array {
    const masked = Buffer.from(bytes);
    this.#members.fill(masked);
    // A character for each byte, so that places are the same.
    for (const { from, to } of this.#needles.in(masked.toString('latin1'))) masked.fill('*', from, to);
    for (const text of this.#notAscii) {
      for (let at = masked.indexOf(text); at !== -1; at = masked.indexOf(text, at + text.byteLength))
        masked.fill('*', at, at + text.byteLength);
    }
    return masked;
  }

  get #needles(): Needles<CredentialNeedle> {
    if (this.#made === undefined) {
      this.#made = new Needles();
      for (const needle of this.#all) this.#made.add(needle);
    }
    return this.#made;
  }

  get #all(): readonly CredentialNeedle[] {
    return [...needlesIn(this.#url, this.#headers, this.#secret), ...passwordNeedles(this.#passwords)];
  }

  get #notAscii(): readonly Uint8Array[] {
    return this.#all.filter(({ text }) => /[^\0-\x7f]/.test(text)).map(({ text }) => Buffer.from(text));
  }
}

const jsonString = /"(?:[^"\\]|\\.)*"/gs;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function replaced(text: string, hits: readonly Hit<CredentialNeedle>[]): string {
  const pieces: string[] = [];
  let last = 0;
  for (const { from, to, needle } of hits) {
    pieces.push(text.slice(last, from), shownAt(text, from, to, needle));
    last = to;
  }
  return pieces.join('') + text.slice(last);
}

function shownAt(text: string, from: number, to: number, { doubtful, shown, weak }: CredentialNeedle): string {
  const found = text.slice(from, to);
  const before = text.slice(Math.max(0, from - 2048), from);
  const after = text.slice(to, to + 16);
  if (
    weak === true &&
    (/[/@.-]$/.test(before) ||
      /^[/@-]/.test(after) ||
      (before.endsWith('"') && after.startsWith('"')) ||
      (/^\d/.test(found) && /[:,[]\s*$/.test(before)))
  )
    return found;
  if (doubtful && (/"\w*id"\s*:\s*"$/i.test(before) || /https?:\/\/[^\s"'<>]*$/i.test(before))) return found;
  if (isWord(found)) {
    // The name of a member, which may be any word.
    if (before.endsWith('"') && /^"\s*:/.test(after)) return found;
    // A number outside of texts: dots would be no JSON.
    if (/^\d/.test(found) && /(?:^|[[:,])\s*$/.test(before) && /^\s*(?:$|[,}\]])/.test(after)) return '0';
  }
  return shown(found.length);
}

/** Any word or number, as texts and JSON are full of. */
const isWord = (value: string): boolean => /^(?:\p{L}+|\d+)$/u.test(value);

const looksLikeKey = (value: string): boolean => /^[\w.~+=-]{16,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);

function needlesIn(url: URL, headers: Headers, secret: ReadonlySet<string>): readonly CredentialNeedle[] {
  const found: CredentialNeedle[] = [];
  const look = (value: string, doubtful = false): void => void found.push(...needlesFor(value, doubtful));
  for (const [name, value] of headers) {
    if (namesCredential(name)) {
      const scheme = authorizationScheme(value);
      const bare = value.slice(scheme.length).trim();
      if (scheme !== '' && bare !== '' && value.length <= longest)
        found.push({ text: value, shown: () => scheme + mask, word: true, doubtful: false });
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
  return found;
}

function needlesFor(value: string, doubtful: boolean): readonly CredentialNeedle[] {
  if (value.length > longest || value.length < shortest || (value.length < long && isWord(value))) return [];
  const word = value.length < long || isWord(value);
  const plain = plainForms(value, shortest).map(text => ({ text, shown: asDots, word, anyCase: !word, doubtful }));
  return value.length < long
    ? plain
    : [
        ...plain,
        ...hexForms(value).map(text => ({ text, shown: asDots, anyCase: true, doubtful })),
        ...base64Forms(value).map(text => ({ text, shown: dotsInBase64, doubtful })),
        ...twiceBase64Forms(value).map(text => ({ text, shown: dotsInBase64, rare: true, doubtful })),
      ];
}

const passwordNeedles = (passwords: readonly SentPassword[]): readonly CredentialNeedle[] =>
  passwords.flatMap(({ value }): readonly CredentialNeedle[] => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return text.length < long && isWord(text) ? [{ text, shown: asDots, word: true, doubtful: true, weak: true }] : needlesFor(text, false);
  });

const asDots = (): string => mask;

/** Base64 of as many dots, so that what it is in can be read all the same. */
const dotsInBase64 = (length: number): string => '4oCi'.repeat(Math.ceil(length / 4)).slice(0, length);
