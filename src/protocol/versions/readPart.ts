import { isObject } from '../json.ts';
import type { Note } from '../finding.ts';
import type { DataPart, Part } from '../part.ts';
import { kept, optionalObject, optionalString, present } from './fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How a generation tells parts apart: by a `kind` member (0.2, 0.3) or by the content member itself (1.0). */
export type PartStyle = 'kind' | 'member';

const known = new Set(['kind', 'type', 'text', 'raw', 'url', 'data', 'file', 'mediaType', 'mimeType', 'filename', 'name', 'metadata']);

/**
 * Reads a part of any generation from 0.2 on into the flat 1.0 shape. A part that nothing can be made of becomes a data part that
 * holds it whole, so that it is shown and not lost.
 */
export function readPart(value: unknown, pointer: string, note: Note, style: PartStyle): Part {
  if (typeof value === 'string') {
    note('DATA-03', pointer, 'The part is a bare string; it is read as text.');
    return { text: value };
  }
  if (!isObject(value)) {
    note('DATA-03', pointer, 'The part is no object; it is shown as data.');
    return { data: value };
  }
  const content = readContent(value, pointer, note);
  if (content === undefined) {
    note('DATA-03', pointer, 'The part has no content member; it is shown as data.');
    return { data: value };
  }
  if (style === 'kind' && typeof value['kind'] !== 'string') note('DATA-03', `${pointer}/kind`, 'kind is missing.');
  if (style === 'member' && ('kind' in value || 'type' in value)) {
    note('DATA-03', pointer, 'kind and type do not exist in 1.0: the content member tells what the part is.');
  }
  return content;
}

function readContent(value: Fields, pointer: string, note: Note): Part | undefined {
  const common = kept(value, known, {
    mediaType: optionalString(value, 'mediaType', pointer, note) ?? optionalString(value, 'mimeType', pointer, note),
    filename: optionalString(value, 'filename', pointer, note),
    metadata: optionalObject(value, 'metadata'),
  });
  if (isObject(value['file'])) return readFile(value['file'], common, `${pointer}/file`, note);
  if (typeof value['text'] === 'string') return { text: value['text'], ...common };
  if (typeof value['raw'] === 'string') return { raw: value['raw'], ...common };
  if (typeof value['url'] === 'string') return { url: value['url'], ...common };
  if ('data' in value) return unwrapData({ data: value['data'], ...common });
  return undefined;
}

/** 0.3 data parts hold objects only; the SDKs wrap any other value and flag it. */
function unwrapData(part: DataPart): DataPart {
  const { data, metadata } = part;
  if (metadata?.['data_part_compat'] !== true || !isObject(data) || !('value' in data)) return part;
  const { data_part_compat: _, ...rest } = metadata;
  return present({ ...part, data: data['value'], metadata: Object.keys(rest).length === 0 ? undefined : rest });
}

/** The nested `file` object of 0.3 (`bytes`, `uri`) and of the 1.0 drafts (`fileWithBytes`, `fileWithUri`). */
function readFile(file: Fields, common: Record<string, unknown>, pointer: string, note: Note): Part | undefined {
  const rest = present({
    ...common,
    mediaType: optionalString(file, 'mimeType', pointer, note) ?? optionalString(file, 'mediaType', pointer, note) ?? common['mediaType'],
    filename: optionalString(file, 'name', pointer, note) ?? common['filename'],
  }) as { mediaType?: string; filename?: string; metadata?: Record<string, unknown> };
  for (const name of ['bytes', 'fileWithBytes', 'data']) {
    if (typeof file[name] === 'string') return { raw: file[name], ...rest };
  }
  for (const name of ['uri', 'fileWithUri']) {
    if (typeof file[name] === 'string') return { url: file[name], ...rest };
  }
  return undefined;
}
