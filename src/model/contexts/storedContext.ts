import type { Exchange, ExchangeSummary, Frame, ReceivedSummary } from '../../protocol/exchange.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { ContextSummary, Entry, TaskSummary } from '../../protocol/message/transcript.ts';
import type { ArtifactRevision } from '../../store/rows/artifactRevisions.ts';
import type { ArtifactSummary } from '../../store/rows/artifactRows.ts';
import type { DeviantExchange } from '../../store/rows/exchangeRows.ts';
import type { LinkedTasks } from '../../store/lists/taskLinks.ts';
import type { TaskStore } from '../../store/taskStore.ts';
import { type ArtifactVersions, artifactHistories } from './artifactVersions.ts';
import { LiveContext, type LiveContextOptions } from './liveContext.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** True if there are more after this page. */
  readonly more: boolean;
}

/** Most entries of one task that are read at once. */
const maxTaskBytes = 1000;

/** The beginning of keys of contexts that came from a recording. */
export const recordedKey = 'recording-';

/** One context as it is in the history, read a page at a time. */
export abstract class StoredContext extends LiveContext {
  readonly key: string;
  protected readonly store: TaskStore;

  constructor(store: TaskStore, key: string, options: LiveContextOptions) {
    super(options);
    this.store = store;
    this.key = key;
  }

  /** It came from a recording: its agent is in no settings. */
  get isRecorded(): boolean {
    return this.key.startsWith(recordedKey);
  }

  /** The name of its agent, which may no longer be in the settings. */
  get agentName(): string {
    return this.#summary?.agent ?? '';
  }

  /** The agent's id of the context, once it is known. */
  get contextId(): string | undefined {
    return this.#summary?.contextId;
  }

  /** Empty until something happened. */
  get title(): string {
    return this.#summary?.title ?? '';
  }

  /** Pinned contexts come first in lists. */
  get pinned(): boolean {
    return this.#summary?.pinned === true;
  }

  /** How many tasks it has. */
  get taskCount(): number {
    return this.#summary?.tasks ?? 0;
  }

  /** The places of these tasks among all that it has, from 1, in the order in which they began. */
  taskNumbers(taskIds: ReadonlySet<string>): ReadonlyMap<string, number> {
    return this.store.transcript.taskNumbers(this.key, taskIds);
  }

  /** The newest task that waits for input or authorization. */
  get waitingTask(): TaskSummary | undefined {
    return this.store.waitingTask(this.key);
  }

  /** The newest entries (before `before`), oldest first. At most `limit` (50, never above 200). */
  entries({ before, limit = 50 }: { readonly before?: number; readonly limit?: number } = {}): Page<Entry> {
    const size = Math.min(limit, 200);
    const entries = this.store.transcript.entries({ context: this.key, before, limit: size + 1 });
    return { items: entries.slice(-size), more: entries.length > size };
  }

  /** The oldest `limit` entries (50, never above 200) after `after`, oldest first. */
  entriesAfter(after: number, limit = 50): Page<Entry> {
    const size = Math.min(limit, 200);
    const entries = this.store.transcript.entriesAfter({ context: this.key, after, limit: size + 1 });
    return { items: entries.slice(0, size), more: entries.length > size };
  }

  /** The oldest 1000 entries of a task, oldest first, artifacts cut at some thousand code units. */
  entriesOfTask(taskId: string): Page<Entry> {
    const entries = this.store.transcript.entriesOfTask(this.key, taskId, { limit: maxTaskBytes + 1, enough: 4000 });
    return { items: entries.slice(0, maxTaskBytes), more: entries.length > maxTaskBytes };
  }

  /** An entry of this context. */
  entry(seq: number): Entry | undefined {
    return this.store.transcript.contextOfEntry(seq) === this.key ? this.store.transcript.entry(seq) : undefined;
  }

  /** An exchange of this context as it was on the wire. */
  exchange(id: string): { readonly exchange: Exchange; readonly frames: readonly Frame[] } | undefined {
    return this.store.exchangeOf(this.key, id);
  }

  /** Binding and version of an exchange of this context, without its events. */
  exchangeHead(id: string): Pick<Exchange, 'protocolBinding' | 'protocolVersion'> | undefined {
    return this.store.exchangeHead(this.key, id);
  }

  /** The exchanges of this context, newest first; at most `limit` (50, never above 200) before the exchange `before`. */
  exchanges({ before, limit = 50 }: { readonly before?: string; readonly limit?: number } = {}): Page<ExchangeSummary> {
    const size = Math.min(limit, 200);
    const found = this.store.exchanges(this.key, { before, limit: size + 1 });
    return { items: found.slice(0, size), more: found.length > size };
  }

  /** Number of exchanges of this context before the one of that id. */
  exchangesBefore(id: string): number {
    return this.store.exchangesBefore(this.key, id);
  }

  /** Events of an exchange of this context as they came; at most `limit` (100, never above 500) after the number `after`. */
  frames(id: string, { after, limit = 100 }: { readonly after?: number; readonly limit?: number } = {}): Page<Frame> {
    const size = Math.min(limit, 500);
    const found = this.store.frames(this.key, id, { after, limit: size + 1 });
    return { items: found.slice(0, size), more: found.length > size };
  }

  /** The exchanges of this context that have findings: the newest 500, oldest first. */
  deviantExchanges(): readonly DeviantExchange[] {
    return this.store.deviantExchanges(this.key);
  }

  /** The push notifications of a task that were received here: the first 500, oldest first. */
  received(taskId: string): readonly ReceivedSummary[] {
    return this.store.received(this.key, taskId);
  }

  /** Newest first, at most `limit` (100, never above 200). `before` is the last task id of the page before. */
  tasks({ before, limit = 100 }: { readonly before?: string; readonly limit?: number } = {}): readonly TaskSummary[] {
    return this.store.tasks({ context: this.key, before, limit });
  }

  /** The whole task as the agent has sent it. */
  task(taskId: string): Task | undefined {
    return this.store.taskDocument(this.key, taskId)?.task;
  }

  /** A task as lists show it; undefined for one that is not in this context. */
  taskSummary(taskId: string): TaskSummary | undefined {
    return this.store.task(this.key, taskId);
  }

  /** Undefined for a task that is not in this context. */
  taskState(taskId: string): TaskSummary['state'] | undefined {
    return this.store.task(this.key, taskId)?.state;
  }

  /** The artifacts of a task, without their content: `entry(seq)` has it. */
  artifacts(taskId: string): readonly ArtifactSummary[] {
    return this.store.artifacts.ofTask(this.key, taskId);
  }

  /** The kept revisions of an artifact, from before its agent replaced it, oldest first. */
  artifactRevisions(seq: number): readonly ArtifactRevision[] {
    return this.store.artifacts.revisions(this.key, seq);
  }

  /** The artifacts of all tasks as versions of one another: the newest 500 artifacts. */
  artifactHistories(): readonly ArtifactVersions[] {
    let linked: ReadonlyMap<string, readonly string[]> | undefined;
    return artifactHistories(this.store.artifacts.ofContext(this.key), taskId => {
      linked ??= new Map(this.linkedTasks().tasks.map(task => [task.taskId, task.references]));
      return linked.get(taskId) ?? [];
    });
  }

  /** The newest tasks, with what their messages refer to. */
  linkedTasks(): LinkedTasks {
    return this.store.linkedTasks(this.key);
  }

  get #summary(): ContextSummary | undefined {
    return this.store.context(this.key);
  }
}
