import type { Part } from '../../protocol/message/part.ts';
import { roomAfter } from '../../protocol/json/depth.ts';

/** Maximum size of one part for a page: characters of a text, those of data with 16 for each value in it, and of an address. */
export const maxText = 1_000_000;
const maxAddress = 100_000;
/** Maximum number of lines of a text: a page looks at each. */
const maxLines = 20_000;
/** Longest base64 of one part, which is what a page itself shows. */
export const maxBase64 = 12_000_000;
/** Longest name and media type. */
export const maxName = 2_000;

/** Room left for all parts of a message to a page: characters of texts, data and addresses, and of base64. */
export interface Room {
  text: number;
  base64: number;
}

/** A part for a page; a `cut` text is its beginning. For one that is too large only its description, with `bytes` if its size is known. */
type BoundedPart =
  | { readonly is: 'part'; readonly part: Part; readonly cut?: true }
  | { readonly is: 'large'; readonly filename?: string; readonly mediaType?: string; readonly bytes?: number };

/** The part as far as a page is sent it. Takes from `room` what it needs. */
export function boundedPart(part: Part, room: Room): BoundedPart {
  const about = {
    ...(part.filename !== undefined && { filename: part.filename.slice(0, maxName) }),
    ...(part.mediaType !== undefined && { mediaType: part.mediaType.slice(0, maxName) }),
  };
  if ('raw' in part) {
    const { length } = part.raw;
    if (length > Math.min(maxBase64, room.base64)) return { is: 'large', ...about, bytes: Buffer.byteLength(part.raw, 'base64') };
    room.base64 -= length;
    return { is: 'part', part: { raw: part.raw, ...about } };
  }
  if ('text' in part) {
    const text = beginning(part.text, Math.max(0, Math.min(maxText, room.text)));
    room.text -= text.length;
    return { is: 'part', part: { text, ...about }, ...(text.length < part.text.length && { cut: true as const }) };
  }
  if ('url' in part) {
    if (part.url.length > Math.min(maxAddress, room.text)) return { is: 'large', ...about, bytes: Buffer.byteLength(part.url) };
    room.text -= part.url.length;
    return { is: 'part', part: { url: part.url, ...about } };
  }
  const most = Math.min(maxText, room.text);
  const left = roomAfter(part.data, most);
  if (left < 0) return { is: 'large', ...about };
  room.text -= most - left;
  return { is: 'part', part: { data: part.data, ...about } };
}

function beginning(text: string, most: number): string {
  let end = -1;
  for (let line = 0; line < maxLines; line++) {
    end = text.indexOf('\n', end + 1);
    if (end === -1 || end >= most) return text.slice(0, most);
  }
  return text.slice(0, end + 1);
}
