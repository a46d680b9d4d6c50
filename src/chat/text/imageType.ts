/** Media types of images that the panel shows, detected from the first bytes; the declared media type is ignored. */
type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/svg+xml';

const signatures: readonly (readonly [type: ImageType, start: RegExp])[] = [
  // eslint-disable-next-line no-control-regex -- the signature holds one
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  // An SVG is safe as the source of an <img>: scripts do not run and nothing is loaded.
  [
    'image/svg+xml',
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!DOCTYPE\s+svg[^>[]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<svg[\s>]/i,
  ],
];

/** Number of bytes examined: enough for the comments at the start of an SVG. */
const sniffed = 1024;

/** The image type of base64 bytes; undefined where the panel cannot show them. */
export function imageType(base64: string): ImageType | undefined {
  const bytes = firstBytes(base64);
  return bytes === undefined ? undefined : signatures.find(([, signature]) => signature.test(bytes))?.[0];
}

/** The first bytes, one character each; undefined for invalid base64. */
export function firstBytes(base64: string): string | undefined {
  const start = base64.slice(0, Math.ceil(sniffed / 3) * 4).replace(/\s+/g, '');
  try {
    return atob(start.slice(0, start.length - (start.length % 4)));
  } catch {
    return undefined; // Not base64: shown as a file with its size.
  }
}
