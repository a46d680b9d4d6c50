import type { AgentContext } from '../../model/contexts/agentContext.ts';

/** Maximum number of pages of the history that are searched for an entry. */
const maxPages = 200;
/** An entry is at most this many milliseconds older than its exchange: the system clock can be changed. */
const slack = 60_000;

/** The seq of the first entry that an exchange sent or brought; undefined if there is none. */
export function entryOfExchange(
  context: Pick<AgentContext, 'entries'>,
  { id, startedAt }: { readonly id: string; readonly startedAt: number },
): number | undefined {
  let found: number | undefined;
  for (let before: number | undefined, page = 0; page < maxPages; page++) {
    const { items, more } = context.entries({ before, limit: 200 });
    const first = items.find(({ exchangeId }) => exchangeId === id);
    found = first?.seq ?? found;
    before = items[0]?.seq;
    if (!more || before === undefined || (items[0]?.at ?? 0) < startedAt - slack) break;
  }
  return found;
}
