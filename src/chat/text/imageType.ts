/** Media types of pictures that the panel shows, told from the first bytes; what the agent declared is not believed. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/svg+xml';

const signatures: readonly (readonly [type: ImageType, start: RegExp])[] = [
  // eslint-disable-next-line no-control-regex -- the signature holds one
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  // An SVG is inert as the source of an <img>: no script runs in it and nothing is loaded from it.
  [
    'image/svg+xml',
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!DOCTYPE\s+svg[^>[]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<svg[\s>]/i,
  ],
];

/** Bytes that are looked at: enough for the comments an SVG may start with. */
const sniffed = 1024;

/** What kind of picture these base64 bytes are, or undefined when they are none that the panel shows. */
export function imageType(base64: string): ImageType | undefined {
  const bytes = firstBytes(base64);
  return bytes === undefined ? undefined : signatures.find(([, signature]) => signature.test(bytes))?.[0];
}

/** The first bytes, a character each; undefined for text that is no base64. */
export function firstBytes(base64: string): string | undefined {
  const start = base64.slice(0, Math.ceil(sniffed / 3) * 4).replace(/\s+/g, '');
  try {
    return atob(start.slice(0, start.length - (start.length % 4)));
  } catch {
    return undefined; // Not base64, so no picture; the part is then shown as a file with its size.
  }
}
