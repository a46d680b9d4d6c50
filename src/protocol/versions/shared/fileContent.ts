import type { Note } from '../../finding.ts';
import type { Part } from '../../message/part.ts';
import { sentence } from '../../problem.ts';

/** Bytes in standard base64, with the media type that a `data:` URI gives. */
interface Bytes {
  readonly raw: string;
  readonly mediaType?: string;
}

/**
 * Bytes that a part holds. Text that cannot be base64 is taken for the content itself, with a finding; a `data:` URI in the place of base64
 * is read, with a finding.
 */
export function readBytes(text: string, pointer: string, note: Note): Bytes {
  const raw = standardBase64(text);
  if (raw !== undefined) return { raw };
  const embedded = readDataUri(text);
  if (embedded === undefined) note('DATA-01', pointer, sentence('The bytes are not base64; they are shown as received.'));
  else note('DATA-03', pointer, sentence('The bytes should be base64 only, not a data: URL.'));
  return embedded ?? { raw: Buffer.from(text).toString('base64') };
}

/** The address of a file; a `data:` URI is no address but the file itself. One that cannot be read stays an address, with a finding. */
export function readAddress(url: string, pointer: string, note: Note): Bytes | { readonly url: string } {
  const embedded = readDataUri(url);
  if (embedded === undefined && scheme.test(url))
    note('DATA-01', pointer, sentence('The data: URI cannot be read; it is shown as received.'));
  return embedded ?? { url };
}

/** The part with the bytes of its `data:` URI, to be shown: a part that a person sends keeps the URI. */
export function withBytes(part: Part): Part {
  if (!('url' in part)) return part;
  const { url, ...about } = part;
  const embedded = readDataUri(url);
  return embedded === undefined ? part : { ...embedded, ...about };
}

/** Standard base64. The URL-safe alphabet, missing padding (both allowed by ProtoJSON) and line breaks (MIME) are accepted. */
function standardBase64(text: string): string | undefined {
  if (text.length % 4 === 0 && standard.test(text)) return text;
  const bare = text
    .replaceAll(/[\r\n\t ]+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const digits = bare.split('=', 1)[0] ?? '';
  return digits.length % 4 === 1 || !padded.test(bare) ? undefined : digits.padEnd(Math.ceil(digits.length / 4) * 4, '=');
}

const standard = /^[A-Za-z0-9+/]*={0,2}$/;
const padded = /^[A-Za-z0-9+/]*=*$/;
const scheme = /^\s*data:/i;
const inBase64 = /;\s*base64\s*$/i;
/** Media type of a `data:` URI without one (RFC 2397). */
const usualType = 'text/plain';
const usualCharset = ';charset=US-ASCII';

/** The bytes of a `data:` URI (RFC 2397); undefined for other addresses, one without a comma, and base64 that is none. */
function readDataUri(uri: string): Bytes | undefined {
  const start = scheme.exec(uri)?.[0].length;
  const comma = uri.indexOf(',');
  if (start === undefined || comma === -1) return undefined;
  const head = uri.slice(start, comma);
  const type = head.replace(inBase64, '').trim();
  const mediaType = type === '' ? usualType + usualCharset : type.startsWith(';') ? usualType + type : type;
  const bytes = percentDecoded(uri.slice(comma + 1));
  // A fragment is no base64.
  const raw = inBase64.test(head) ? standardBase64(bytes.toString('latin1').split('#', 1)[0] ?? '') : bytes.toString('base64');
  return raw === undefined ? undefined : { raw, mediaType };
}

/** The bytes of a text in UTF-8; a percent sign without two hexadecimal digits stands for itself. In place: it may be as large as an answer. */
function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const value = byte === percent ? 16 * hexDigit(bytes[at + 1]) + hexDigit(bytes[at + 2]) : Number.NaN;
    bytes[length++] = Number.isNaN(value) ? byte : value;
    if (!Number.isNaN(value)) at += 2;
  }
  return bytes.subarray(0, length);
}

const percent = 0x25;

/** The value of a digit in ASCII; NaN for any other byte. */
function hexDigit(byte = 0): number {
  const [digit, letter] = [byte - 0x30, (byte | 0x20) - 0x61];
  return digit >= 0 && digit < 10 ? digit : letter >= 0 && letter < 6 ? letter + 10 : Number.NaN;
}
