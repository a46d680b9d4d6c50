import type { Exchange, ExchangeSummary, Frame, ReceivedSummary } from '../protocol/exchange.ts';
import type { Task, TaskStatus } from '../protocol/message/task.ts';
import type { TaskChange } from '../protocol/message/taskChange.ts';
import { isTerminal } from '../protocol/message/taskState.ts';
import type { ContextMaker, ContextSummary, TaskSummary } from '../protocol/message/transcript.ts';
import { withoutUndefined } from '../protocol/versions/shared/fields.ts';
import { AgentIdentities } from './rows/agentIdentities.ts';
import { ArtifactQueries } from './lists/artifactQueries.ts';
import { ArtifactRows } from './rows/artifactRows.ts';
import { ChangeWriter, type Recorded, type RecordOptions, type Rows } from './rows/changeWriter.ts';
import { CheckRuns } from './rows/checkRuns.ts';
import { ContextArtifacts } from './lists/contextArtifacts.ts';
import { ContextList, type ContextCursor } from './lists/contextList.ts';
import { ContextRows } from './rows/contextRows.ts';
import { ContextScope } from './rows/contextScope.ts';
import type { Database } from './database/database.ts';
import { DiskUse } from './database/diskUse.ts';
import { EntryRows } from './rows/entryRows.ts';
import { type DeviantExchange, ExchangeRows, type Wire } from './rows/exchangeRows.ts';
import { TaskLeases } from './taskLeases.ts';
import { FrameRows } from './rows/frameRows.ts';
import { HistoryEdits } from './changes/historyEdits.ts';
import { HistoryExport } from './transfer/historyExport.ts';
import { HistoryImport } from './transfer/historyImport.ts';
import { type Rescued, rescueHistory } from './transfer/historyRescue.ts';
import { Indexing } from './search/indexing.ts';
import { decode, decodeOptional } from './texts/jsonText.ts';
import type { ListFilter } from './lists/listFilter.ts';
import { OwnEntries } from './ownEntries.ts';
import { OwnerRows } from './rows/ownerRows.ts';
import { pageLimit } from './database/pageLimit.ts';
import { Retention } from './changes/retention.ts';
import { Search } from './search/search.ts';
import { TaskLinks, type LinkedTasks } from './lists/taskLinks.ts';
import { TaskList, type ListedTask, type TaskCursor } from './lists/taskList.ts';
import { TaskRows } from './rows/taskRows.ts';
import { TaskSizes } from './rows/taskSizes.ts';
import { Transcript } from './lists/transcript.ts';
import type { WaitingWrites } from './database/waitingWrites.ts';

/** Where a task is in the history. */
interface TaskPlace {
  /** Key of the context. */
  readonly context: string;
  readonly updatedAt: number;
  readonly deleted: boolean;
  readonly followed: boolean;
}

/**
 * The task history on disk, shared by all windows. Every method is synchronous, and every write is one transaction that is committed when the
 * method returns. Contexts are given by their key, tasks by their context and the id from the agent. Times are milliseconds since the epoch.
 * Throws a `Problem` if the disk or another window prevents the work.
 */
export class TaskStore {
  readonly #database: Database;
  readonly #rows: Rows;
  readonly #scope: ContextScope;
  readonly #exchanges: ExchangeRows;
  /** The search index is brought up to date here, step by step, in idle time. */
  readonly indexing: Indexing;
  readonly search: Search;
  /** Which process follows which task. */
  readonly leases: TaskLeases;
  readonly edits: HistoryEdits;
  /** Which agents the names in the history belong to. */
  readonly identities: AgentIdentities;
  readonly retention: Retention;
  readonly sizes: TaskSizes;
  /** The size of the history. */
  readonly disk: DiskUse;
  readonly export: HistoryExport;
  readonly import: Pick<HistoryImport, 'lines'>;
  readonly artifacts: ArtifactQueries;
  readonly transcript: Transcript;
  /** Runs of the conformance suite. */
  readonly checks: CheckRuns;
  /** The entries that this process writes itself. */
  readonly own: OwnEntries;
  /** Writes that wait while another process has the history's lock. */
  readonly writes: WaitingWrites;
  readonly isReadOnly: boolean;
  readonly #contextList: ContextList;
  readonly #taskLinks: TaskLinks;
  readonly #taskList: TaskList;

  /** The database must have the newest schema. */
  constructor(database: Database) {
    this.#database = database;
    this.writes = database.writes;
    this.isReadOnly = database.isReadOnly;
    const frames = new FrameRows(database);
    const artifacts = new ArtifactRows(database, frames);
    this.#rows = {
      contexts: new ContextRows(database),
      tasks: new TaskRows(database),
      entries: new EntryRows(database, artifacts),
      artifacts,
      owners: new OwnerRows(database),
    };
    this.checks = new CheckRuns(database);
    this.identities = new AgentIdentities(database, this.#rows.contexts);
    this.#scope = new ContextScope(database, this.#rows.contexts);
    this.sizes = new TaskSizes(database, this.#scope);
    this.#exchanges = new ExchangeRows(database, frames);
    this.indexing = new Indexing(database, this.#rows.entries);
    this.search = new Search(database, this.#rows.entries, this.indexing);
    this.leases = new TaskLeases(database, this.#scope, this.#rows);
    this.edits = new HistoryEdits(database, artifacts);
    this.retention = new Retention(database, artifacts);
    this.disk = new DiskUse(database);
    const verdicts = new ContextArtifacts(database);
    this.artifacts = new ArtifactQueries(this.#scope, this.#rows, verdicts);
    this.transcript = new Transcript(database, this.#scope, this.#rows);
    this.own = new OwnEntries(database, this.#scope, this.#rows);
    this.#taskLinks = new TaskLinks(database);
    this.export = new HistoryExport(database, this.#rows, this.#exchanges, verdicts, agent => this.identities.originsOf(agent));
    this.import = new HistoryImport(database, this.#rows, this.#exchanges, verdicts, this.identities);
    this.#contextList = new ContextList(database, this.indexing);
    this.#taskList = new TaskList(database, this.indexing);
  }

  /** Contexts in which something happened: pinned ones first, then the last used. */
  contexts({ before, limit, ...filter }: ListFilter & { readonly before?: ContextCursor; readonly limit?: number } = {}): ContextSummary[] {
    this.#indexNames(filter);
    return this.#database.read(() => this.#contextList.page(filter, before, pageLimit(limit)));
  }

  /** Number of contexts in which something happened, at most `most`. */
  countContexts(filter: ListFilter, most: number): number {
    this.#indexNames(filter);
    return this.#database.read(() => this.#contextList.count(filter, most));
  }

  /** Tasks of all contexts: pinned ones first, then the last changed. */
  listTasks({ before, limit, ...filter }: ListFilter & { readonly before?: TaskCursor; readonly limit?: number } = {}): ListedTask[] {
    this.#indexNames(filter);
    return this.#database.read(() => this.#taskList.page(filter, before, pageLimit(limit)));
  }

  /** Names of the agents with contexts in which something happened, in the order of the alphabet. */
  agentNames(): string[] {
    return this.#database.read(() => this.#rows.contexts.agents()).sort((one, other) => one.localeCompare(other));
  }

  context(key: string): ContextSummary | undefined {
    return this.#database.read(() => this.#rows.contexts.byKey(key));
  }

  /** The context to which the agent gave this id; the last used one if there are several. */
  contextById(agent: string, contextId: string): ContextSummary | undefined {
    return this.#database.read(() => this.#rows.contexts.byContextId(agent, contextId));
  }

  contextOfTask(agent: string, taskId: string): ContextSummary | undefined {
    return this.#database.read(() => this.#rows.contexts.byTask(agent, taskId));
  }

  /** Creates a context. Lists leave it out until something happens in it. */
  putContext(context: {
    readonly key: string;
    readonly agent: string;
    readonly contextId?: string;
    readonly at: number;
    readonly madeBy?: ContextMaker;
  }): void {
    this.#database.write(() =>
      this.#rows.contexts.insert(context.key, context.agent, context.contextId, context.at, context.madeBy ?? 'person'),
    );
  }

  /** Changes the maker of a context, with all its tasks. False if that was known. */
  setMaker(key: string, madeBy: ContextMaker): boolean {
    if (this.context(key)?.madeBy === madeBy) return false;
    this.#scope.write(key, id => this.#rows.contexts.setMaker(id, madeBy));
    return true;
  }

  deleteContext(key: string): void {
    this.#database.write(() => this.#rows.contexts.delete(key));
  }

  /** Deletes a context without entries and tasks, and keeps its wire log. Returns false if there is something in it. */
  discardContext(key: string): boolean {
    return this.#database.write(() => {
      const id = this.#rows.contexts.idOf(key);
      if (id === undefined || !this.#rows.contexts.isEmpty(id)) return false;
      this.#exchanges.release(id);
      this.#rows.contexts.delete(key);
      return true;
    });
  }

  /** Deletes contexts older than `before` in which nothing ever happened. */
  sweep(before: number): void {
    this.#database.write(() => this.#rows.contexts.sweep(before));
  }

  /** How many tasks wait for input or authorization, in all contexts but those of test runs. */
  waiting(): number {
    return this.#database.read(() => this.#rows.contexts.waiting());
  }

  /** How many tasks of an agent wait for input or authorization, by the maker of their context. */
  waitingOf(agent: string): ReadonlyMap<ContextMaker, number> {
    return this.#database.read(() => this.#rows.contexts.waitingOf(agent));
  }

  /** Newest first; `before` is the last task id of the page before. */
  tasks(options: { readonly context: string; readonly before?: string; readonly limit?: number }): TaskSummary[] {
    return this.#scope.read(options.context, [], id => {
      const before = options.before === undefined ? undefined : this.#rows.tasks.present(id, options.before);
      return this.#rows.tasks.page(id, before, pageLimit(options.limit));
    });
  }

  /** Where a task of the agent is, deleted or not; `followed` if a living process follows it. */
  locate(agent: string, taskId: string, at: number): TaskPlace | undefined {
    return this.#database.read(() => {
      const row = this.#rows.tasks.locate(agent, taskId);
      return (
        row && {
          context: row.key,
          updatedAt: row.updated,
          deleted: row.deleted !== null,
          followed: row.owner !== null && this.#rows.owners.isAlive(row.owner, at),
        }
      );
    });
  }

  /** The agent has listed the task. */
  noteListed(context: string, taskId: string, at: number): void {
    this.#scope.write(context, id => this.#rows.tasks.noteListed(id, taskId, at));
  }

  task(context: string, taskId: string): TaskSummary | undefined {
    return this.#scope.read(context, undefined, id => this.#rows.tasks.summary(id, taskId));
  }

  /** The task that waits for the person; the last one if there are several. */
  waitingTask(context: string): TaskSummary | undefined {
    return this.#scope.read(context, undefined, id => this.#rows.tasks.waiting(id));
  }

  /**
   * The whole task in core shape: artifacts with their parts exactly as they came, history in order. `complete` names the artifacts that
   * expect no more chunks; `lost`: the agent has said since that it does not know the task.
   */
  taskDocument(
    context: string,
    taskId: string,
  ): { readonly task: Task; readonly complete: ReadonlySet<string>; readonly lost: boolean } | undefined {
    return this.#scope.read(context, undefined, id => {
      const row = this.#rows.tasks.row(id, taskId);
      if (row === undefined || row.deleted !== null) return undefined;
      const artifacts = this.#rows.artifacts.whole(row.id);
      const history = this.#rows.entries.history(row.id);
      return {
        task: withoutUndefined({
          id: taskId,
          contextId: decodeOptional<string>(row.context_id),
          status: decode<TaskStatus>(row.status),
          artifacts: artifacts.length === 0 ? undefined : artifacts.map(({ artifact }) => artifact),
          history: history.length === 0 ? undefined : history,
          metadata: decodeOptional<Record<string, unknown>>(row.metadata),
        }),
        lost: row.state === 'LOST',
        complete: new Set(artifacts.filter(({ complete }) => complete).map(({ artifact }) => artifact.artifactId)),
      };
    });
  }

  /** The newest tasks of a context, with what their messages refer to. */
  linkedTasks(context: string): LinkedTasks {
    return this.#scope.read(context, { tasks: [], older: 0 }, id => this.#taskLinks.of(id));
  }

  /** Everything that the work writes, or nothing: one transaction, which is on the disk when this returns. */
  together<T>(work: () => T): T {
    return this.#database.write(work, true);
  }

  revision(context: string): number {
    return this.#database.read(() => this.#rows.contexts.rev(context));
  }

  /** Writes these changes, all or nothing. The end of a task is on the disk when this returns. */
  record(context: string, changes: readonly TaskChange[], options: RecordOptions & { readonly wire?: Wire }): Recorded {
    const durable = changes.some(change => change.kind === 'status' && isTerminal(change.status.state));
    return this.#scope.write(
      context,
      id => {
        if (options.wire !== undefined) this.#exchanges.putWire(id, options.wire);
        const found = changes.filter(change => change.kind === 'finding');
        if (options.exchangeId !== undefined && found[0] !== undefined) {
          const findings = found.map(({ finding }) => finding);
          this.#exchanges.note(options.exchangeId, findings, { context: id, taskId: found[0].taskId });
        }
        const recorded = new ChangeWriter(this.#rows, id, options, changes).write();
        // After the changes, which may have created the tasks.
        if (options.wire?.tasks !== undefined) this.sizes.put(id, options.wire.tasks);
        return recorded;
      },
      durable,
    );
  }

  /** Writes exchanges and frames, as far as they are known; without a context for those that belong to none. */
  putWire(context: string | undefined, wire: Wire): void {
    if (context === undefined) this.#database.write(() => this.#exchanges.putWire(undefined, wire));
    else {
      this.#scope.write(context, id => {
        this.#exchanges.putWire(id, wire);
        if (wire.tasks !== undefined) this.sizes.put(id, wire.tasks);
      });
    }
  }

  exchange(id: string): { readonly exchange: Exchange; readonly frames: readonly Frame[] } | undefined {
    return this.#database.read(() => this.#exchanges.get(id));
  }

  /** Binding and version of an exchange of this context. */
  exchangeHead(context: string, id: string): Pick<Exchange, 'protocolBinding' | 'protocolVersion'> | undefined {
    return this.#scope.read(context, undefined, row => this.#exchanges.head(id, row));
  }

  /** An exchange of this context, and of no other. */
  exchangeOf(context: string, id: string): { readonly exchange: Exchange; readonly frames: readonly Frame[] } | undefined {
    return this.#scope.read(context, undefined, row => this.#exchanges.get(id, row));
  }

  /** Exchanges of a context, newest first, those before the one of the id `before`. */
  exchanges(context: string, page: { readonly before?: string; readonly limit: number }): readonly ExchangeSummary[] {
    return this.#scope.read(context, [], row => this.#exchanges.list(row, page));
  }

  /** Number of exchanges of a context before the one of that id. */
  exchangesBefore(context: string, id: string): number {
    return this.#scope.read(context, 0, row => this.#exchanges.countBefore(row, id));
  }

  /** Events of an exchange of this context in order, from the number after `after` on. */
  frames(context: string, id: string, page: { readonly after?: number; readonly limit: number }): readonly Frame[] {
    return this.#scope.read(context, [], row => this.#exchanges.frames(id, row, page));
  }

  /** The exchanges of a context that have findings: the newest 500, oldest first. */
  deviantExchanges(context: string): readonly DeviantExchange[] {
    return this.#scope.read(context, [], row => this.#exchanges.deviant(row));
  }

  /** True if an exchange has findings that are not disputed, of the contexts of an agent that were used last. */
  deviates(agent: string): boolean {
    return this.#database.read(() => this.#exchanges.deviates(agent));
  }

  /** The push notifications of a task: the first 500, oldest first. */
  received(context: string, taskId: string): readonly ReceivedSummary[] {
    return this.#scope.read(context, [], row => this.#exchanges.received(row, taskId));
  }

  /** True if another process has written since the last call. */
  changedElsewhere(): boolean {
    return this.#database.changedElsewhere();
  }

  /** Checks whether the history's files are still there, and whole; if not, `onLost` of `openStore` is called. */
  look(): void {
    this.#database.look();
  }

  /**
   * Continues with a new file after the history was deleted, cut or replaced in use, with what could still be read of it. Rejects with a
   * `Problem` or an error of the system; it may be called again then.
   */
  async rescue(open: (path: string) => TaskStore, at: number): Promise<Rescued> {
    const rescued = await rescueHistory(this.#database, open, at);
    this.#database.reopen();
    return rescued;
  }

  close(): void {
    this.#database.close();
  }

  /** A filter searches titles, so new titles have to be indexed first. */
  #indexNames({ text }: ListFilter): void {
    if (text !== undefined) this.indexing.catchUp();
  }
}
