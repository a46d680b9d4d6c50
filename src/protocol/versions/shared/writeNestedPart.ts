import type { Part } from '../../message/part.ts';
import { withoutUndefined } from './fields.ts';
import { writeData } from './writeData.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes a part with its file or data in a nested object, whose member name is its kind: for 0.3's protocol buffers and the 1.0 drafts.
 * @param mediaTypeMember name of a file's media type.
 */
export function writeNestedPart(part: Part, mediaTypeMember: 'mimeType' | 'mediaType'): Fields {
  const { metadata } = part;
  if ('text' in part) return withoutUndefined({ text: part.text, metadata });
  const { mediaType, filename: name } = part;
  if ('raw' in part)
    return withoutUndefined({ file: withoutUndefined({ fileWithBytes: part.raw, [mediaTypeMember]: mediaType, name }), metadata });
  if ('url' in part)
    return withoutUndefined({ file: withoutUndefined({ fileWithUri: part.url, [mediaTypeMember]: mediaType, name }), metadata });
  const { data, ...rest } = writeData(part);
  return { data: { data }, ...rest };
}
