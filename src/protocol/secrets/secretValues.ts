import { namesCredential } from './credentialNames.ts';
import { base64Forms, hexForms, plainForms, twiceBase64Forms, wholeBase64 } from './encodedForms.ts';
import { isObject } from '../json.ts';
import { Needles, type Needle } from './needles.ts';

/** What stands for a value that is nobody else's to see. */
export const mask = '••••••';

/** Shorter values are not masked: they stand in many texts by chance. In code units. */
const shortest = 4;
/** From so many characters on a value is also found with other letters of upper and lower case, and in digits. */
const long = 8;
/** So few letters or digits may be any word. */
const anyWord = /^(?:\p{L}{1,7}|\d{1,7})$/u;
/** Most values that are masked, so that a file that grows without end cannot make every output slow. */
const mostValues = 10_000;

const ellipsis = '…';

/**
 * The secret values of a run, and what is shown without them. A value is found as it is, line by line, and in the encodings in which it comes
 * back in answers and reports: escapes of JSON, URLs and XML, of all characters or of some, base64 (also twice), hexadecimal digits; also the
 * beginning or end of one that was cut at an ellipsis.
 */
export class SecretValues {
  readonly #values = new Set<string>();
  readonly #needles = new Needles({ many: true });

  /** Texts and numbers; of lists and objects, all that are in them. */
  add(value: unknown): void {
    for (const text of textsIn(value)) {
      if (text.length < shortest || this.#values.has(text) || this.#values.size >= mostValues) continue;
      this.#values.add(text);
      for (const needle of secretNeedles(text)) this.#needles.add(needle);
    }
  }

  /** The value of a header, and the credential in it. */
  addHeader(name: string, value: string): void {
    if (harmless.test(name)) return;
    for (const each of credentialsIn(value)) this.add(each);
  }

  /** The same of settings, which stay for long: names of agents are no secrets, nor is what may be any word and is not said to be a credential. */
  addConfigured(headers: Readonly<Record<string, string>>, isAgent: (name: string) => boolean): void {
    for (const [name, value] of Object.entries(headers))
      if (!isAgent(value) && (namesCredential(name) || !anyWord.test(value))) this.addHeader(name, value);
  }

  /** The text with every secret value in it masked. */
  mask(text: string): string {
    if (this.#values.size === 0) return text;
    let [masked, last] = ['', 0];
    for (const { from, to } of this.#needles.in(text)) {
      masked += text.slice(last, from) + mask;
      last = to;
    }
    masked += text.slice(last);
    return masked.includes(ellipsis) ? this.#maskCut(masked) : masked;
  }

  /** The same for every text and number in a JSON value. Names of members that are one word belong to its shape and stay. */
  maskIn<T>(value: T): T {
    return this.#values.size === 0 ? value : (this.#maskIn(value) as T);
  }

  /** Where secret values are in a text, in order; one may be next to the other, and none overlaps another. */
  spansIn(text: string): readonly { readonly from: number; readonly to: number }[] {
    return this.#needles.in(text);
  }

  /** How many characters at the end of a text may be the beginning of a secret value whose rest is still to come. */
  pendingIn(text: string): number {
    return this.#needles.pendingIn(text);
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
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [/^[a-z]+$/i.test(name) ? name : this.mask(name), this.#maskIn(member)]),
    );
  }

  /** A value that is cut is found in no form: what is left of it stands before or after the ellipsis. */
  #maskCut(text: string): string {
    const pieces = text.split(ellipsis);
    return pieces
      .map((piece, index) => {
        const end = index < pieces.length - 1 ? this.#needles.pendingIn(piece, shortest) : 0;
        const start = index > 0 ? this.#needles.endedIn(piece, shortest) : 0;
        if (end > 0 && start + end >= piece.length) return mask;
        return (start > 0 ? mask : '') + piece.slice(start, piece.length - end) + (end > 0 ? mask : '');
      })
      .join(ellipsis);
  }
}

/** Texts and numbers of a value, also of what is in it. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What a secret value is known by, however it is written. */
export function secretNeedles(text: string): readonly Needle[] {
  return plainForms(text, shortest).flatMap(form => [
    { text: form, anyCase: form.length >= long },
    ...(form.length >= long ? hexForms(form).map(hex => ({ text: hex, anyCase: true })) : []),
    ...[...wholeBase64(form), ...base64Forms(form)].map(one => ({ text: one })),
    ...twiceBase64Forms(form).map(one => ({ text: one, rare: true })),
  ]);
}

/** Headers whose values say nothing about who sends them. */
const harmless = /^(accept|accept-.*|cache-control|content-type|user-agent|traceparent|tracestate|a2a-version|a2a-extensions)$/i;

/** The value, and what in it a server compares: behind the scheme, the password, the cookies. */
function credentialsIn(value: string): readonly string[] {
  const [, scheme = '', rest] = /^([\w-]+)\s+(.+)$/s.exec(value) ?? [];
  if (rest === undefined)
    return [value, ...value.split(/;\s*/).flatMap(pair => (pair.includes('=') ? [pair.slice(pair.indexOf('=') + 1)] : []))];
  if (!/^basic$/i.test(scheme)) return [value, rest];
  try {
    const pair = new TextDecoder().decode(Uint8Array.from(atob(rest), character => character.charCodeAt(0)));
    return [value, rest, pair, pair.slice(pair.indexOf(':') + 1)];
  } catch {
    // Not base64: then there is nothing more in it.
    return [value, rest];
  }
}
