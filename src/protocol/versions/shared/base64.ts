import type { Note } from '../../finding.ts';

const standard = /^[A-Za-z0-9+/]*={0,2}$/;
const dataUrl = /^data:([^;,]*)(?:;[^;,]*)*;base64,/;

/**
 * Base64 as agents write it to standard base64: the URL-safe alphabet, missing padding and line breaks are ProtoJSON's and MIME's own
 * liberties; a whole `data:` URL is noted, and may know the media type.
 */
export function readBase64(text: string, pointer: string, note: Note): { readonly raw: string; readonly mediaType?: string } {
  if (text.length % 4 === 0 && standard.test(text)) return { raw: text };
  const prefix = dataUrl.exec(text.slice(0, 256));
  const bare = (prefix === null ? text : text.slice(prefix[0].length)).replaceAll(/[\r\n\t ]+/g, '');
  if (prefix !== null) note('DATA-03', pointer, 'The bytes should be base64 alone, not a data: URL.');
  const raw = bare.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  const mediaType = prefix?.[1] || undefined;
  // Text that cannot be base64 is not made to look like it.
  if (raw.length % 4 === 1 || !standard.test(raw)) return { raw: text };
  return { raw: raw.padEnd(Math.ceil(raw.length / 4) * 4, '='), ...(mediaType === undefined ? {} : { mediaType }) };
}
