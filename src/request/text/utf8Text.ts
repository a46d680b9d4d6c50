import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** Byte order marks of encodings other than UTF-8, longest first. */
const marks: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe, 0, 0], 'UTF-32'],
  [[0, 0, 0xfe, 0xff], 'UTF-32'],
  [[0xff, 0xfe], 'UTF-16'],
  [[0xfe, 0xff], 'UTF-16'],
];

/** Number of bytes at the start that are examined for UTF-16 without a byte order mark. */
const maxLooked = 1_024;

/**
 * Why bytes are not UTF-8 text; undefined where they are.
 * @param name what people call the source.
 */
export function wrongEncoding(name: string, bytes: Uint8Array): LocalizedMessage | undefined {
  const encoding = marks.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1] ?? (isWide(bytes) ? 'UTF-16' : undefined);
  if (encoding !== undefined) return sentence('{0} is not in UTF-8: it is in {1}.', name, encoding);
  if (isUtf8(bytes)) return undefined;
  return sentence(
    '{0} is not in UTF-8; it may be in Latin-1 (Windows-1252). Line {1} has the first byte that is not UTF-8.',
    name,
    faultyLine(bytes),
  );
}

export const saveAsUtf8 = sentence('Save it as UTF-8, by "Save with Encoding" of an editor or with iconv.');

/**
 * Decodes UTF-8, without its byte order mark.
 * @throws Problem `not-utf8`
 */
export function utf8Text(name: string, bytes: Uint8Array): string {
  const foreign = wrongEncoding(name, bytes);
  if (foreign !== undefined) throw new Problem('not-utf8', foreign, { nextStep: saveAsUtf8 });
  return new TextDecoder().decode(bytes);
}

/** True for ASCII letters in UTF-16 without a byte order mark: every other byte is 0. */
function isWide(bytes: Uint8Array): boolean {
  const begin = bytes.subarray(0, Math.min(bytes.length, maxLooked) & ~1);
  if (begin.length < 4 || bytes.length % 2 !== 0) return false;
  return [0, 1].some(odd => begin.every((byte, at) => (at % 2 === odd) === (byte === 0)));
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The first line with invalid UTF-8, from 1; lines end with a line feed. */
function faultyLine(bytes: Uint8Array): number {
  let line = 1;
  for (let begin = 0; begin < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, begin);
    if (!isUtf8(bytes.subarray(begin, end < 0 ? bytes.length : end))) return line;
    if (end < 0) break;
    begin = end + 1;
  }
  return line;
}
