import { maxFileBytes, maxNameLength } from '../../../chat/host/limits.ts';
import type { DraftFile } from '../../../chat/host/draft.ts';
import type { AgentCard } from '../../../protocol/card/agentCard.ts';
import { inputModesOf, acceptsMediaType } from '../../../protocol/card/mediaModes.ts';
import { listOf, Problem, sentence, type LocalizedMessage } from '../../../protocol/problem.ts';
import { mediaTypeOfName } from '../../../request/text/mediaTypes.ts';
import { safeFileName } from '../../../model/fileNames.ts';

const unknownType = 'application/octet-stream';
const wellFormed = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/;

/** A file to attach: its name without a path, and its media type by its name, else as the browser gave it, else by its bytes. */
export function attachmentOf({
  id,
  name,
  mediaType = '',
  bytes,
}: {
  readonly id: string;
  readonly name: string;
  readonly mediaType?: string;
  readonly bytes: Uint8Array;
}): DraftFile {
  // Cleaned again after the cut, which can leave half a character or an end that Windows drops.
  const bare = safeFileName(safeFileName(name.split(/[\\/]/).at(-1), 'file').slice(0, maxNameLength), 'file');
  const byName = mediaTypeOfName(bare);
  const declared = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  const type =
    byName !== unknownType
      ? byName
      : wellFormed.test(declared) && declared !== unknownType
        ? declared
        : isText(bytes)
          ? 'text/plain'
          : unknownType;
  return { kind: 'file', id, name: bare, mediaType: type, size: bytes.length };
}

/** @throws Problem `file-too-large` for more bytes than one part may have */
export function requireSize(name: string, size: number): void {
  if (size <= maxFileBytes) return;
  throw new Problem(
    'file-too-large',
    sentence(
      '{0} has {1} MB; a file in a message can have at most {2} MB.',
      safeFileName(name, 'file'),
      megabytes(size),
      megabytes(maxFileBytes),
    ),
    {
      nextStep: sentence('Send it as a link, or from a request file.'),
    },
  );
}

export const megabytes = (bytes: number): string => String(Math.ceil(bytes / 1024 / 102.4) / 10);

/** Maximum number of media types that the sentence lists. */
const maxListed = 6;

/** Why an agent will probably reject a part of this media type; undefined if its card accepts it or is not known. */
export function mediaTypeRefusal(card: AgentCard | undefined, mediaType: string): LocalizedMessage | undefined {
  const modes = card === undefined ? [] : inputModesOf(card);
  if (acceptsMediaType(modes, mediaType)) return undefined;
  const listed = listOf([...modes.slice(0, maxListed), ...(modes.length > maxListed ? ['…'] : [])]);
  return sentence("The agent's card lists {0}, but no {1}.", listed, mediaType);
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false; // Not UTF-8: bytes of an unknown kind.
  }
}
