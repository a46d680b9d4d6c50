import type { DraftPart, Recalled, Reference } from '../../../chat/host/draft.ts';
import { maxJsonLength, maxNameLength, maxParts, maxMessageLength, maxReferences } from '../../../chat/host/limits.ts';
import { artifactReferences } from '../../../protocol/message/artifactReference.ts';
import type { Part } from '../../../protocol/message/part.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { mask } from '../../../protocol/secrets/secretValues.ts';
import type { MessageEntry } from '../../../protocol/message/transcript.ts';
import { withoutSecrets } from '../../../protocol/secrets/withoutSecrets.ts';

const member = 'referenceArtifacts';

/** Id of a part of a sent message, whose bytes are in the history. */
const sentPartId = (seq: number, index: number): string => `sent-${seq}-${index}`;

/** Parses such an id; undefined for any other. */
export function parseSentPartId(id: string): { readonly seq: number; readonly index: number } | undefined {
  const match = /^sent-(\d{1,15})-(\d{1,5})$/.exec(id);
  return match === null ? undefined : { seq: Number(match[1]), index: Number(match[2]) };
}

/**
 * A message of the person as a draft: its first plain text part becomes the text, and files refer to the history.
 * @throws Problem `too-much-to-edit` if a draft cannot hold all of it
 */
export function draftOfMessage({ seq, message }: MessageEntry): Recalled {
  const words = message.parts.findIndex(isWords);
  const first = message.parts[words];
  const others = message.parts.map((part, index) => draftPart(part, sentPartId(seq, index))).filter((_part, index) => index !== words);
  if (
    others.length > maxParts ||
    message.parts.some(part => 'text' in part && part.text.length > maxMessageLength) ||
    others.some(part => part.kind === 'data' && part.json.length > maxJsonLength)
  ) {
    throw new Problem('too-much-to-edit', sentence('This message has more than fits in the message box.'), {
      nextStep: sentence('Write it as a request file.'),
    });
  }
  const artifacts = message.parts.flatMap(({ metadata }) => (metadata?.[member] === undefined ? [] : artifactReferences(metadata)));
  const tasks = (message.referenceTaskIds ?? []).filter(id => !artifacts.some(({ taskId }) => taskId === id));
  const references: readonly Reference[] = [...artifacts, ...tasks.map(taskId => ({ taskId }))].slice(0, maxReferences);
  return {
    seq,
    references,
    parts: others,
    text: first !== undefined && 'text' in first ? first.text : '',
    textAt: Math.max(words, 0),
    metadata: message.metadata === undefined ? '' : JSON.stringify(message.metadata, null, 2),
  };
}

/**
 * The message with its passwords masked, to be asked for again before it is sent. Messages that were stored long ago may still contain
 * them.
 */
export const withPasswordsMasked = (entry: MessageEntry, pointers: readonly string[]): MessageEntry => ({
  ...entry,
  message: {
    ...entry.message,
    parts: entry.message.parts.map(part => ('data' in part ? { ...part, data: withoutSecrets(part.data, pointers, mask) } : part)),
  },
});

const isWords = (part: Part): boolean =>
  'text' in part &&
  part.filename === undefined &&
  (part.mediaType ?? 'text/plain') === 'text/plain' &&
  withoutReferences(part.metadata) === undefined;

/** Metadata without the references, which a draft holds separately; undefined if nothing else is in it. */
function withoutReferences(metadata: Part['metadata']): Part['metadata'] {
  const { [member]: _references, ...others } = metadata ?? {};
  return Object.keys(others).length === 0 ? undefined : others;
}

function draftPart(part: Part, id: string): DraftPart {
  const metadata = withoutReferences(part.metadata);
  const common = {
    id,
    ...(part.mediaType !== undefined && { mediaType: part.mediaType.slice(0, maxNameLength) }),
    ...(metadata !== undefined && { metadata }),
  };
  const name = part.filename?.slice(0, maxNameLength);
  if ('text' in part) return { kind: 'text', text: part.text, ...common, ...(name !== undefined && { name }) };
  if ('data' in part) return { kind: 'data', json: JSON.stringify(part.data, null, 2), ...common };
  if ('url' in part) return { kind: 'link', url: part.url, ...common, ...(name !== undefined && { name }) };
  return {
    kind: 'file',
    ...common,
    name: name ?? '',
    mediaType: common.mediaType ?? 'application/octet-stream',
    size: Buffer.byteLength(part.raw, 'base64'),
  };
}
