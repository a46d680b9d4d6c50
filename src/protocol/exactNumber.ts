/**
 * A number that a double cannot represent, such as 9007199254740993. Its digits are kept and written unchanged: `JSON.stringify` writes
 * them in engines with `JSON.rawJSON`, which every supported VS Code has; Node.js 20 has not, and rounds.
 */
export class ExactNumber {
  /** A number in JSON syntax. */
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  /** As in a text that is put together. */
  toString(): string {
    return this.digits;
  }

  toJSON(): unknown {
    const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };
    return rawJSON === undefined ? Number(this.digits) : rawJSON.call(JSON, this.digits);
  }
}

/** True for a number of JSON. */
export const isNumber = (value: unknown): value is number | ExactNumber => typeof value === 'number' || value instanceof ExactNumber;

/** Fewer characters without an exponent are exact in a double. */
const exactLength = 15;

/** Converts the text of a JSON number: to a double where that has exactly the same value, else to an `ExactNumber`. */
export function toExactNumber(digits: string): number | ExactNumber {
  const value = Number(digits);
  if (digits.length <= exactLength && !/e/i.test(digits)) return value;
  return Number.isFinite(value) && decimalOf(digits) === decimalOf(String(value)) ? value : new ExactNumber(digits);
}

/** The significant digits and the exponent of the last one: the same text for every spelling of a number. */
export function decimalOf(digits: string): string {
  const { negative, significant, exponent } = decimal(digits);
  return `${negative ? '-' : ''}${significant}e${exponent}`;
}

interface Decimal {
  readonly negative: boolean;
  /** Without zeros at either end; empty for 0. */
  readonly significant: string;
  /** The power of ten of the last digit. */
  readonly exponent: number;
}

function decimal(digits: string): Decimal {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(digits) ?? [];
  const all = (whole + fraction).replace(/^0+/, '');
  const significant = trimmedZeros(all);
  if (significant === '') return { negative: false, significant, exponent: 0 };
  return { negative: sign !== '', significant, exponent: Number(exponent) - fraction.length + all.length - significant.length };
}

/** Without a regular expression, which would take quadratic time on many runs of zeros. */
function trimmedZeros(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '0') end--;
  return text.slice(0, end);
}

/** Below 0 where the first number is less than the second, 0 where they are equal, however they are written. */
export function compareNumbers(one: number | ExactNumber, other: number | ExactNumber): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [a, b] = [decimal(String(one)), decimal(String(other))];
  const [signA, signB] = [signOf(a), signOf(b)];
  return signA === signB ? signA * compareSizes(a, b) : signA - signB;
}

const signOf = ({ negative, significant }: Decimal): number => (significant === '' ? 0 : negative ? -1 : 1);

function compareSizes(a: Decimal, b: Decimal): number {
  const size = a.significant.length + a.exponent - b.significant.length - b.exponent;
  if (size !== 0 || a.significant === b.significant) return size;
  return a.significant < b.significant ? -1 : 1;
}

/** True for a number without a fraction. */
export const isInteger = (value: unknown): boolean =>
  value instanceof ExactNumber ? decimal(value.digits).exponent >= 0 : Number.isInteger(value);

/** Most digits that are divided. */
const maxDivided = 1000;

/** True where a number is so many times another, and where that other one is not above 0. */
export function isMultipleOf(value: number | ExactNumber, of: number | ExactNumber): boolean {
  if (compareNumbers(of, 0) <= 0) return true;
  const [a, b] = [decimal(String(value)), decimal(String(of))];
  const exponent = Math.min(a.exponent, b.exponent);
  const areDouble = typeof value === 'number' && typeof of === 'number';
  const isShort = [a, b].every(each => each.significant.length + each.exponent - exponent <= maxDivided);
  // 19.99 is a multiple of 0.01, although no quotient of doubles says so.
  if (areDouble || !isShort) return Number.isInteger(Number((Number(value) / Number(of)).toPrecision(15)));
  const [whole, part] = [a, b].map(each => BigInt(each.significant + '0'.repeat(each.exponent - exponent)));
  return whole! % part! === 0n;
}

/** True where a value contains a number that a double cannot represent. */
export function hasExactNumbers(value: unknown): boolean {
  if (value instanceof ExactNumber) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasExactNumbers);
}
