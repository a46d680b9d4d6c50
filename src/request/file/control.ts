import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { withNeeded } from './imports.ts';
import type { RequestEntry } from './requestEntry.ts';
import type { RequestFile } from './requestFile.ts';

type Entry = Pick<RequestEntry, 'members'>;

const valueOf = ({ members }: Entry, key: 'description' | 'tags' | 'skip' | 'only' | 'cleanup'): unknown => {
  const node = members.get(key)?.value;
  return node?.type === 'array' ? (node.children ?? []).map(({ value }) => value as unknown) : node?.value;
};

/** The `description` of the request. */
export function descriptionOf(entry: Entry): string | undefined {
  const text = valueOf(entry, 'description');
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

export function tagsOf(entry: Entry): readonly string[] {
  const tags = valueOf(entry, 'tags');
  return Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string') : [];
}

export const isOnly = (entry: Entry): boolean => valueOf(entry, 'only') === true;
export const isCleanup = (entry: Entry): boolean => valueOf(entry, 'cleanup') === true;

/** Something is expected of it. */
export const isTest = ({ members }: Entry): boolean => members.has('expect') || members.has('until');

function isSkipped(entry: Entry): boolean {
  const skip = valueOf(entry, 'skip');
  return skip === true || (typeof skip === 'string' && skip !== '');
}

/** Why a request is left out where all are sent. */
function skipReason(entry: Entry): LocalizedMessage {
  const skip = valueOf(entry, 'skip');
  return typeof skip === 'string' ? sentence('Skipped: {0}', skip) : sentence('It is marked to be skipped.');
}

/** Which requests are sent, in which order, where all of a file or several of them are meant. */
interface SendPlan {
  /** In the order of the file, and those that clean up last. */
  readonly sent: readonly RequestEntry[];
  /** The others, each with why. */
  readonly omitted: ReadonlyMap<RequestEntry, LocalizedMessage>;
}

type File = Pick<RequestFile, 'requests' | 'needs'>;

/** Which of these requests of a file are sent, by their `skip`, `only` and `cleanup`. */
export function planOf(file: File, wanted: readonly RequestEntry[] = file.requests): SendPlan {
  const hasOnly = file.requests.some(isOnly);
  const chosen = new Set(hasOnly ? withNeeded(wanted.filter(isOnly), file) : wanted);
  const skippedBy = needingAny(withNeeded(wanted, file).filter(isSkipped), file);
  const omitted = new Map<RequestEntry, LocalizedMessage>();
  for (const entry of wanted) {
    const skipped = skippedBy.get(entry);
    if (isSkipped(entry)) omitted.set(entry, skipReason(entry));
    else if (skipped !== undefined) omitted.set(entry, sentence('It needs "{0}", which is skipped.', skipped.name ?? ''));
    else if (!chosen.has(entry) && !isCleanup(entry)) omitted.set(entry, sentence('Left out: another request says "only".'));
  }
  const sent = wanted.filter(entry => !omitted.has(entry));
  return { sent: [...sent.filter(entry => !isCleanup(entry)), ...sent.filter(isCleanup)], omitted };
}

/** The requests of these that clean up after others that were sent, or after all. */
export function cleanupsAfter(file: File, sent: (entry: RequestEntry) => boolean): readonly RequestEntry[] {
  const after = needingAny(withNeeded(file.requests, file).filter(sent), file);
  return file.requests.filter(
    entry => isCleanup(entry) && !isSkipped(entry) && ((file.needs.get(entry) ?? []).length === 0 || after.has(entry)),
  );
}

/** The requests that need one of these, directly and through others, each with the one; circles end. Every need is followed once. */
function needingAny(needed: readonly RequestEntry[], { needs }: Pick<RequestFile, 'needs'>): ReadonlyMap<RequestEntry, RequestEntry> {
  const needing = new Map<RequestEntry, RequestEntry[]>();
  for (const [entry, all] of needs)
    for (const need of all) {
      const others = needing.get(need.entry);
      if (others === undefined) needing.set(need.entry, [entry]);
      else others.push(entry);
    }
  const found = new Map<RequestEntry, RequestEntry>();
  for (const start of needed) {
    const waiting = [start];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop())
      for (const next of needing.get(one) ?? []) {
        if (found.has(next)) continue;
        found.set(next, start);
        waiting.push(next);
      }
  }
  return found;
}
