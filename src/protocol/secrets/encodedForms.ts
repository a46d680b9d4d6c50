import { decodedText } from './decodedText.ts';

const encoder = new TextEncoder();
/** Longest value that is searched for in double base64, in characters. */
const maxTwiceLength = 4096;

/**
 * Spellings of a value apart from escapes (which are undone before the search): with other white space, each of its lines, and its UTF-8 bytes
 * as Latin-1 characters. None is shorter than `shortest`.
 */
export function plainForms(text: string, shortest: number): readonly string[] {
  const forms = [text, decodedText(text)].flatMap(one => [
    one,
    one.trim(),
    one.replaceAll(/\s+/g, ' ').trim(),
    one.replaceAll(' ', '+'),
    one.replaceAll(/[^\P{Cc}\t\n]/gu, ''),
    ...one.split(/\r\n?|\n/).map(line => line.trim()),
  ]);
  return [...new Set(forms.flatMap(form => [form, binary(encoder.encode(form))]))].filter(form => form.length >= shortest);
}

/** The UTF-8 bytes as hexadecimal digits. */
export const hexForm = (text: string): string => Array.from(encoder.encode(text), byte => byte.toString(16).padStart(2, '0')).join('');

/** Forms in base64, alone and as part of a longer sequence of bytes. */
export const base64Forms = (text: string): readonly string[] => withUrls(insides(encoder.encode(text)));

/** Forms in base64 that is encoded in base64 again. */
export const twiceBase64Forms = (text: string): readonly string[] =>
  text.length > maxTwiceLength ? [] : withUrls(base64Forms(text).flatMap(one => insides(encoder.encode(one))));

/** The base64 of the text alone, with and without its padding. */
export function wholeBase64(text: string): readonly string[] {
  const whole = btoa(binary(encoder.encode(text)));
  return withUrls([whole, whole.replace(/=+$/, '')]);
}

/**
 * Base64 encodes three bytes as four characters, so there are three alignments. The first and last characters depend on neighboring bytes
 * and are left out.
 */
function insides(bytes: Uint8Array): readonly string[] {
  const text = binary(bytes);
  return [0, 1, 2].map(before =>
    btoa('\0'.repeat(before) + text).slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)),
  );
}

/** Each also in the base64url alphabet. */
const withUrls = (all: readonly string[]): readonly string[] => [
  ...new Set([...all, ...all.map(one => one.replaceAll('+', '-').replaceAll('/', '_'))]),
];

const binary = (bytes: Uint8Array): string => Array.from(bytes, byte => String.fromCharCode(byte)).join('');
