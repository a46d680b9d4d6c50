import { isNumber } from '../../protocol/exactNumber.ts';
import { namesCredential } from '../../protocol/secrets/credentialNames.ts';
import { maskCutSecret } from '../../protocol/secrets/cutSecrets.ts';
import { base64Forms, hexForm, plainForms, twiceBase64Forms } from '../../protocol/secrets/encodedForms.ts';
import type { Frame, Headers } from '../../protocol/exchange.ts';
import { holdsMany } from '../../protocol/json/valueCount.ts';
import { maskSplitSecrets, type Span } from '../../protocol/secrets/jsonTexts.ts';
import { MultiTextSearch, type Hit, type SearchText } from '../../protocol/secrets/needles.ts';
import { SplitSecrets } from '../../protocol/secrets/splitSecrets.ts';
import { authorizationScheme, mask, type SecretHeaders } from './maskedHeaders.ts';
import { SentMembers } from './sentMembers.ts';
import type { SentPassword } from './wireLog.ts';

/** Credentials of at least this many characters are also found inside words; shorter ones only as separate words. */
const long = 8;
/** Shorter values are not searched for: they are too common. */
const shortest = 4;
/** Longest value that is searched for, in characters. Servers accept no longer headers. */
const maxLength = 16_384;

/** For requests without credentials; never added to. */
const nothing = new MultiTextSearch<CredentialNeedle>();

/** How a text that contains a credential is shown. */
interface CredentialNeedle extends SearchText {
  /** Replacement for a match of that length. */
  readonly shown: (length: number) => string;
  /** Set where nothing proves that the value is a credential: it may be a name of the agent that occurs in ids and addresses. */
  readonly doubtful: boolean;
  /**
   * Set for a password that may be an ordinary word: not masked in member names; where it is a complete value, it is found by the name of
   * its member.
   */
  readonly weak?: true;
}

/**
 * Masks the credentials of one request in the agent's answer: some servers quote the token in the body of a 401, in an error or in a
 * header. This happens before anything is read, stored or shown. Credentials are found in plain text, in JSON escapes, in percent-encoding
 * and inside base64.
 *
 * Credentials are: values of headers and URL parameters whose names indicate it (whole, and without a scheme such as `Bearer`), the
 * password of Basic authentication, each cookie, and headers that contain a stored secret. Of other configured headers, only values that look like keys count (at least 16
 * characters, with letters and digits), and these are kept in ids and addresses, which would not work without them. A value that may be an
 * ordinary word (`test`, `1234`) is masked only after its scheme, so that a development token does not make texts unreadable.
 */
export class SentCredentials {
  readonly #url: URL;
  #headers: Headers;
  readonly #secret: SecretHeaders;
  readonly #passwords: readonly SentPassword[];
  readonly #members: SentMembers;
  readonly #split = new SplitSecrets(this);
  /** Created when the first answer is examined. */
  #made: MultiTextSearch<CredentialNeedle> | undefined;

  /**
   * @param secret the configured headers.
   * @param passwords from forms: found in texts if they have at least four characters.
   */
  constructor(url: URL, headers: Headers, secret: SecretHeaders, passwords: readonly SentPassword[] = []) {
    this.#passwords = passwords;
    this.#members = new SentMembers(passwords);
    this.#url = url;
    this.#headers = headers;
    this.#secret = secret;
  }

  /** Adds headers that others than the agent get, such as a proxy; before the answer is examined. */
  add(headers: Headers): void {
    this.#headers = [...this.#headers, ...headers];
    this.#made = undefined;
  }

  /** Masks all credentials in a text. JSON stays valid JSON. */
  mask(given: string): string {
    const text = this.#members.mask(given);
    const hits = this.#needles.findIn(text);
    if (hits.length === 0) return text;
    const masked = replaced(text, hits);
    // A match in nested escapes may cross the end of a JSON string. JSON of too many values is not parsed.
    return holdsMany(text) || isJson(masked) || !isJson(text)
      ? masked
      : text.replaceAll(jsonString, written => {
          const inner = JSON.parse(written) as string;
          const found = this.#needles.findIn(inner);
          return found.length === 0 ? written : JSON.stringify(replaced(inner, found));
        });
  }

  /** The same for a whole answer, in which a credential may be split over several parts. */
  maskAnswer(text: string): string {
    return this.none ? text : maskSplitSecrets(this.mask(text), joined => this.spansIn(joined));
  }

  /** The same for a text that was cut, possibly in the middle of a credential. */
  maskCut(text: string): string {
    return this.none ? text : maskCutSecret(this.maskAnswer(text), this);
  }

  /**
   * The same for the next event of a stream: a credential may be split over several.
   * @param onRemoved called with the text that was taken out beside whole credentials
   */
  maskEvent(data: string, onRemoved?: (removed: string) => void): string {
    return this.none ? data : this.#split.mask(this.mask(data), onRemoved);
  }

  /** Ranges of credentials in a text, in order. */
  spansIn(text: string): readonly Span[] {
    return this.#needles.findIn(text);
  }

  /** True where a text contains a value that is certainly a credential. */
  isIn(text: string): boolean {
    return this.#needles.findIn(text).some(({ needle: { doubtful } }) => !doubtful);
  }

  maskHeaders(headers: Headers): Headers {
    return this.none ? headers : headers.map(([name, value]) => [this.mask(name), this.mask(value)]);
  }

  /** Masks the next events of a stream. Frames without credentials are returned as the same objects. */
  maskFrames(frames: readonly Frame[]): readonly Frame[] {
    if (this.none) return frames;
    return frames.map(frame => {
      const data = this.maskEvent(frame.data);
      const id = frame.id === undefined ? undefined : this.mask(frame.id);
      const event = frame.event === undefined ? undefined : this.mask(frame.event);
      const around = this.#maskedAround(frame.around);
      return data === frame.data && id === frame.id && event === frame.event && around === frame.around
        ? frame
        : {
            ...frame,
            data,
            ...(id !== undefined && { id }),
            ...(event !== undefined && { event }),
            ...(around !== undefined && { around }),
          };
    });
  }

  /** The same array where there is none in it. */
  #maskedAround(around: Frame['around']): Frame['around'] {
    const masked = around?.map(text => (text.length < shortest ? text : this.mask(text)));
    return masked?.every((text, index) => text === around?.[index]) === true ? around : masked;
  }

  /** True where no credentials were sent. */
  get none(): boolean {
    return this.#needles.size === 0 && this.#members.none;
  }

  /** How many characters at the end of a text may be the beginning of a credential whose rest has not arrived yet. */
  pendingIn(text: string): number {
    return this.#needles.pendingIn(text);
  }

  /**
   * Keeps the number of bytes, so that length fields among them stay correct.
   * @param removed pieces of credentials that were taken out of the message (`maskEvent`)
   */
  maskBytes(bytes: Uint8Array, removed: readonly string[] = []): Uint8Array {
    const masked = Buffer.from(bytes);
    this.#members.fill(masked);
    // Latin-1 has one character per byte, so offsets are the same.
    for (const { from, to } of this.#needles.findIn(masked.toString('latin1'))) masked.fill('*', from, to);
    for (const piece of removed.filter(text => text !== '').map(text => Buffer.from(text))) {
      const at = masked.lastIndexOf(piece);
      if (at !== -1) masked.fill('*', at, at + piece.byteLength);
    }
    return masked;
  }

  get #needles(): MultiTextSearch<CredentialNeedle> {
    if (this.#made === undefined) {
      const all = [...needlesIn(this.#url, this.#headers, this.#secret), ...passwordNeedles(this.#passwords)];
      this.#made = all.length === 0 ? nothing : new MultiTextSearch();
      for (const needle of all) this.#made.add(needle);
    }
    return this.#made;
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
    // A member name, which may be an ordinary word.
    if (before.endsWith('"') && /^"\s*:/.test(after)) return found;
    // A number outside strings: a mask of dots would make the JSON invalid.
    if (/^\d/.test(found) && /(?:^|[[:,])\s*$/.test(before) && /^\s*(?:$|[,}\]])/.test(after)) return '0';
  }
  return shown(found.length);
}

/** True for a single word or number, which is common in texts and JSON. */
const isWord = (value: string): boolean => /^(?:\p{L}+|\d+)$/u.test(value);

const looksLikeKey = (value: string): boolean => /^[\w.~+=-]{16,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);

function needlesIn(url: URL, headers: Headers, secret: SecretHeaders): readonly CredentialNeedle[] {
  const found: CredentialNeedle[] = [];
  const look = (value: string, doubtful = false): void => void found.push(...needlesFor(value, doubtful));
  for (const [name, value] of headers) {
    if (namesCredential(name) || secret.isCertain?.(name.toLowerCase()) === true) {
      const scheme = authorizationScheme(value);
      const bare = value.slice(scheme.length).trim();
      if (scheme !== '' && bare !== '' && value.length <= maxLength)
        found.push({ text: value, shown: () => scheme + mask, word: true, doubtful: false });
      look(bare);
      // Unregistered schemes, such as `token`.
      const credential = /^[\w-]+\s+(\S.*)$/s.exec(bare)?.[1];
      if (credential !== undefined) look(credential);
      if (/^basic\s/i.test(scheme)) {
        const both = Buffer.from(bare, 'base64').toString();
        look(both);
        look(both.slice(both.indexOf(':') + 1));
      }
      if (/^cookie$/i.test(name)) for (const cookie of bare.split(';')) look(cookie.slice(cookie.indexOf('=') + 1).trim());
    } else if (secret.has(name.toLowerCase()) && looksLikeKey(value)) look(value, true);
  }
  for (const value of secret.others?.() ?? []) look(value);
  for (const [name, value] of url.searchParams) if (namesCredential(name) || secret.hasParameter?.(name) === true) look(value);
  return found;
}

function needlesFor(value: string, doubtful: boolean): readonly CredentialNeedle[] {
  if (value.length > maxLength || value.length < shortest || (value.length < long && isWord(value))) return [];
  const word = value.length < long || isWord(value);
  const plain = plainForms(value, shortest).map(text => ({ text, shown: asDots, word, anyCase: !word, doubtful }));
  return value.length < long
    ? plain
    : [
        ...plain,
        { text: hexForm(value), shown: asDots, anyCase: true, doubtful },
        ...[...base64Forms(value), ...twiceBase64Forms(value)].map(text => ({ text, shown: dotsInBase64, doubtful })),
      ];
}

const passwordNeedles = (passwords: readonly SentPassword[]): readonly CredentialNeedle[] =>
  passwords.flatMap(({ value }): readonly CredentialNeedle[] => {
    const text = typeof value === 'string' || isNumber(value) ? String(value) : '';
    return text.length < long && isWord(text) ? [{ text, shown: asDots, word: true, doubtful: true, weak: true }] : needlesFor(text, false);
  });

const asDots = (): string => mask;

/** Base64 of the same length that decodes to mask characters, so that the surrounding data stays readable. */
const dotsInBase64 = (length: number): string => '4oCi'.repeat(Math.ceil(length / 4)).slice(0, length);
