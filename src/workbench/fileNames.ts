/** Characters that mean something to a file system, and those that hide what a name is. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff<>:"/\\|?*]/g;
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

/**
 * A name an agent gave, made safe to offer in a save dialog: one path segment, visible characters, no device names. Never used as a
 * path by itself; the person chooses the folder.
 */
export function safeFileName(name: string | undefined, fallback: string): string {
  const cleaned = (name ?? '').replaceAll(unsafe, '_').replaceAll(/^[. ]+|[. ]+$/g, '').slice(0, 120);
  if (cleaned === '') return fallback;
  return reserved.test(cleaned) ? `_${cleaned}` : cleaned;
}

const extensions: Readonly<Record<string, string>> = {
  'text/plain': 'txt', 'text/markdown': 'md', 'text/html': 'html', 'text/csv': 'csv', 'text/css': 'css',
  'application/json': 'json', 'application/pdf': 'pdf', 'application/xml': 'xml', 'application/zip': 'zip',
  'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp', 'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3', 'audio/wav': 'wav', 'video/mp4': 'mp4', 'video/webm': 'webm',
};

/** The usual extension of a media type; undefined where there is none known. */
export function extensionOf(mediaType: string | undefined): string | undefined {
  return extensions[(mediaType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''];
}

/** The name, with the extension where it has none. The digits of a version (`report v1.2`) are none. */
export function withExtension(name: string, extension: string): string {
  return /\.(?=\w*[a-z])\w{1,8}$/i.test(name) ? name : `${name}.${extension}`;
}
