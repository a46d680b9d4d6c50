import { randomUUID } from 'node:crypto';
import type { Script, Step } from '../../../src/mock/script.ts';
import { TaskReducer } from '../../../src/model/fold/taskReducer.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import type { SendMessageParams } from '../../../src/protocol/message/operations.ts';
import { textOf, type Part } from '../../../src/protocol/message/part.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { isActive, type TaskState } from '../../../src/protocol/message/taskState.ts';
import { play, type Gates, type Stage } from './play.ts';

const notFound: readonly Step[] = [{ error: { code: -32001, message: 'Task not found' } }];

/** What a message says: its text, or the member `say` of its data. */
const said = (parts: readonly Part[]): string =>
  textOf(parts) || parts.map(part => ('data' in part ? String((part.data as { say?: unknown } | null)?.say ?? '') : '')).join('');

/** One turn as core events, kept for everyone who listens. */
class Turn implements Stage {
  readonly text: string;
  readonly continues: boolean;
  readonly canceled = new AbortController();
  readonly #taskId: string;
  readonly #contextId: string;
  readonly #folded: TaskReducer;
  readonly #events: StreamResponse[] = [];
  #more = Promise.withResolvers<void>();
  #over = false;

  constructor(message: Message, folded: TaskReducer, contextId: string, continues: boolean) {
    this.text = said(message.parts);
    this.continues = continues;
    this.#taskId = folded.id;
    this.#contextId = contextId;
    this.#folded = folded;
    if (this.#isMessageOnly) return;
    const history = [...(folded.task.history ?? []), { ...message, taskId: folded.id, contextId }];
    this.#publish({
      task: { ...folded.task, contextId, status: this.#status(continues ? 'TASK_STATE_WORKING' : 'TASK_STATE_SUBMITTED'), history },
    });
  }

  get signal(): AbortSignal {
    return this.canceled.signal;
  }

  get #isMessageOnly(): boolean {
    return this.text === 'hello';
  }

  reply(text: string): void {
    this.#over = true;
    this.#publish({ message: this.#message(text, { contextId: this.#contextId }) });
  }

  work(text: string): void {
    this.state('TASK_STATE_WORKING', text);
  }

  chunk(text: string, piece: { readonly append: boolean; readonly lastChunk: boolean }): void {
    this.#publish({
      artifactUpdate: {
        taskId: this.#taskId,
        contextId: this.#contextId,
        artifact: { artifactId: 'answer', name: 'answer', parts: [{ text }] },
        ...piece,
      },
    });
  }

  ask(text: string): void {
    this.state('TASK_STATE_INPUT_REQUIRED', text);
  }

  complete(text: string): void {
    this.state('TASK_STATE_COMPLETED', text);
  }

  state(state: TaskState, text?: string): void {
    this.#over = !isActive(state);
    this.#publish({ statusUpdate: { taskId: this.#taskId, contextId: this.#contextId, status: this.#status(state, text) } });
  }

  #status(state: TaskState, text?: string): Task['status'] {
    const message = text === undefined ? undefined : this.#message(text, { contextId: this.#contextId, taskId: this.#taskId });
    return { state, timestamp: new Date().toISOString(), ...(message !== undefined && { message }) };
  }

  #message(text: string, ids: { readonly contextId: string; readonly taskId?: string }): Message {
    return { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text }], ...ids };
  }

  #publish(event: StreamResponse): void {
    this.#events.push(event);
    if (!('message' in event)) this.#folded.apply(event);
    this.#more.resolve();
    this.#more = Promise.withResolvers();
  }

  /** Events from a place on, until the turn is over. */
  async *events(from = 0): AsyncGenerator<StreamResponse> {
    for (let next = from; ; next++) {
      while (next >= this.#events.length) {
        if (this.#over) return;
        await this.#more.promise;
      }
      yield this.#events[next]!;
    }
  }

  get count(): number {
    return this.#events.length;
  }
}

/** The agent of the matrix as a script of the mock, with its tasks. */
export function coreAgent(gates: Gates, onError: (error: unknown) => void): Script {
  const tasks = new Map<string, TaskReducer>();
  const turns = new Map<string, Turn>();

  const start = ({ message }: SendMessageParams): Turn => {
    const taskId = message.taskId ?? randomUUID();
    const known = tasks.get(taskId);
    const folded = known ?? new TaskReducer(taskId);
    const turn = new Turn(message, folded, message.contextId ?? folded.contextId ?? randomUUID(), known !== undefined);
    if (turn.text !== 'hello') tasks.set(taskId, folded);
    turns.set(taskId, turn);
    play(turn, gates).catch((error: unknown) => {
      if (!turn.signal.aborted) onError(error);
    });
    return turn;
  };

  /** What the status says is the last word of the history, as 0.1 wants it and later generations may have it. */
  const cut = (task: Task, historyLength?: number): Task => {
    if (historyLength === undefined || task.history === undefined) return task;
    const said = [...task.history, ...(task.status.message === undefined ? [] : [task.status.message])];
    return { ...task, history: historyLength === 0 ? [] : said.slice(-historyLength) };
  };

  async function* steps(events: AsyncIterable<StreamResponse>): AsyncGenerator<Step> {
    for await (const event of events) yield { event };
  }

  return {
    async *SendMessage({ params }) {
      let last: StreamResponse | undefined;
      for await (const event of start(params!).events()) last = event;
      const id = last !== undefined && 'statusUpdate' in last ? last.statusUpdate.taskId : '';
      yield { answer: last !== undefined && 'message' in last ? last : { task: tasks.get(id)!.task } };
    },
    SendStreamingMessage: ({ params }) => steps(start(params!).events()),
    GetTask({ params }) {
      const task = tasks.get(params!.id)?.task;
      return task === undefined ? notFound : [{ answer: cut(task, params!.historyLength) }];
    },
    ListTasks({ params }) {
      const found = [...tasks.values()]
        .map(({ task }) => task)
        .filter(({ contextId }) => params!.contextId === undefined || contextId === params!.contextId);
      return [{ answer: { tasks: found, nextPageToken: '', pageSize: 50, totalSize: found.length } }];
    },
    CancelTask({ params }) {
      const folded = tasks.get(params!.id);
      if (folded === undefined) return notFound;
      const turn = turns.get(params!.id)!;
      turn.state('TASK_STATE_CANCELED');
      turn.canceled.abort();
      return [{ answer: folded.task }];
    },
    async *SubscribeToTask({ params }) {
      const folded = tasks.get(params!.id);
      if (folded === undefined) return yield* notFound;
      const turn = turns.get(params!.id)!;
      const { count } = turn;
      yield { event: { task: folded.task } };
      yield* steps(turn.events(count));
    },
  };
}
