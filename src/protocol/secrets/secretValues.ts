import { isNumber } from '../exactNumber.ts';
import { namesCredential } from './credentialNames.ts';
import { base64Forms, hexForm, plainForms, twiceBase64Forms, wholeBase64 } from './encodedForms.ts';
import { isObject } from '../json.ts';
import { MultiTextSearch, type SearchText } from './needles.ts';

/** Shown in place of a secret value. */
export const mask = '••••••';

/** Shorter values are not masked: they occur in many texts by chance. In UTF-16 code units. */
const shortest = 4;
/** Values of at least this length are also found in other case, and in hexadecimal digits. */
const long = 8;
/** Texts with so few letters or digits that they may be ordinary words. */
const anyWord = /^(?:\p{L}{1,7}|\d{1,7})$/u;
/** Most values that are masked, so that a file that grows without bound cannot make every output slow. */
const maxValues = 10_000;

const ellipsis = '…';
/** Scheme of a header's value that is cut after it: our own sentences have it, too. */
const schemeAlone = /^(?:bearer|basic|digest|dpop|token|apikey)\s$/i;

/**
 * The secret values of a run, which are masked in all output. A value is found in plain text, line by line, and in the encodings that occur
 * in answers and reports: escapes of JSON, URLs and XML (for some or all characters), base64 (also twice) and hexadecimal digits. The
 * beginning or end of a value that is cut at an ellipsis is found, too.
 */
export class SecretValues {
  readonly #values = new Set<string>();
  readonly #needles = new MultiTextSearch({ many: true });

  /** Adds a text or number; for lists and objects, all that they contain. */
  add(value: unknown): void {
    for (const text of textsIn(value)) {
      if (text.length < shortest || this.#values.has(text) || this.#values.size >= maxValues) continue;
      this.#values.add(text);
      for (const needle of secretSearchTexts(text)) this.#needles.add(needle);
    }
  }

  /** Adds the value of a header, and the credential in it. */
  addHeader(name: string, value: string): void {
    if (harmless.test(name)) return;
    for (const each of credentialsIn(value)) this.add(each);
  }

  /** Adds the password of an address, and its parameters with names of credentials. */
  addAddress(address: string): void {
    if (!URL.canParse(address)) return;
    const { password, searchParams } = new URL(address);
    this.add([password, ...[...searchParams].flatMap(([name, value]) => (namesCredential(name) ? value : []))]);
  }

  /**
   * Adds headers from the settings as `addHeader` does, except names of agents, and ordinary words in headers whose name does not indicate a
   * credential.
   */
  addConfigured(headers: Readonly<Record<string, string>>, isAgent: (name: string) => boolean): void {
    for (const [name, value] of Object.entries(headers))
      if (!isAgent(value) && (namesCredential(name) || !anyWord.test(value))) this.addHeader(name, value);
  }

  /** The text with all secret values masked. */
  mask(text: string): string {
    if (this.#values.size === 0) return text;
    let [masked, last] = ['', 0];
    for (const { from, to } of this.#needles.findIn(text)) {
      masked += text.slice(last, from) + mask;
      last = to;
    }
    masked += text.slice(last);
    return masked.includes(ellipsis) ? this.#maskCut(masked) : masked;
  }

  /** Masks every text and number in a JSON value. Member names that are a single word are kept. */
  maskIn<T>(value: T): T {
    return this.#values.size === 0 ? value : (this.#maskIn(value) as T);
  }

  /** Ranges of secret values in a text, in order and without overlaps. */
  spansIn(text: string): readonly { readonly from: number; readonly to: number }[] {
    return this.#needles.findIn(text);
  }

  /** How many characters at the end of a text may be the beginning of a secret value whose rest has not arrived yet. */
  pendingIn(text: string): number {
    return this.#needles.pendingIn(text);
  }

  #maskIn(value: unknown): unknown {
    if (typeof value === 'string') return this.mask(value);
    if (isNumber(value)) {
      const written = String(value);
      const masked = this.mask(written);
      return masked === written ? value : masked;
    }
    if (Array.isArray(value)) return value.map(item => this.#maskIn(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [/^[a-z]+$/i.test(name) ? name : this.mask(name), this.#maskIn(member)]),
    );
  }

  /** A value cut at an ellipsis matches no complete form: search for its beginning before the ellipsis and its end after it. */
  #maskCut(text: string): string {
    const pieces = text.split(ellipsis);
    return pieces
      .map((piece, index) => {
        const pending = index < pieces.length - 1 ? this.#needles.pendingIn(piece, shortest) : 0;
        const end = schemeAlone.test(piece.slice(piece.length - pending)) ? 0 : pending;
        const start = index > 0 ? this.#needles.endedIn(piece, shortest) : 0;
        if (end > 0 && start + end >= piece.length) return mask;
        return (start > 0 ? mask : '') + piece.slice(start, piece.length - end) + (end > 0 ? mask : '');
      })
      .join(ellipsis);
  }
}

/** All texts and numbers in a value, at any depth. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string' || isNumber(value)) return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The forms by which a secret value is found. */
export function secretSearchTexts(text: string): readonly SearchText[] {
  return plainForms(text, shortest).flatMap(form => [
    { text: form, anyCase: form.length >= long },
    ...(form.length >= long ? [{ text: hexForm(form), anyCase: true }] : []),
    ...[...wholeBase64(form), ...base64Forms(form), ...twiceBase64Forms(form)].map(one => ({ text: one })),
  ]);
}

/** Headers whose values do not identify the sender. */
const harmless = /^(accept|accept-.*|cache-control|content-type|user-agent|traceparent|tracestate|a2a-version|a2a-extensions)$/i;

/** The whole value, and the part that a server compares: the credential after the scheme, the password, the cookies. */
function credentialsIn(value: string): readonly string[] {
  const [, scheme = '', rest] = /^([\w-]+)\s+(.+)$/s.exec(value) ?? [];
  if (rest === undefined)
    return [value, ...value.split(/;\s*/).flatMap(pair => (pair.includes('=') ? [pair.slice(pair.indexOf('=') + 1)] : []))];
  if (!/^basic$/i.test(scheme)) return [value, rest];
  try {
    const pair = new TextDecoder().decode(Uint8Array.from(atob(rest), character => character.charCodeAt(0)));
    return [value, rest, pair, pair.slice(pair.indexOf(':') + 1)];
  } catch {
    // Not base64, so there is no password in it to find.
    return [value, rest];
  }
}
