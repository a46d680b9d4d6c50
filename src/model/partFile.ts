import type { Part, UrlPart } from '../protocol/message/part.ts';
import { extensionOf, safeFileName, withExtension } from './fileNames.ts';

/** A part as a file: name and bytes. */
export interface PartFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The file for a part: text as UTF-8, data as indented JSON, bytes unchanged. URL parts hold no bytes. */
export function partFile(part: Exclude<Part, UrlPart>, artifactName: string | undefined): PartFile {
  const bytes =
    'raw' in part ? Buffer.from(part.raw, 'base64') : Buffer.from('text' in part ? part.text : JSON.stringify(part.data, null, 2), 'utf8');
  const extension = extensionOf(part.mediaType) ?? ('data' in part ? 'json' : 'text' in part ? 'md' : 'bin');
  return { bytes, name: withExtension(safeFileName(part.filename ?? artifactName, 'artifact'), extension) };
}
