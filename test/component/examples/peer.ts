import { randomUUID } from 'node:crypto';
import { AgentCard, Role, type Message, type Part, type StreamResponse, type Task } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, type Client } from '@a2a-js/sdk/client';
import { textOf, textPart } from '../../../examples/agents/parts.ts';

export type Generation = '1.0' | '0.3';

export const generations: readonly Generation[] = ['1.0', '0.3'];

export interface Reference {
  readonly contextId?: string;
  readonly taskId?: string;
  readonly referenceTaskIds?: string[];
}

/** What a stream came to, and what it was made of. */
export interface Outcome {
  readonly events: StreamResponse[];
  readonly message: Message | undefined;
  /** The task as the agent stores it after the stream's end; undefined when the answer was a message. */
  readonly task: Task | undefined;
}

/** The SDK's own client, speaking one generation of the protocol to one agent. */
export class Peer {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  static async connect(url: string, generation: Generation): Promise<Peer> {
    const legacyCompat = { enabled: true };
    const card = await new DefaultAgentCardResolver({ legacyCompat }).resolve(url);
    // The client takes the first interface it can speak, and both generations live at the same URL.
    const only = { ...card, supportedInterfaces: card.supportedInterfaces.filter(face => face.protocolVersion === generation) };
    return new Peer(
      await new ClientFactory({ transports: [new JsonRpcTransportFactory({ legacyCompat })] }).createFromAgentCard(
        AgentCard.fromJSON(only),
      ),
    );
  }

  /** Sends a text as a stream and reads it to its end; `onEvent` sees each event as it arrives. */
  async send(text: string, reference: Reference = {}, onEvent: (event: StreamResponse) => void = () => undefined): Promise<Outcome> {
    const events: StreamResponse[] = [];
    for await (const event of this.client.sendMessageStream(request(text, reference))) {
      events.push(event);
      onEvent(event);
    }
    const message = events.flatMap(({ payload }) => (payload?.$case === 'message' ? [payload.value] : []))[0];
    const taskId = events.flatMap(({ payload }) => (payload?.$case === 'task' ? [payload.value.id] : []))[0];
    return { events, message, task: taskId === undefined ? undefined : await this.get(taskId) };
  }

  async get(id: string): Promise<Task> {
    return this.client.getTask({ id, tenant: '' });
  }
}

export function request(text: string, { contextId = '', taskId = '', referenceTaskIds = [] }: Reference = {}) {
  const message: Message = {
    messageId: randomUUID(),
    contextId,
    taskId,
    referenceTaskIds,
    role: Role.ROLE_USER,
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
  };
  return { tenant: '', message, configuration: undefined, metadata: undefined };
}

/** The task of an outcome that has to be one. */
export function taskOf({ task, message }: Outcome): Task {
  if (task === undefined) throw new Error(`A task was expected, and this came: ${textOf(message?.parts ?? [])}`);
  return task;
}

export function statusText(task: Task): string {
  return textOf(task.status?.message?.parts ?? []);
}

export function dataOf(parts: readonly Part[]): Record<string, unknown> {
  for (const { content } of parts) if (content?.$case === 'data') return content.value;
  throw new Error('There is no data part.');
}
