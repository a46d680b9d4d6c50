import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Capture } from './captures.ts';
import { importedFiles, importedMeaning, requestNamed, type ImportedName, type ImportUse } from './imports.ts';
import type { RequestEntry } from './requestEntry.ts';
import type { Reference } from '../template/template.ts';
import type { Variable } from '../template/templateUse.ts';
import { hasRows, rowNames, writtenCount } from './writtenRows.ts';
import type { TemplateUse } from '../template/templateUse.ts';
import type { TextRange } from '../text/textRange.ts';

/** The parts of a file that can contain references. */
interface Content {
  readonly variables: ReadonlyMap<string, Variable>;
  readonly requests: readonly RequestEntry[];
  /** Names of variables from outside. They take precedence over variables of the file, and those over requests. */
  readonly known: ReadonlySet<string>;
  readonly byName: ReadonlyMap<string, RequestEntry>;
  readonly captures: ReadonlyMap<string, Capture>;
  readonly imports: readonly ImportUse[];
  readonly imported: ReadonlyMap<string, ImportedName>;
}

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
export function needsOf(file: Content): ReadonlyMap<RequestEntry, readonly Need[]> {
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
function requestOf({ name, path }: Reference, file: Content): Omit<Need, 'range'> | undefined {
  const { byName, captures, imported } = file;
  const entry = captures.get(name)?.entry ?? byName.get(name) ?? imported.get(name)?.capture?.entry ?? imported.get(name)?.request;
  return entry && { entry, ofRow: typeof path[0] === 'number' };
}

/** The requests that a variable's value refers to, including those through other variables. */
const isVariable = (name: string, file: Content): boolean =>
  file.variables.has(name) || importedMeaning(file, name)?.variable !== undefined;

function variableNeeds(file: Content): (name: string) => readonly Omit<Need, 'range'>[] {
  const { variables, known: outside } = file;
  const known = new Map<string, readonly Omit<Need, 'range'>[]>();
  return start => {
    const before = known.get(start);
    if (before !== undefined) return before;
    const seen = new Set([start]);
    const requests = new Map<RequestEntry, Omit<Need, 'range'>>();
    const add = (request: Omit<Need, 'range'>): void => {
      if (requests.get(request.entry)?.ofRow !== false) requests.set(request.entry, request);
    };
    for (const variable of seen) {
      const home = importedMeaning(file, variable)?.home;
      if (home !== undefined) variableNeeds(home.file)(variable).forEach(add);
      for (const { expression } of variables.get(variable)?.templates ?? []) {
        if (expression.kind !== 'reference' || outside.has(expression.name)) continue;
        const request = requestOf(expression, file);
        if (isVariable(expression.name, file)) seen.add(expression.name);
        else if (request !== undefined) add(request);
      }
    }
    const found = [...requests.values()];
    known.set(start, found);
    return found;
  };
}
