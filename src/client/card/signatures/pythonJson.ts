import { isObject } from '../../../protocol/json.ts';

/**
 * JSON as Python's `json.dumps` writes it with sorted keys and no spaces, which is not RFC 8785: everything but printable ASCII is escaped,
 * names are sorted by code points, and `floats` have a fraction.
 * @param floats whether numbers are floating point in Python, as those that come out of protocol buffers are
 */
export function pythonJson(value: unknown, floats: boolean): string {
  if (Array.isArray(value)) return `[${value.map(item => pythonJson(item, floats)).join(',')}]`;
  if (isObject(value)) {
    const names = Object.keys(value).sort(byCodePoint);
    return `{${names.map(name => `${pythonText(name)}:${pythonJson(value[name], floats)}`).join(',')}}`;
  }
  if (typeof value === 'string') return pythonText(value);
  if (typeof value === 'number') return !floats && Number.isSafeInteger(value) ? String(value) : pythonFloat(value);
  return JSON.stringify(value);
}

const pythonText = (text: string): string =>
  JSON.stringify(text).replaceAll(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Characters above U+FFFF come last, while UTF-16 has them before U+E000. */
function byCodePoint(one: string, other: string): number {
  const [left, right] = [[...one], [...other]];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = left[index]!.codePointAt(0)! - right[index]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Python's `repr` of a double: the shortest digits that read back as the same, with an exponent below 1e-4 and from 1e16 on. */
function pythonFloat(value: number): string {
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const power = Number(exponent);
  if (power < -4 || power >= 16) {
    return `${sign}${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  }
  const digits = mantissa.replace('.', '');
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`;
  return `${sign}${digits.slice(0, power + 1).padEnd(power + 1, '0')}.${digits.slice(power + 1) || '0'}`;
}
