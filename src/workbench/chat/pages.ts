import type { RequestHandlers } from '../../chat/host/messages.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { entryOfEvent, entryOfExchange } from './entryOf.ts';
import { findInContext } from './find.ts';
import { pageBefore } from './entryPages.ts';
import { translate } from '../platform/report.ts';

/** Entries that a panel loads first: about two screens, since the person waits for them. */
export const firstPage = 80;
/** Entries that a panel loads at once when scrolling back. */
const pageSize = 200;

/** Handlers of the panel's requests for entries other than the newest. */
export function chatPages(context: AgentContext): Pick<RequestHandlers, 'older' | 'newer' | 'around' | 'entryOf' | 'find'> {
  return {
    older: async ({ before }) => {
      const { items, more } = pageBefore(context, { before, limit: pageSize });
      return { entries: items, more };
    },
    newer: async ({ after }) => {
      const { items, more } = context.entriesAfter(after, pageSize);
      return { entries: items, more };
    },
    around: async ({ seq }) => {
      if (context.entry(seq) === undefined) throw new Problem('gone', sentence('This entry is no longer in the history.'));
      const older = pageBefore(context, { before: seq, limit: pageSize / 2 });
      const newer = context.entriesAfter(seq - 1, pageSize / 2);
      return { entries: [...older.items, ...newer.items], older: older.more, newer: newer.more };
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
