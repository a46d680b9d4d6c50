import { importedMeaning, requestNamed } from './imports.ts';
import { referencesIn } from './references.ts';
import type { RequestEntry } from './requestEntry.ts';
import type { RequestFile } from './requestFile.ts';

/** Paths that are known after the first answer of a task. */
const knownAtOnce: readonly string[] = ['task.id', 'task.contextId', 'context', 'context.id'];

/**
 * True where a request can only be sent once the task of an earlier one has stopped working. False where it needs no more than the ids: to
 * get, subscribe to or cancel a task that is still working. A message that continues the conversation waits for the end of the agent's
 * turn.
 */
export function waitsForTurnEnd(entry: RequestEntry, earlier: RequestEntry, file: RequestFile): boolean {
  if (entry.after !== undefined && requestNamed(file, entry.after.value) === earlier) return true;
  const expressions = [...entry.templates, ...entry.inherited].map(({ expression }) => expression);
  return referencesIn(expressions, file).some(({ name, path, file: home }) => {
    const imported = importedMeaning(home, name);
    const capture = home.captures.get(name) ?? imported?.capture;
    if ((capture?.entry ?? home.byName.get(name) ?? imported?.request) !== earlier) return false;
    const rest = typeof path[0] === 'number' ? path.slice(1) : path;
    return !knownAtOnce.includes([...(capture?.path ?? []), ...rest].join('.'));
  });
}
