/** One challenge of `WWW-Authenticate` (RFC 9110 §11.6.1). */
export interface Challenge {
  /** Scheme as written, such as `Bearer`. */
  readonly scheme: string;
  /** Unquoted values by name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Longest header that is read, in characters, and most challenges in it. */
const maxLength = 16_384;
const maxChallenges = 16;

const token = /^[\w!#$%&'*+.^`|~-]+/;
const quoted = /^"((?:[^"\\]|\\.)*)"/;

/** All challenges of a header, those before a mistake if it has one. */
export function challengesIn(header: string): readonly Challenge[] {
  const found: { scheme: string; parameters: Map<string, string> }[] = [];
  let rest = header.slice(0, maxLength);
  while (found.length <= maxChallenges) {
    rest = rest.replace(/^[\s,]+/, '');
    const name = token.exec(rest)?.[0];
    if (name === undefined) break;
    rest = rest.slice(name.length);
    const value = /^\s*=\s*/.exec(rest);
    const text = value === null ? undefined : valueIn(rest.slice(value[0].length));
    if (value !== null && text !== undefined && found.length > 0) {
      rest = rest.slice(value[0].length + text.length);
      found.at(-1)!.parameters.set(name.toLowerCase(), text.value);
    } else if (value === null || value[0].startsWith(' ')) found.push({ scheme: name, parameters: new Map() });
    else break;
    // What some schemes have instead of parameters (token68).
    rest = rest.replace(/^ +[\w.~+/-]+=*(?=\s*(?:,|$))/, '');
  }
  return found;
}

function valueIn(text: string): { readonly value: string; readonly length: number } | undefined {
  const inQuotes = quoted.exec(text);
  if (inQuotes !== null) return { value: inQuotes[1]!.replaceAll(/\\(.)/g, '$1'), length: inQuotes[0].length };
  const plain = token.exec(text) ?? /^[^\s,"]+/.exec(text);
  return plain === null ? undefined : { value: plain[0], length: plain[0].length };
}
