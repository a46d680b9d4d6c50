import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Role, TaskState, type Artifact, type Message, type Part, type Task } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutionEvent, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';
import { textOf, textPart } from './parts.ts';

/** An artifact as an agent describes it; the rest of the wire's fields are filled in. */
export interface ArtifactDraft {
  readonly artifactId?: string;
  readonly name: string;
  readonly description?: string;
  readonly parts: Part[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** How long pauses are: a factor, 1 for people and less for tests, or what waits in the place of each. */
export type Pace = number | ((ms: number, turn: Turn) => Promise<void>);

/**
 * One message of the user and the agent's answer to it, as events on the SDK's bus.
 *
 * The first thing published decides what the answer is: `reply` makes it a Message alone, anything else opens the
 * task (A2A 1.0 §3.1.2). Every method throws the signal's reason once the task is canceled, so that an agent's
 * code simply ends there.
 */
export class Turn {
  readonly taskId: string;
  readonly contextId: string;
  readonly message: Message;
  /** The task this message continues; undefined for a message that starts something. */
  readonly task: Task | undefined;
  readonly signal: AbortSignal;
  readonly #bus: ExecutionEventBus;
  readonly #pace: Pace;
  #opened = false;
  #over = false;

  constructor(context: RequestContext, bus: ExecutionEventBus, signal: AbortSignal, pace: Pace) {
    this.taskId = context.taskId;
    this.contextId = context.contextId;
    this.message = context.userMessage;
    this.task = context.task;
    this.signal = signal;
    this.#bus = bus;
    this.#pace = pace;
  }

  /** What the user says in this message. */
  get text(): string {
    return textOf(this.message.parts);
  }

  /** What the user has said in this task, oldest first, this message last. */
  get userTexts(): string[] {
    const earlier = (this.task?.history ?? []).filter(said => said.role === Role.ROLE_USER && said.messageId !== this.message.messageId);
    return [...earlier, this.message].map(said => textOf(said.parts));
  }

  /** Whether the answer is finished: a reply was given or the task reached a terminal state. */
  get over(): boolean {
    return this.#over;
  }

  /** Answers with a message and no task. Only as the first and last thing of a turn. */
  reply(text: string): void {
    this.#over = true;
    // A task id here would name a task that nobody can get.
    this.#publish(AgentEvent.message({ ...this.#say(text), taskId: '' }));
  }

  /** Reports progress and then works for `ms` milliseconds (times the pace). */
  async work(text: string, ms: number): Promise<void> {
    this.#status(TaskState.TASK_STATE_WORKING, text);
    await this.pause(ms);
  }

  /** Waits `ms` milliseconds as the pace has it, or until the task is canceled. */
  async pause(ms: number): Promise<void> {
    if (typeof this.#pace === 'number') await delay(ms * this.#pace, undefined, { signal: this.signal });
    else await this.#pace(ms, this);
  }

  /** Publishes a whole artifact, or one chunk of it, and returns its id. */
  artifact(draft: ArtifactDraft, chunk: { append: boolean; lastChunk: boolean } = { append: false, lastChunk: true }): string {
    this.#open();
    const artifact: Artifact = {
      artifactId: draft.artifactId ?? randomUUID(),
      name: draft.name,
      description: draft.description ?? '',
      parts: draft.parts,
      metadata: draft.metadata,
      extensions: [],
    };
    this.#publish(AgentEvent.artifactUpdate({
      taskId: this.taskId, contextId: this.contextId, artifact, ...chunk, metadata: undefined,
    }));
    return artifact.artifactId;
  }

  /** Asks the user and leaves the task waiting (`TASK_STATE_INPUT_REQUIRED`). */
  ask(question: string): void {
    this.#status(TaskState.TASK_STATE_INPUT_REQUIRED, question);
  }

  /** Says that the user has to permit something elsewhere (`TASK_STATE_AUTH_REQUIRED`). The stream goes on, and so does the task once that was done. */
  askPermission(text: string): void {
    this.#status(TaskState.TASK_STATE_AUTH_REQUIRED, text);
  }

  complete(text: string): void {
    this.#end(TaskState.TASK_STATE_COMPLETED, text);
  }

  /** Declines the task (`TASK_STATE_REJECTED`): it could be done, but not like this. */
  reject(reason: string): void {
    this.#end(TaskState.TASK_STATE_REJECTED, reason);
  }

  /** Gives the task up half-way (`TASK_STATE_FAILED`). */
  fail(reason: string): void {
    this.#end(TaskState.TASK_STATE_FAILED, reason);
  }

  #end(state: TaskState, text: string): void {
    this.#over = true;
    this.#status(state, text);
  }

  #status(state: TaskState, text: string): void {
    this.#open();
    this.#publish(AgentEvent.statusUpdate({
      taskId: this.taskId,
      contextId: this.contextId,
      status: { state, message: this.#say(text), timestamp: new Date().toISOString() },
      metadata: undefined,
    }));
  }

  #open(): void {
    if (this.#opened) return;
    this.#opened = true;
    // The SDK refuses a stream that does not begin with a Task, also when the message continues one. It stores a
    // user's message as it came, without the ids that it gave the task: this history has them, and wins by message id.
    const earlier = (this.task?.history ?? []).filter(said => said.messageId !== this.message.messageId);
    this.#publish(AgentEvent.task({
      id: this.taskId,
      contextId: this.contextId,
      status: {
        state: this.task === undefined ? TaskState.TASK_STATE_SUBMITTED : TaskState.TASK_STATE_WORKING,
        message: undefined,
        timestamp: new Date().toISOString(),
      },
      artifacts: this.task?.artifacts ?? [],
      history: [...earlier, this.message],
      metadata: this.task?.metadata,
    }));
  }

  #say(text: string): Message {
    return {
      messageId: randomUUID(),
      contextId: this.contextId,
      taskId: this.taskId,
      role: Role.ROLE_AGENT,
      parts: [textPart(text)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
  }

  #publish(event: AgentExecutionEvent): void {
    this.signal.throwIfAborted();
    this.#bus.publish(event);
  }
}
