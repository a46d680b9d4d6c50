/** Media types by file extension, for files that people send to agents. */
const byExtension: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  xml: 'application/xml',
  json: 'application/json',
  jsonl: 'application/jsonl',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  js: 'text/javascript',
  ts: 'text/plain',
  py: 'text/x-python',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  webm: 'video/webm',
  zip: 'application/zip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The media type for a file name; `application/octet-stream` for unknown extensions. */
export function mediaTypeOfName(name: string): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(byExtension, extension) ? (byExtension[extension] ?? '') : 'application/octet-stream';
}

/** All media types of known extensions, without duplicates. */
export const knownMediaTypes: readonly string[] = [...new Set(Object.values(byExtension))];

/** True for media types that people read as text. */
export const isTextual = (mediaType: string): boolean =>
  mediaType.startsWith('text/') || ['application/xml', 'application/yaml', 'application/jsonl'].includes(mediaType);
