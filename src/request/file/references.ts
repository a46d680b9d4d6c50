import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Expression, Reference } from '../template/template.ts';
import type { TemplateUse, Variable } from '../template/templateUse.ts';
import type { TextRange } from '../text/textRange.ts';
import { importedFiles, importedMeaning, requestNamed } from './imports.ts';
import type { RequestEntry } from './requestEntry.ts';
import type { RequestFile } from './requestFile.ts';
import { hasRows, rowNames, writtenCount } from './writtenRows.ts';

/** Why a request must be sent after another. */
export interface Need {
  readonly entry: RequestEntry;
  readonly range: TextRange;
  /** The result of one row is enough, or no result is needed, only that all were sent. */
  readonly ofRow?: boolean;
}

/**
 * The requests that must be sent before each request: the one in `after`, and those it refers to, directly or through variables. Requests
 * without needs and unknown names are left out.
 */
export function needsOf(file: RequestFile): ReadonlyMap<RequestEntry, readonly Need[]> {
  const throughVariable = variableNeeds(file);
  const needed = (uses: readonly TemplateUse[], own?: ReturnType<typeof rowNames>): Need[] => {
    const found: Need[] = [];
    const seen = new Set<string>();
    for (const { expression, range } of uses) {
      // A column of the request's own data takes precedence over a request with that name.
      if (expression.kind !== 'reference' || file.known.has(expression.name) || (typeof own === 'object' && own.has(expression.name)))
        continue;
      if (isVariable(expression.name, file)) {
        // Each variable may refer to thousands of requests.
        if (seen.has(expression.name)) continue;
        seen.add(expression.name);
        for (const need of throughVariable(expression.name)) found.push({ ...need, range });
      } else {
        const need = requestOf(expression, file);
        if (need !== undefined) found.push({ ...need, range });
      }
    }
    return found;
  };
  const needs = new Map<RequestEntry, readonly Need[]>(importedFiles(file.imports).flatMap(home => [...home.file.needs]));
  for (const entry of file.requests) {
    const after = entry.after === undefined ? undefined : requestNamed(file, entry.after.value);
    const all = needed(entry.templates, rowNames(entry));
    if (after !== undefined && entry.after !== undefined) all.unshift({ entry: after, range: entry.after.range, ofRow: true });
    for (const need of needed(entry.inherited)) all.push(need);
    if (all.length > 0) needs.set(entry, all);
  }
  return needs;
}

/** Error for a reference to a request that is sent several times: there is no single answer. */
export const severalAnswers = ({ name = '' }: RequestEntry): LocalizedMessage =>
  sentence(
    '"{0}" is sent several times, so its name does not refer to a single answer. Write which one you mean, counted from 0, such as {1}, or remove "each", "repeat" and "matrix" from "{0}".',
    name,
    `{{${name}[0].task.id}}`,
  );

/** True where a request is sent several times, or a number of times that is known only once its data is read. */
export function mayBeSentSeveralTimes(entry: RequestEntry): boolean {
  const each = entry.members.get('each')?.value;
  return hasRows(entry) && ((each !== undefined && each.type !== 'array') || writtenCount(entry) !== 1);
}

/** The request whose result a name means, which is that of no variable. */
function requestOf({ name, path }: Reference, file: RequestFile): Omit<Need, 'range'> | undefined {
  const { byName, captures, imported } = file;
  const entry = captures.get(name)?.entry ?? byName.get(name) ?? imported.get(name)?.capture?.entry ?? imported.get(name)?.request;
  return entry && { entry, ofRow: typeof path[0] === 'number' };
}

const isVariable = (name: string, file: RequestFile): boolean =>
  file.variables.has(name) || importedMeaning(file, name)?.variable !== undefined;

/** The requests that a variable refers to, also through other variables; remembered, since each may refer to thousands. */
function variableNeeds(file: RequestFile): (name: string) => readonly Omit<Need, 'range'>[] {
  const known = new Map<string, readonly Omit<Need, 'range'>[]>();
  return name => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const requests = new Map<RequestEntry, Omit<Need, 'range'>>();
    for (const reference of referencesIn([{ kind: 'reference', name, path: [] }], file)) {
      const request = requestOf(reference, reference.file);
      if (request !== undefined && requests.get(request.entry)?.ofRow !== false) requests.set(request.entry, request);
    }
    const found = [...requests.values()];
    known.set(name, found);
    return found;
  };
}

/** All references of expressions, also those in the values of variables, each with the file whose names it uses. */
export function referencesIn(
  expressions: readonly Expression[],
  start: RequestFile,
): readonly (Reference & { readonly file: RequestFile })[] {
  const found: (Reference & { readonly file: RequestFile })[] = [];
  const entered = new Set<Variable>();
  const waiting = expressions.map(expression => ({ expression, file: start }));
  // Grows while it is walked.
  for (const { expression, file } of waiting) {
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
