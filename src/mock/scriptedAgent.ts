import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject } from '../protocol/json.ts';
import { unnoted } from '../protocol/finding.ts';
import { operations, type Operation, type OperationParams } from '../protocol/operations.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { versionOf } from '../protocol/versions/index.ts';
import type { Version } from '../protocol/versions/version.ts';
import { bodyOf } from './body.ts';
import { plainCard } from './plainCard.ts';
import { Playback } from './playback.ts';
import type { ReceivedRequest, Script, Step, Turn } from './script.ts';
import { TaskRestAgent } from './taskRestAgent.ts';

export interface ScriptedAgentOptions {
  /** The wire generation it speaks, over JSON-RPC: a key of the table of versions, such as `1.0`, `0.3` or `0.1`; `task-rest` has an API of its own. */
  readonly generation: string;
  readonly script: Script;
  /** The card for the agent's address, exactly as it shall be sent; a plain one of the generation otherwise. */
  readonly card?: (url: string) => unknown;
  /** Told what a script threw; its connection is broken, so that the fault does not look like an answer. By default it is rethrown. */
  readonly onError?: (error: unknown) => void;
}

const rethrow = (error: unknown): void => queueMicrotask(() => {
  throw error;
});

export interface ScriptedAgent {
  /** `http://127.0.0.1:port/`, once started. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** Listens on loopback; port 0 takes any free one. Rejects with Node's error, such as `EADDRINUSE`. */
  start(port?: number): Promise<void>;
  /** Breaks every connection and frees the port. */
  stop(): Promise<void>;
}

/**
 * An agent on loopback that plays a script, request by request, in the words of one generation.
 * @throws Problem `unknown-generation`
 */
export function scriptedAgent({ generation, script, card, onError = rethrow }: ScriptedAgentOptions): ScriptedAgent {
  const version = versionOf(generation);
  if (version === undefined) throw new Problem('unknown-generation', sentence('A2A {0} is not spoken here.', generation));
  if (version.taskRoutes !== undefined) return new TaskRestAgent(version, { generation, script, card, onError });
  const requests: ReceivedRequest[] = [];
  let url = '';

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const received = await receive(message, version!, left.signal);
    requests.push(received.request);
    const { request, id } = received;
    const turn = received.turn ?? turnFor(request, script, version!.cardPath, () => card?.(url) ?? plainCard(url, version!.protocolVersion));
    const steps = typeof turn === 'function' ? turn(request) : turn;
    await new Playback(response, { version: version!, operation: request.operation, id, signal: left.signal }).play(steps);
  }

  let server: Server | undefined;
  return {
    get url() {
      return url;
    },
    requests,
    async start(port = 0) {
      server = createServer((message, response) => {
        answer(message, response).catch((error: unknown) => {
          const clientLeft = !message.complete;
          response.destroy();
          if (!clientLeft) onError(error);
        });
      });
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    },
    async stop() {
      if (server === undefined) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      server = undefined;
      await closed;
    },
  };
}

interface Received {
  readonly request: ReceivedRequest;
  readonly id: string | number | null;
  /** What to answer where the request itself is at fault. */
  readonly turn?: readonly Step[];
}

async function receive(message: IncomingMessage, version: Version, signal: AbortSignal): Promise<Received> {
  const body = await bodyOf(message);
  const base = { method: message.method ?? '', url: message.url ?? '', headers: message.headers, body: body ?? '', signal };
  const bare = { request: { ...base, operation: undefined, params: undefined }, id: null };
  if (body === undefined) return { ...bare, turn: [{ status: 413 }] };
  if (message.method !== 'POST') return bare;
  let call: unknown;
  try {
    call = JSON.parse(body);
  } catch {
    return { ...bare, turn: [{ error: { code: -32700, message: 'Invalid JSON payload' } }] };
  }
  if (!isObject(call) || typeof call['method'] !== 'string') {
    return { ...bare, turn: [{ error: { code: -32600, message: 'Request payload validation error' } }] };
  }
  const id = typeof call['id'] === 'string' || typeof call['id'] === 'number' ? call['id'] : null;
  const operation = operations.find(candidate => version.methods[candidate] === call['method']);
  if (operation === undefined) return { ...bare, id, turn: [{ error: { code: -32601, message: 'Method not found' } }] };
  let params: OperationParams[Operation];
  try {
    params = version.readParams(operation, call['params'], unnoted);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { request: { ...base, operation, params: undefined }, id, turn: [{ error: { code: -32602, message: error.message } }] };
  }
  return { request: { ...base, operation, params }, id };
}

function turnFor(request: ReceivedRequest, script: Script, cardPath: string, card: () => unknown): Turn {
  if (request.operation !== undefined) {
    return script[request.operation] as Turn | undefined ?? [{ error: { code: -32601, message: 'Method not found' } }];
  }
  if (request.method !== 'GET') return [{ status: 405, headers: { allow: 'GET, POST' } }];
  return script.AgentCard ?? (request.url === cardPath ? [{ json: card() }] : [{ status: 404 }]);
}
