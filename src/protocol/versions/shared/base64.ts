import type { Note } from '../../finding.ts';

const standard = /^[A-Za-z0-9+/]*={0,2}$/;
const dataUrl = /^data:([^;,]*)(?:;[^;,]*)*;base64,/;

/**
 * Converts base64 to its standard form. The URL-safe alphabet, missing padding (both allowed by ProtoJSON) and line breaks (MIME) are
 * accepted. A `data:` URL is accepted with a finding, and may give the media type. Text that cannot be base64 is returned unchanged, with a
 * finding.
 */
export function readBase64(text: string, pointer: string, note: Note): { readonly raw: string; readonly mediaType?: string } {
  if (text.length % 4 === 0 && standard.test(text)) return { raw: text };
  const prefix = dataUrl.exec(text.slice(0, 256));
  const bare = (prefix === null ? text : text.slice(prefix[0].length)).replaceAll(/[\r\n\t ]+/g, '');
  if (prefix !== null) note('DATA-03', pointer, 'The bytes should be base64 alone, not a data: URL.');
  const raw = bare.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  const mediaType = prefix?.[1] || undefined;
  if (raw.length % 4 === 1 || !standard.test(raw)) {
    note('DATA-01', pointer, 'The bytes are not base64; they are shown as they came.');
    return { raw: text };
  }
  return { raw: raw.padEnd(Math.ceil(raw.length / 4) * 4, '='), ...(mediaType === undefined ? {} : { mediaType }) };
}
