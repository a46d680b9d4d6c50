import type { DraftPart } from '../../../chat/host/draft.ts';
import type { ChatMessage } from '../../../model/contexts/chatMessage.ts';
import { isObject } from '../../../protocol/json.ts';
import type { Part } from '../../../protocol/message/part.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { withoutUndefined } from '../../../protocol/versions/shared/fields.ts';
import { parseUserJson } from '../../platform/userJson.ts';

/** Looks up a file's id: its bytes, or the part of an earlier message. */
type PartLookup = (id: string) => Part | Promise<Uint8Array>;

/**
 * The draft's parts besides its text, and its metadata, as they are sent. Rejects with a `Problem` `bad-json`, or with an error of the
 * source.
 */
export async function messageParts(
  parts: readonly DraftPart[],
  metadata: string,
  source: PartLookup,
): Promise<Pick<ChatMessage, 'others' | 'metadata'>> {
  const object = metadata.trim() === '' ? undefined : parseUserJson(metadata);
  if (object !== undefined && !isObject(object))
    throw new Problem('bad-json', sentence('Message metadata must be a JSON object.'), {
      nextStep: sentence('Correct it, or remove it.'),
    });
  return {
    ...(parts.length > 0 && { others: await Promise.all(parts.map(part => sentPart(part, source))) }),
    ...(object !== undefined && { metadata: object }),
  };
}

async function sentPart(part: DraftPart, source: PartLookup): Promise<Part> {
  const { mediaType, metadata } = part;
  const common = { mediaType, metadata: metadata && { ...metadata } };
  switch (part.kind) {
    case 'text':
      return withoutUndefined({ text: part.text, ...common });
    case 'data':
      return withoutUndefined({ data: parseUserJson(part.json), ...common });
    case 'link':
      return withoutUndefined({ url: part.url, filename: part.name, ...common });
    case 'file': {
      const found = await source(part.id);
      if (!(found instanceof Uint8Array)) return found;
      return withoutUndefined({
        raw: Buffer.from(found.buffer, found.byteOffset, found.byteLength).toString('base64'),
        filename: part.name,
        ...common,
      });
    }
  }
}
