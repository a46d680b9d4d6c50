import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore, type AgentExecutionEvent } from '@a2a-js/sdk/server';
import { A2AService, grpcService, UserBuilder } from '@a2a-js/sdk/server/grpc';
import * as sdk0_3 from '@a2a-js/sdk-0.3/server';
import * as grpc0_3 from '@a2a-js/sdk-0.3/server/grpc';
import { Server, ServerCredentials, ServerInterceptingCall, status, type ServerInterceptor } from '@grpc/grpc-js';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import { v0_3 } from '../../../src/protocol/versions/v0_3/v0_3.ts';

/** One turn of the agent below, in core shape. */
interface Turn {
  readonly taskId: string;
  readonly contextId: string;
  readonly text: string;
  readonly continues: boolean;
}

/** What the agent does: `hello` is answered with a message, `ask` with a question, `wait` works until it is canceled, `work` draws. */
function play({ taskId, contextId, text, continues }: Turn): StreamResponse[] {
  if (text === 'hello') return [{ message: { messageId: randomUUID(), role: 'ROLE_AGENT', contextId, parts: [{ text: 'hi' }] } }];
  const ids = { taskId, contextId };
  const status = (state: 'SUBMITTED' | 'WORKING' | 'COMPLETED' | 'INPUT_REQUIRED', said?: string): StreamResponse => ({
    statusUpdate: {
      ...ids,
      status: {
        state: `TASK_STATE_${state}`,
        timestamp: '2026-01-02T03:04:05.678Z',
        ...(said !== undefined && { message: { ...ids, messageId: randomUUID(), role: 'ROLE_AGENT' as const, parts: [{ text: said }] } }),
      },
    },
  });
  const opening: StreamResponse[] = continues
    ? []
    : [
        {
          task: {
            id: taskId,
            contextId,
            status: { state: 'TASK_STATE_SUBMITTED', timestamp: '2026-01-02T03:04:05.678Z' },
            artifacts: [],
            history: [{ messageId: `m-${taskId}`, role: 'ROLE_USER', ...ids, parts: [{ text }] }],
          },
        },
      ];
  if (text === 'ask') return [...opening, status('INPUT_REQUIRED', 'which colour?')];
  if (text === 'wait') return [...opening, status('WORKING', 'at it')];
  const piece = (raw: string, append: boolean): StreamResponse => ({
    artifactUpdate: {
      ...ids,
      artifact: {
        artifactId: 'a-1',
        name: 'drawing',
        parts: [{ raw, mediaType: 'image/png' }, { data: { n: 1, deep: [true, 'grüße 🚢'] } }],
      },
      append,
      lastChunk: append,
    },
  });
  return [...opening, status('WORKING'), piece('AQID', false), piece('BAU=', true), status('COMPLETED', 'done')];
}

export interface GrpcAgent {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** Metadata of the last call. */
  readonly metadata: () => Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface ServeOptions {
  readonly credentials?: ServerCredentials;
  /** Refuses calls without this value of `authorization`. */
  readonly authorization?: string;
  /** The card that its method for cards gives, in the words of its generation, for the address at which it is served; without one it refuses. */
  readonly card?: (address: string) => object;
}

/** Serves the agent with the official SDK of a generation over gRPC, on loopback. */
export async function serveGrpcAgent(generation: '1.0' | '0.3', options: ServeOptions = {}): Promise<GrpcAgent> {
  let metadata: Readonly<Record<string, string>> = {};
  const doorman: ServerInterceptor = (_method, call) =>
    new ServerInterceptingCall(call, {
      start: next =>
        next({
          onReceiveMetadata: (received, pass) => {
            metadata = Object.fromEntries(Object.entries(received.getMap()).map(([name, value]) => [name, String(value)]));
            if (options.authorization === undefined || metadata['authorization'] === options.authorization) pass(received);
            else call.sendStatus({ code: status.UNAUTHENTICATED, details: 'show your ticket' });
          },
        }),
    });
  const server = new Server({ interceptors: [doorman] });
  let port = 0;
  const given = options.card;
  const card = given === undefined ? undefined : () => given(`127.0.0.1:${port}`);
  if (generation === '1.0') addService1_0(server, card);
  else addService0_3(server, card);
  port = await promisify(server.bindAsync.bind(server))('127.0.0.1:0', options.credentials ?? ServerCredentials.createInsecure());
  return {
    address: `127.0.0.1:${port}`,
    metadata: () => metadata,
    stop: async () => server.forceShutdown(),
  };
}

const canceled = (taskId: string, contextId: string): StreamResponse => ({
  statusUpdate: { taskId, contextId, status: { state: 'TASK_STATE_CANCELED', timestamp: '2026-01-02T03:04:06.000Z' } },
});

function addService1_0(server: Server, given?: () => object): void {
  const contexts = new Map<string, string>();
  const waiting = new Map<string, () => void>();
  const event = (core: StreamResponse): AgentExecutionEvent => {
    if ('task' in core) return AgentEvent.task(Task.fromJSON(core.task));
    if ('message' in core) return AgentEvent.message(Message.fromJSON(core.message));
    return 'statusUpdate' in core
      ? AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(core.statusUpdate))
      : AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(core.artifactUpdate));
  };
  const card: Partial<AgentCard> = {
    name: 'g',
    supportedInterfaces: [{ url: '', protocolBinding: 'GRPC', protocolVersion: '1.0', tenant: '' }],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: given !== undefined, extensions: [] },
  };
  const requestHandler = new DefaultRequestHandler(
    card as AgentCard,
    new InMemoryTaskStore(),
    {
      async execute({ taskId, contextId, userMessage, task }, bus) {
        contexts.set(taskId, contextId);
        const content = userMessage.parts[0]?.content;
        const text = content?.$case === 'text' ? content.value : '';
        for (const core of play({ taskId, contextId, text, continues: task !== undefined })) bus.publish(event(core));
        if (text === 'wait') await new Promise<void>(resolve => waiting.set(taskId, resolve));
        bus.finished();
      },
      async cancelTask(taskId, bus) {
        bus.publish(event(canceled(taskId, contexts.get(taskId) ?? '')));
        waiting.get(taskId)?.();
      },
    },
    undefined,
    undefined,
    undefined,
    given && (async () => AgentCard.fromJSON(given())),
  );
  server.addService(A2AService, grpcService({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
}

function addService0_3(server: Server, given?: () => object): void {
  const contexts = new Map<string, string>();
  const waiting = new Map<string, () => void>();
  const event = (core: StreamResponse): sdk0_3.AgentExecutionEvent => v0_3.writeStreamResponse(core) as sdk0_3.AgentExecutionEvent;
  const card = {
    name: 'g',
    capabilities: { streaming: true },
    supportsAuthenticatedExtendedCard: given !== undefined,
  } as ConstructorParameters<typeof sdk0_3.DefaultRequestHandler>[0];
  const requestHandler = new sdk0_3.DefaultRequestHandler(
    card,
    new sdk0_3.InMemoryTaskStore(),
    {
      async execute({ taskId, contextId, userMessage, task }, bus) {
        contexts.set(taskId, contextId);
        const part = userMessage.parts[0];
        const text = part?.kind === 'text' ? part.text : '';
        for (const core of play({ taskId, contextId, text, continues: task !== undefined })) bus.publish(event(core));
        if (text === 'wait') await new Promise<void>(resolve => waiting.set(taskId, resolve));
        bus.finished();
      },
      async cancelTask(taskId, bus) {
        bus.publish(event(canceled(taskId, contexts.get(taskId) ?? '')));
        waiting.get(taskId)?.();
      },
    },
    undefined,
    undefined,
    undefined,
    given && (async () => given() as never),
  );
  server.addService(grpc0_3.A2AService, grpc0_3.grpcService({ requestHandler, userBuilder: grpc0_3.UserBuilder.noAuthentication }));
}
