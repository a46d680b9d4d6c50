import type { DraftPart } from '../../../chat/host/draft.ts';
import type { ChatMessage } from '../../../model/contexts/chatMessage.ts';
import { isObject } from '../../../protocol/json.ts';
import type { Part } from '../../../protocol/message/part.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { present } from '../../../protocol/versions/shared/fields.ts';
import { writtenJson } from '../../platform/writtenJson.ts';

/** Looks up a file's id: its bytes, or the part of an earlier message. */
export type Source = (id: string) => Part | Promise<Uint8Array>;

/**
 * The draft's parts besides its text, and its metadata, as they are sent. Rejects with a `Problem` `bad-json`, or with an error of the
 * source.
 */
export async function messageParts(
  parts: readonly DraftPart[],
  metadata: string,
  source: Source,
): Promise<Pick<ChatMessage, 'others' | 'metadata'>> {
  const object = metadata.trim() === '' ? undefined : writtenJson(metadata);
  if (object !== undefined && !isObject(object))
    throw new Problem('bad-json', sentence('The metadata of a message is a JSON object.'), {
      nextStep: sentence('Correct it, or remove it.'),
    });
  return {
    ...(parts.length > 0 && { others: await Promise.all(parts.map(part => sentPart(part, source))) }),
    ...(object !== undefined && { metadata: object }),
  };
}

async function sentPart(part: DraftPart, source: Source): Promise<Part> {
  const { mediaType, metadata } = part;
  const common = { mediaType, metadata: metadata && { ...metadata } };
  switch (part.kind) {
    case 'text':
      return present({ text: part.text, ...common });
    case 'data':
      return present({ data: writtenJson(part.json), ...common });
    case 'link':
      return present({ url: part.url, filename: part.name, ...common });
    case 'file': {
      const found = await source(part.id);
      if (!(found instanceof Uint8Array)) return found;
      return present({
        raw: Buffer.from(found.buffer, found.byteOffset, found.byteLength).toString('base64'),
        filename: part.name,
        ...common,
      });
    }
  }
}
