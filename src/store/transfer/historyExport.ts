import type { Finding } from '../../protocol/finding.ts';
import type { Task, TaskStatus } from '../../protocol/message/task.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { ArtifactRevision } from '../rows/artifactRevisions.ts';
import type { ContextArtifacts, Verdict } from '../lists/contextArtifacts.ts';
import type { Database, Query } from '../database/database.ts';
import type { ContextRow as StoredContext } from '../rows/contextRows.ts';
import type { ExchangeRows } from '../rows/exchangeRows.ts';
import { recordFormat, recordVersion, type HistoryRecord } from './historyRecord.ts';
import type { HistoryItem } from '../changes/historyEdits.ts';
import { decode, decodeOptional, encode } from '../texts/jsonText.ts';
import type { Rows } from '../rows/changeWriter.ts';

type ContextRow = Omit<StoredContext, 'tasks' | 'waiting' | 'remote_only' | 'newest'>;

interface TaskRow extends Omit<ContextRow, 'key' | 'agent' | 'made_by'> {
  readonly task_id: string;
  readonly status: string;
  readonly metadata: string | null;
  readonly findings: string | null;
}

interface ExportOptions {
  /** With exchanges and frames. */
  readonly wire?: boolean;
}

/** Writes the history as lines of JSON, each a `HistoryRecord`. Reads one task at a time, as the lines are asked for. */
export class HistoryExport {
  readonly #database: Database;
  readonly #rows: Rows;
  readonly #exchanges: ExchangeRows;
  readonly #artifacts: ContextArtifacts;
  readonly #context: Query<ContextRow>;
  readonly #next: Query<{ id: number; key: string }>;
  readonly #nextTask: Query<TaskRow>;
  readonly #task: Query<TaskRow>;
  readonly #seqs: Query<{ seq: number }>;
  readonly #looseSeqs: Query<{ seq: number }>;
  readonly #origins: (agent: string) => readonly string[];

  /** @param origins the origins at which an agent of the history was asked. */
  constructor(
    database: Database,
    rows: Rows,
    exchanges: ExchangeRows,
    artifacts: ContextArtifacts,
    origins: (agent: string) => readonly string[],
  ) {
    this.#database = database;
    this.#origins = origins;
    this.#artifacts = artifacts;
    this.#rows = rows;
    this.#exchanges = exchanges;
    const task = 'SELECT id, task_id, context_id, status, metadata, title, own_title, pinned, findings, created, updated FROM tasks';
    this.#context = database.prepare(`SELECT id, key, agent, context_id, title, own_title, pinned, created, updated, made_by FROM contexts
      WHERE key = ? AND deleted IS NULL`);
    this.#next = database.prepare(
      'SELECT id, key FROM contexts WHERE id > ? AND deleted IS NULL AND title IS NOT NULL ORDER BY id LIMIT 1',
    );
    this.#nextTask = database.prepare(`${task} WHERE context = ? AND deleted IS NULL AND id > ? ORDER BY id LIMIT 1`);
    this.#task = database.prepare(`${task} WHERE context = ? AND task_id = ? AND deleted IS NULL`);
    this.#seqs = database.prepare('SELECT seq FROM entries WHERE task = ? ORDER BY seq');
    this.#looseSeqs = database.prepare('SELECT seq FROM entries WHERE context = ? AND task IS NULL ORDER BY seq');
  }

  /** Everything, or these contexts and tasks. A line ends with a line feed. Items that no longer exist are left out. */
  *lines(items: readonly HistoryItem[] | undefined, options: ExportOptions = {}): Generator<string, void> {
    for (const { context: key, taskId } of items ?? this.#all()) {
      const context = this.#database.read(() => this.#context.get(key));
      if (context === undefined) continue;
      for (const task of taskId === undefined
        ? this.#tasksOf(context.id)
        : [this.#database.read(() => this.#task.get(context.id, encode(taskId)))]) {
        if (task !== undefined) yield this.#line(context, task, options);
      }
      const loose = taskId === undefined ? this.#database.read(() => this.#looseSeqs.all(context.id)) : [];
      if (loose.length > 0) yield this.#record(context, undefined, loose, options);
    }
  }

  *#all(): Generator<HistoryItem> {
    for (let last = 0; ; ) {
      const row = this.#database.read(() => this.#next.get(last));
      if (row === undefined) return;
      yield { context: row.key };
      last = row.id;
    }
  }

  *#tasksOf(context: number): Generator<TaskRow> {
    for (let last = 0; ; ) {
      const row = this.#database.read(() => this.#nextTask.get(context, last));
      if (row === undefined) return;
      yield row;
      last = row.id;
    }
  }

  #line(context: ContextRow, row: TaskRow, options: ExportOptions): string {
    return this.#database.read(() => this.#record(context, row, this.#seqs.all(row.id), options));
  }

  #record(context: ContextRow, row: TaskRow | undefined, seqs: readonly { seq: number }[], { wire = false }: ExportOptions): string {
    return this.#database.read(() => {
      const verdicts = row === undefined ? new Map<number, Verdict>() : this.#artifacts.judged(row.id);
      const entries = seqs.flatMap(({ seq }) => {
        const entry = this.#rows.entries.bySeq(seq);
        return entry === undefined
          ? []
          : [
              withoutUndefined({
                ...entry,
                verdict: verdicts.get(seq),
                ...(entry.kind === 'artifact' && this.#revisionsOf(seq)),
              }),
            ];
      });
      const exchanges = wire
        ? [...new Set(entries.map(entry => entry.exchangeId))].flatMap(uid => (uid === undefined ? [] : (this.#exchanges.get(uid) ?? [])))
        : undefined;
      const agent = decode<string>(context.agent);
      const origins = this.#origins(agent);
      return `${JSON.stringify({
        format: recordFormat,
        version: recordVersion,
        agent,
        origins: origins.length === 0 ? undefined : origins,
        context: {
          key: context.key,
          contextId: decodeOptional<string>(context.context_id),
          ...named(context),
          madeBy: context.made_by,
        },
        task: row && { task: this.#taskOf(row), ...named(row), findings: decodeOptional<Finding[]>(row.findings) },
        entries,
        exchanges,
      } satisfies Record<keyof HistoryRecord, unknown>)}\n`;
    });
  }

  #revisionsOf(seq: number): { readonly revision?: number; readonly revisions?: readonly ArtifactRevision[] } {
    const row = this.#rows.artifacts.ofEntry(seq);
    if (row === undefined) return {};
    const { current, earlier } = this.#rows.artifacts.revisions(row);
    return current === 1 ? {} : { revision: current, revisions: earlier };
  }

  #taskOf(row: TaskRow): Task {
    const artifacts = this.#rows.artifacts.whole(row.id).map(({ artifact }) => artifact);
    const history = this.#rows.entries.history(row.id);
    return withoutUndefined({
      id: decode<string>(row.task_id),
      contextId: decodeOptional<string>(row.context_id),
      status: decode<TaskStatus>(row.status),
      artifacts: artifacts.length === 0 ? undefined : artifacts,
      history: history.length === 0 ? undefined : history,
      metadata: decodeOptional<Record<string, unknown>>(row.metadata),
    });
  }
}

const named = (row: ContextRow | TaskRow) => ({
  title: decodeOptional<string>(row.title),
  ownTitle: decodeOptional<string>(row.own_title),
  pinned: row.pinned === 1 ? true : undefined,
  createdAt: row.created,
  updatedAt: row.updated,
});
