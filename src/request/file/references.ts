import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { RequestEntry } from './requestEntry.ts';
import type { Variable } from '../template/templateUse.ts';
import { hasRows, rowNames, writtenRows } from './writtenRows.ts';
import type { TemplateUse } from '../template/templateUse.ts';
import type { TextRange } from '../text/textRange.ts';

/** The parts of a file that can contain references. */
interface Content {
  readonly agentTemplates: readonly TemplateUse[];
  readonly variables: ReadonlyMap<string, Variable>;
  readonly requests: readonly RequestEntry[];
  /** Names of variables from outside. They take precedence over variables of the file, and those over requests. */
  readonly known: ReadonlySet<string>;
  readonly byName: ReadonlyMap<string, RequestEntry>;
}

/** Why a request must be sent after another. */
export interface Need {
  readonly entry: RequestEntry;
  readonly range: TextRange;
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
      if (file.variables.has(expression.name)) {
        // Each variable may refer to thousands of requests.
        if (seen.has(expression.name)) continue;
        seen.add(expression.name);
        for (const entry of throughVariable(expression.name)) found.push({ entry, range });
      } else {
        const entry = file.byName.get(expression.name);
        if (entry !== undefined) found.push({ entry, range });
      }
    }
    return found;
  };
  const shared = needed(file.agentTemplates);
  const needs = new Map<RequestEntry, readonly Need[]>();
  for (const entry of file.requests) {
    const after = entry.after === undefined ? undefined : file.byName.get(entry.after.value);
    const all = needed(entry.templates, rowNames(entry));
    if (after !== undefined && entry.after !== undefined) all.unshift({ entry: after, range: entry.after.range });
    if (shared.length > 0 && !entry.members.has('agent')) for (const need of shared) all.push(need);
    if (all.length > 0) needs.set(entry, all);
  }
  return needs;
}

/** Error for a reference to a request that is sent several times: there is no single answer. */
export const severalAnswers = ({ name = '' }: RequestEntry): LocalizedMessage =>
  sentence(
    '"{0}" is sent several times, so its name does not refer to a single answer. Write the one you mean as a separate request, or remove "each" and "repeat" from "{0}".',
    name,
  );

/** True where a request is sent several times, or a number of times that is known only once its data is read. */
export const mayBeSentSeveralTimes = (entry: RequestEntry): boolean => hasRows(entry) && writtenRows(entry)?.length !== 1;

/** The requests that a variable's value refers to, including those through other variables. */
function variableNeeds({ variables, known: outside, byName }: Content): (name: string) => readonly RequestEntry[] {
  const known = new Map<string, readonly RequestEntry[]>();
  return start => {
    const found = known.get(start);
    if (found !== undefined) return found;
    const seen = new Set([start]);
    const requests = new Set<RequestEntry>();
    for (const variable of seen) {
      for (const { expression } of variables.get(variable)?.templates ?? []) {
        if (expression.kind !== 'reference' || outside.has(expression.name)) continue;
        const request = byName.get(expression.name);
        if (variables.has(expression.name)) seen.add(expression.name);
        else if (request !== undefined) requests.add(request);
      }
    }
    known.set(start, [...requests]);
    return [...requests];
  };
}
