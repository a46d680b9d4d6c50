import { setTimeout as sleep } from 'node:timers/promises';
import type { BindingName } from '../../../../src/mock/binding.ts';
import { scriptedAgent } from '../../../../src/mock/scriptedAgent.ts';
import type { ReceivedRequest, Script, Step } from '../../../../src/mock/script.ts';
import { TaskServer, type Work } from '../../../../src/mock/taskServer.ts';
import { isObject } from '../../../../src/protocol/json.ts';
import { operations, type Operation, type OperationParams } from '../../../../src/protocol/message/operations.ts';
import { textOf } from '../../../../src/protocol/message/part.ts';
import type { StreamResponse } from '../../../../src/protocol/message/streamResponse.ts';
import type { TaskState } from '../../../../src/protocol/message/taskState.ts';
import { versionOf } from '../../../../src/protocol/versions/index.ts';
import { frontOf, type Before, type Passing } from './front.ts';
import { grpcAgent, type GrpcFaults } from './grpcAgent.ts';

export type CheckedBinding = BindingName | 'GRPC';
export type CheckedVersion = '1.0' | '0.3';

/** `full`: everything that a card can declare, behind a sign-in; `bare`: nothing of it. */
export type Kind = 'full' | 'bare';

/** How an agent differs from one that keeps every rule. */
export interface Faults {
  readonly script?: ((right: Script, about: About) => Script) | undefined;
  readonly before?: ((right: Before, about: About) => Before) | undefined;
  readonly card?: ((right: Record<string, unknown>, about: About & { readonly url: string }) => Record<string, unknown>) | undefined;
  readonly grpc?: GrpcFaults | undefined;
}

export interface About {
  readonly version: CheckedVersion;
  readonly binding: CheckedBinding;
}

export interface ConformingOptions extends About, Faults {
  readonly kind: Kind;
}

export const extension = 'https://extension.example/v1';
/** What the agent takes as messages, for what they make it do. */
export const prompts = {
  task: [{ text: 'task' }],
  'long-task': [{ text: 'long' }],
  'input-required': [{ text: 'ask' }],
  'auth-required': [{ text: 'auth' }],
} as const;

/** How long the task that takes long does, in milliseconds, unless it is canceled. */
const longMs = 1_200;

const work: Work = async function* ({ message, taskId, contextId, signal }) {
  const text = textOf(message.parts);
  const status = (state: TaskState, said?: string): StreamResponse => ({
    statusUpdate: {
      taskId,
      contextId,
      status: {
        state,
        timestamp: new Date().toISOString(),
        ...(said !== undefined && {
          message: { messageId: `${taskId}-${state}`, role: 'ROLE_AGENT' as const, parts: [{ text: said }], taskId, contextId },
        }),
      },
    },
  });
  if (text === 'ask') return void (yield status('TASK_STATE_INPUT_REQUIRED', 'Which colour?'));
  if (text === 'auth') return void (yield status('TASK_STATE_AUTH_REQUIRED', 'Sign in at the bank.'));
  yield status('TASK_STATE_WORKING');
  if (text === 'long') await sleep(longMs, undefined, { signal }).catch(() => {});
  const artifact = { artifactId: 'a', parts: [{ text: 'one ' }] };
  yield { artifactUpdate: { taskId, contextId, artifact, append: false, lastChunk: false } };
  yield { artifactUpdate: { taskId, contextId, artifact: { artifactId: 'a', parts: [{ text: 'two' }] }, append: true, lastChunk: true } };
  yield status('TASK_STATE_COMPLETED');
};

const isRight = (authorization: string | undefined): boolean => authorization === 'Bearer right' || authorization === 'Bearer other';

/** The steps of an agent that keeps every rule, a task server for each identity. */
function rightScript({ version, kind }: ConformingOptions, stops: (() => unknown)[]): Script {
  const servers = new Map<string, Script>();
  const scriptFor = (identity: string): Script => {
    const known = servers.get(identity);
    if (known !== undefined) return known;
    const isFull = (): boolean => kind === 'full';
    const server = new TaskServer({
      version: versionOf(version)!,
      work,
      onError: error => {
        throw error;
      },
      streams: isFull,
      notifies: isFull,
    });
    stops.push(() => server.stop());
    servers.set(identity, server.script);
    return server.script;
  };
  const header = version === '1.0' ? 'a2a-extensions' : 'x-a2a-extensions';
  async function* steps(operation: Operation, request: ReceivedRequest): AsyncGenerator<Step> {
    const { headers, params } = request;
    const isSend = operation === 'SendMessage' || operation === 'SendStreamingMessage';
    const message = isSend ? (params as OperationParams['SendMessage'] | undefined)?.message : undefined;
    const named = headers[header];
    if (message !== undefined) {
      if (message.parts.length === 0) return yield { error: { code: -32602, message: 'parts is empty' } };
      if (version === '1.0' && kind === 'full' && named === undefined)
        return yield { error: { code: -32008, message: 'An extension is required' } };
      if (message.parts.some(({ mediaType }) => mediaType !== undefined && mediaType !== 'text/plain'))
        return yield { error: { code: -32005, message: 'Only text is taken' } };
    }
    const turn = scriptFor(String(headers['authorization'] ?? ''))[operation];
    if (typeof turn !== 'function') return yield* turn ?? [];
    let isFirst = true;
    for await (const step of turn(request as never)) {
      if (isFirst && kind === 'full' && isSend && !('error' in step) && typeof named === 'string')
        yield { status: 200, headers: { [version === '1.0' ? 'A2A-Extensions' : 'X-A2A-Extensions']: extension } };
      isFirst = false;
      yield 'answer' in step ? { answer: withoutSecrets(step.answer) as never } : step;
    }
    // The stream of a task that waits for authorization stays open (A2A 1.0 §7.6.1).
    if (operation === 'SendStreamingMessage' && message !== undefined && textOf(message.parts) === 'auth') yield { stall: true };
  }
  return Object.fromEntries(
    operations.map(operation => [operation, (request: ReceivedRequest) => steps(operation, request)]),
  ) as unknown as Script;
}

/** Credentials of configurations are not told again (A2A 1.0 §13.2). */
function withoutSecrets(answer: unknown): unknown {
  if (!isObject(answer)) return answer;
  if (Array.isArray(answer['configs'])) return { ...answer, configs: (answer['configs'] as unknown[]).map(withoutSecrets) };
  if (!('url' in answer)) return answer;
  const { authentication: _authentication, token: _token, ...rest } = answer;
  return rest;
}

export const isForExtendedCard = ({ method, url, body }: Passing): boolean =>
  method === 'GET'
    ? /\/(?:extendedAgentCard|v1\/card)$/.test(url)
    : /"method":"(?:GetExtendedAgentCard|agent\/getAuthenticatedExtendedCard)"/.test(body);

/** An error as an agent writes it over the binding. */
export function writtenError(
  { version, binding }: About,
  request: Passing,
  {
    code,
    message,
    http = 400,
    status = 'FAILED_PRECONDITION',
    reason,
  }: { code: number; message: string; http?: number; status?: string; reason: string },
) {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' }];
  const id = idOf(request.body);
  const error = version === '1.0' ? { code, message, data: details } : { code, message };
  const [statusCode, body] =
    binding === 'JSONRPC'
      ? [200, { jsonrpc: '2.0', id, error }]
      : [http, version === '1.0' ? { error: { code: http, status, message, details } } : { code, message }];
  return { status: statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

export function idOf(body: string): unknown {
  try {
    const json: unknown = JSON.parse(body);
    return isObject(json) ? (json['id'] ?? null) : null;
  } catch {
    return null;
  }
}

const rightBefore =
  ({ kind, ...about }: ConformingOptions): Before =>
  async (request, pass) => {
    if (kind === 'full' && !request.url.startsWith('/.well-known/')) {
      if (!isRight(request.headers['authorization']))
        return { status: 401, headers: { 'www-authenticate': 'Bearer', 'content-type': 'application/json' }, body: '{}' };
      if (isForExtendedCard(request))
        return writtenError(about, request, {
          code: -32007,
          message: 'No extended card is configured',
          reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
        });
    }
    if (request.url.startsWith('/tasks?historyLength=-')) return writtenError(about, request, negative);
    return pass();
  };

const negative = { code: -32602, message: 'historyLength is negative', status: 'INVALID_ARGUMENT', reason: 'INVALID_PARAMS' };

function rightCard({ version, binding, kind }: ConformingOptions, url: string): Record<string, unknown> {
  const isFull = kind === 'full';
  const card = {
    name: 'Checked agent',
    description: 'Keeps the rules.',
    version: '1.0.0',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 's', name: 'S', description: 'S.', tags: ['s'], examples: ['task'] }],
  };
  const extensions = [{ uri: extension, required: version === '1.0' }];
  if (version === '1.0')
    return {
      ...card,
      supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: '1.0' }],
      capabilities: { streaming: isFull, pushNotifications: isFull, extendedAgentCard: isFull, ...(isFull && { extensions }) },
      ...(isFull && {
        securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
        securityRequirements: [{ schemes: { bearer: { list: [] } } }],
      }),
    };
  return {
    ...card,
    protocolVersion: '0.3.0',
    url,
    preferredTransport: binding,
    capabilities: { streaming: isFull, pushNotifications: isFull, ...(isFull && { extensions }) },
    ...(isFull && {
      supportsAuthenticatedExtendedCard: true,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      security: [{ bearer: [] }],
    }),
  };
}

/** Starts an agent that keeps every rule, but for its faults. */
export async function conformingAgent(options: ConformingOptions): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const { version, binding, kind, faults } = { ...options, faults: options as Faults };
  const about: About = { version, binding };
  const stops: (() => unknown)[] = [];
  const right = rightScript(options, stops);
  const script = faults.script === undefined ? right : { ...right, ...faults.script(right, about) };
  const before = rightBefore(options);
  let grpcUrl: string | undefined;
  if (binding === 'GRPC') {
    const grpc = await grpcAgent({
      version,
      script,
      authorized: authorization => kind === 'bare' || isRight(authorization),
      ...faults.grpc,
      extendedCard: authorization =>
        faults.grpc?.extendedCard ??
        (kind === 'bare'
          ? { code: version === '1.0' ? -32004 : -32007, message: 'There is no extended card' }
          : isRight(authorization)
            ? { code: -32007, message: 'No extended card is configured' }
            : { code: 16, message: 'who are you?' }),
    });
    stops.push(() => grpc.stop());
    grpcUrl = `http://${grpc.address}`;
  }
  let own = '';
  const agent = scriptedAgent({
    version,
    binding: binding === 'GRPC' ? 'JSONRPC' : binding,
    script: binding === 'GRPC' ? {} : script,
    card: () => {
      const url = grpcUrl ?? own;
      const card = rightCard(options, url);
      return faults.card?.(card, { ...about, url }) ?? card;
    },
  });
  await agent.start();
  stops.push(() => agent.stop());
  const front = await frontOf(() => agent.url, faults.before?.(before, about) ?? before);
  own = front.url;
  stops.unshift(() => front.stop());
  return {
    url: front.url,
    stop: async () => {
      for (const stop of stops) await stop();
    },
  };
}
