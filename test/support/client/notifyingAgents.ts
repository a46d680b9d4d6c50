import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { TaskState, type AgentCard } from '@a2a-js/sdk';
import type { AgentCard as AgentCard0_3 } from '@a2a-js/sdk-0.3';
import * as sdk0_3 from '@a2a-js/sdk-0.3/server';
import * as express0_3 from '@a2a-js/sdk-0.3/server/express';
import * as grpc0_3 from '@a2a-js/sdk-0.3/server/grpc';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, grpcService, UserBuilder as GrpcUserBuilder } from '@a2a-js/sdk/server/grpc';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import express from 'express';

/** An agent of the official SDK that notifies, over its three bindings. Its tasks wait until `finish`. */
export interface NotifyingAgent {
  /** Addresses by the bindings' names in cards. */
  readonly interfaces: Readonly<Record<'JSONRPC' | 'HTTP+JSON' | 'GRPC', string>>;
  /** Completes all its tasks. */
  finish(): void;
  stop(): Promise<void>;
}

/** Tasks that are at work. */
class Waiting {
  readonly #ends = new Set<() => void>();

  wait(): Promise<void> {
    return new Promise(resolve => this.#ends.add(resolve));
  }

  finish(): void {
    for (const end of this.#ends) end();
    this.#ends.clear();
  }
}

const capabilities = { streaming: true, pushNotifications: true };
const facts = {
  name: 'n',
  description: 'd',
  version: '1',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};

async function serve(
  waiting: Waiting,
  mount: (app: ReturnType<typeof express>) => void,
  addService: (server: Server) => void,
): Promise<NotifyingAgent> {
  const app = express().disable('x-powered-by');
  mount(app);
  const web = createServer(app);
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  const grpc = new Server();
  addService(grpc);
  const port = await promisify(grpc.bindAsync.bind(grpc))('127.0.0.1:0', ServerCredentials.createInsecure());
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  return {
    interfaces: { JSONRPC: `${url}/rpc`, 'HTTP+JSON': `${url}/rest`, GRPC: `127.0.0.1:${port}` },
    finish: () => waiting.finish(),
    async stop() {
      waiting.finish();
      const closed = once(web, 'close');
      web.close();
      web.closeAllConnections();
      grpc.forceShutdown();
      await closed;
    },
  };
}

export function notifyingAgent1_0(): Promise<NotifyingAgent> {
  const waiting = new Waiting();
  const card = { ...facts, capabilities: { ...capabilities, extendedAgentCard: false, extensions: [] } } as unknown as AgentCard;
  card.supportedInterfaces = ['JSONRPC', 'HTTP+JSON', 'GRPC'].map(protocolBinding => ({
    url: '',
    protocolBinding,
    protocolVersion: '1.0',
    tenant: '',
  }));
  const status = (state: TaskState) => ({ state, message: undefined, timestamp: '2026-01-02T03:04:05.678Z' });
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), {
    async execute({ taskId, contextId }, bus) {
      const working = status(TaskState.TASK_STATE_WORKING);
      bus.publish(AgentEvent.task({ id: taskId, contextId, status: working, artifacts: [], history: [], metadata: undefined }));
      await waiting.wait();
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: status(TaskState.TASK_STATE_COMPLETED), metadata: undefined }));
      bus.finished();
    },
    cancelTask: () => Promise.resolve(),
  });
  return serve(
    waiting,
    app => {
      app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
      app.use('/rest', restHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
    },
    server => server.addService(A2AService, grpcService({ requestHandler, userBuilder: GrpcUserBuilder.noAuthentication })),
  );
}

export function notifyingAgent0_3(): Promise<NotifyingAgent> {
  const waiting = new Waiting();
  const card: AgentCard0_3 = { ...facts, protocolVersion: '0.3.0', url: '', preferredTransport: 'JSONRPC', capabilities };
  const requestHandler = new sdk0_3.DefaultRequestHandler(card, new sdk0_3.InMemoryTaskStore(), {
    async execute({ taskId, contextId }, bus) {
      bus.publish({ kind: 'task', id: taskId, contextId, status: { state: 'working' } });
      await waiting.wait();
      bus.publish({ kind: 'status-update', taskId, contextId, final: true, status: { state: 'completed' } });
      bus.finished();
    },
    cancelTask: () => Promise.resolve(),
  });
  return serve(
    waiting,
    app => {
      app.use('/rpc', express0_3.jsonRpcHandler({ requestHandler, userBuilder: express0_3.UserBuilder.noAuthentication }));
      app.use('/rest', express0_3.restHandler({ requestHandler, userBuilder: express0_3.UserBuilder.noAuthentication }));
    },
    server =>
      server.addService(grpc0_3.A2AService, grpc0_3.grpcService({ requestHandler, userBuilder: grpc0_3.UserBuilder.noAuthentication })),
  );
}
