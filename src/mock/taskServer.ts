import { randomUUID } from 'node:crypto';
import { Message } from '../protocol/message/message.ts';
import type { OperationParams } from '../protocol/message/operations.ts';
import type { PushNotificationConfig, TaskPushNotificationConfig } from '../protocol/message/pushNotificationConfig.ts';
import { taskIdOf, type StreamResponse } from '../protocol/message/streamResponse.ts';
import type { Task } from '../protocol/message/task.ts';
import { isTerminal } from '../protocol/message/taskState.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import type { ScriptedError } from './binding.ts';
import { TaskStore } from './taskStore.ts';
import { Notifications } from './notifications.ts';
import type { Script, Step } from './script.ts';
import { pageOf, withHistory } from './taskPages.ts';
import { TaskEvents } from './taskEvents.ts';

/** The message, and the ids that the agent's work gets. */
export interface WorkRequest {
  readonly message: Message;
  readonly taskId: string;
  readonly contextId: string;
  /** Aborted when the task is canceled or the server stops. */
  readonly signal: AbortSignal;
}

/** The agent's work for a message: the events of its task in order, or a single message, which is then the whole answer. */
export type Work = (request: WorkRequest) => Iterable<StreamResponse> | AsyncIterable<StreamResponse>;

export interface TaskServerOptions {
  readonly version: Version;
  readonly work: Work;
  /** Called with what the work threw; its task fails. */
  readonly onError: (error: unknown) => void;
  /** True if the card declares streaming. */
  readonly streams?: () => boolean;
  /** True if the card declares push notifications. */
  readonly notifies?: () => boolean;
  /** Maximum number of tasks kept, 200 by default; beyond it, or beyond 64 MiB of messages, the task that ended first is forgotten. */
  readonly maxTasks?: number;
}

type Refusal = Extract<Step, { error: unknown }>;

const notFound: Refusal = { error: { code: -32001, message: 'Task not found' } };
const invalid = (message: string): Refusal => ({ error: { code: -32602, message } });
const noNotifications: Refusal = { error: { code: -32003, message: 'Push notifications are not supported' } };
const noStreams: Refusal = { error: { code: -32004, message: 'This agent does not stream' } };

/**
 * Keeps tasks and implements every operation on them (A2A 1.0 §3.1), in any protocol version. A user supplies only the agent's work for a
 * message.
 */
export class TaskServer {
  readonly #options: TaskServerOptions;
  readonly #tasks = new TaskStore();
  /** Event streams of tasks that have not ended. */
  readonly #events = new Map<string, TaskEvents>();
  readonly #notifications: Notifications;
  #stopped = new AbortController();

  constructor(options: TaskServerOptions) {
    this.#options = options;
    this.#notifications = new Notifications(options.version);
  }

  /** Aborts all work. The server can be used again afterwards and keeps its tasks. */
  stop(): void {
    this.#stopped.abort();
    this.#stopped = new AbortController();
    this.#notifications.stop();
  }

  /** Changes what is answered about a task, without an event of it. */
  amend(event: StreamResponse): void {
    this.#tasks.apply(event);
  }

  get script(): Script {
    const { version } = this.#options;
    return {
      SendMessage: ({ params, body }) => (params === undefined ? [] : this.#send(params, body.length)),
      SendStreamingMessage: ({ params, body, signal }) =>
        params === undefined ? [] : this.#streams() ? this.#stream(params, body.length, signal) : [noStreams],
      GetTask: ({ params }) => (params === undefined ? [] : this.#get(params)),
      CancelTask: ({ params }) => (params === undefined ? [] : this.#cancel(params.id)),
      ListTasks: ({ params }) => (params === undefined ? [] : this.#list(params)),
      CreateTaskPushNotificationConfig: ({ params }) =>
        params === undefined ? [] : this.#configured(params.taskId, () => this.#create(params.taskId, params)),
      GetTaskPushNotificationConfig: ({ params }) =>
        params === undefined ? [] : this.#configured(params.taskId, () => answerOr(this.#notifications.get(params))),
      ListTaskPushNotificationConfigs: ({ params }) =>
        params === undefined ? [] : this.#configured(params.taskId, () => ({ answer: this.#notifications.list(params.taskId) })),
      DeleteTaskPushNotificationConfig: ({ params }) =>
        params === undefined
          ? []
          : this.#configured(params.taskId, () => {
              this.#notifications.delete(params);
              return { answer: {} };
            }),
      // The task API would send it as the greeting of a WebSocket.
      ...(version.taskRoutes === undefined && {
        SubscribeToTask: ({ params, signal }) =>
          params === undefined ? [] : this.#streams() ? this.#subscribe(params.id, signal) : [noStreams],
      }),
    };
  }

  #streams(): boolean {
    return this.#options.streams?.() ?? true;
  }

  async *#send({ message, configuration }: OperationParams['SendMessage'], bytes: number): AsyncGenerator<Step> {
    const begun = this.#begin(message, bytes, configuration?.taskPushNotificationConfig);
    if ('error' in begun) return yield begun;
    const { task, first, done } = begun;
    if (configuration?.returnImmediately !== true) await done;
    const answer = await first;
    if (answer !== undefined && 'message' in answer) return yield { answer };
    yield { answer: { task: withHistory(this.#tasks.get(task.id) ?? task, configuration?.historyLength) } };
  }

  async *#stream(
    { message, configuration }: OperationParams['SendStreamingMessage'],
    bytes: number,
    signal: AbortSignal,
  ): AsyncGenerator<Step> {
    const begun = this.#begin(message, bytes, configuration?.taskPushNotificationConfig);
    if ('error' in begun) return yield begun;
    const { task, first, events, from, done } = begun;
    const answer = await first;
    if (answer !== undefined && 'message' in answer) return yield { event: answer };
    yield { event: { task: withHistory(task, configuration?.historyLength) } };
    for await (const event of events.from(from, AbortSignal.any([signal, settled(done)]))) yield { event };
  }

  /** A task that waits for input keeps its stream open until it ends (A2A 1.0 §3.1.6). */
  async *#subscribe(id: string, signal: AbortSignal): AsyncGenerator<Step> {
    const task = this.#tasks.get(id);
    if (task === undefined) return yield notFound;
    const events = this.#events.get(id);
    const { version } = this.#options;
    if (events === undefined && version.header !== undefined) return yield { error: { code: -32004, message: 'The task is over' } };
    // Events that occur while the snapshot is sent come after it.
    const from = events?.length ?? 0;
    yield { event: { task } };
    if (events !== undefined) for await (const event of events.from(from, signal)) yield { event };
  }

  #get({ id, historyLength }: OperationParams['GetTask']): Step[] {
    const task = this.#tasks.get(id);
    return [task === undefined ? notFound : { answer: withHistory(task, historyLength) }];
  }

  #cancel(id: string): Step[] {
    const task = this.#tasks.get(id);
    if (task === undefined) return [notFound];
    if (isTerminal(task.status.state)) return [{ error: { code: -32002, message: 'Task cannot be canceled' } }];
    this.#apply({
      statusUpdate: {
        taskId: id,
        contextId: task.contextId ?? id,
        status: { state: 'TASK_STATE_CANCELED', timestamp: new Date().toISOString() },
      },
    });
    return [{ answer: this.#tasks.get(id) ?? task }];
  }

  #configured(taskId: string, step: () => Step): Step[] {
    if (!this.#notifies()) return [noNotifications];
    return [this.#tasks.stateOf(taskId) === undefined ? notFound : step()];
  }

  #create(taskId: string, config: PushNotificationConfig): Step {
    const made = this.#notifications.create(taskId, config);
    return typeof made === 'string' ? invalid(made) : { answer: made };
  }

  #notifies(): boolean {
    return this.#options.notifies?.() ?? true;
  }

  #list(params: OperationParams['ListTasks']): Step[] {
    const page = pageOf(this.#tasks.all(), params);
    return [typeof page === 'string' ? invalid(page) : { answer: page }];
  }

  /** Starts the work for a message that came in so many bytes. The returned task is its state before the work. */
  #begin(message: Message, bytes: number, config?: PushNotificationConfig): StartedWork | Refusal {
    const { version, onError } = this.#options;
    const wantedId = message.taskId ?? (version.clientAssignsIds ? message.messageId : undefined);
    const known = wantedId === undefined ? undefined : this.#tasks.get(wantedId);
    if (wantedId !== undefined && known === undefined && !version.clientAssignsIds) return notFound;
    if (known !== undefined && isTerminal(known.status.state)) return { error: this.#taskOverError() };
    if (known !== undefined && message.contextId !== undefined && message.contextId !== known.contextId)
      return invalid('The task belongs to another context');
    const taskId = wantedId ?? randomUUID();
    const contextId = known?.contextId ?? message.contextId ?? randomUUID();
    if (config !== undefined) {
      if (!this.#notifies()) return noNotifications;
      const made = this.#notifications.create(taskId, config);
      if (typeof made === 'string') return invalid(made);
    }
    // Kept and sent as the schema has it: unknown members are dropped.
    const own: Message = { ...(Message.safeParse(message).data ?? message), taskId, contextId };
    const before: Task = { id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED', timestamp: new Date().toISOString() } };
    const asIs = (): Task => {
      const now = this.#tasks.get(taskId) ?? before;
      return { ...now, history: [...(now.history ?? []), own] };
    };
    const task = asIs();
    const events = this.#events.get(taskId) ?? new TaskEvents();
    const from = events.length;
    const first = Promise.withResolvers<StreamResponse | undefined>();
    const keep = (): void => {
      this.#tasks.put(asIs());
      this.#tasks.weigh(taskId, bytes);
      this.#events.set(taskId, events);
      this.#dropOldest();
    };
    const signal = AbortSignal.any([this.#stopped.signal, events.over]);
    const failed = (error: unknown): void => {
      if (signal.aborted) return;
      onError(error);
      keep();
      this.#apply({ statusUpdate: { taskId, contextId, status: { state: 'TASK_STATE_FAILED', timestamp: new Date().toISOString() } } });
    };
    const done = this.#work({ message, taskId, contextId, signal }, keep, first.resolve)
      .catch(failed)
      .finally(() => {
        first.resolve(undefined);
        // Of a message that makes no task nothing is kept.
        if (this.#tasks.stateOf(taskId) === undefined) this.#notifications.forget(taskId);
      });
    return { task, events, from, first: first.promise, done };
  }

  /** Ends when the signal is aborted, whatever the work does. No task is kept where the answer is a message. */
  async #work(request: WorkRequest, keep: () => void, isFirst: (event: StreamResponse | undefined) => void): Promise<void> {
    let kept = false;
    const steps = async (): Promise<void> => {
      for await (const event of this.#options.work(request)) {
        if (request.signal.aborted) return;
        if (!kept && 'message' in event) return isFirst(event);
        if (!kept) keep();
        kept = true;
        isFirst(event);
        this.#apply(event);
      }
      if (!kept) keep();
    };
    await Promise.race([steps(), aborted(request.signal)]);
  }

  #apply(event: StreamResponse): void {
    const taskId = taskIdOf(event) ?? '';
    this.#tasks.apply(event);
    const state = this.#tasks.stateOf(taskId);
    const message = 'statusUpdate' in event ? event.statusUpdate.status.message : undefined;
    if (message !== undefined) this.#tasks.note(taskId, message);
    if (state !== undefined) this.#notifications.notify(taskId, event, () => this.#tasks.get(taskId)!);
    const events = this.#events.get(taskId);
    events?.add(event);
    if (state === undefined || !isTerminal(state)) return;
    this.#events.delete(taskId);
    events?.end();
  }

  #taskOverError(): ScriptedError {
    const { errorNames } = this.#options.version;
    const own = Object.keys(errorNames).find(code => errorNames[Number(code)] === 'InvalidTaskStateError');
    return { code: own === undefined ? -32004 : Number(own), message: 'The task is over and takes no more messages' };
  }

  #dropOldest(): void {
    for (const id of this.#tasks.shrink(this.#options.maxTasks ?? 200)) {
      this.#notifications.forget(id);
      this.#events.get(id)?.end();
      this.#events.delete(id);
    }
  }
}

const answerOr = (config: TaskPushNotificationConfig | undefined): Step => (config === undefined ? notFound : { answer: config });

interface StartedWork {
  readonly task: Task;
  readonly events: TaskEvents;
  /** Index of the first event of this work in the task's events. */
  readonly from: number;
  /** The first event of the work; undefined where it has none. */
  readonly first: Promise<StreamResponse | undefined>;
  /** Resolves when the work for this message is done. */
  readonly done: Promise<void>;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

function settled(promise: Promise<void>): AbortSignal {
  const controller = new AbortController();
  void promise.finally(() => controller.abort());
  return controller.signal;
}
