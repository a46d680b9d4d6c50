import type { AgentContext } from '../../model/contexts/agentContext.ts';

/** Entries read at once on the way to the beginning of a text. */
const pageSize = 200;
/** Statuses that are loaded beyond a page, so that a text which came token by token begins at its beginning. */
const longestRun = 10_000;

/** Entries before one, oldest first, and those before them that the first status may continue. */
export function pageBefore(
  context: Pick<AgentContext, 'entries'>,
  options: { readonly before?: number; readonly limit: number },
): ReturnType<AgentContext['entries']> {
  const page = context.entries(options);
  let { items, more } = page;
  for (let first = items[0]; more && first?.kind === 'status' && items.length < longestRun; first = items[0]) {
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
