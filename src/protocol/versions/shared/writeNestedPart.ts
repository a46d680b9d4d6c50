import type { Part } from '../../message/part.ts';
import { present } from './fields.ts';
import { writeData } from './writeData.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A part with its file or data in an object of its own, told apart by member, as 0.3's protocol buffers and the drafts of 1.0 write it.
 * @param mediaTypeMember what a file calls its media type.
 */
export function writeNestedPart(part: Part, mediaTypeMember: 'mimeType' | 'mediaType'): Fields {
  const { metadata } = part;
  if ('text' in part) return present({ text: part.text, metadata });
  const { mediaType, filename: name } = part;
  if ('raw' in part) return present({ file: present({ fileWithBytes: part.raw, [mediaTypeMember]: mediaType, name }), metadata });
  if ('url' in part) return present({ file: present({ fileWithUri: part.url, [mediaTypeMember]: mediaType, name }), metadata });
  const { data, ...rest } = writeData(part);
  return { data: { data }, ...rest };
}
