import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { AgentCard, Message } from '@a2a-js/sdk';
import type { AgentCard as AgentCard0_3 } from '@a2a-js/sdk-0.3';
import * as sdk0_3 from '@a2a-js/sdk-0.3/server';
import * as express0_3 from '@a2a-js/sdk-0.3/server/express';
import * as grpc0_3 from '@a2a-js/sdk-0.3/server/grpc';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, grpcService, UserBuilder as GrpcUserBuilder } from '@a2a-js/sdk/server/grpc';
import { Server, ServerCredentials, ServerInterceptingCall, status, type ServerInterceptor } from '@grpc/grpc-js';
import express from 'express';

type Generation = '1.0' | '0.3';
type Binding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

/** An agent of the official SDK whose card says how to sign in, and that answers nobody who has not. */
export interface SecuredAgent {
  readonly url: string;
  /** Of its interfaces. */
  readonly origins: readonly string[];
  /** Requests that were let through or refused, in turn. */
  readonly seen: readonly boolean[];
  stop(): Promise<void>;
}

/** What a request carries: a header (of gRPC: metadata) by its name in lower case, a parameter of the query. */
export interface Carried {
  readonly header: (name: string) => string | undefined;
  readonly query: (name: string) => string | undefined;
}

/**
 * @param security members of the card in the words of its generation
 * @param allows whether a request is let through
 */
export async function securedAgent(
  generation: Generation,
  binding: Binding,
  { security, allows }: { readonly security: object; readonly allows: (carried: Carried) => boolean },
): Promise<SecuredAgent> {
  const seen: boolean[] = [];
  const isLetIn = (carried: Carried): boolean => {
    const allowed = allows(carried);
    seen.push(allowed);
    return allowed;
  };
  const app = express().disable('x-powered-by');
  const web = createServer(app);
  const doorman: ServerInterceptor = (_method, call) =>
    new ServerInterceptingCall(call, {
      start: next =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            if (isLetIn({ header: name => metadata.get(name)[0]?.toString(), query: () => undefined })) pass(metadata);
            else call.sendStatus({ code: status.UNAUTHENTICATED, details: 'who are you?' });
          },
        }),
    });
  const grpc = new Server({ interceptors: [doorman] });
  const grpcPort = await promisify(grpc.bindAsync.bind(grpc))('127.0.0.1:0', ServerCredentials.createInsecure());
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  const address = binding === 'GRPC' ? `http://127.0.0.1:${grpcPort}` : `${origin}/at`;
  app.use('/at', (request, response, next) => {
    const carried: Carried = {
      header: name => request.headers[name]?.toString(),
      query: name => new URL(request.originalUrl, origin).searchParams.get(name) ?? undefined,
    };
    if (isLetIn(carried)) next();
    else response.status(401).set('WWW-Authenticate', 'Bearer').end();
  });
  const facts = {
    name: 'Secured',
    description: 'Asks who is there',
    version: '1',
    defaultInputModes: ['text'],
    defaultOutputModes: ['text'],
    skills: [{ id: 's', name: 's', description: 's', tags: ['t'] }],
    ...security,
  };
  const cancelTask = () => Promise.resolve();
  if (generation === '1.0') {
    const card = AgentCard.fromJSON({
      ...facts,
      supportedInterfaces: [{ url: address, protocolBinding: binding, protocolVersion: '1.0' }],
      capabilities: { streaming: true },
    });
    const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), {
      execute: ({ contextId }, bus) => {
        const said = { messageId: randomUUID(), role: 'ROLE_AGENT', contextId, parts: [{ text: 'Welcome' }] };
        bus.publish(AgentEvent.message(Message.fromJSON(said)));
        bus.finished();
        return Promise.resolve();
      },
      cancelTask,
    });
    app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
    if (binding === 'JSONRPC') app.use('/at', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
    else if (binding === 'HTTP+JSON') app.use('/at', restHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
    else grpc.addService(A2AService, grpcService({ requestHandler, userBuilder: GrpcUserBuilder.noAuthentication }));
  } else {
    const card = { ...facts, protocolVersion: '0.3.0', url: address, preferredTransport: binding, capabilities: { streaming: true } };
    const requestHandler = new sdk0_3.DefaultRequestHandler(card as AgentCard0_3, new sdk0_3.InMemoryTaskStore(), {
      execute: ({ contextId }, bus) => {
        bus.publish({ kind: 'message', messageId: randomUUID(), role: 'agent', contextId, parts: [{ kind: 'text', text: 'Welcome' }] });
        bus.finished();
        return Promise.resolve();
      },
      cancelTask,
    });
    const { noAuthentication } = express0_3.UserBuilder;
    app.use('/.well-known/agent-card.json', express0_3.agentCardHandler({ agentCardProvider: requestHandler }));
    if (binding === 'JSONRPC') app.use('/at', express0_3.jsonRpcHandler({ requestHandler, userBuilder: noAuthentication }));
    else if (binding === 'HTTP+JSON') app.use('/at', express0_3.restHandler({ requestHandler, userBuilder: noAuthentication }));
    else grpc.addService(grpc0_3.A2AService, grpc0_3.grpcService({ requestHandler, userBuilder: grpc0_3.UserBuilder.noAuthentication }));
  }
  return {
    url: origin,
    origins: [new URL(address).origin],
    seen,
    async stop() {
      const closed = once(web, 'close');
      web.close();
      web.closeAllConnections();
      grpc.forceShutdown();
      await closed;
    },
  };
}
