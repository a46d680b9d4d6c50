import { importedMeaning, requestNamed } from './imports.ts';
import type { RequestEntry } from './requestEntry.ts';
import type { RequestFile } from './requestFile.ts';
import type { TemplateUse, Variable } from '../template/templateUse.ts';
import type { Expression } from '../template/template.ts';

/** Paths that are known after the first answer of a task. */
const knownAtOnce: readonly string[] = ['task.id', 'task.contextId', 'context', 'context.id'];

/**
 * True where a request can only be sent once the task of an earlier one has stopped working. False where it needs no more than the ids: to
 * get, subscribe to or cancel a task that is still working. A message that continues the conversation waits for the end of the agent's
 * turn.
 */
export function waitsForTurnEnd(entry: RequestEntry, earlier: RequestEntry, file: RequestFile): boolean {
  if (entry.after !== undefined && requestNamed(file, entry.after.value) === earlier) return true;
  return referencesIn([...entry.templates, ...entry.inherited], file).some(({ name, path, file: home }) => {
    const imported = importedMeaning(home, name);
    const capture = home.captures.get(name) ?? imported?.capture;
    if ((capture?.entry ?? home.byName.get(name) ?? imported?.request) !== earlier) return false;
    const rest = typeof path[0] === 'number' ? path.slice(1) : path;
    return !knownAtOnce.includes([...(capture?.path ?? []), ...rest].join('.'));
  });
}

/** All references in the templates, including those in the values of variables, each with the file whose names it uses. */
function referencesIn(
  templates: readonly TemplateUse[],
  start: RequestFile,
): readonly (Extract<Expression, { kind: 'reference' }> & { readonly file: RequestFile })[] {
  const found: (Extract<Expression, { kind: 'reference' }> & { readonly file: RequestFile })[] = [];
  const entered = new Set<Variable>();
  const waiting = templates.map(({ expression }) => ({ expression, file: start }));
  for (let use = waiting.pop(); use !== undefined; use = waiting.pop()) {
    const { expression, file } = use;
    if (expression.kind !== 'reference' || file.known.has(expression.name)) continue;
    const imported = importedMeaning(file, expression.name);
    const variable = file.variables.get(expression.name) ?? imported?.variable;
    if (variable === undefined) found.push({ ...expression, file });
    else if (!entered.has(variable)) {
      entered.add(variable);
      for (const inner of variable.templates) waiting.push({ expression: inner.expression, file: imported?.home.file ?? file });
    }
  }
  return found;
}
