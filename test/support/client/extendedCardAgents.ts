import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { AgentCard } from '@a2a-js/sdk';
import type { AgentCard as AgentCard0_3 } from '@a2a-js/sdk-0.3';
import * as sdk0_3 from '@a2a-js/sdk-0.3/server';
import * as express0_3 from '@a2a-js/sdk-0.3/server/express';
import * as grpc0_3 from '@a2a-js/sdk-0.3/server/grpc';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler } from '@a2a-js/sdk/server/express';
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import express from 'express';

export const bindings = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;
type Binding = (typeof bindings)[number];

/** An agent of the official SDK with a public card, and one for each person who shows a token (`Bearer alice`). */
export interface ExtendedCardAgent {
  /** Of the card, by binding: the one interface that it has. */
  readonly url: (binding: Binding) => string;
  /** Of its interfaces. */
  readonly origins: readonly string[];
  /** Who asked for an extended card, in turn. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

export interface ExtendedCardOptions {
  /** The public card says that there is an extended one; default true. */
  readonly advertises?: boolean;
  /** There is one; default true. */
  readonly exists?: boolean;
  /** Other members of the extended card of a person. */
  readonly members?: (name: string, binding: Binding) => object;
}

const user = (authorization: string | undefined) => ({
  isAuthenticated: authorization !== undefined,
  userName: authorization?.replace('Bearer ', '') ?? 'anonymous',
});
const ofHttp = ({ headers }: { readonly headers: IncomingHttpHeaders }) => Promise.resolve(user(headers.authorization));
const ofGrpc = ({ metadata }: { readonly metadata: { get(name: string): unknown[] } }) =>
  Promise.resolve(user(metadata.get('authorization')[0]?.toString()));

const executor = { execute: () => Promise.resolve(), cancelTask: () => Promise.resolve() };

/** The card of the generation, with the given skills. */
type CardOf = (address: string, binding: Binding, skills: readonly string[]) => object;

const skill = (id: string) => ({ id, name: id, description: `does ${id}`, tags: ['t'] });
const facts = { name: 'Vault', description: 'Keeps things', version: '1', defaultInputModes: ['text'], defaultOutputModes: ['text'] };

const card1_0: CardOf = (url, protocolBinding, skills) => ({
  ...facts,
  supportedInterfaces: [{ url, protocolBinding, protocolVersion: '1.0' }],
  capabilities: { streaming: true, extendedAgentCard: true },
  skills: skills.map(skill),
});
const card0_3: CardOf = (url, preferredTransport, skills) => ({
  ...facts,
  protocolVersion: '0.3.0',
  url,
  preferredTransport,
  supportsAuthenticatedExtendedCard: true,
  capabilities: { streaming: true },
  skills: skills.map(skill),
});

export async function extendedCardAgent(
  generation: '1.0' | '0.3',
  { advertises = true, exists = true, members = () => ({}) }: ExtendedCardOptions = {},
): Promise<ExtendedCardAgent> {
  const asked: string[] = [];
  const cardOf = generation === '1.0' ? card1_0 : card0_3;
  const addresses = { JSONRPC: '', 'HTTP+JSON': '', GRPC: '' };
  const app = express().disable('x-powered-by');
  const web = createServer(app);
  const grpc = new Server();
  for (const binding of bindings) {
    const extended = (context?: { readonly user?: { readonly userName: string } }): object => {
      const name = context?.user?.userName ?? '';
      asked.push(name);
      return { ...cardOf(addresses[binding], binding, ['look', `open-${name}`]), ...members(name, binding) };
    };
    const path = binding.replace(/\W/g, '').toLowerCase();
    app.get(`/${path}/.well-known/agent-card.json`, (_request, response) => {
      response.json(cardOf(addresses[binding], binding, ['look']));
    });
    if (generation === '1.0') {
      const requestHandler = new DefaultRequestHandler(
        { ...AgentCard.fromJSON(cardOf('', binding, [])), capabilities: { extendedAgentCard: advertises, extensions: [] } },
        new InMemoryTaskStore(),
        executor,
        undefined,
        undefined,
        undefined,
        exists ? context => Promise.resolve(AgentCard.fromJSON(extended(context))) : undefined,
      );
      if (binding === 'JSONRPC') app.use('/jsonrpc/at', jsonRpcHandler({ requestHandler, userBuilder: ofHttp }));
      else if (binding === 'HTTP+JSON') app.use('/httpjson/at', restHandler({ requestHandler, userBuilder: ofHttp }));
      else grpc.addService(A2AService, grpcService({ requestHandler, userBuilder: ofGrpc }));
    } else {
      const requestHandler = new sdk0_3.DefaultRequestHandler(
        { ...(cardOf('', binding, []) as AgentCard0_3), supportsAuthenticatedExtendedCard: advertises },
        new sdk0_3.InMemoryTaskStore(),
        executor,
        undefined,
        undefined,
        undefined,
        exists ? context => Promise.resolve(extended(context) as AgentCard0_3) : undefined,
      );
      if (binding === 'JSONRPC') app.use('/jsonrpc/at', express0_3.jsonRpcHandler({ requestHandler, userBuilder: ofHttp }));
      else if (binding === 'HTTP+JSON') app.use('/httpjson/at', express0_3.restHandler({ requestHandler, userBuilder: ofHttp }));
      else grpc.addService(grpc0_3.A2AService, grpc0_3.grpcService({ requestHandler, userBuilder: ofGrpc }));
    }
  }
  const grpcPort = await promisify(grpc.bindAsync.bind(grpc))('127.0.0.1:0', ServerCredentials.createInsecure());
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  Object.assign(addresses, { JSONRPC: `${origin}/jsonrpc/at`, 'HTTP+JSON': `${origin}/httpjson/at`, GRPC: `http://127.0.0.1:${grpcPort}` });
  return {
    url: binding => `${origin}/${binding.replace(/\W/g, '').toLowerCase()}`,
    asked,
    origins: Object.values(addresses).map(address => new URL(address).origin),
    async stop() {
      const closed = once(web, 'close');
      web.close();
      web.closeAllConnections();
      grpc.forceShutdown();
      await closed;
    },
  };
}
