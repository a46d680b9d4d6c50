import type { RequestEntry } from './requestEntry.ts';
import type { RequestFile } from './requestFile.ts';
import type { TemplateUse } from '../template/templateUse.ts';
import type { Expression } from '../template/template.ts';

/** What is known of a task after its first answer. */
const knownAtOnce: readonly string[] = ['task.id', 'task.contextId', 'context', 'context.id'];

/**
 * True where a request can only be sent once the task of an earlier one has stopped working. False where it needs no more than the ids: to
 * get, subscribe to or cancel a task that is still working. A message that continues the conversation waits for the end of the agent's
 * turn.
 */
export function waitsForTurnEnd(entry: RequestEntry, earlier: RequestEntry, file: RequestFile): boolean {
  if (earlier.name === undefined) return false;
  if (entry.after?.value === earlier.name) return true;
  return referencesIn([...entry.templates, ...(entry.members.has('agent') ? [] : file.agentTemplates)], file).some(
    ({ name, path }) => name === earlier.name && !knownAtOnce.includes(path.join('.')),
  );
}

/** All references in the templates, including those in the values of variables. */
function referencesIn(
  templates: readonly TemplateUse[],
  { variables, known }: RequestFile,
): readonly Extract<Expression, { kind: 'reference' }>[] {
  const found: Extract<Expression, { kind: 'reference' }>[] = [];
  const entered = new Set<string>();
  const waiting = [...templates];
  for (let use = waiting.pop(); use !== undefined; use = waiting.pop()) {
    const { expression } = use;
    if (expression.kind !== 'reference' || known.has(expression.name)) continue;
    const variable = variables.get(expression.name);
    if (variable === undefined) found.push(expression);
    else if (!entered.has(expression.name)) {
      entered.add(expression.name);
      waiting.push(...variable.templates);
    }
  }
  return found;
}
