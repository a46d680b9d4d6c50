import { statusKind, statusText } from '../../protocol/message/statusEntries.ts';
import { StatusTexts } from '../../protocol/message/statusTexts.ts';
import type { ArtifactEntry, Entry, EntryUpdate, StatusEntry } from '../../protocol/message/transcript.ts';
import { isActiveState, stateWord } from './statePresentation.ts';
import { deliveryWords } from './deliveryWords.ts';
import { t, localized } from './strings.ts';
import { visibleName } from './visible.ts';

/** Texts of working tasks so far, by task id. */
export type StatusTextsByTask = Map<string | undefined, StatusTexts<number>>;

/** Maximum number of characters of a message that are announced; the rest is in the transcript. */
const spoken = 400;
/** Maximum number of characters that are looked at for them. */
const looked = 4_000;

/**
 * The announcements for screen readers about a batch of updates: finished messages, artifacts and changes of state in whole sentences;
 * never pieces of a stream or an unchanged state. `shown` returns the entry of a seq before the batch; `textsByTask` has the texts of
 * working tasks and is kept from batch to batch.
 */
export function announcements(
  updates: readonly EntryUpdate[],
  agent: string,
  shown: (seq: number) => Entry | undefined,
  textsByTask: StatusTextsByTask = new Map(),
): readonly string[] {
  const puts = new Map<number, Entry>();
  return updates.flatMap(update => {
    const seq = update.type === 'put' ? update.entry.seq : update.seq;
    const known = puts.get(seq) ?? shown(seq);
    if (update.type === 'append' && (known?.kind !== 'artifact' || update.complete === undefined)) return [];
    const entry = update.type === 'put' ? update.entry : { ...(known as ArtifactEntry), complete: update.complete! };
    puts.set(entry.seq, entry);
    if (goesOn(known, entry)) return [];
    const name = visibleName(agent);
    const text = entry.kind === 'status' && known === undefined ? textBefore(entry, textsByTask) : undefined;
    if (text === null) return [];
    return [...(text === undefined ? [] : [t('{0} says: {1}', name, text)]), ...announce(entry, name)];
  });
}

/** The text that arrived in pieces before a status and is complete now; null where the status is another piece of it. */
function textBefore({ seq, taskId, state, message }: StatusEntry, textsByTask: StatusTextsByTask): string | null | undefined {
  const parts = message?.parts ?? [];
  const texts = textsByTask.get(taskId) ?? new StatusTexts<number>();
  const before = texts.texts.at(-1);
  const isActive = isActiveState(state);
  if (isActive) {
    texts.add(seq, statusText(parts), statusKind(parts));
    textsByTask.set(taskId, texts);
    if ((texts.texts.at(-1)?.keys.length ?? 0) > 1) return null;
  } else textsByTask.delete(taskId);
  const whole = before?.isJoined === true ? words([{ text: before.text }]) : '';
  return whole === '' || whole === words(parts) ? undefined : whole;
}

/** No change to announce: the same state and text, or a filled gap. */
const goesOn = (before: Entry | undefined, now: Entry): boolean =>
  (before?.kind === 'gap' && now.kind === 'gap') ||
  (before?.kind === 'status' &&
    now.kind === 'status' &&
    before.state === now.state &&
    words(before.message?.parts ?? []) === words(now.message?.parts ?? []));

function announce(entry: Entry, agent: string): readonly string[] {
  switch (entry.kind) {
    case 'message':
      return entry.message.role === 'ROLE_AGENT'
        ? [t('{0} says: {1}', agent, words(entry.message.parts))]
        : entry.delivery === 'refused' || entry.delivery === 'unknown'
          ? [t('Your message: {0}', deliveryWords(entry))]
          : [];
    case 'status': {
      const said = words(entry.message?.parts ?? []);
      return [said === '' ? t('Task {0}', stateWord(entry.state)) : t('Task {0}: {1}', stateWord(entry.state), said)];
    }
    case 'artifact':
      return entry.complete ? [t('Artifact received: {0}', visibleName(entry.artifact.name ?? '') || t('without a name'))] : [];
    case 'problem':
      return [t('Problem: {0}', localized(entry.sentence))];
    case 'gap':
      return [localized(entry.reason)];
  }
}

function words(parts: readonly object[]): string {
  const text = parts
    .map(part => ('text' in part && typeof part.text === 'string' ? part.text.slice(0, looked) : ''))
    .join(' ')
    .slice(0, looked);
  return text.replace(/\s+/g, ' ').trim().slice(0, spoken);
}
