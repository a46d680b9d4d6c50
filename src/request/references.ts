import type { RequestEntry } from './requestEntry.ts';
import type { Variable } from './requestFile.ts';
import type { TemplateUse } from './templateUse.ts';
import type { TextRange } from './textRange.ts';

/** What needs are looked for in. */
interface Content {
  readonly agentTemplates: readonly TemplateUse[];
  readonly variables: ReadonlyMap<string, Variable>;
  readonly requests: readonly RequestEntry[];
  readonly byName: ReadonlyMap<string, RequestEntry>;
}

/** One reason why a request must come after another. */
export interface Need {
  readonly entry: RequestEntry;
  readonly range: TextRange;
}

/**
 * What each request needs to have been sent before it: the one in `after`, and those it refers to, directly or through variables.
 * Requests that need nothing, and names that are no request of the file, are left out.
 */
export function needsOf(file: Content): ReadonlyMap<RequestEntry, readonly Need[]> {
  const throughVariable = variableNeeds(file);
  const needed = (uses: readonly TemplateUse[]): Need[] => {
    const found: Need[] = [];
    for (const { expression, range } of uses) {
      if (expression.kind !== 'reference') continue;
      if (file.variables.has(expression.name)) {
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
    const all = needed(entry.templates);
    if (after !== undefined && entry.after !== undefined) all.unshift({ entry: after, range: entry.after.range });
    if (shared.length > 0 && entry.body === undefined && !entry.members.has('agent')) all.push(...shared);
    if (all.length > 0) needs.set(entry, all);
  }
  return needs;
}

/** The requests that a variable's value refers to, also through other variables. */
function variableNeeds({ variables, byName }: Content): (name: string) => readonly RequestEntry[] {
  const known = new Map<string, readonly RequestEntry[]>();
  return start => {
    const found = known.get(start);
    if (found !== undefined) return found;
    const seen = new Set([start]);
    const requests = new Set<RequestEntry>();
    for (const variable of seen) {
      for (const { expression } of variables.get(variable)?.templates ?? []) {
        if (expression.kind !== 'reference') continue;
        const request = byName.get(expression.name);
        if (variables.has(expression.name)) seen.add(expression.name);
        else if (request !== undefined) requests.add(request);
      }
    }
    known.set(start, [...requests]);
    return [...requests];
  };
}
