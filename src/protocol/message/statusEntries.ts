import type { Part } from './part.ts';
import { StatusTexts } from './statusTexts.ts';
import type { Entry, StatusEntry } from './transcript.ts';

/**
 * Joins statuses of one task that continue each other's text; entries are oldest first. The result has the whole text and otherwise the
 * data of the last status. Statuses with different states are not joined.
 */
export function joinStatuses(entries: readonly Entry[]): Entry[] {
  const joined: Entry[] = [];
  for (let begin = 0; begin < entries.length; ) {
    const first = entries[begin];
    if (first === undefined) break;
    let end = begin + 1;
    if (first.kind === 'status') while (end < entries.length && isLike(first, entries[end])) end++;
    if (end - begin < 2) joined.push(first);
    else joined.push(...joinRun(entries.slice(begin, end) as readonly StatusEntry[]));
    begin = end;
  }
  return joined;
}

function isLike(first: StatusEntry, other: Entry | undefined): boolean {
  return other?.kind === 'status' && other.taskId === first.taskId && other.state === first.state;
}

function joinRun(run: readonly StatusEntry[]): StatusEntry[] {
  const texts = new StatusTexts<StatusEntry>();
  for (const entry of run) texts.add(entry, statusText(entry.message?.parts ?? []), statusKind(entry.message?.parts ?? []));
  return texts.texts.flatMap(({ keys, text, isJoined }) => {
    const last = keys.findLast(({ message }) => message !== undefined);
    if (!isJoined || last?.message === undefined) return keys;
    return [{ ...last, message: { ...last.message, parts: [{ ...last.message.parts[0], text }] } }];
  });
}

/** The text of a status; null where it has other content than text, undefined where it has no content. */
export function statusText(parts: readonly Part[]): string | null | undefined {
  const [first, ...others] = parts;
  if (first === undefined) return undefined;
  const isPlain = first.filename === undefined && [undefined, 'text/plain', 'text/markdown'].includes(first.mediaType);
  return others.length === 0 && 'text' in first && isPlain ? first.text : null;
}

/**
 * Names of the members in the metadata of the first part: agents mark thoughts there. Values are ignored, since they may count the pieces.
 */
export const statusKind = (parts: readonly Part[]): string =>
  Object.keys(parts[0]?.metadata ?? {})
    .sort()
    .join(' ');
