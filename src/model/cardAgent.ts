import { randomUUID } from 'node:crypto';
import { scriptedAgent, type ScriptedAgent } from '../mock/scriptedAgent.ts';
import type { Script, Step } from '../mock/script.ts';
import { unnoted } from '../protocol/finding.ts';
import { isObject } from '../protocol/json.ts';
import type { Message } from '../protocol/message.ts';
import { readAgentCard } from '../protocol/versions/index.ts';
import type { Task } from '../protocol/task.ts';

/** Most tasks that are remembered. */
const mostTasks = 200;

/**
 * An agent on loopback that shows a given card and completes every message with an artifact that repeats it: to see a card as clients
 * see it before there is an agent. It speaks JSON-RPC in the version that the card's first interface states.
 */
export class CardAgent {
  readonly #agent: ScriptedAgent;
  readonly #tasks = new Map<string, Task>();

  /**
   * @param card the JSON value of the card, asked for each time somebody fetches it.
   * @throws Problem `not-a-card`, `unknown-generation`.
   */
  constructor(card: () => unknown, onError: (error: unknown) => void) {
    const generation = readAgentCard(card(), unnoted).supportedInterfaces[0]?.protocolVersion ?? '1.0';
    this.#agent = scriptedAgent({ generation, script: this.#script(), card: url => servedAt(card(), url, generation), onError });
  }

  /** Listens on a free port; gives its address. */
  async start(): Promise<string> {
    await this.#agent.start();
    return this.#agent.url;
  }

  stop(): Promise<void> {
    return this.#agent.stop();
  }

  #script(): Script {
    const known = (id: string | undefined): Step[] => {
      const task = this.#tasks.get(id ?? '');
      return [task === undefined ? { error: { code: -32001, message: 'Task not found' } } : { answer: task }];
    };
    return {
      SendMessage: ({ params }) => (params === undefined ? [] : [{ answer: { task: this.#echo(params.message) } }]),
      SendStreamingMessage: ({ params }) => (params === undefined ? [] : this.#streamed(this.#echo(params.message))),
      GetTask: ({ params }) => known(params?.id),
      CancelTask: ({ params }) => (this.#tasks.has(params?.id ?? '')
        ? [{ error: { code: -32002, message: 'Task cannot be canceled' } }]
        : known(params?.id)),
      ListTasks: [{ error: { code: -32004, message: 'This operation is not supported' } }],
    };
  }

  #echo(message: Message): Task {
    const id = randomUUID();
    const contextId = message.contextId ?? randomUUID();
    const task: Task = {
      id, contextId,
      status: { state: 'TASK_STATE_COMPLETED', timestamp: new Date().toISOString() },
      artifacts: [{ artifactId: randomUUID(), name: 'echo', parts: message.parts }],
      history: [{ ...message, taskId: id, contextId }],
    };
    this.#tasks.set(id, task);
    const [oldest] = this.#tasks.keys();
    if (this.#tasks.size > mostTasks && oldest !== undefined) this.#tasks.delete(oldest);
    return task;
  }

  #streamed(task: Task): Step[] {
    const { id: taskId, contextId = '', artifacts = [], status } = task;
    return [
      { event: { task: { ...task, artifacts: undefined, status: { ...status, state: 'TASK_STATE_WORKING' } } } },
      ...artifacts.map(artifact => ({ event: { artifactUpdate: { taskId, contextId, artifact, lastChunk: true } } })),
      { event: { statusUpdate: { taskId, contextId, status } } },
    ];
  }
}

/** The card with one interface, at the address of the mock; all else as it was written. */
function servedAt(card: unknown, url: string, protocolVersion: string): unknown {
  if (!isObject(card)) return card;
  if (Array.isArray(card['supportedInterfaces'])) {
    return { ...card, ...('url' in card && { url }), supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion }] };
  }
  return { ...card, url, ...('preferredTransport' in card && { preferredTransport: 'JSONRPC' }), ...('additionalInterfaces' in card && { additionalInterfaces: [] }) };
}
