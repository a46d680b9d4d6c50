import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AgentCard as AgentCard0_3, Message } from '@a2a-js/sdk-0.3';
import {
  DefaultRequestHandler as DefaultRequestHandler0_3,
  InMemoryTaskStore as InMemoryTaskStore0_3,
  type AgentExecutor,
} from '@a2a-js/sdk-0.3/server';
import { restHandler as restHandler0_3, UserBuilder as UserBuilder0_3 } from '@a2a-js/sdk-0.3/server/express';
import { restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express, { type Handler } from 'express';
import { agentCard } from '../../../examples/agents/card.ts';
import { Currency } from '../../../examples/agents/currency.ts';
import { SampleExecutor } from '../../../examples/agents/executor.ts';
import { SampleRequestHandler } from '../../../examples/agents/requestHandler.ts';

export interface RestServer {
  /** Address of its HTTP+JSON interface. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the handler made for an address on loopback. */
async function serve(make: (url: string) => Handler): Promise<RestServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest`;
  server.on('request', express().disable('x-powered-by').use('/rest', make(url)));
  return {
    url,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The SDK of 1.0, which serves 0.3 at the same address. */
export const restServer1_0 = (): Promise<RestServer> =>
  serve(url => {
    const { introduction, play } = new Currency();
    const interfaces = ['1.0', '0.3'].map(protocolVersion => ({ url, protocolBinding: 'HTTP+JSON', protocolVersion, tenant: '' }));
    const requestHandler = new SampleRequestHandler(
      { ...agentCard(introduction, url), supportedInterfaces: interfaces },
      new SampleExecutor(play, 0.001),
    );
    return restHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: true } });
  });

/** Says its work in every kind of event that 0.3 has. */
const executor: AgentExecutor = {
  execute({ taskId, contextId, userMessage }, bus) {
    const says = (text: string): Message => ({
      kind: 'message',
      messageId: `${taskId}-${text}`,
      role: 'agent',
      taskId,
      contextId,
      parts: [{ kind: 'text', text }],
    });
    const status = (state: 'working' | 'completed', final: boolean, message?: Message): void =>
      bus.publish({
        kind: 'status-update',
        taskId,
        contextId,
        final,
        status: { state, timestamp: '2026-01-02T03:04:05.678Z', ...(message && { message }) },
      });
    bus.publish({ kind: 'task', id: taskId, contextId, status: { state: 'submitted' }, history: [userMessage] });
    status('working', false, says('wait'));
    bus.publish({
      kind: 'artifact-update',
      taskId,
      contextId,
      artifact: {
        artifactId: 'x',
        name: 'answer',
        parts: [
          { kind: 'data', data: { a: 1 } },
          { kind: 'file', file: { bytes: 'AA==', mimeType: 'image/png' } },
        ],
      },
    });
    status('completed', true);
    bus.finished();
    return Promise.resolve();
  },
  cancelTask: () => Promise.resolve(),
};

/** The last SDK of 0.3. */
export const restServer0_3 = (): Promise<RestServer> =>
  serve(url => {
    const card: AgentCard0_3 = {
      protocolVersion: '0.3.0',
      name: 'x',
      description: 'y',
      version: '1',
      url,
      preferredTransport: 'HTTP+JSON',
      capabilities: { streaming: true },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    };
    return restHandler0_3({
      requestHandler: new DefaultRequestHandler0_3(card, new InMemoryTaskStore0_3(), executor),
      userBuilder: UserBuilder0_3.noAuthentication,
    });
  });
