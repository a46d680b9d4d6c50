import type { RequestHandlers, Requests, SentEntry } from '../../chat/host/messages.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { Entry } from '../../protocol/message/transcript.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { entryOfEvent, entryOfExchange } from './entryOf.ts';
import { findInContext } from './find.ts';
import { fitting, pageBefore } from './entryPages.ts';
import { sentEntry } from './sentEntries.ts';
import { translate } from '../platform/report.ts';

/** Entries that a panel loads first: about two screens, since the person waits for them. */
export const firstPage = 80;
/** Entries that a panel loads at once when scrolling back. */
const pageSize = 200;

/** Maximum size of a page of entries, as `roomAfter` counts it: entries out of sight need not be drawn at once. */
const room = 120_000;

/** The entries before `before`, or the newest, as the panel is sent them. */
export function sentPage(
  context: Pick<AgentContext, 'entries' | 'taskNumbers'>,
  options: { readonly before?: number; readonly limit: number },
): Requests['older']['result'] {
  const { items, more } = pageBefore(context, { ...options, room });
  return { entries: numbered(context, items), more };
}

/** Entries as the panel is sent them, each with the place of its task among those of the context. */
function numbered(context: Pick<AgentContext, 'taskNumbers'>, entries: readonly Entry[]): SentEntry[] {
  const numbers = context.taskNumbers(new Set(entries.flatMap(({ taskId }) => taskId ?? [])));
  return entries.map(entry => {
    const taskNumber = entry.taskId === undefined ? undefined : numbers.get(entry.taskId);
    return { ...sentEntry(entry), ...(taskNumber !== undefined && { taskNumber }) };
  });
}

/** Handlers of the panel's requests for entries other than the newest. */
export function chatPages(context: AgentContext): Pick<RequestHandlers, 'older' | 'newer' | 'around' | 'entryOf' | 'find'> {
  const newer = (after: number, limit: number): Requests['newer']['result'] => {
    const { items, more } = context.entriesAfter(after, limit);
    const count = fitting(items, room);
    return { entries: numbered(context, items.slice(0, count)), more: more || count < items.length };
  };
  return {
    older: async ({ before }) => sentPage(context, { before, limit: pageSize }),
    newer: async ({ after }) => newer(after, pageSize),
    around: async ({ seq }) => {
      if (context.entry(seq) === undefined) throw new Problem('gone', sentence('This entry is no longer in the history.'));
      const before = sentPage(context, { before: seq, limit: pageSize / 2 });
      const after = newer(seq - 1, pageSize / 2);
      return { entries: [...before.entries, ...after.entries], older: before.more, newer: after.more };
    },
    entryOf: async ({ exchangeId, event }) => {
      const kept = context.exchange(exchangeId);
      const frame = event === undefined ? undefined : kept?.frames.find(each => each.seq === event);
      const seq = kept && (frame === undefined ? entryOfExchange(context, kept.exchange) : entryOfEvent(context, kept.exchange, frame));
      return seq === undefined ? null : { seq };
    },
    find: async query => findInContext(context, query, translate),
  };
}
