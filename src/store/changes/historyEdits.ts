import type { ArtifactRows } from '../rows/artifactRows.ts';
import type { Database, Query } from '../database/database.ts';
import { decode, encode, encodeOptional } from '../texts/jsonText.ts';
import { Removal } from './removal.ts';
import { shorten } from '../rows/title.ts';

/** A context by its key, or a task in it. */
export interface HistoryItem {
  readonly context: string;
  readonly taskId?: string;
}

/** How many tasks one transaction deletes for good. */
const tasksOfStep = 50;

/**
 * The person's edits of the history: pins, titles, deletions. A deletion hides an item at once, survives a crash, and can be undone until
 * `purge`. Items that are not in the history are ignored. Times are milliseconds since the epoch.
 */
export class HistoryEdits {
  readonly #database: Database;
  readonly #removal: Removal;
  readonly #pinContext: Query;
  readonly #pinTask: Query;
  readonly #nameContext: Query;
  readonly #nameTask: Query;
  readonly #deleteContext: Query<{ id: number }>;
  readonly #deleteTasksOf: Query;
  readonly #deleteTask: Query;
  readonly #deletedAt: Query<{ id: number; deleted: number }>;
  readonly #restoreContext: Query;
  readonly #restoreTasksOf: Query;
  readonly #restoreTask: Query;
  readonly #oldTasks: Query<{ id: number }>;
  readonly #oldContext: Query<{ id: number }>;
  readonly #lastDeleted: Query<{ at: number | null }>;
  readonly #contextsDeletedAt: Query<{ key: string }>;
  readonly #tasksDeletedAt: Query<{ key: string; task_id: string }>;

  constructor(database: Database, artifacts: ArtifactRows) {
    this.#database = database;
    this.#removal = new Removal(database, artifacts);
    const task = 'context = (SELECT id FROM contexts WHERE key = ?) AND task_id = ?';
    this.#pinContext = database.prepare('UPDATE contexts SET pinned = ? WHERE key = ?');
    this.#pinTask = database.prepare(`UPDATE tasks SET pinned = ? WHERE ${task}`);
    this.#nameContext = database.prepare('UPDATE contexts SET own_title = ? WHERE key = ?');
    this.#nameTask = database.prepare(`UPDATE tasks SET own_title = ? WHERE ${task}`);
    this.#deleteContext = database.prepare('UPDATE contexts SET deleted = ? WHERE key = ? AND deleted IS NULL RETURNING id');
    this.#deleteTasksOf = database.prepare('UPDATE tasks SET deleted = ? WHERE context = ? AND deleted IS NULL');
    this.#deleteTask = database.prepare(`UPDATE tasks SET deleted = ? WHERE ${task} AND deleted IS NULL`);
    this.#deletedAt = database.prepare('SELECT id, deleted FROM contexts WHERE key = ? AND deleted IS NOT NULL');
    this.#restoreContext = database.prepare('UPDATE contexts SET deleted = NULL WHERE id = ?');
    this.#restoreTasksOf = database.prepare('UPDATE tasks SET deleted = NULL WHERE context = ? AND deleted = ?');
    this.#restoreTask = database.prepare(`UPDATE tasks SET deleted = NULL WHERE ${task}`);
    this.#oldTasks = database.prepare('SELECT id FROM tasks WHERE deleted <= ? LIMIT ?');
    this.#oldContext = database.prepare('SELECT id FROM contexts WHERE deleted <= ? LIMIT 1');
    this.#lastDeleted = database.prepare(
      'SELECT max(coalesce((SELECT max(deleted) FROM contexts WHERE deleted IS NOT NULL), 0), coalesce((SELECT max(deleted) FROM tasks WHERE deleted IS NOT NULL), 0)) AS at',
    );
    this.#contextsDeletedAt = database.prepare('SELECT key FROM contexts WHERE deleted = ?');
    this.#tasksDeletedAt = database.prepare(
      'SELECT c.key, t.task_id FROM tasks t JOIN contexts c ON c.id = t.context WHERE t.deleted = ? AND c.deleted IS NULL',
    );
  }

  /** Pinned items come first in lists, and retention does not delete them. */
  pin(items: readonly HistoryItem[], pinned: boolean): void {
    this.#database.write(() => {
      for (const { context, taskId } of items) {
        if (taskId === undefined) this.#pinContext.run(pinned ? 1 : 0, context);
        else this.#pinTask.run(pinned ? 1 : 0, context, encode(taskId));
      }
    }, true);
  }

  /** A title of the person's own, shortened; an empty one restores the automatic title. */
  rename({ context, taskId }: HistoryItem, title: string): void {
    const own = encodeOptional(shorten(title.trim()) || undefined);
    this.#database.write(
      () => (taskId === undefined ? this.#nameContext.run(own, context) : this.#nameTask.run(own, context, encode(taskId))),
      true,
    );
  }

  delete(items: readonly HistoryItem[], at: number): void {
    this.#database.write(() => {
      for (const { context, taskId } of items) {
        if (taskId !== undefined) this.#deleteTask.run(at, context, encode(taskId));
        else {
          const row = this.#deleteContext.get(at, context);
          if (row !== undefined) this.#deleteTasksOf.run(at, row.id);
        }
      }
    }, true);
  }

  /** Undoes a deletion: a context comes back with the tasks that were deleted with it. */
  restore(items: readonly HistoryItem[]): void {
    this.#database.write(() => {
      for (const { context, taskId } of items) {
        if (taskId !== undefined) this.#restoreTask.run(context, encode(taskId));
        else {
          const row = this.#deletedAt.get(context);
          if (row === undefined) continue;
          this.#restoreContext.run(row.id);
          this.#restoreTasksOf.run(row.id, row.deleted);
        }
      }
    }, true);
  }

  /** The items of the last deletion that can still be undone; empty if there is none after that time. */
  lastDeleted(after = 0): HistoryItem[] {
    return this.#database.read(() => {
      const at = this.#lastDeleted.get()?.at ?? 0;
      return at <= after ? [] : this.deletedAt(at);
    });
  }

  /** The items that were deleted at this time and can still be restored. */
  deletedAt(at: number): HistoryItem[] {
    return this.#database.read(() => [
      ...this.#contextsDeletedAt.all(at).map(({ key }) => ({ context: key })),
      ...this.#tasksDeletedAt.all(at).map(({ key, task_id: taskId }) => ({ context: key, taskId: decode<string>(taskId) })),
    ]);
  }

  /** Deletes for good some of what was hidden before that time. Returns true if there is more of it: call again. */
  purge(until: number): boolean {
    const any = this.#database.read(() => this.#oldTasks.get(until, 1) ?? this.#oldContext.get(until));
    if (any === undefined) return false;
    return this.#database.write(() => {
      const tasks = this.#oldTasks.all(until, tasksOfStep);
      for (const { id } of tasks) this.#removal.task(id);
      if (tasks.length === tasksOfStep) return true;
      const context = this.#oldContext.get(until);
      if (context !== undefined) this.#removal.context(context.id, tasksOfStep);
      return context !== undefined;
    });
  }
}
