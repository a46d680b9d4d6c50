import * as vscode from 'vscode';
import type { ListedExchange, RequestHandlers } from '../../chat/host/messages.ts';
import { Replay } from '../../model/wire/replay.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import { wireAnswer, wireEvent, wireRequest } from '../../model/wire/wireLines.ts';
import { eventText } from '../../protocol/eventText.ts';
import type { Exchange, ExchangeSummary } from '../../protocol/exchange.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { curl } from '../../request/export/curl.ts';
import type { HarSource } from '../../request/export/har.ts';
import { recordedHeaders } from '../../request/export/placeholder.ts';
import { variablesIn } from '../../request/text/pieced.ts';
import { entryOfExchange } from './entryOf.ts';
import { sentUpdates } from './sentEntries.ts';
import { deliverySentences } from '../documents/deliveryText.ts';
import type { StoredExchange } from '../documents/exchangeText.ts';
import { requirementSentence } from '../documents/requirementText.ts';
import { translate, translatedList } from '../platform/report.ts';
import { escapeControls } from '../platform/untrustedText.ts';
import { saveHar } from '../documents/savedFile.ts';

/** Maximum number of characters of one body or event that the panel gets; the exchange's document has all of them. */
const maxShown = 50_000;

/** Entries among which the messages are that a task repeats in its history. */
const maxRepeated = 200;

/** Events that are read at once. */
const eventPage = 500;

/** Handlers of the panel's requests about the exchanges of its context. */
export function chatExchanges(
  context: AgentContext,
): Pick<RequestHandlers, 'exchanges' | 'exchange' | 'wireEvents' | 'wireEvent' | 'copyExchange' | 'exportHar' | 'replay'> {
  /** Replay of the stream that is stepped through. */
  let replay: Replay | undefined;
  let first = 0;
  const found = (id: string): StoredExchange => {
    const kept = context.exchange(id);
    if (kept === undefined) throw new Problem('gone', sentence('This exchange is no longer in the history.'));
    return kept;
  };
  return {
    exchanges: async page => {
      const { items, more } = context.exchanges(page);
      const oldest = items.at(-1);
      return { exchanges: items.map(listed), more, ...(oldest !== undefined && { older: context.exchangesBefore(oldest.id) }) };
    },
    exchange: async ({ exchangeId }) => {
      const { exchange } = found(exchangeId);
      const { request, response, satisfies, received } = exchange;
      const notes = [
        ...(satisfies === undefined ? [] : [requirementSentence(satisfies)]),
        ...(received === undefined ? [] : deliverySentences(received)),
      ];
      const shown = {
        ...exchange,
        findings: [],
        request: { ...request, body: request.body.slice(0, maxShown), bytes: request.bytes?.slice(0, maxShown) },
      };
      return {
        exchange:
          response === undefined
            ? shown
            : { ...shown, response: { ...response, body: response.body?.slice(0, maxShown), bytes: response.bytes?.slice(0, maxShown) } },
        cut: request.body.length > maxShown || (response?.body?.length ?? 0) > maxShown,
        ...(notes.length > 0 && { notes: notes.map(note => escapeControls(translate(note))) }),
      };
    },
    wireEvents: async ({ exchangeId, after }) => {
      const head = context.exchangeHead(exchangeId);
      const { items, more } = context.frames(exchangeId, { after, limit: eventPage });
      return { events: head === undefined ? [] : items.map(frame => wireEvent(frame, head)), more };
    },
    wireEvent: async ({ exchangeId, event }) => {
      const [frame] = context.frames(exchangeId, { after: event - 1, limit: 1 }).items;
      if (frame?.seq !== event) return null;
      const { around: _around, ...shown } = frame;
      const text = eventText(frame);
      return {
        frame: { ...shown, data: frame.data.slice(0, maxShown), bytes: frame.bytes?.slice(0, maxShown) },
        text: text.slice(0, maxShown),
        cut: text.length > maxShown || (frame.bytes?.length ?? 0) > maxShown,
      };
    },
    replay: async ({ exchangeId, from, to }) => {
      const kept = found(exchangeId);
      if (from === undefined || replay?.exchangeId !== exchangeId || replay.position !== from) {
        first = firstSeq(context, kept.exchange);
        replay = new Replay(kept, first, messagesBefore(context, first));
        replay.goTo(from ?? 0);
      }
      return { updates: sentUpdates(replay.goTo(to)), first };
    },
    exportHar: ({ exchangeIds }) => saveHar(context.title, exchangesOf(context, exchangeIds)),
    copyExchange: async ({ exchangeId, form }) => {
      const { request } = found(exchangeId).exchange;
      if (request.bytes !== undefined) {
        throw new Problem('no-text-request', sentence('This request was not text on the wire, so cURL cannot send it.'), {
          nextStep: sentence('Open the exchange to see the answer.'),
        });
      }
      const headers = recordedHeaders(request.headers);
      const command = curl({ ...request, headers });
      const { requestOfCurl } = await import('../requests/requestImports.ts');
      await vscode.env.clipboard.writeText(form === 'curl' ? command : requestOfCurl(command, context.agentName));
      const variables = variablesIn(headers);
      if (form === 'curl' && variables.length > 0)
        void vscode.window.showInformationMessage(
          vscode.l10n.t('Copied without credentials. Before you run it, set {0}.', translatedList(variables)),
        );
    },
  };
}

/** The seq from which the entries of a replay count: that of what the exchange brought first, after the person's message. */
function firstSeq(context: AgentContext, exchange: Exchange): number {
  const seq = entryOfExchange(context, exchange) ?? 0;
  const entry = context.entry(seq);
  return entry?.kind === 'message' && entry.message.role === 'ROLE_USER' ? seq + 1 : seq;
}

/** Ids of the messages before an entry, as many as a task may repeat at once. */
const messagesBefore = (context: AgentContext, seq: number): ReadonlySet<string> =>
  new Set(
    context
      .entries({ before: seq, limit: maxRepeated })
      .items.flatMap(entry => (entry.kind === 'message' ? [entry.message.messageId] : [])),
  );

function listed(summary: ExchangeSummary): ListedExchange {
  const { sent: _sent, answered: _answered, ...rest } = summary;
  const answered = summary.frames === 0 ? wireAnswer(summary) : undefined;
  return { ...rest, sent: wireRequest(summary), ...(answered !== undefined && { answered }) };
}

/** Exchanges of the context, or those of these ids that are kept, oldest first. Each is read when it is asked for. */
function* exchangesOf(context: AgentContext, wanted: readonly string[] | undefined): Generator<HarSource> {
  const chosen = wanted === undefined ? undefined : new Set(wanted);
  const ids: string[] = [];
  for (let before: string | undefined, more = true; more; before = ids.at(-1)) {
    const page = context.exchanges({ before, limit: 200 });
    ids.push(...page.items.map(({ id }) => id));
    more = page.more;
  }
  for (const id of ids.reverse()) {
    const kept = chosen === undefined || chosen.has(id) ? context.exchange(id) : undefined;
    if (kept !== undefined) yield kept;
  }
}
