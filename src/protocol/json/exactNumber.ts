import { isShallow, maxNesting } from './depth.ts';

/**
 * A number whose digits a double cannot hold, such as 9007199254740993: kept as it was written and written so again. `JSON.stringify`
 * writes the digits wherever the engine has `JSON.rawJSON`, which every VS Code that runs this has.
 */
export class ExactNumber {
  /** A number in the grammar of JSON. */
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): unknown {
    const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };
    return rawJSON === undefined ? Number(this.digits) : rawJSON.call(JSON, this.digits);
  }
}

/** The number that JSON text means: a double where that is the very same number. */
export function exactly(digits: string): number | ExactNumber {
  const value = Number(digits);
  return Number.isFinite(value) && decimal(digits) === decimal(String(value)) ? value : new ExactNumber(digits);
}

/** Significant digits and the exponent of the last one, the same for all ways to write a number. */
function decimal(digits: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(digits) ?? [];
  const all = (whole + fraction).replace(/^0+/, '');
  const significant = trimmedZeros(all);
  return significant === '' ? '0' : `${sign}${significant}e${Number(exponent) - fraction.length + all.length - significant.length}`;
}

/** Without a regular expression, which would look at each run of zeros again and again. */
function trimmedZeros(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '0') end--;
  return text.slice(0, end);
}

/** Strings, which are left alone, and numbers. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Stands before digits in a string that no text has by chance, and no agent can guess. */
const newMark = (): string => `exact ${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)} `;

/** `JSON.parse`, with an `ExactNumber` where a double would be another number. @throws SyntaxError, also for what is nested deeper than `levels` */
export function parseExactly(text: string, levels = maxNesting): unknown {
  const value = JSON.parse(text) as unknown;
  if (!isShallow(value, levels)) throw new SyntaxError(`It is nested more than ${levels} levels deep, the most that is read.`);
  const mark = newMark();
  let found = false;
  const marked = text.replace(tokens, token => {
    if (token.startsWith('"') || !(exactly(token) instanceof ExactNumber)) return token;
    found = true;
    return `"${mark}${token}"`;
  });
  return found
    ? JSON.parse(marked, (_, inner: unknown) =>
        typeof inner === 'string' && inner.startsWith(mark) ? new ExactNumber(inner.slice(mark.length)) : inner,
      )
    : value;
}

/** JSON text with every digit, in engines without `JSON.rawJSON` too. `indent` is the blanks of one level. */
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

/** True where a value has a number in it that a double cannot hold. */
export function hasExactNumbers(value: unknown): boolean {
  if (value instanceof ExactNumber) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasExactNumbers);
}
