import { isShallow, maxNesting } from './depth.ts';

/**
 * A number that a double cannot represent, such as 9007199254740993. Its digits are kept and written unchanged. `JSON.stringify` writes
 * them in engines with `JSON.rawJSON`, which every supported VS Code has.
 */
export class ExactNumber {
  /** A number in JSON syntax. */
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): unknown {
    const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };
    return rawJSON === undefined ? Number(this.digits) : rawJSON.call(JSON, this.digits);
  }
}

/** Converts the text of a JSON number: to a double where that has exactly the same value, else to an `ExactNumber`. */
export function toExactNumber(digits: string): number | ExactNumber {
  const value = Number(digits);
  return Number.isFinite(value) && decimal(digits) === decimal(String(value)) ? value : new ExactNumber(digits);
}

/** The significant digits and the exponent of the last one: the same text for every spelling of a number. */
function decimal(digits: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(digits) ?? [];
  const all = (whole + fraction).replace(/^0+/, '');
  const significant = trimmedZeros(all);
  return significant === '' ? '0' : `${sign}${significant}e${Number(exponent) - fraction.length + all.length - significant.length}`;
}

/** Without a regular expression, which would take quadratic time on many runs of zeros. */
function trimmedZeros(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '0') end--;
  return text.slice(0, end);
}

/** Strings (which stay unchanged) and numbers. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** A prefix for digits in a string that no text contains by chance and no agent can guess. */
const newMark = (): string => `exact ${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)} `;

/**
 * Like `JSON.parse`, with an `ExactNumber` where a double would change the value.
 * @throws SyntaxError for invalid JSON, and for JSON nested deeper than `levels`
 */
export function parseExactly(text: string, levels = maxNesting): unknown {
  const value = JSON.parse(text) as unknown;
  if (!isShallow(value, levels)) throw new SyntaxError(`It is nested more than ${levels} levels deep, the most that is read.`);
  const mark = newMark();
  let found = false;
  const marked = text.replace(tokens, token => {
    if (token.startsWith('"') || !(toExactNumber(token) instanceof ExactNumber)) return token;
    found = true;
    return `"${mark}${token}"`;
  });
  return found
    ? JSON.parse(marked, (_, inner: unknown) =>
        typeof inner === 'string' && inner.startsWith(mark) ? new ExactNumber(inner.slice(mark.length)) : inner,
      )
    : value;
}

/** Writes JSON with every digit, also in engines without `JSON.rawJSON`. `indent` is the number of spaces per level. */
export function writeExactly(value: unknown, indent = 2): string {
  const mark = newMark();
  const written =
    JSON.stringify(
      value,
      function exact(this: Readonly<Record<string, unknown>>, name: string, inner: unknown) {
        const own = this[name];
        return own instanceof ExactNumber ? mark + own.digits : inner;
      },
      indent,
    ) ?? 'null';
  return written.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}

/** True where a value contains a number that a double cannot represent. */
export function hasExactNumbers(value: unknown): boolean {
  if (value instanceof ExactNumber) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasExactNumbers);
}
