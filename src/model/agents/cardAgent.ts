import { randomUUID } from 'node:crypto';
import { bindings, type BindingName } from '../../mock/binding.ts';
import { scriptedAgent, type ScriptedAgent } from '../../mock/scriptedAgent.ts';
import { TaskServer, type WorkRequest } from '../../mock/taskServer.ts';
import { ignoreFindings } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import { readAgentCard, versionOf } from '../../protocol/versions/index.ts';
import { v1_0 } from '../../protocol/versions/v1_0.ts';

/** The interface that the mock serves: the first one of the card that it can serve. */
interface Played {
  readonly generation: string;
  readonly binding: BindingName;
  /** Undefined where it can play none: then it is JSON-RPC in the version of the first. */
  readonly index: number | undefined;
}

/**
 * An agent on loopback that shows a given card and completes every message with an artifact that repeats it: to see a card as clients
 * see it before there is an agent.
 */
export class CardAgent {
  readonly #agent: ScriptedAgent;
  readonly #server: TaskServer;

  /**
   * @param card the JSON value of the card, evaluated for each request.
   * @throws Problem `not-a-card`, `unknown-generation`.
   */
  constructor(card: () => unknown, onError: (error: unknown) => void) {
    const played = playedOf(card());
    const version = versionOf(played.generation) ?? v1_0;
    const streams = (): boolean => offers(card(), 'streaming');
    const notifies = (): boolean => offers(card(), 'pushNotifications');
    this.#server = new TaskServer({ version, work: repeat, onError, streams, notifies });
    this.#agent = scriptedAgent({
      version: played.generation,
      ...(version.taskRoutes === undefined && { binding: played.binding }),
      script: this.#server.script,
      card: url => servedAt(card(), url, played),
      onError,
      keepsRequests: false,
    });
  }

  /** Listens on a free port; gives its address. */
  async start(): Promise<string> {
    await this.#agent.start();
    return this.#agent.url;
  }

  stop(): Promise<void> {
    this.#server.stop();
    return this.#agent.stop();
  }
}

function* repeat({ message, taskId, contextId }: WorkRequest): Iterable<StreamResponse> {
  const status = (state: TaskState): StreamResponse => ({
    statusUpdate: { taskId, contextId, status: { state, timestamp: new Date().toISOString() } },
  });
  yield status('TASK_STATE_WORKING');
  yield {
    artifactUpdate: { taskId, contextId, artifact: { artifactId: randomUUID(), name: 'echo', parts: message.parts }, lastChunk: true },
  };
  yield status('TASK_STATE_COMPLETED');
}

function playedOf(card: unknown): Played {
  const { supportedInterfaces } = readAgentCard(card, ignoreFindings);
  const index = supportedInterfaces.findIndex(({ protocolBinding, protocolVersion }) => {
    const version = versionOf(protocolVersion ?? '');
    return (
      version !== undefined &&
      Object.hasOwn(bindings, protocolBinding) &&
      bindings[protocolBinding as BindingName].versionFor(version) !== undefined
    );
  });
  const found = supportedInterfaces[index];
  if (found?.protocolVersion !== undefined)
    return { generation: found.protocolVersion, binding: found.protocolBinding as BindingName, index };
  return { generation: supportedInterfaces[0]?.protocolVersion ?? '1.0', binding: 'JSONRPC', index: undefined };
}

function offers(card: unknown, capability: 'streaming' | 'pushNotifications'): boolean {
  const capabilities = isObject(card) ? card['capabilities'] : undefined;
  return isObject(capabilities) && capabilities[capability] === true;
}

/** The card with one interface, at the address of the mock; all else as it was written. */
function servedAt(card: unknown, url: string, { generation, binding, index }: Played): unknown {
  if (!isObject(card)) return card;
  const interfaces: unknown = card['supportedInterfaces'];
  if (Array.isArray(interfaces)) {
    const own: unknown = index === undefined ? undefined : interfaces[index];
    const one = { ...(isObject(own) && own), url, protocolBinding: binding, protocolVersion: generation };
    return { ...card, ...('url' in card && { url }), supportedInterfaces: [one] };
  }
  return {
    ...card,
    url,
    ...(('preferredTransport' in card || binding !== 'JSONRPC') && { preferredTransport: binding }),
    ...('additionalInterfaces' in card && { additionalInterfaces: [] }),
  };
}
