import type { Answer, RawBatch } from '../../client/transport/transport.ts';
import type { OperationParams, UnaryOperation, UnaryResults } from '../../protocol/message/operations.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { Entry, EntryUpdate, MessageEntry } from '../../protocol/message/transcript.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { WantedConnection } from '../agents/wantedConnection.ts';
import { type Disposable, type Event, Emitter } from '../emitter.ts';
import type { Journal } from '../run/journal.ts';
import { Run } from '../run/run.ts';
import type { FoundTask, RunAgent, Sending } from '../run/runScope.ts';
import type { RunTiming } from '../run/runTiming.ts';
import type { SendOptions, SendTarget } from '../run/sendOptions.ts';
import { taskTooLarge } from '../run/taskLog.ts';
import { ContextCalls, type KnownTasks } from './contextCalls.ts';
import { ContextRuns } from './contextRuns.ts';
import { checkDelivery, type DeliveryCheck } from './deliveryCheck.ts';
import { outgoing } from './outgoing.ts';
import { passwordsAskedFor, withoutPasswords } from './passwords.ts';

export interface LiveContextOptions {
  readonly timing: RunTiming;
  /** How much is kept of one task, in bytes. */
  readonly maxTaskBytes: () => number;
  readonly onError: (error: unknown) => void;
}

/** One context with its agent, its calls and its runs. Subclasses decide where it is stored. */
export abstract class LiveContext implements Disposable {
  protected readonly events: ContextEvents;
  protected readonly runs = new ContextRuns();
  /** Writes and events have ended. */
  protected closed = false;
  readonly #options: LiveContextOptions;
  #calls: ContextCalls | undefined;

  constructor(options: LiveContextOptions) {
    this.#options = options;
    this.events = new ContextEvents(options.onError);
  }

  abstract readonly key: string;
  /** The agent's id of the context, once it is known. */
  abstract readonly contextId: string | undefined;
  /** The newest task that waits for input or authorization. */
  abstract readonly waitingTask: { readonly taskId: string } | undefined;
  abstract task(taskId: string): Task | undefined;
  abstract entry(seq: number): Entry | undefined;
  abstract entriesOfTask(taskId: string): { readonly items: readonly Entry[] };
  abstract dispose(): void;
  protected abstract readonly journal: Journal;
  protected abstract readonly known: KnownTasks;
  /** Throws a `Problem` `unknown-agent`. */
  protected abstract requireAgent(): RunAgent;
  /** The context of this agent that has the task. */
  protected abstract holderOf(taskId: string): LiveContext | undefined;
  /** Moves a task to this context; false if another one has it and keeps it. */
  protected abstract takesOver(taskId: string): boolean;
  /** This process follows the task. */
  protected abstract claim(taskId: string): void;
  /** This process no longer follows the task; with `again`, another one may take it over. */
  protected abstract release(taskId: string, again: boolean): void;
  /** The context has changed in a way that lists show. */
  protected abstract notifyLists(): void;

  /** In order, in batches; committed before they are reported. */
  get onDidUpdate(): Event<readonly EntryUpdate[]> {
    return this.events.updated.event;
  }

  /** Anything else that a view shows has changed: tasks, title, contextId, running, stopping, connections. */
  get onDidChangeState(): Event<void> {
    return this.events.changed.event;
  }

  /**
   * Writes the message to the history and sends it. Throws a `Problem` at once if there is nothing to send (`empty-message`), nowhere to send
   * it (`no-waiting-task`, `unknown-agent`), no room for an answer (`task-too-large`) or no way to write it (`history-busy`: see `patiently`).
   * Later problems are in the run and in the transcript.
   */
  send(options: SendOptions): Run {
    const agent = this.requireAgent();
    const taskId = this.#targetOf(options.target);
    if (taskId !== undefined && this.isFull(taskId)) throw taskTooLarge(this.#options.maxTaskBytes());
    const contextId = (taskId === undefined ? undefined : this.known.document(taskId)?.task.contextId) ?? this.contextId;
    const message = outgoing(options, { contextId, taskId });
    const { kept, passwords } = withoutPasswords(message, () =>
      // Pointers to passwords in the data, according to the forms with which the task asked.
      passwordsAskedFor(taskId === undefined ? [] : this.entriesOfTask(taskId).items, agent.card),
    );
    this.journal.passwords.push(...passwords);
    const seq = this.journal.message(kept, taskId, options.assistant);
    // Otherwise both streams would bring the same events.
    const older = taskId === undefined ? [] : this.runs.of(taskId);
    const takesOver = older.some(run => run.running);
    for (const run of older) run.supersede();
    if (taskId !== undefined) this.#claim(taskId);
    const { streaming, leaves, plainly, unchecked, configuration, metadata, tenant, interface: wanted } = options;
    const params = withoutUndefined({ configuration, metadata: metadata && { ...metadata }, tenant });
    return this.#begin({ seq, message, kept, streaming, takesOver, leaves, plainly, unchecked, params }, agent, wanted);
  }

  /**
   * Follows a task until it is over or waits, as after a lost stream. If a run does so already, returns that run. Throws a `Problem`
   * `unknown-agent`.
   */
  subscribeTask(taskId: string, wanted?: WantedConnection): Run {
    const known = this.runs.listenerOf(taskId);
    if (known !== undefined) return known;
    const agent = this.requireAgent();
    this.#claim(taskId);
    return this.#begin(taskId, agent, wanted);
  }

  /**
   * Subscribes to a task and takes in nothing of it: resolves with the first event, or the end of the stream. Rejects with a `Problem`, such as
   * the agent's refusal, which `subscribeTask` gets round by asking for the task.
   */
  trySubscription(taskId: string, signal?: AbortSignal, wanted?: WantedConnection): Promise<void> {
    return this.calls.trySubscription(taskId, signal, wanted);
  }

  /**
   * Any unary operation. Its exchange is kept here, and a task or message in its answer is applied. A listed task is applied in the context
   * that has it, and in no other. Rejects with a `Problem`.
   * @param wanted the interface to use instead of that of the agent's settings or card.
   */
  call<O extends UnaryOperation>(
    operation: O,
    params: OperationParams[O],
    signal?: AbortSignal,
    wanted?: WantedConnection,
  ): Promise<Answer<UnaryResults[O]>> {
    return this.calls.call(operation, params, signal, wanted);
  }

  /** The card that the agent has for those who are signed in, as its JSON came (A2A 1.0 §3.1.11). Its exchange is kept here. Rejects with a `Problem`. */
  extendedCard(
    params: { readonly tenant?: string | undefined },
    signal?: AbortSignal,
    wanted?: WantedConnection,
  ): Promise<Answer<unknown>> {
    return this.calls.extendedCard(params, signal, wanted);
  }

  /** A raw JSON-RPC body, sent exactly as written. The readable part of the answer is applied; `onHeard` is called for every sign of the agent. The iteration throws a `Problem`. */
  sendRaw(body: string, signal?: AbortSignal, wanted?: WantedConnection, onHeard?: () => void): AsyncGenerator<RawBatch> {
    return this.calls.sendRaw(body, signal, wanted, onHeard);
  }

  /** Takes in a task that came by other means. */
  takeIn(task: Task, exchangeId: string): void {
    this.calls.applyEvents([{ task }], exchangeId);
  }

  protected get calls(): ContextCalls {
    this.#calls ??= new ContextCalls({
      tasks: this.known,
      journal: this.journal,
      maxTaskBytes: this.#options.maxTaskBytes,
      agent: () => this.requireAgent(),
      contextId: () => this.contextId,
      listenerOf: taskId => this.runs.listenerOf(taskId),
      onListed: (task, exchangeId) => this.holderOf(task.id)?.takeIn(task, exchangeId),
    });
    return this.#calls;
  }

  /** Nothing is taken in any more. */
  protected close(): void {
    this.closed = true;
    this.calls.close();
  }

  /** No more of the task is kept. */
  protected isFull(taskId: string): boolean {
    this.journal.sizes.readAgain(taskId);
    return this.journal.sizes.of(taskId) > this.#options.maxTaskBytes();
  }

  /** Asks the agent whether it has a message whose delivery is unknown. */
  protected findMessage(entry: MessageEntry, signal?: AbortSignal): Promise<DeliveryCheck> {
    return checkDelivery(entry, {
      ask: (operation, params) => this.calls.ask(operation, params, signal),
      saidIn: taskId =>
        this.entriesOfTask(taskId).items.flatMap(other =>
          other.kind === 'message' && other.delivery !== undefined && other.seq !== entry.seq ? [other.message] : [],
        ),
    });
  }

  /** The task that the message of this entry began; undefined where the agent has none, or another context keeps it. */
  async #find(seq: number, signal: AbortSignal): Promise<FoundTask | undefined> {
    const entry = this.entry(seq);
    const check = entry?.kind === 'message' ? await this.findMessage(entry, signal) : undefined;
    return check?.outcome === 'found' && !this.closed && this.takesOver(check.task.id) ? check : undefined;
  }

  #claim(taskId: string): void {
    this.journal.sizes.readAgain(taskId);
    this.journal.inTurn(() => this.claim(taskId));
  }

  #targetOf(target: SendTarget): string | undefined {
    if (target === 'new-task') return undefined;
    if (target !== 'waiting-task') return target.taskId;
    const waiting = this.waitingTask;
    if (waiting === undefined) {
      throw new Problem('no-waiting-task', sentence('No task in this context is waiting for an answer.'), {
        nextStep: sentence('Send the message as a new task.'),
      });
    }
    return waiting.taskId;
  }

  #begin(what: Sending | string, agent: RunAgent, wanted: WantedConnection | undefined): Run {
    const { timing, maxTaskBytes, onError } = this.#options;
    const run: Run = new Run(
      {
        timing,
        maxTaskBytes,
        onError,
        agent,
        wanted,
        journal: this.journal,
        load: taskId => this.calls.load(taskId),
        find: (seq, signal) => this.#find(seq, signal),
        follow: taskId => {
          if (!this.closed) this.subscribeTask(taskId, wanted);
        },
        release: (taskId, again) => this.journal.inTurn(() => this.release(taskId, again)),
        onDidChange: () => {
          if (run.over) this.runs.delete(run);
          if (this.closed) return;
          this.events.changed.fire();
          this.notifyLists();
        },
      },
      what,
    );
    this.runs.add(run);
    this.events.changed.fire();
    return run;
  }
}

/** The events of one context. */
class ContextEvents implements Disposable {
  readonly updated: Emitter<readonly EntryUpdate[]>;
  readonly changed: Emitter<void>;
  readonly found: Emitter<void>;
  readonly deleted: Emitter<{ readonly here: boolean }>;

  constructor(onError: (error: unknown) => void) {
    this.updated = new Emitter(onError);
    this.changed = new Emitter(onError);
    this.found = new Emitter(onError);
    this.deleted = new Emitter(onError);
  }

  dispose(): void {
    for (const emitter of [this.updated, this.changed, this.found, this.deleted]) emitter.dispose();
  }
}
