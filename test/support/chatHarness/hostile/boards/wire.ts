import { eventText } from '../../../../../src/protocol/eventText.ts';
import type { ListedExchange } from '../../../../../src/chat/host/messages.ts';
import { wireEvent } from '../../../../../src/model/wire/wireLines.ts';
import type { Exchange, Frame, WireLine } from '../../../../../src/protocol/exchange.ts';
import { snapshotOf, storyStart } from '../../story.ts';
import { answerKey, type Attack, type Board, eachSink } from '../board.ts';

type Request = Exchange['request'];
type Response = NonNullable<Exchange['response']>;

const facts: Readonly<Record<string, (text: string) => Partial<Exchange>>> = {
  'wire: operation': operation => ({ operation }),
  'wire: binding': protocolBinding => ({ protocolBinding }),
  'wire: version': protocolVersion => ({ protocolVersion }),
  'wire: failure': failure => ({ failure }),
};
const requests: Readonly<Record<string, (text: string) => Partial<Request>>> = {
  'wire: method': method => ({ method }),
  'wire: address': url => ({ url }),
  'wire: body of the request': body => ({ body }),
  'wire: header of the request': text => ({ headers: [['x', text]] }),
};
const responses: Readonly<Record<string, (text: string) => Partial<Response>>> = {
  'wire: header': text => ({ headers: [['x', text]] }),
  'wire: name of a trailer': text => ({ trailers: [[text, 'x']] }),
  'wire: body': body => ({ body }),
};
/** The first three are of one event, the last of another. */
const frames: Readonly<Record<string, (text: string) => Partial<Frame>>> = {
  'wire: event': data => ({ data }),
  'wire: name of an event': event => ({ event }),
  'wire: id of an event': id => ({ id }),
  'wire: JSON of an event': text => ({ data: JSON.stringify({ x: text }) }),
};
const lines: Readonly<Record<string, (text: string) => WireLine>> = {
  'wire: type of an answer': type => ({ size: 1, type, preview: '' }),
  'wire: preview of an answer': preview => ({ size: 1, type: 'task', preview }),
};

/** What went over the wire. The table shows one line at a time in full: each is looked at. */
export const wire: Board = {
  page: 'chat',
  batch: 1,
  steps: 40,
  sinks: [facts, requests, responses, frames, lines].flatMap(table => Object.keys(table)),
  answers: { ready: { result: snapshotOf([]) } },
  show([attack = () => ''], first) {
    const exchange = exchangeOf(`e-${first}`, attack);
    const events = framesOf(attack);
    // A call that failed says why in its row instead of what its answer was.
    const { failure: _, ...failed } = exchange;
    // Before the exchange whose rows are pressed: rows stand in the order of their times.
    const succeeded = { ...failed, startedAt: storyStart - 20, endedAt: storyStart - 10 };
    const exchanges = eachSink(lines, attack).map((answered, index) => summaryOf({ ...succeeded, id: `e-${first}-${index}` }, 0, answered));
    return {
      answers: {
        exchanges: { result: { exchanges: [summaryOf(exchange, events.length), ...exchanges], more: false } },
        [answerKey('exchange', { exchangeId: exchange.id })]: { result: { exchange, cut: true } },
        [answerKey('wireEvents', { exchangeId: exchange.id })]: {
          result: { events: events.map(frame => wireEvent(frame, exchange)), more: false },
        },
        ...Object.fromEntries(
          events.map(frame => [
            answerKey('wireEvent', { exchangeId: exchange.id, event: frame.seq }),
            { result: { frame, text: eventText(frame), cut: true } },
          ]),
        ),
      },
      messages: [],
      eachLooked: true,
      presses: ['#tab-chat', '#tab-wire', ...[5, 6, 7, 8].map(row => `.wire-drawn > .wire-row:nth-child(${row})`)],
    };
  },
};

function exchangeOf(id: string, attack: Attack): Exchange {
  const request: Request = Object.assign(
    { method: 'POST', url: 'http://agent.example/', headers: [], body: '' },
    ...eachSink(requests, attack),
  ) as Request;
  const response: Response = Object.assign({ status: 200, headers: [] }, ...eachSink(responses, attack)) as Response;
  return Object.assign(
    {
      id,
      operation: 'SendMessage',
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
      startedAt: storyStart,
      endedAt: storyStart + 9,
      findings: [],
      request,
      response,
    },
    ...eachSink(facts, attack),
  ) as Exchange;
}

function summaryOf({ request, response, ...rest }: Exchange, count: number, answered?: WireLine): ListedExchange {
  return {
    ...rest,
    findings: [{ rule: 'DATA-01' }],
    method: request.method,
    url: request.url,
    status: response?.status,
    frames: count,
    sent: { size: 1, type: rest.operation, preview: request.body },
    ...(answered !== undefined && { answered }),
  };
}

function framesOf(attack: Attack): readonly Frame[] {
  const [data, event, id, json] = eachSink(frames, attack);
  return [Object.assign({ seq: 0, at: storyStart, data: 'x' }, data, event, id), { seq: 1, at: storyStart + 1, data: 'x', ...json }];
}
