import type { Exchange, ExchangeSummary, Frame } from '../../../../../src/protocol/exchange.ts';
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
const frames: Readonly<Record<string, (text: string) => Partial<Frame>>> = {
  'wire: event': data => ({ data }),
  'wire: name of an event': event => ({ event }),
  'wire: id of an event': id => ({ id }),
  'wire: JSON of an event': text => ({ data: JSON.stringify({ x: text }) }),
};

/** What went over the wire. The panel holds ten exchanges unfolded. */
export const wire: Board = {
  page: 'chat',
  batch: 10,
  steps: 40,
  sinks: [facts, requests, responses, frames].flatMap(table => Object.keys(table)),
  answers: { ready: { result: snapshotOf([]) } },
  show(attacks, first) {
    const exchanges = attacks.map((attack, index) => exchangeOf(`e-${first + index}`, attack));
    return {
      answers: {
        exchanges: { result: { exchanges: exchanges.map(summaryOf), more: false } },
        ...Object.fromEntries(
          exchanges.map(exchange => [answerKey('exchange', { exchangeId: exchange.id }), { result: { exchange, cut: true } }]),
        ),
        ...Object.fromEntries(
          attacks.map((attack, index) => [
            answerKey('frames', { exchangeId: `e-${first + index}` }),
            { result: { frames: framesOf(attack), more: false } },
          ]),
        ),
      },
      messages: [],
      presses: ['#tab-chat', '#tab-wire', '.exchange-toggle'],
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

function summaryOf({ request, response, ...rest }: Exchange): ExchangeSummary {
  return { ...rest, findings: 1, method: request.method, url: request.url, status: response?.status, frames: 2 };
}

const framesOf = (attack: Attack): readonly Frame[] =>
  eachSink(frames, attack).map((frame, seq) => ({ seq, at: storyStart + seq, data: 'x', ...frame }));
