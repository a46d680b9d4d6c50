import { replaceInvisible } from '../../protocol/hiddenCharacters.ts';

/** Characters that mean something to a file system, and those of formats, or that are none. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]/gu;
/** Windows takes them for devices whatever extension they have, also with blanks before it. */
const reserved = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[\d\u00b9\u00b2\u00b3])\s*(\..*)?$/i;
/** Dots and blanks at an end are left out by Windows, so that the name would be another one. */
const atEnds = /^[.\s]+|[.\s]+$/g;
/** Longest name, in bytes of UTF-8: file systems take 255, and an extension or a number may follow. */
const longest = 200;

/**
 * A name an agent gave, made safe to offer in a save dialog: one path segment, visible characters, no device names. Never used as a
 * path by itself; the person chooses the folder.
 */
export function safeFileName(name: string | undefined, fallback: string): string {
  const cleaned = cut(
    replaceInvisible((name ?? '').slice(0, 10 * longest), () => '_')
      .replaceAll(unsafe, '_')
      .replaceAll(atEnds, ''),
  ).replaceAll(atEnds, '');
  if (cleaned === '') return fallback;
  return reserved.test(cleaned) ? `_${cleaned}` : cleaned;
}

/** As many whole characters as there is room for. */
function cut(name: string): string {
  if (Buffer.byteLength(name) <= longest) return name;
  let [kept, bytes] = ['', 0];
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > longest) break;
    kept += character;
  }
  return kept;
}

const extensions: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/html': 'html',
  'text/csv': 'csv',
  'text/css': 'css',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  'application/zip': 'zip',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
};

/** The usual extension of a media type; undefined where there is none known. */
export function extensionOf(mediaType: string | undefined): string | undefined {
  return extensions[(mediaType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''];
}

/** The name, with the extension where it has none. The digits of a version (`report v1.2`) are none. */
export function withExtension(name: string, extension: string): string {
  return /\.(?=\w*[a-z])\w{1,8}$/i.test(name) ? name : `${name}.${extension}`;
}
