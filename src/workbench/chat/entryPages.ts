import type { AgentContext } from '../../model/contexts/agentContext.ts';

/** Statuses are read in pages of this size on the way to the first one of a run. */
const pageSize = 200;
/**
 * Maximum number of statuses that are loaded beyond a page, so that a text that was streamed token by token is shown from its beginning.
 */
const maxRun = 10_000;

/**
 * A page of entries before `before`, oldest first, extended backwards while its first entries are statuses of one task: their texts are
 * joined.
 */
export function pageBefore(
  context: Pick<AgentContext, 'entries'>,
  options: { readonly before?: number; readonly limit: number },
): ReturnType<AgentContext['entries']> {
  const page = context.entries(options);
  let { items, more } = page;
  for (let first = items[0]; more && first?.kind === 'status' && items.length < maxRun; first = items[0]) {
    const { taskId, seq } = first;
    const older = context.entries({ before: seq, limit: pageSize });
    const begin = older.items.findLastIndex(entry => entry.kind !== 'status' || entry.taskId !== taskId) + 1;
    if (begin === older.items.length) break;
    items = [...older.items.slice(begin), ...items];
    if (begin > 0) break;
    ({ more } = older);
  }
  return { items, more };
}
