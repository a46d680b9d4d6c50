import type { AgentContext } from '../../model/contexts/agentContext.ts';
import { roomAfter } from '../../protocol/json/depth.ts';
import type { Entry } from '../../protocol/message/transcript.ts';

/** Statuses are read in pages of this size on the way to the first one of a run. */
const pageSize = 200;
/**
 * Maximum number of statuses that are loaded beyond a page, so that a text that was streamed token by token is shown from its beginning.
 */
const maxRun = 10_000;
/** Maximum size of a run, as `roomAfter` counts it. */
const maxRunRoom = 8_000_000;

/** Number of these entries, from the first on, that fit into a page, as `roomAfter` counts it; at least one. */
export function fitting(entries: readonly Entry[], room: number): number {
  let left = room;
  const end = entries.findIndex(entry => (left = roomAfter(entry, left)) < 0);
  return end === -1 ? entries.length : Math.max(1, end);
}

/**
 * A page of entries before `before`, oldest first, extended backwards while its first entries are statuses of one task: their texts are
 * joined. `room` bounds it as `fitting` does.
 */
export function pageBefore(
  context: Pick<AgentContext, 'entries'>,
  { room, ...options }: { readonly before?: number; readonly limit: number; readonly room?: number },
): ReturnType<AgentContext['entries']> {
  const page = context.entries(options);
  const count = room === undefined ? page.items.length : fitting(page.items.toReversed(), room);
  let items = page.items.slice(page.items.length - count);
  let more = page.more || count < page.items.length;
  let runRoom = maxRunRoom;
  for (let first = items[0]; more && first?.kind === 'status' && items.length < maxRun && runRoom >= 0; first = items[0]) {
    const { taskId, seq } = first;
    const older = context.entries({ before: seq, limit: pageSize });
    const begin = older.items.findLastIndex(entry => entry.kind !== 'status' || entry.taskId !== taskId) + 1;
    if (begin === older.items.length) break;
    runRoom = roomAfter(older.items.slice(begin), runRoom);
    items = [...older.items.slice(begin), ...items];
    if (begin > 0) break;
    ({ more } = older);
  }
  return { items, more };
}
