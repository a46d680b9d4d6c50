import type { AgentContext } from '../../model/contexts/agentContext.ts';
import { artifactOfEvent } from '../../model/wire/wireLines.ts';
import type { Exchange, Frame } from '../../protocol/exchange.ts';
import type { Entry } from '../../protocol/message/transcript.ts';

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
  for (const entry of entriesOf(context, { id, startedAt })) found = entry.seq;
  return found;
}

/**
 * The seq of the entry that an event of a stream began or added to: the artifact that it names, or else the status or message that was kept
 * nearest to it in time. Undefined if the exchange brought none.
 */
export function entryOfEvent(context: Pick<AgentContext, 'entries'>, exchange: Exchange, frame: Frame): number | undefined {
  const artifactId = artifactOfEvent(frame, exchange);
  let nearest: Entry | undefined;
  let first: number | undefined;
  for (const entry of entriesOf(context, exchange)) {
    first = entry.seq;
    if (entry.kind === 'artifact') {
      if (entry.artifact.artifactId === artifactId) return entry.seq;
    } else if (nearest === undefined || Math.abs(entry.at - frame.at) < Math.abs(nearest.at - frame.at)) nearest = entry;
  }
  return artifactId === undefined ? (nearest?.seq ?? first) : first;
}

/** The entries that an exchange sent or brought, newest first. */
function* entriesOf(
  context: Pick<AgentContext, 'entries'>,
  { id, startedAt }: { readonly id: string; readonly startedAt: number },
): Generator<Entry> {
  for (let before: number | undefined, page = 0; page < maxPages; page++) {
    const { items, more } = context.entries({ before, limit: 200 });
    yield* items.filter(({ exchangeId }) => exchangeId === id).reverse();
    before = items[0]?.seq;
    if (!more || before === undefined || (items[0]?.at ?? 0) < startedAt - slack) break;
  }
}
