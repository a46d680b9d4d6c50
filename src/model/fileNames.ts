import { replaceInvisible } from '../protocol/hiddenCharacters.ts';

/** Control, format and separator characters, lone surrogates, and characters with a meaning in file systems. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]/gu;
/** Windows treats these names as devices, with any extension and also with blanks before it. */
const reserved = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[\d\u00b9\u00b2\u00b3])\s*(\..*)?$/i;
/** The places of devices and pipes, `\\.\pipe\x`. */
const devices = /^[\\/]{2}(?:\.|\?[\\/](?:pipe|globalroot))[\\/]/i;

/** True for a path that is a device or a pipe on Windows: writing to it makes no file. */
export function isWindowsDevice(path: string): boolean {
  const name = (path.split(/[\\/]/).at(-1) ?? '').replace(/^[a-z]:/i, '').replace(/:$/, '');
  return reserved.test(name) || devices.test(path);
}

/** First characters that shells or programs read as an option or as the home folder. */
const commanding = /^[-~]/;
/** Windows drops dots and blanks at the end of a name, which would make it a different name. */
const atEnds = /^[.\s]+|[.\s]+$/g;
/** Longest name, in bytes of UTF-8: file systems allow 255, and an extension or a number may be added. */
const maxLength = 200;

/**
 * A file name that an agent gave, made safe to offer in a save dialog: one path segment, visible characters, no device names, nothing that a
 * shell or a program takes for more than a name. Never used as a path by itself; the person chooses the folder. What was changed shows as `_`.
 */
export function safeFileName(name: string | undefined, fallback: string): string {
  const cleaned = cut(
    replaceInvisible((name ?? '').slice(0, 10 * maxLength), () => '_')
      .replaceAll(unsafe, '_')
      .replaceAll(atEnds, ''),
  ).replaceAll(atEnds, '');
  if (cleaned === '') return fallback;
  return isWindowsDevice(cleaned) || commanding.test(cleaned) ? `_${cleaned}` : cleaned;
}

/** The maxLength prefix of whole characters that fits in `maxLength` bytes. */
function cut(name: string): string {
  if (Buffer.byteLength(name) <= maxLength) return name;
  let [kept, bytes] = ['', 0];
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxLength) break;
    kept += character;
  }
  return kept;
}

/** The same for all names that some file system takes for one: those that ignore case, or the form of accents. */
export const foldedName = (name: string): string => name.normalize('NFD').toUpperCase().toLowerCase().normalize('NFD');

/** Names of files in one folder, none of which is another's on any file system. */
export class FreeNames {
  /** The next number to try for a name. */
  readonly #next = new Map<string, number>();

  /** The name, with a number where it is taken. */
  take(name: string): string {
    const key = foldedName(name);
    let number = this.#next.get(key);
    let free = name;
    if (number !== undefined) {
      do free = numbered(name, number++);
      while (this.#next.has(foldedName(free)));
      this.#next.set(key, number);
    }
    this.#next.set(foldedName(free), 2);
    return free;
  }
}

function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? `${name}-${number}` : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
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

/** The usual extension of a media type, without the dot; undefined if none is known. */
export function extensionOf(mediaType: string | undefined): string | undefined {
  return extensions[(mediaType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''];
}

/** Adds the extension to a name that has none. The digits of a version (`report v1.2`) do not count as an extension. */
export function withExtension(name: string, extension: string): string {
  return /\.(?=\w*[a-z])\w{1,8}$/i.test(name) ? name : `${name}.${extension}`;
}
