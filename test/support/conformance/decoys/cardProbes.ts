import { isForCard, passing, retelling, telling, type ProbeDecoy } from '../probeDecoy.ts';
import { idOf, isForExtendedCard, writtenError } from '../agent/conformingAgent.ts';
import type { Before } from '../agent/front.ts';
import { operations } from '../../../../src/protocol/message/operations.ts';

const web = ['JSONRPC', 'HTTP+JSON'] as const;
const without = (headers: Readonly<Record<string, string>>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
const notFound = { code: -32001, message: 'Task not found', http: 404, status: 'NOT_FOUND', reason: 'TASK_NOT_FOUND' };
const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'k', typ: 'JOSE' })).toString('base64url');
const signed = (right: Record<string, unknown>): Record<string, unknown> => ({
  ...right,
  signatures: [{ protected: header, signature: 'c2ln' }],
});

/** A card is given to whoever asks for the extended one. */
const givingCard =
  (asks: (request: Parameters<Before>[0]) => boolean) =>
  (right: Before): Before =>
  async (request, pass) => {
    if (!isForExtendedCard(request) || !asks(request)) return right(request, pass);
    const card = await pass({ method: 'GET', url: '/.well-known/agent-card.json', body: '' });
    const json: unknown = JSON.parse(card?.body ?? '{}');
    const body = request.method === 'POST' ? { jsonrpc: '2.0', id: idOf(request.body), result: json } : json;
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  };
const plainCard = { name: 'Extended', description: 'D', version: '1', capabilities: {} };

/** Agents that break one rule about cards, or about who may see them. */
export const cardProbeDecoys: readonly ProbeDecoy[] = [
  {
    rule: 'CARD-01',
    breaks: 'gives a list instead of a card, now and then',
    before: right => {
      let count = 0;
      return telling(isForCard, answer => (++count === 2 ? { ...answer, body: '[]' } : answer))(right);
    },
  },
  {
    rule: 'CARD-02',
    breaks: 'has another card at the older place',
    before: right => async (request, pass) =>
      request.url === '/.well-known/agent.json'
        ? retelling(
            () => true,
            card => ({ ...card, name: 'Older' }),
          )(right)({ ...request, url: '/.well-known/agent-card.json' }, () => pass({ url: '/.well-known/agent-card.json' }))
        : right(request, pass),
  },
  {
    rule: 'CARD-07',
    breaks: 'refuses the version that its card declares',
    bindings: web,
    script: () => Object.fromEntries(operations.map(operation => [operation, [{ error: { code: -32009, message: 'No' } }]])),
  },
  {
    rule: 'CARD-07',
    breaks: 'refuses the version that its card declares',
    versions: ['1.0'],
    bindings: ['GRPC'],
    script: () => Object.fromEntries(operations.map(operation => [operation, [{ error: { code: -32009, message: 'No' } }]])),
  },
  {
    rule: 'CARD-08',
    breaks: 'speaks HTTP+JSON without saying so',
    bindings: ['JSONRPC'],
    before: (right, about) => async (request, pass) =>
      request.method === 'GET' && /^(?:\/v1)?\/tasks\//.test(request.url)
        ? writtenError({ ...about, binding: 'HTTP+JSON' }, request, notFound)
        : right(request, pass),
  },
  {
    rule: 'CARD-08',
    breaks: 'speaks JSON-RPC without saying so',
    bindings: ['HTTP+JSON'],
    before: (right, about) => async (request, pass) =>
      request.body.startsWith('{"jsonrpc"') ? writtenError({ ...about, binding: 'JSONRPC' }, request, notFound) : right(request, pass),
  },
  {
    rule: 'CARD-13',
    breaks: 'sends the card without Cache-Control',
    before: telling(isForCard, answer => ({ ...answer, headers: without(answer.headers, 'cache-control') })),
  },
  {
    rule: 'CARD-14',
    breaks: 'does not look at If-None-Match',
    before: passing(isForCard, ({ headers }) => ({ headers: { ...headers, 'if-none-match': undefined } })),
  },
  {
    rule: 'CARD-18',
    breaks: 'has no preferredTransport',
    versions: ['0.3'],
    bindings: ['JSONRPC'],
    card: ({ preferredTransport: _left, ...card }) => card,
    verdict: 'disputed',
  },
  {
    rule: 'SIGN-02',
    breaks: 'has a signature over another card',
    card: signed,
    suite: { signature: async () => ({ verdict: 'invalid', message: { template: 'Wrong', args: [] } }) },
  },
  {
    rule: 'SIGN-03',
    breaks: 'has a signature by an old key',
    card: signed,
    suite: { signature: async () => ({ verdict: 'expired-key', message: { template: 'Old', args: [] } }) },
  },
  {
    rule: 'EXTCARD-01',
    breaks: 'gives the extended card to everybody',
    before: givingCard(({ headers }) => headers['authorization'] === undefined),
    grpc: { extendedCard: plainCard },
  },
  {
    rule: 'EXTCARD-02',
    breaks: 'gives an extended card that it does not declare',
    kind: 'bare',
    before: givingCard(() => true),
    grpc: { extendedCard: plainCard },
  },
  {
    rule: 'EXTCARD-03',
    breaks: 'fails where no extended card is configured',
    before: (right, about) => async (request, pass) =>
      isForExtendedCard(request) && request.headers['authorization'] === 'Bearer right'
        ? writtenError(about, request, { code: -32603, message: 'No', http: 500, status: 'INTERNAL', reason: 'INTERNAL' })
        : right(request, pass),
    bindings: web,
  },
  {
    rule: 'EXTCARD-03',
    breaks: 'fails where no extended card is configured',
    versions: ['1.0'],
    bindings: ['GRPC'],
    grpc: { extendedCard: { code: -32603, message: 'No' } },
  },
];
