import { randomUUID } from 'node:crypto';
import { ActiveFaults } from '../../mock/chosenFault.ts';
import { scriptedAgent, type ScriptedAgent } from '../../mock/scriptedAgent.ts';
import { servedCard, servedInterface } from '../../mock/servedCard.ts';
import { TaskServer, type WorkRequest } from '../../mock/taskServer.ts';
import { isObject } from '../../protocol/json.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import { versionOf } from '../../protocol/versions/index.ts';
import { v1_0 } from '../../protocol/versions/v1_0.ts';

/**
 * An agent on loopback that shows a given card and completes every message with an artifact that repeats it: to see a card as clients
 * see it before there is an agent.
 */
export class CardAgent {
  readonly faults = new ActiveFaults();
  readonly #agent: ScriptedAgent;
  readonly #server: TaskServer;

  /**
   * @param card the JSON value of the card, evaluated for each request.
   * @throws Problem `not-a-card`, `unknown-generation`.
   */
  constructor(card: () => unknown, onError: (error: unknown) => void) {
    const played = servedInterface(card());
    const version = versionOf(played.generation) ?? v1_0;
    const streams = (): boolean => offers(card(), 'streaming');
    const notifies = (): boolean => offers(card(), 'pushNotifications');
    this.#server = new TaskServer({ version, work: repeat, onError, streams, notifies });
    this.#agent = scriptedAgent({
      version: played.generation,
      ...(version.taskRoutes === undefined && { binding: played.binding }),
      script: this.#server.script,
      card: url => servedCard(card(), url, played),
      onError,
      keepsRequests: false,
      faults: this.faults,
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

function offers(card: unknown, capability: 'streaming' | 'pushNotifications'): boolean {
  const capabilities = isObject(card) ? card['capabilities'] : undefined;
  return isObject(capabilities) && capabilities[capability] === true;
}
