import { decodedText } from './decodedText.ts';

const encoder = new TextEncoder();
/** Longer values are not looked for in base64 of base64, in characters. */
const longestTwice = 4096;

/**
 * The ways in which a value may be written beside its escapes, which are decoded before it is looked for: with other spaces and line by line.
 * None has fewer characters than `shortest`.
 */
export function plainForms(text: string, shortest: number): readonly string[] {
  const whole = [text, decodedText(text)];
  const forms = whole.flatMap(one => [
    one,
    one.trim(),
    one.replaceAll(/\s+/g, ' ').trim(),
    one.replaceAll(' ', '+'),
    one.replaceAll(/[^\P{Cc}\t\n]/gu, ''),
    ...one.split(/\r\n?|\n/).map(line => line.trim()),
  ]);
  return [...new Set(forms)].filter(form => form.length >= shortest);
}

/** Bytes as hexadecimal digits, with and without what stands between them. */
export function hexForms(text: string): readonly string[] {
  const pairs = Array.from(encoder.encode(text), byte => byte.toString(16).padStart(2, '0'));
  return [pairs.join(''), pairs.join(' '), pairs.join(':')];
}

/** In base64, alone and among other bytes, as it is and with the escapes of JSON and addresses. */
export function base64Forms(text: string): readonly string[] {
  const written = [...new Set([text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())])];
  return withUrls(written.flatMap(one => insides(encoder.encode(one))));
}

/** In base64 of base64. */
export const twiceBase64Forms = (text: string): readonly string[] =>
  text.length > longestTwice ? [] : withUrls(base64Forms(text).flatMap(one => insides(encoder.encode(one))));

/** The whole of its base64, with what its last characters have of nothing else. */
export function wholeBase64(text: string): readonly string[] {
  const whole = btoa(binary(encoder.encode(text)));
  return withUrls([whole, whole.replace(/=+$/, '')]);
}

/** Three beginnings, since three bytes are four characters; the first and last characters depend on the bytes beside. */
function insides(bytes: Uint8Array): readonly string[] {
  const text = binary(bytes);
  return [0, 1, 2].map(before =>
    btoa('\0'.repeat(before) + text).slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)),
  );
}

/** Also in the alphabet for addresses. */
const withUrls = (all: readonly string[]): readonly string[] => [
  ...new Set([...all, ...all.map(one => one.replaceAll('+', '-').replaceAll('/', '_'))]),
];

const binary = (bytes: Uint8Array): string => Array.from(bytes, byte => String.fromCharCode(byte)).join('');
