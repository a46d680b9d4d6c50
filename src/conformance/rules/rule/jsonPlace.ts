/**
 * Where the value that an RFC 6901 pointer names stands in a JSON text: from and to (exclusive) in UTF-16 code units. Undefined where the text
 * is no JSON or has no such value. Of several members of one name the last counts, as in `JSON.parse`. Works without recursion.
 */
export function jsonPlace(text: string, pointer: string): readonly [from: number, to: number] | undefined {
  const steps = pointer === '' ? [] : pointer.slice(1).split('/').map(unescaped);
  let at = skipSpace(text, 0);
  for (const step of steps) {
    const open = text[at];
    const found = open === '{' ? memberAt(text, at, step) : open === '[' && /^\d+$/.test(step) ? itemAt(text, at, Number(step)) : undefined;
    if (found === undefined) return undefined;
    at = found;
  }
  const end = endOfValue(text, at);
  return end === undefined || end === at ? undefined : [at, end];
}

/** The same place counted in bytes of UTF-8. */
export function bytePlace(text: string, [from, to]: readonly [number, number]): readonly [from: number, to: number] {
  const start = utf8Length(text, 0, from);
  return [start, start + utf8Length(text, from, to)];
}

function utf8Length(text: string, from: number, to: number): number {
  let bytes = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    // Half of a pair of surrogates is two of its four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }
  return bytes;
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

function skipSpace(text: string, at: number): number {
  while (' \t\r\n'.includes(text[at] ?? '-')) at++;
  return at;
}

/** After the closing quote of the string that begins there. */
function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) return at + 1;
  }
  return undefined;
}

/** After the value that begins there. */
function endOfValue(text: string, start: number): number | undefined {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') {
    let at = start;
    while (at < text.length && !',]} \t\r\n'.includes(text[at]!)) at++;
    return at;
  }
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

function memberAt(text: string, open: number, name: string): number | undefined {
  let found: number | undefined;
  let at = skipSpace(text, open + 1);
  while (text[at] === '"') {
    const end = endOfString(text, at);
    if (end === undefined) return undefined;
    const isIt = nameOf(text.slice(at, end)) === name;
    const colon = skipSpace(text, end);
    if (text[colon] !== ':') return undefined;
    const value = skipSpace(text, colon + 1);
    if (isIt) found = value;
    const after = endOfValue(text, value);
    if (after === undefined) return undefined;
    at = skipSpace(text, after);
    if (text[at] !== ',') break;
    at = skipSpace(text, at + 1);
  }
  return found;
}

function nameOf(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}

function itemAt(text: string, open: number, index: number): number | undefined {
  let at = skipSpace(text, open + 1);
  for (let passed = 0; at < text.length && text[at] !== ']'; passed++) {
    if (passed === index) return at;
    const after = endOfValue(text, at);
    if (after === undefined || after === at) return undefined;
    at = skipSpace(text, after);
    if (text[at] !== ',') return undefined;
    at = skipSpace(text, at + 1);
  }
  return undefined;
}
