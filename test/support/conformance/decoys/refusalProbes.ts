import { refusing, type ProbeDecoy } from '../probeDecoy.ts';
import { writtenError } from '../agent/conformingAgent.ts';
import type { Passing } from '../agent/front.ts';

const unknownMethod = { code: -32601, message: 'No', reason: 'METHOD_NOT_FOUND' };
const namesNoMethod = ({ body }: Passing): boolean => body === '{"id":1,"jsonrpc":"2.0"}';
const sendsNothing = ({ method, url, body }: Passing): boolean =>
  method === 'POST' &&
  (/message:send$/.test(url) || /"method":"(?:SendMessage|message\/send)"/.test(body)) &&
  !/"(?:message|request)":/.test(body);

/** Agents that refuse a request otherwise than they should. */
export const refusalProbeDecoys: readonly ProbeDecoy[] = [
  {
    rule: 'RPC-05',
    breaks: 'takes what is no request for an unknown method',
    before: (right, about) => async (request, pass) =>
      namesNoMethod(request) ? writtenError(about, request, unknownMethod) : right(request, pass),
  },
  {
    rule: 'RPC-05',
    breaks: 'answers what is no request in words of its own',
    // Such an answer has no envelope either.
    also: ['RPC-01'],
    before: right => async (request, pass) =>
      namesNoMethod(request)
        ? { status: 422, headers: { 'content-type': 'application/json' }, body: '{"detail":"Field required"}' }
        : right(request, pass),
  },
  {
    rule: 'RPC-05',
    breaks: 'closes the connection on what is no request',
    before: right => async (request, pass) => {
      if (namesNoMethod(request)) throw new Error('The handler fails.');
      return right(request, pass);
    },
  },
  {
    rule: 'CORE-16',
    breaks: 'closes the connection on a request without a message',
    bindings: ['JSONRPC', 'HTTP+JSON'],
    before: right => async (request, pass) => {
      if (sendsNothing(request)) throw new Error('The handler fails.');
      return right(request, pass);
    },
  },
  {
    rule: 'STRM-06',
    breaks: 'has no method for subscriptions',
    versions: ['1.0'],
    bindings: ['JSONRPC'],
    script: refusing('SubscribeToTask', -32601),
    also: ['STRM-01'],
  },
];
