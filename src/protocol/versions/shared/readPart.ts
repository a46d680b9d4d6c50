import { isObject } from '../../json.ts';
import type { Note } from '../../finding.ts';
import type { DataPart, Part } from '../../message/part.ts';
import { withUnknownMembers, optionalObject, optionalString, withoutUndefined } from './fields.ts';
import { readAddress, readBytes } from './fileContent.ts';
import { listOf, sentence } from '../../problem.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * How a version distinguishes kinds of parts: by a `type` member (0.1), by `kind` (0.2, 0.3), or by the content member itself (1.0
 * `member`; the 1.0 drafts hold files and data one level deeper, `nested`).
 */
export type PartStyle = 'type' | 'kind' | 'nested' | 'member';

const known = new Set(['kind', 'type', 'text', 'raw', 'url', 'data', 'file', 'mediaType', 'mimeType', 'filename', 'name', 'metadata']);

/** The parts of a list; null items are left out, and a part with several contents becomes one part for each. */
export function readParts(list: readonly unknown[], pointer: string, note: Note, style: PartStyle): Part[] {
  return list.flatMap((value, index) => {
    if (value !== null) return readPart(value, `${pointer}/${index}`, note, style);
    note('DATA-03', `${pointer}/${index}`, sentence('{0} is not an object; it was left out.', 'null'));
    return [];
  });
}

/**
 * Reads a part of any version into the flat 1.0 shape. An unreadable part becomes a data part with the whole part in it, so that it is
 * shown and not lost.
 */
function readPart(value: unknown, pointer: string, note: Note, style: PartStyle): Part[] {
  if (typeof value === 'string') {
    note('DATA-03', pointer, sentence('The part is a bare string; it is read as text.'));
    return [{ text: value }];
  }
  if (!isObject(value)) {
    note('DATA-03', pointer, sentence('The part is not an object; it is shown as data.'));
    return [{ data: value }];
  }
  const parts = contentsOf(value, pointer, note).flatMap(name => readContent(value, name, pointer, note, style) ?? []);
  if (parts.length === 0) {
    // A file of 0.1 may consist of a name only.
    if (style !== 'type' || !isObject(value['file']))
      note('DATA-03', pointer, sentence('The part has no content member; it is shown as data.'));
    return [{ data: value }];
  }
  checkDiscriminator(value, pointer, note, style);
  return parts;
}

const contents = ['text', 'data', 'raw', 'url', 'file'] as const;
type Content = (typeof contents)[number];

/** The content members of a part. Beside others, `null` is none, and an empty text is noted and dropped. */
function contentsOf(value: Fields, pointer: string, note: Note): readonly Content[] {
  const held = contents.filter(name => value[name] !== undefined && value[name] !== null);
  if (held.length === 0) return 'data' in value ? ['data'] : [];
  if (held.length === 1) return held;
  note('DATA-03', pointer, sentence('The part should have exactly one content member; it has {0}.', listOf(held)));
  const said = held.filter(name => value[name] !== '');
  return said.length === 0 ? held.slice(0, 1) : said;
}

function checkDiscriminator(value: Fields, pointer: string, note: Note, style: PartStyle): void {
  if (style === 'kind' || style === 'type') {
    if (typeof value[style] !== 'string') note('DATA-03', `${pointer}/${style}`, sentence('{0} is missing.', style));
  } else if ('kind' in value || 'type' in value) {
    note('DATA-03', pointer, sentence('kind and type do not exist in 1.0: the content member says what the part is.'));
  }
}

function readContent(value: Fields, name: Content, pointer: string, note: Note, style: PartStyle): Part | undefined {
  const common = withUnknownMembers(value, known, {
    mediaType: optionalString(value, 'mediaType', pointer, note) ?? optionalString(value, 'mimeType', pointer, note),
    filename: optionalString(value, 'filename', pointer, note),
    metadata: optionalObject(value, 'metadata'),
  });
  const content = value[name];
  if (name === 'data') return unwrapData({ data: style === 'nested' ? unnestData(content) : content, ...common });
  if (name === 'file') return isObject(content) ? readFile(content, common, `${pointer}/file`, note) : undefined;
  if (typeof content !== 'string') return undefined;
  if (name === 'raw') return { ...readBytes(content, `${pointer}/raw`, note), ...common };
  return name === 'text' ? { text: content, ...common } : { ...readAddress(content, `${pointer}/url`, note), ...common };
}

/** The drafts' DataPart is an object with a `data` member; some agents wrote the value itself. */
function unnestData(data: unknown): unknown {
  return isObject(data) && 'data' in data && Object.keys(data).length === 1 ? data['data'] : data;
}

/** Data parts of 0.3 hold objects only; the SDKs wrap any other value and set a flag. */
function unwrapData(part: DataPart): DataPart {
  const { data, metadata } = part;
  if (metadata?.['data_part_compat'] !== true || !isObject(data) || !('value' in data)) return part;
  const { data_part_compat: _, ...rest } = metadata;
  return withoutUndefined({ ...part, data: data['value'], metadata: Object.keys(rest).length === 0 ? undefined : rest });
}

/** Members with another meaning in the flat part that is made of a file. */
const fileMembers = new Set([...known, 'bytes', 'fileWithBytes', 'uri', 'fileWithUri']);

/** The nested `file` object of 0.1 to 0.3 (`bytes`, `uri`) and of the 1.0 drafts (`fileWithBytes`, `fileWithUri`). */
function readFile(file: Fields, common: Record<string, unknown>, pointer: string, note: Note): Part | undefined {
  const rest = withUnknownMembers(file, fileMembers, {
    ...common,
    mediaType: optionalString(file, 'mimeType', pointer, note) ?? optionalString(file, 'mediaType', pointer, note) ?? common['mediaType'],
    filename: optionalString(file, 'name', pointer, note) ?? common['filename'],
  }) as { mediaType?: string; filename?: string; metadata?: Record<string, unknown> };
  for (const name of ['bytes', 'fileWithBytes', 'data']) {
    if (typeof file[name] === 'string') return { ...readBytes(file[name], `${pointer}/${name}`, note), ...rest };
  }
  for (const name of ['uri', 'fileWithUri']) {
    if (typeof file[name] === 'string') return { ...readAddress(file[name], `${pointer}/${name}`, note), ...rest };
  }
  return undefined;
}
