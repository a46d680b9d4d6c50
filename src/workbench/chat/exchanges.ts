import * as vscode from 'vscode';
import type { RequestHandlers } from '../../chat/host/messages.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { curl } from '../../request/export/curl.ts';
import { deliverySentences } from '../documents/deliveryText.ts';
import { translate } from '../platform/report.ts';
import { escapeControls } from '../platform/untrustedText.ts';

/** Maximum number of characters of one body or event that the panel gets; the exchange's document has all of them. */
const maxShown = 50_000;

/** Handlers of the panel's requests about the exchanges of its context. */
export function chatExchanges(context: AgentContext): Pick<RequestHandlers, 'exchanges' | 'exchange' | 'frames' | 'copyExchange'> {
  const found = (id: string): Exchange => {
    const kept = context.exchange(id);
    if (kept === undefined) throw new Problem('gone', sentence('This exchange is no longer in the history.'));
    return kept.exchange;
  };
  return {
    exchanges: async page => {
      const { items, more } = context.exchanges(page);
      return { exchanges: items, more };
    },
    exchange: async ({ exchangeId }) => {
      const exchange = found(exchangeId);
      const { request, response } = exchange;
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
        ...(exchange.received !== undefined && {
          notes: deliverySentences(exchange.received).map(said => escapeControls(translate(said))),
        }),
      };
    },
    frames: async ({ exchangeId, after }) => {
      const { items, more } = context.frames(exchangeId, { after });
      return {
        frames: items.map(frame => ({ ...frame, data: frame.data.slice(0, maxShown), bytes: frame.bytes?.slice(0, maxShown) })),
        more,
      };
    },
    copyExchange: async ({ exchangeId, form }) => {
      const { request } = found(exchangeId);
      if (request.bytes !== undefined) {
        throw new Problem('no-text-request', sentence('This request was not text on the wire, so cURL cannot send it.'), {
          nextStep: sentence('Open the exchange to see what it said.'),
        });
      }
      const command = curl(request);
      await vscode.env.clipboard.writeText(
        form === 'curl' ? command : (await import('../requests/requestImports.ts')).requestOfCurl(command, context.agentName),
      );
      return null;
    },
  };
}
