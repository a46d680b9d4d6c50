import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What an agent answers over JSON-RPC. */
export type PlainAnswer = (method: unknown) => { readonly status: number; readonly body: object };

export interface PlainCard {
  readonly capabilities: object;
  /** A card of 0.3. */
  readonly legacy: boolean;
}

export interface PlainAgent {
  readonly url: string;
  /** Of the JSON-RPC requests, in turn. */
  readonly methods: readonly unknown[];
  stop(): Promise<void>;
}

const facts = { name: 'n', description: 'd', version: '1', defaultInputModes: ['text'], defaultOutputModes: ['text'], skills: [] };

export const legacyCard = (url: string): object => ({
  ...facts,
  protocolVersion: '0.3.0',
  url,
  capabilities: {},
  supportsAuthenticatedExtendedCard: true,
});

/** Serves a card that advertises an extended one, and answers every request over JSON-RPC as it is told to. */
export async function plainAgent(answer: PlainAnswer, card: Partial<PlainCard> = {}): Promise<PlainAgent> {
  const methods: unknown[] = [];
  let url = '';
  const respond = async (method: string | undefined, body: string): Promise<{ readonly status: number; readonly body: object }> => {
    const { capabilities = { extendedAgentCard: true } } = card;
    if (method === 'GET')
      return {
        status: 200,
        body: card.legacy
          ? legacyCard(url)
          : { ...facts, capabilities, supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] },
      };
    const request = JSON.parse(body) as { readonly id: unknown; readonly method: unknown };
    methods.push(request.method);
    const given = answer(request.method);
    return { ...given, body: { jsonrpc: '2.0', id: request.id, ...given.body } };
  };
  const server = createServer((request, response) => {
    void text(request)
      .then(body => respond(request.method, body))
      .then(({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    methods,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
