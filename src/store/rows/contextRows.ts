import type { ShownState } from '../../protocol/message/taskState.ts';
import type { ContextMaker, ContextSummary } from '../../protocol/message/transcript.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { Database, Query } from '../database/database.ts';
import { decode, decodeOptional, encode, encodeOptional } from '../texts/jsonText.ts';

export interface ContextRow {
  readonly id: number;
  readonly key: string;
  readonly agent: string;
  readonly context_id: string | null;
  readonly title: string | null;
  readonly own_title: string | null;
  readonly pinned: number;
  readonly created: number;
  readonly updated: number;
  readonly tasks: number;
  readonly waiting: number;
  readonly remote_only: number;
  readonly made_by: ContextMaker;
  readonly newest: ShownState | null;
}

/** Columns of `contexts c`. */
export const columns = `id, key, agent, context_id, title, own_title, pinned, created, updated, made_by,
  (SELECT count(*) FROM tasks t WHERE t.context = c.id AND t.deleted IS NULL) AS tasks,
  (SELECT count(*) FROM tasks t WHERE t.context = c.id
    AND t.state IN ('TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED') AND t.deleted IS NULL) AS waiting,
  (SELECT t.state FROM tasks t WHERE t.context = c.id AND t.deleted IS NULL ORDER BY t.id DESC LIMIT 1) AS newest,
  EXISTS (SELECT 1 FROM tasks t WHERE t.context = c.id AND t.seen_remotely IS NOT NULL AND t.deleted IS NULL)
    AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.context = c.id AND e.exchange IS NOT NULL AND e.kind <> 'problem') AS remote_only`;

export function summary(row: ContextRow): ContextSummary {
  return withoutUndefined({
    key: row.key,
    agent: decode<string>(row.agent),
    contextId: decodeOptional<string>(row.context_id),
    title: decodeOptional<string>(row.own_title ?? row.title) ?? '',
    createdAt: row.created,
    updatedAt: row.updated,
    tasks: row.tasks,
    waiting: row.waiting,
    pinned: row.pinned === 1 ? (true as const) : undefined,
    remoteOnly: row.remote_only === 1 ? (true as const) : undefined,
    madeBy: row.made_by,
    newestState: row.newest ?? undefined,
  });
}

/** The table `contexts`. Writes are called inside a transaction. */
export class ContextRows {
  readonly #byKey: Query<ContextRow>;
  readonly #agents: Query<{ agent: string }>;
  readonly #byContextId: Query<ContextRow>;
  readonly #byTask: Query<ContextRow>;
  readonly #idOf: Query<{ id: number }>;
  readonly #waiting: Query<{ waiting: number }>;
  readonly #waitingOf: Query<{ made_by: ContextMaker; waiting: number }>;
  readonly #insert: Query;
  readonly #touch: Query<{ rev: number }>;
  readonly #rev: Query<{ rev: number }>;
  readonly #setContextId: Query;
  readonly #adoptContextId: Query;
  readonly #setTitle: Query;
  readonly #setTaskAsTitle: Query;
  readonly #rename: Query;
  readonly #renameTasks: Query;
  readonly #renameChecks: Query;
  readonly #setMaker: Query;
  readonly #setMakerOfTasks: Query;
  readonly #delete: Query;
  readonly #isEmpty: Query<{ one: number }>;
  readonly #sweep: Query;

  constructor(database: Database) {
    // Jumps from one name to the next, however many rows each has.
    this.#agents = database.prepare(`WITH RECURSIVE names (agent) AS (
      SELECT min(agent) FROM contexts WHERE title IS NOT NULL AND deleted IS NULL
      UNION ALL
      SELECT (SELECT min(agent) FROM contexts WHERE title IS NOT NULL AND deleted IS NULL AND agent > names.agent) FROM names WHERE names.agent IS NOT NULL
    ) SELECT agent FROM names WHERE agent IS NOT NULL`);
    this.#byKey = database.prepare(`SELECT ${columns} FROM contexts c WHERE key = ? AND deleted IS NULL`);
    this.#byContextId = database.prepare(`SELECT ${columns} FROM contexts c WHERE agent = ? AND context_id = ? AND deleted IS NULL
      ORDER BY updated DESC LIMIT 1`);
    this.#byTask = database.prepare(`SELECT ${columns} FROM contexts c WHERE agent = ? AND deleted IS NULL
      AND id IN (SELECT context FROM tasks WHERE task_id = ? AND deleted IS NULL) ORDER BY updated DESC LIMIT 1`);
    this.#idOf = database.prepare('SELECT id FROM contexts WHERE key = ? AND deleted IS NULL');
    this.#waiting = database.prepare(`SELECT count(*) AS waiting FROM tasks
      WHERE state IN ('TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED') AND deleted IS NULL AND made_by <> 'test'`);
    this.#waitingOf = database.prepare(`SELECT made_by, count(*) AS waiting FROM tasks
      WHERE agent = ? AND state IN ('TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED') AND deleted IS NULL GROUP BY made_by`);
    this.#insert = database.prepare('INSERT INTO contexts (key, agent, context_id, created, updated, made_by) VALUES (?, ?, ?, ?, ?, ?)');
    this.#touch = database.prepare('UPDATE contexts SET rev = rev + 1, updated = max(updated, ?) WHERE id = ? RETURNING rev');
    this.#rev = database.prepare('SELECT rev FROM contexts WHERE key = ?');
    this.#setContextId = database.prepare('UPDATE contexts SET context_id = ? WHERE id = ?');
    this.#adoptContextId = database.prepare('UPDATE contexts SET context_id = ? WHERE id = ? AND context_id IS NULL');
    this.#setTitle = database.prepare(`UPDATE contexts SET title = ?1 WHERE id = ?2 AND (title IS NULL
      OR EXISTS (SELECT 1 FROM tasks t WHERE t.context = ?2 AND t.task_id = contexts.title))`);
    this.#setTaskAsTitle = database.prepare('UPDATE contexts SET title = ? WHERE id = ? AND title IS NULL');
    this.#rename = database.prepare('UPDATE contexts SET agent = ? WHERE agent = ?');
    this.#renameTasks = database.prepare('UPDATE tasks SET agent = ? WHERE agent = ?');
    this.#renameChecks = database.prepare('UPDATE checks SET agent = ? WHERE agent = ?');
    this.#setMaker = database.prepare('UPDATE contexts SET made_by = ? WHERE id = ?');
    this.#setMakerOfTasks = database.prepare('UPDATE tasks SET made_by = ? WHERE context = ?');
    this.#delete = database.prepare('DELETE FROM contexts WHERE key = ?');
    this.#isEmpty = database.prepare(`SELECT 1 AS one FROM contexts c WHERE id = ?
      AND NOT EXISTS (SELECT 1 FROM entries WHERE context = c.id) AND NOT EXISTS (SELECT 1 FROM tasks WHERE context = c.id)`);
    this.#sweep = database.prepare('DELETE FROM contexts WHERE title IS NULL AND updated < ?');
  }

  /** Names of agents with contexts in which something happened. */
  agents(): string[] {
    return this.#agents.all().map(row => decode<string>(row.agent));
  }

  byKey(key: string): ContextSummary | undefined {
    const row = this.#byKey.get(key);
    return row && summary(row);
  }

  byContextId(agent: string, contextId: string): ContextSummary | undefined {
    const row = this.#byContextId.get(encode(agent), encode(contextId));
    return row && summary(row);
  }

  byTask(agent: string, taskId: string): ContextSummary | undefined {
    const row = this.#byTask.get(encode(agent), encode(taskId));
    return row && summary(row);
  }

  idOf(key: string): number | undefined {
    return this.#idOf.get(key)?.id;
  }

  waiting(): number {
    return this.#waiting.get()?.waiting ?? 0;
  }

  waitingOf(agent: string): ReadonlyMap<ContextMaker, number> {
    return new Map(this.#waitingOf.all(encode(agent)).map(row => [row.made_by, row.waiting]));
  }

  insert(key: string, agent: string, contextId: string | undefined, at: number, madeBy: ContextMaker): void {
    this.#insert.run(key, encode(agent), encodeOptional(contextId), at, at, madeBy);
  }

  /** The revision number of the rows written in this transaction. */
  touch(id: number, at: number): number {
    return this.#touch.get(at, id)?.rev ?? 0;
  }

  rev(key: string): number {
    return this.#rev.get(key)?.rev ?? 0;
  }

  setContextId(id: number, contextId: string): void {
    this.#setContextId.run(encode(contextId), id);
  }

  /** Does nothing if the context has one already. */
  adoptContextId(id: number, contextId: string): void {
    this.#adoptContextId.run(encode(contextId), id);
  }

  /** The first title stays, unless it is the id of a task. */
  setTitle(id: number, title: string): void {
    this.#setTitle.run(encode(title), id);
  }

  /** Until there is a title: contexts without one are in no list. */
  setTaskAsTitle(id: number, taskId: string): void {
    this.#setTaskAsTitle.run(encode(taskId), id);
  }

  rename(from: string, to: string): void {
    this.#rename.run(encode(to), encode(from));
    this.#renameTasks.run(encode(to), encode(from));
    this.#renameChecks.run(encode(to), encode(from));
  }

  setMaker(id: number, madeBy: ContextMaker): void {
    this.#setMaker.run(madeBy, id);
    this.#setMakerOfTasks.run(madeBy, id);
  }

  delete(key: string): void {
    this.#delete.run(key);
  }

  /** True where it has neither entries nor tasks. */
  isEmpty(id: number): boolean {
    return this.#isEmpty.get(id) !== undefined;
  }

  /** Deletes contexts that are older than this and in which nothing ever happened. */
  sweep(before: number): void {
    this.#sweep.run(before);
  }
}
