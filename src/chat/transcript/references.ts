import type { Message } from '../../protocol/message/message.ts';
import type { TaskSummary } from '../../protocol/message/transcript.ts';
import { maxReferences } from '../host/limits.ts';
import type { ChatState, ShownVersion } from '../host/chatState.ts';
import type { Reference } from '../host/draft.ts';
import { placeOf } from '../host/target.ts';

export const sameReference = (a: Reference, b: Reference): boolean => a.taskId === b.taskId && a.artifactId === b.artifactId;

/** The references with another one added, unless it is there already or the maximum is reached. */
export function withReference(references: readonly Reference[], added: Reference): readonly Reference[] {
  return references.length >= maxReferences || references.some(each => sameReference(each, added)) ? references : [...references, added];
}

/** The newest tasks that have ended and that the agent still has. */
export const finishedTasks = ({ tasks }: Pick<ChatState, 'tasks'>): readonly TaskSummary[] =>
  tasks.filter(({ state }) => state !== 'LOST' && placeOf(state) === 'over').slice(0, maxOffers);

/** A reference offered in the mention list. */
export interface ReferenceOffer {
  readonly reference: Reference;
  readonly task?: TaskSummary;
  readonly version?: ShownVersion;
}

/** Maximum number of offers shown at once. */
const maxOffers = 12;

/** Artifacts and tasks whose name or title contains the words, newest first; current versions come before older and rejected ones. */
export function referenceOffers({ tasks, artifacts }: Pick<ChatState, 'tasks' | 'artifacts'>, words: string): readonly ReferenceOffer[] {
  const has = (text: string): boolean => text.toLowerCase().includes(words.trim().toLowerCase());
  const versions = artifacts.filter(({ name }) => has(name)).reverse();
  return [
    ...[...versions.filter(({ latest }) => latest === true), ...versions.filter(({ latest }) => latest !== true)].map(version => ({
      reference: { taskId: version.taskId, artifactId: version.artifactId },
      version,
    })),
    ...tasks.filter(({ title }) => has(title)).map(task => ({ reference: { taskId: task.taskId }, task })),
  ].slice(0, maxOffers);
}

/** The `@` that starts a word before the caret: its index, and the text after it. */
export function mentionAt(draft: string, caret: number): { readonly at: number; readonly words: string } | undefined {
  const match = /(?:^|\s)@([^\s@][^\n@]{0,60}|)$/u.exec(draft.slice(0, caret));
  return match === null ? undefined : { at: caret - (match[1] ?? '').length - 1, words: match[1] ?? '' };
}

/** The references of a person's message: artifacts, and tasks that own none of these. */
export function referencesOf({ parts, referenceTaskIds = [] }: Pick<Message, 'parts' | 'referenceTaskIds'>): readonly Reference[] {
  const artifacts = parts.flatMap(({ metadata }) => {
    const listed: unknown = metadata?.['referenceArtifacts'];
    return Array.isArray(listed) ? listed.filter((each): each is Required<Reference> => isIds(each)) : [];
  });
  const tasks = referenceTaskIds.filter(id => !artifacts.some(({ taskId }) => taskId === id)).map(taskId => ({ taskId }));
  return [...artifacts, ...tasks].slice(0, maxReferences);
}

const isIds = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'taskId' in value &&
  typeof value.taskId === 'string' &&
  'artifactId' in value &&
  typeof value.artifactId === 'string';
