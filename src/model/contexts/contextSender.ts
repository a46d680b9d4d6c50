import type { WantedConnection } from '../agents/wantedConnection.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { Entry, MessageEntry } from '../../protocol/message/transcript.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { Journal } from '../run/journal.ts';
import { Run } from '../run/run.ts';
import { needsListener, type FoundTask, type RunAgent, type RunScope } from '../run/runScope.ts';
import type { RunTiming } from '../run/runTiming.ts';
import type { SendOptions, SendTarget } from '../run/sendOptions.ts';
import { taskTooLarge } from '../run/taskLog.ts';
import type { ContextCalls, KnownTasks } from './contextCalls.ts';
import type { ContextEvents } from './contextEvents.ts';
import type { ContextRuns } from './contextRuns.ts';
import { checkDelivery, type DeliveryCheck } from './deliveryCheck.ts';
import { outgoing } from './outgoing.ts';
import { passwordsAskedFor, withoutPasswords } from './passwords.ts';

/** The context that messages are sent in (`StoredContext`). */
export interface SendingContext {
  readonly key: string;
  readonly contextId: string | undefined;
  readonly waitingTask: { readonly taskId: string } | undefined;
  entriesOfTask(taskId: string): { readonly items: readonly Entry[] };
  entry(seq: number): Entry | undefined;
}

/** What sending and following need of their context. */
export interface ContextSenderNeeds {
  readonly context: SendingContext;
  readonly tasks: KnownTasks;
  /** Which process follows a task. */
  readonly following: {
    claim(taskId: string): void;
    /** `again`: another one may take it over. */
    release(taskId: string, again: boolean): void;
  };
  readonly timing: RunTiming;
  /** How much is kept of one task, in bytes. */
  readonly maxTaskBytes: () => number;
  /** Throws a `Problem` `unknown-agent`. */
  readonly agent: () => RunAgent;
  readonly journal: Journal;
  readonly calls: ContextCalls;
  readonly runs: ContextRuns;
  readonly events: ContextEvents;
  /** Nothing is written or reported any more. */
  readonly isClosed: () => boolean;
  /** Moves a task to this context; false if another one has it and keeps it. */
  readonly onAdopt: (taskId: string) => boolean;
  /** The context has changed in a way that lists show. */
  readonly onListed: () => void;
  readonly onError: (error: unknown) => void;
}

/** Begins the runs of one context: sends messages and follows tasks. */
export class ContextSender {
  readonly #needs: ContextSenderNeeds;

  constructor(needs: ContextSenderNeeds) {
    this.#needs = needs;
  }

  /** See `AgentContext.send`. */
  send(options: SendOptions): Run {
    const agent = this.#needs.agent();
    const taskId = this.#targetOf(options.target);
    if (taskId !== undefined && this.isFull(taskId)) throw taskTooLarge(this.#needs.maxTaskBytes());
    const contextId =
      (taskId === undefined ? undefined : this.#needs.tasks.document(taskId)?.task.contextId) ?? this.#needs.context.contextId;
    const message = outgoing(options, { contextId, taskId });
    const { kept, passwords } = withoutPasswords(message, () => this.#passwordsOf(taskId, agent));
    this.#needs.journal.passwords.push(...passwords);
    const seq = this.#needs.journal.message(kept, taskId);
    // Otherwise both streams would bring the same events.
    const older = taskId === undefined ? [] : this.#needs.runs.of(taskId);
    const takesOver = older.some(run => run.running);
    for (const run of older) run.supersede();
    if (taskId !== undefined) this.#claim(taskId);
    const { streaming, leaves, unchecked, configuration, metadata, tenant, interface: wanted } = options;
    return this.#begin(
      scope =>
        new Run(scope, {
          seq,
          message,
          kept,
          streaming,
          takesOver,
          leaves,
          unchecked,
          params: withoutUndefined({ configuration, metadata: metadata && { ...metadata }, tenant }),
        }),
      agent,
      wanted,
    );
  }

  /** See `AgentContext.subscribeTask`. */
  follow(taskId: string, wanted?: WantedConnection): Run {
    const known = this.#needs.runs.listenerOf(taskId);
    if (known !== undefined) return known;
    const agent = this.#needs.agent();
    this.#claim(taskId);
    return this.#begin(scope => new Run(scope, taskId), agent, wanted);
  }

  /** Asks the agent whether it has a message whose delivery is unknown. */
  checkDelivery(entry: MessageEntry, signal?: AbortSignal): Promise<DeliveryCheck> {
    return checkDelivery(entry, {
      ask: (operation, params) => this.#needs.calls.ask(operation, params, signal),
      saidIn: taskId =>
        this.#needs.context
          .entriesOfTask(taskId)
          .items.flatMap(other =>
            other.kind === 'message' && other.delivery !== undefined && other.seq !== entry.seq ? [other.message] : [],
          ),
    });
  }

  /** The message began this task, or is part of it. */
  adopt({ seq, message }: MessageEntry, task: Task, exchangeId: string): void {
    const entry = this.#needs.context.entry(seq);
    if (entry?.kind !== 'message' || entry.delivery !== 'unknown') return;
    if (this.#needs.onAdopt(task.id)) {
      const folded = this.#needs.calls.load(task.id);
      folded.know(message);
      this.#needs.journal.record(folded.merge(task), { exchangeId, answers: seq });
      if (needsListener(task.status.state)) this.follow(task.id);
    }
    this.#needs.journal.delivery(seq, 'sent');
  }

  /** No more of the task is kept. */
  isFull(taskId: string): boolean {
    this.#needs.journal.sizes.readAgain(taskId);
    return this.#needs.journal.sizes.of(taskId) > this.#needs.maxTaskBytes();
  }

  /** The task that the message of this entry began; undefined where the agent has none, or another context keeps it. */
  async #find(seq: number, signal: AbortSignal): Promise<FoundTask | undefined> {
    const entry = this.#needs.context.entry(seq);
    const check = entry?.kind === 'message' ? await this.checkDelivery(entry, signal) : undefined;
    return check?.outcome === 'found' && !this.#needs.isClosed() && this.#needs.onAdopt(check.task.id) ? check : undefined;
  }

  /** Pointers to passwords in the data of a message to the task, according to the forms with which the task asked. */
  #passwordsOf(taskId: string | undefined, agent: RunAgent): readonly string[] {
    return passwordsAskedFor(taskId === undefined ? [] : this.#needs.context.entriesOfTask(taskId).items, agent.card);
  }

  #claim(taskId: string): void {
    this.#needs.journal.sizes.readAgain(taskId);
    this.#needs.journal.inTurn(() => this.#needs.following.claim(taskId));
  }

  #targetOf(target: SendTarget): string | undefined {
    if (target === 'new-task') return undefined;
    if (target !== 'waiting-task') return target.taskId;
    const waiting = this.#needs.context.waitingTask;
    if (waiting === undefined) {
      throw new Problem('no-waiting-task', sentence('No task of this context waits for an answer.'), {
        nextStep: sentence('Send the message as a new task.'),
      });
    }
    return waiting.taskId;
  }

  #begin(start: (scope: RunScope) => Run, agent: RunAgent, wanted: WantedConnection | undefined): Run {
    const { timing, maxTaskBytes, onError, onListed } = this.#needs;
    const run = start({
      agent,
      wanted,
      journal: this.#needs.journal,
      timing,
      maxTaskBytes,
      load: taskId => this.#needs.calls.load(taskId),
      find: (seq, signal) => this.#find(seq, signal),
      follow: taskId => {
        if (!this.#needs.isClosed()) this.follow(taskId, wanted);
      },
      release: (taskId, again) => this.#needs.journal.inTurn(() => this.#needs.following.release(taskId, again)),
      onDidChange: () => {
        if (run.over) this.#needs.runs.delete(run);
        if (this.#needs.isClosed()) return;
        this.#needs.events.changed.fire();
        onListed();
      },
      onError,
    });
    this.#needs.runs.add(run);
    this.#needs.events.changed.fire();
    return run;
  }
}
