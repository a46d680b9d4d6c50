import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, type IncomingHttpHeaders } from 'node:http';
import type { Server } from 'node:net';
import { isOfPushNotifications } from '../protocol/message/operations.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { versionOf } from '../protocol/versions/index.ts';
import { guarded, listenOnLoopback, refuse } from '../receiver/loopbackServer.ts';
import { foreignReason } from '../receiver/requestGuard.ts';
import { bindings, type BindingName, type IncomingRequest, type ParsedRequest, type ResponseFormat } from './binding.ts';
import { bodyOf } from './body.ts';
import { ActiveFaults } from './chosenFault.ts';
import { grpcServer } from './grpcServer.ts';
import { minimalCard } from './minimalCard.ts';
import { Playback } from './playback.ts';
import type { ReceivedRequest, Script, Step, Turn } from './script.ts';
import { TaskRestAgent } from './taskRestAgent.ts';
import { createHash } from 'node:crypto';
import { isObject } from '../protocol/json.ts';
import type { Version } from '../protocol/versions/shared/version.ts';

export interface ScriptedAgentOptions {
  /** The protocol version: a key of the table of versions, such as `1.0`, `0.3` or `0.1`; `task-rest` has an API of its own. */
  readonly version: string;
  /** The binding as named in cards; `JSONRPC` by default, ignored for `task-rest`. */
  readonly binding?: BindingName;
  readonly script: Script;
  /** The card for the agent's address, sent unchanged; by default a plain card of the version. */
  readonly card?: (url: string) => unknown;
  /**
   * Called with what a script threw; its connection is broken so that the fault does not look like an answer. By default it is rethrown.
   */
  readonly onError?: (error: unknown) => void;
  /** True, the default, to keep requests with their bodies in `requests`. */
  readonly keepsRequests?: boolean;
  /** True for a host and port under which it is also reached, as over a proxy; by default those of loopback alone. */
  readonly isOwnHost?: (host: string) => boolean;
  /** Ways in which it misbehaves; not over the task API, whose events have no answer of their own. */
  readonly faults?: ActiveFaults;
}

const rethrow = (error: unknown): void =>
  queueMicrotask(() => {
    throw error;
  });

export interface ScriptedAgent {
  /** `http://127.0.0.1:port/`, available after `start`. */
  readonly url: string;
  /** Every request so far, oldest first; none where they are not kept. */
  readonly requests: readonly ReceivedRequest[];
  /** Listens on loopback; port 0 takes any free one. Rejects with Node's error, such as `EADDRINUSE`. */
  start(port?: number): Promise<void>;
  /** Breaks every connection and frees the port. */
  stop(): Promise<void>;
}

/**
 * An agent on loopback that answers each request with the steps of a script, in one protocol version.
 * @throws Problem `unknown-generation`, also for a version without this binding
 */
export function scriptedAgent({
  version: generation,
  binding: named,
  script,
  card,
  onError = rethrow,
  keepsRequests = true,
  isOwnHost,
  faults = new ActiveFaults(),
}: ScriptedAgentOptions): ScriptedAgent {
  const version = versionOf(generation);
  if (version === undefined) throw new Problem('unknown-generation', sentence('A2A {0} is not supported here.', generation));
  if (version.taskRoutes !== undefined && named === undefined)
    return new TaskRestAgent(version, { version: generation, script, card, onError, keepsRequests, isOwnHost });
  const binding = named ?? 'JSONRPC';
  const form = bindings[binding].versionFor(version);
  if (form === undefined) throw new Problem('unknown-generation', sentence('A2A {0} is not supported over {1}.', generation, binding));
  const requests: ReceivedRequest[] = [];
  const page = new CachedCard();
  let url = '';

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    if (foreignReason(message, isOwnHost) !== undefined) return refuse(message, response, 403);
    const left = new AbortController();
    response.once('close', () => left.abort());
    const came = { method: message.method ?? '', url: message.url ?? '', headers: message.headers, body: await bodyOf(message) };
    if (came.body === undefined) return refuse(message, response, 413);
    const request = { ...came, body: came.body };
    const parsed = bindings[binding].parse(request, form!);
    const { operation, format } = parsed;
    const { signal } = left;
    const playback = new Playback(response, { version: form!, operation, format, signal });
    await playback.play(stepsFor(request, parsed, signal, step => playback.text(step)));
  }

  function stepsFor(
    came: IncomingRequest,
    { format, turn: fault, operation, params, otherMethod }: ParsedRequest,
    signal: AbortSignal,
    content: (step: Step) => string | Uint8Array | undefined,
  ): Iterable<Step> | AsyncIterable<Step> {
    const request: ReceivedRequest = { ...came, operation, params, signal };
    if (keepsRequests) requests.push(request);
    // Clients of gRPC want an address without a scheme.
    const address = binding === 'GRPC' ? new URL(url).host : url;
    const shown = (): unknown => faults.card(card?.(address) ?? minimalCard(address, version!.protocolVersion, binding));
    const turn =
      fault ??
      (otherMethod !== undefined
        ? otherTurn(format, shown(), form!)
        : turnFor(request, script, version!.cardPath, () => page.turn(shown(), came.headers)));
    const steps = typeof turn === 'function' ? turn(request) : turn;
    return faults.answer(request, steps, content);
  }

  let server: (Server & { closeAllConnections(): void }) | undefined;
  return {
    get url() {
      return url;
    },
    requests,
    async start(port = 0) {
      const web = createServer((message, response) => {
        void guarded(
          response,
          () => answer(message, response),
          error => {
            const clientLeft = !message.complete;
            response.destroy();
            if (!clientLeft) onError(error);
          },
        );
      });
      server = binding === 'GRPC' ? await grpcServer(web, { version: version!, form: form!, isOwnHost, onError, steps: stepsFor }) : web;
      url = `http://127.0.0.1:${await listenOnLoopback(server, port, onError)}/`;
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

function turnFor(request: ReceivedRequest, script: Script, cardPath: string, card: () => readonly Step[]): Turn {
  if (request.operation !== undefined) {
    const lacking = isOfPushNotifications(request.operation)
      ? { code: -32003, message: 'Push notifications are not supported' }
      : { code: -32601, message: 'Method not found' };
    return (script[request.operation] as Turn | undefined) ?? [{ error: lacking }];
  }
  return script.AgentCard ?? (request.url === cardPath ? card() : [{ status: 404 }]);
}

/** Serves a card with caching headers (A2A 1.0 §8.6). The card is evaluated for each request, since it may change at any time. */
class CachedCard {
  #text = '';
  #since = new Date();

  turn(card: unknown, asked: IncomingHttpHeaders): readonly Step[] {
    const text = JSON.stringify(card) ?? 'null';
    if (text !== this.#text) [this.#text, this.#since] = [text, new Date()];
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    const headers = {
      'cache-control': 'public, max-age=0, must-revalidate',
      etag,
      'last-modified': this.#since.toUTCString(),
      vary: 'A2A-Version',
    };
    return isNamed(asked['if-none-match'], etag) ? [{ status: 304, headers }] : [{ status: 200, headers }, { json: card }];
  }
}

/** Compares ETags only: `Last-Modified` has a resolution of a second, and a card that is being edited changes more often. */
const isNamed = (named: string | undefined, etag: string): boolean =>
  named !== undefined && (named.trim() === '*' || named.split(',').some(one => one.trim().replace(/^W\//, '') === etag));

/** Answers requests for the extended card, which is the agent's card. */
function otherTurn(format: ResponseFormat, card: unknown, form: Version): readonly Step[] {
  if (hasExtendedCard(card)) return [{ json: format.result(card) }];
  // A2A 1.0 §3.1.11; 0.3 §7.10 has one error code for both.
  return form.header === undefined
    ? [{ error: { code: -32007, message: 'The agent has no authenticated extended card' } }]
    : [{ error: { code: -32004, message: 'The agent has no extended card' } }];
}

function hasExtendedCard(card: unknown): boolean {
  if (!isObject(card)) return false;
  const { capabilities } = card;
  return card['supportsAuthenticatedExtendedCard'] === true || (isObject(capabilities) && capabilities['extendedAgentCard'] === true);
}
