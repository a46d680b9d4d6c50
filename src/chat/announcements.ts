import type { ArtifactEntry, Entry, EntryUpdate } from '../protocol/transcript.ts';
import { stateWord } from './stateLooks.ts';
import { t, tell } from './strings.ts';
import { visibleName } from './visible.ts';

/** Longest part of a message that is read out by itself; the rest is in the transcript. */
const spoken = 400;

/**
 * What a screen reader is told about a batch of updates: finished messages, artifacts and changes of state in whole sentences, never
 * pieces of a stream, nor that a state goes on. `shown` is the entry of a seq as it is on show before the batch.
 */
export function announcements(updates: readonly EntryUpdate[], agent: string, shown: (seq: number) => Entry | undefined): readonly string[] {
  const puts = new Map<number, Entry>();
  return updates.flatMap(update => {
    const seq = update.type === 'put' ? update.entry.seq : update.seq;
    const before = puts.get(seq) ?? shown(seq);
    if (update.type === 'append' && (before?.kind !== 'artifact' || update.complete === undefined)) return [];
    const entry = update.type === 'put' ? update.entry : { ...before as ArtifactEntry, complete: update.complete! };
    puts.set(entry.seq, entry);
    return goesOn(before, entry) ? [] : announce(entry, visibleName(agent));
  });
}

/** The same state with the same words: another time, more progress. */
const goesOn = (before: Entry | undefined, now: Entry): boolean =>
  before?.kind === 'status' && now.kind === 'status' && before.state === now.state && words(before.message?.parts ?? []) === words(now.message?.parts ?? []);

function announce(entry: Entry, agent: string): readonly string[] {
  switch (entry.kind) {
    case 'message': return entry.message.role === 'ROLE_AGENT' ? [t('{0} says: {1}', agent, words(entry.message.parts))]
      : entry.delivery === 'refused' ? [t('The message was refused.')]
        : entry.delivery === 'unknown' ? [t('It is not known whether the message arrived.')] : [];
    case 'status': {
      const said = words(entry.message?.parts ?? []);
      return [said === '' ? t('Task {0}', stateWord(entry.state)) : t('Task {0}: {1}', stateWord(entry.state), said)];
    }
    case 'artifact': return entry.complete ? [t('Artifact received: {0}', visibleName(entry.artifact.name ?? t('without a name')))] : [];
    case 'problem': return [t('Problem: {0}', tell(entry.sentence))];
    case 'gap': return [tell(entry.reason)];
  }
}

function words(parts: readonly object[]): string {
  const text = parts.map(part => ('text' in part && typeof part.text === 'string' ? part.text : '')).join(' ');
  return text.replace(/\s+/g, ' ').trim().slice(0, spoken);
}
