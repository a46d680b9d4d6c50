import { eventText } from '../../../src/protocol/eventText.ts';
import type { ListedExchange, ShownExchange } from '../../../src/chat/host/messages.ts';
import { wireEvent } from '../../../src/model/wire/wireLines.ts';
import type { Exchange, Frame } from '../../../src/protocol/exchange.ts';
import type { Answers } from './chatHarness.ts';
import { storyStart } from './story.ts';

/** An exchange whose texts are all this one, with two events. */
export function exchangeOf(
  id: string,
  text = 'agent.example',
): { readonly shown: ShownExchange; readonly summary: ListedExchange; readonly frames: readonly Frame[] } {
  const exchange: Exchange = {
    id,
    operation: text === 'agent.example' ? 'SendStreamingMessage' : text,
    protocolBinding: 'JSONRPC',
    protocolVersion: '1.0',
    startedAt: storyStart,
    headersAt: storyStart + 40,
    endedAt: storyStart + 900,
    findings: [],
    ...(text === 'agent.example' ? {} : { failure: text }),
    request: {
      method: 'POST',
      url: `http://${text}/rpc`,
      headers: [
        ['authorization', '••••'],
        ['x-note', text],
      ],
      body: JSON.stringify({ jsonrpc: '2.0', method: 'SendStreamingMessage', params: { text } }),
    },
    response: {
      status: 200,
      headers: [
        ['content-type', 'text/event-stream'],
        ['x-note', text],
      ],
      body: text,
      trailers: [['x-end', text]],
    },
  };
  const frames: Frame[] = [
    { seq: 0, at: storyStart + 120, data: `{"result":{"task":"${text}"}}` },
    { seq: 1, at: storyStart + 370.5, data: text, event: text, id: text },
  ];
  const { request, response, ...facts } = exchange;
  return {
    shown: { exchange, cut: true },
    frames,
    summary: {
      ...facts,
      findings: [{ rule: 'DATA-01' }],
      method: request.method,
      url: request.url,
      status: response?.status,
      frames: 2,
      firstFrameAt: storyStart + 120,
      sent: { size: 1_200, type: exchange.operation, preview: text },
    },
  };
}

/** The host's answers about one exchange with that id. */
export function wireAnswers(id: string, text?: string): Answers {
  const { shown, summary, frames } = exchangeOf(id, text);
  return {
    exchanges: { result: { exchanges: [summary], more: false } },
    exchange: { result: shown },
    ...eventAnswers(shown.exchange, frames),
  };
}

/** The host's answers about events. */
export function eventAnswers(exchange: Exchange, frames: readonly Frame[]): Answers {
  return {
    wireEvents: { result: { events: frames.map(frame => wireEvent(frame, exchange)), more: false } },
    ...Object.fromEntries(
      frames.map(frame => [
        `wireEvent ${JSON.stringify({ exchangeId: exchange.id, event: frame.seq })}`,
        { result: { frame, text: eventText(frame), cut: false } },
      ]),
    ),
  };
}
