import type { WireLog } from '../../client/wireLog/wireLog.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { isInterrupted, isTerminal } from '../../protocol/message/taskState.ts';
import type { Entry, MessageEntry } from '../../protocol/message/transcript.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { KnownTasks } from '../contexts/contextCalls.ts';
import { LiveContext, type LiveContextOptions } from '../contexts/liveContext.ts';
import type { Journal, RecordOptions } from '../run/journal.ts';
import type { RunAgent } from '../run/runScope.ts';
import { TaskSizes } from '../run/taskSizes.ts';
import { LostStreams, type OnLostStream } from './lostStreams.ts';
import { MemoryTask } from './memoryTask.ts';

interface MemoryContextOptions extends LiveContextOptions {
  readonly key: string;
  readonly agentName: string;
  readonly contextId: string | undefined;
  /** Throws a `Problem` `unknown-agent`. */
  readonly agent: () => RunAgent;
  readonly log: WireLog;
  /** The context of this agent that has the task. */
  readonly holderOf: (taskId: string) => MemoryContext | undefined;
  /** A task came to be in this context. */
  readonly onTask: (taskId: string) => void;
  readonly onContextId: (contextId: string) => void;
  /** Called with the changes of runs and calls, in order. */
  readonly onChanges?: (changes: readonly TaskChange[]) => void;
  readonly onLostStream?: OnLostStream;
}

/** One context with its agent, of which no history is kept: its tasks as far as requests need them, and its runs. */
export class MemoryContext extends LiveContext {
  readonly key: string;
  readonly agentName: string;
  readonly #options: MemoryContextOptions;
  protected readonly journal: Journal;
  protected readonly known: KnownTasks;
  readonly #tasks = new Map<string, MemoryTask>();
  /** Messages of the person, by the number of their entry. */
  readonly #messages: MessageEntry[] = [];
  #contextId: string | undefined;

  constructor(options: MemoryContextOptions) {
    super(options);
    this.key = options.key;
    this.agentName = options.agentName;
    this.#contextId = options.contextId;
    this.#options = options;
    if (options.onLostStream !== undefined) {
      const streams = new LostStreams(options.onLostStream);
      this.events.changed.event(() => streams.look(this.runs.waiting));
    }
    this.known = {
      summary: taskId => this.#tasks.get(taskId),
      document: taskId => this.#tasks.get(taskId)?.document,
      isListed: () => false,
    };
    this.journal = {
      sizes: new TaskSizes(() => 0),
      passwords: [],
      log: options.log,
      waiting: 0,
      written: undefined,
      record: (changes, facts, listener, afterwards = false) => {
        this.#record(changes, facts);
        listener?.onWritten([]);
        return !afterwards;
      },
      inTurn: work => {
        work();
        return true;
      },
      message: (message, taskId) => this.#keepMessage(message, taskId),
      delivery: (seq, delivery) => this.#put(seq, { delivery }),
      // The outcome of the run has it.
      problem: () => this.events.updated.fire([]),
      loseTask: taskId => this.#lose(taskId),
      // Only a transcript shows gaps.
      gap: () => {},
      fillGaps: () => {},
      flush: () => {},
    };
  }

  get contextId(): string | undefined {
    return this.#contextId;
  }

  /** Nothing has come to be in it. */
  get isEmpty(): boolean {
    return this.#tasks.size === 0 && this.#messages.length === 0;
  }

  get waitingTask(): { readonly taskId: string } | undefined {
    const waiting = [...this.#tasks.values()].findLast(({ state }) => state !== 'LOST' && isInterrupted(state));
    return waiting && { taskId: waiting.id };
  }

  task(taskId: string): Task | undefined {
    return this.#tasks.get(taskId)?.document.task;
  }

  /** The agent has said that it does not know the task. */
  isLost(taskId: string): boolean {
    return this.#tasks.get(taskId)?.state === 'LOST';
  }

  entry(seq: number): Entry | undefined {
    return this.#messages[seq];
  }

  /** The person's messages in a task, with its status and artifacts. */
  entriesOfTask(taskId: string): { readonly items: readonly Entry[] } {
    const task = this.task(taskId);
    const own = this.#messages.filter(entry => entry.taskId === taskId);
    if (task === undefined) return { items: own };
    const facts = { seq: this.#messages.length, at: 0, taskId };
    const { state, message } = task.status;
    return {
      items: [
        ...own,
        withoutUndefined({ ...facts, kind: 'status' as const, state, message }),
        ...(task.artifacts ?? []).map(artifact => ({ ...facts, kind: 'artifact' as const, artifact, complete: true, chunks: 0 })),
      ],
    };
  }

  /** Stops listening; cancels nothing. */
  override dispose(): void {
    this.close();
    this.runs.detach();
    this.events.dispose();
  }

  protected override requireAgent(): RunAgent {
    return this.#options.agent();
  }

  protected override holderOf(taskId: string): MemoryContext | undefined {
    return this.#options.holderOf(taskId);
  }

  protected override takesOver(taskId: string): boolean {
    return (this.holderOf(taskId) ?? this) === this;
  }

  /** No other process knows of it. */
  protected override claim(): void {}

  protected override release(): void {}

  protected override notifyLists(): void {}

  #keepMessage(message: Message, taskId: string | undefined): number {
    const seq = this.#messages.length;
    this.#messages.push(withoutUndefined({ kind: 'message' as const, seq, at: Date.now(), taskId, message, delivery: 'sending' as const }));
    if (taskId !== undefined) this.#tasks.get(taskId)?.addMessage(message);
    return seq;
  }

  #put(seq: number, facts: Partial<MessageEntry>): void {
    const entry = this.#messages[seq];
    if (entry !== undefined) this.#messages[seq] = { ...entry, ...facts };
    this.events.updated.fire([]);
  }

  #record(changes: readonly TaskChange[], { answers }: RecordOptions): void {
    const taskId = changes.find(change => change.taskId !== undefined)?.taskId;
    if (answers !== undefined) this.#answered(answers, taskId);
    for (const change of changes) {
      if (change.kind === 'task') this.#adoptContextId(change.contextId);
      if (change.kind === 'message') this.#adoptContextId(change.message.contextId);
      if (change.taskId !== undefined) this.#require(change.taskId).apply(change);
    }
    this.#options.onChanges?.(changes);
    this.events.updated.fire([]);
  }

  #answered(seq: number, taskId: string | undefined): void {
    const entry = this.#messages[seq];
    if (entry === undefined) return;
    if (taskId !== undefined && entry.taskId === undefined) this.#require(taskId).addMessage(entry.message);
    this.#messages[seq] = withoutUndefined({ ...entry, delivery: 'sent' as const, taskId: entry.taskId ?? taskId });
  }

  #adoptContextId(contextId: string | undefined): void {
    if (contextId === undefined || this.#contextId !== undefined) return;
    this.#contextId = contextId;
    this.#options.onContextId(contextId);
  }

  #lose(taskId: string): void {
    const task = this.#tasks.get(taskId);
    if (task === undefined || (task.state !== 'LOST' && isTerminal(task.state))) return;
    task.lose();
    this.events.updated.fire([]);
  }

  #require(taskId: string): MemoryTask {
    const known = this.#tasks.get(taskId);
    if (known !== undefined) return known;
    const task = new MemoryTask(taskId);
    this.#tasks.set(taskId, task);
    this.#options.onTask(taskId);
    return task;
  }
}
