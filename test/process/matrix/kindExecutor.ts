import { randomUUID } from 'node:crypto';
import type { Message, Part, Task, TaskState } from '@a2a-js/sdk-0.3';
import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk-0.3/server';
import { play, type Gates, type Stage } from './play.ts';

const textOf = (parts: readonly Part[]): string => parts.map(part => (part.kind === 'text' ? part.text : '')).join('');

/** A turn in the words of 0.2 and 0.3, which are the same. */
class KindStage implements Stage {
  readonly text: string;
  readonly continues: boolean;
  readonly signal: AbortSignal;
  readonly #bus: ExecutionEventBus;
  readonly #ids: { readonly taskId: string; readonly contextId: string };
  readonly #message: Message;
  #opened: boolean;

  constructor({ userMessage, task, taskId, contextId }: RequestContext, bus: ExecutionEventBus, signal: AbortSignal) {
    this.text = textOf(userMessage.parts);
    this.continues = task !== undefined;
    this.signal = signal;
    this.#bus = bus;
    this.#ids = { taskId, contextId };
    this.#message = userMessage;
    this.#opened = this.continues;
  }

  reply(text: string): void {
    this.#bus.publish(this.#say(text, { contextId: this.#ids.contextId }));
  }

  work(text: string): void {
    this.status('working', text);
  }

  chunk(text: string, piece: { readonly append: boolean; readonly lastChunk: boolean }): void {
    this.#open();
    this.#bus.publish({
      kind: 'artifact-update',
      ...this.#ids,
      artifact: { artifactId: 'answer', name: 'answer', parts: [{ kind: 'text', text }] },
      ...piece,
    });
  }

  ask(text: string): void {
    this.status('input-required', text, true);
  }

  complete(text: string): void {
    this.status('completed', text, true);
  }

  status(state: TaskState, text?: string, final = false): void {
    this.#open();
    const message = text === undefined ? undefined : this.#say(text, this.#ids);
    this.#bus.publish({ kind: 'status-update', ...this.#ids, status: { state, message, timestamp: new Date().toISOString() }, final });
  }

  #open(): void {
    if (this.#opened) return;
    this.#opened = true;
    const { taskId, contextId } = this.#ids;
    const task: Task = {
      kind: 'task',
      id: taskId,
      contextId,
      status: { state: 'submitted', timestamp: new Date().toISOString() },
      history: [this.#message],
      artifacts: [],
    };
    this.#bus.publish(task);
  }

  #say(text: string, ids: { readonly taskId?: string; readonly contextId: string }): Message {
    return { kind: 'message', messageId: randomUUID(), role: 'agent', parts: [{ kind: 'text', text }], ...ids };
  }
}

/** The agent of the matrix for the SDKs of 0.2 and 0.3. */
export class KindExecutor implements AgentExecutor {
  readonly #gates: Gates;
  readonly #running = new Map<string, { readonly stage: KindStage; readonly canceled: AbortController }>();

  constructor(gates: Gates) {
    this.#gates = gates;
  }

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const canceled = new AbortController();
    const stage = new KindStage(context, bus, canceled.signal);
    this.#running.set(context.taskId, { stage, canceled });
    try {
      await play(stage, this.#gates);
    } catch (error) {
      if (!canceled.signal.aborted) throw error;
    } finally {
      this.#running.delete(context.taskId);
      bus.finished();
    }
  }

  cancelTask = async (taskId: string): Promise<void> => {
    const running = this.#running.get(taskId);
    running?.stage.status('canceled', undefined, true);
    running?.canceled.abort();
  };
}
