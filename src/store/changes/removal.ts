import type { ArtifactRows } from '../rows/artifactRows.ts';
import type { Database, Query } from '../database/database.ts';

/** Deletes tasks and contexts for good, with all that belongs to them. Called inside a transaction. */
export class Removal {
  readonly #artifacts: ArtifactRows;
  readonly #wireOfTask: Query<{ id: number }>;
  readonly #exchange: Query;
  readonly #task: Query;
  readonly #tasksOf: Query<{ id: number }>;
  readonly #context: Query;

  constructor(database: Database, artifacts: ArtifactRows) {
    this.#artifacts = artifacts;
    // One stream may have brought content of two tasks, and a poll that brought nothing new belongs only to the tasks that it names.
    this.#wireOfTask =
      database.prepare(`SELECT id FROM exchanges WHERE (uid IN (SELECT exchange FROM entries WHERE task = ?1 AND exchange IS NOT NULL) OR task = ?1)
      AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.exchange = uid AND e.task IS NOT ?1)`);
    this.#exchange = database.prepare('DELETE FROM exchanges WHERE id = ?');
    this.#task = database.prepare('DELETE FROM tasks WHERE id = ?');
    this.#tasksOf = database.prepare('SELECT id FROM tasks WHERE context = ? LIMIT ?');
    this.#context = database.prepare('DELETE FROM contexts WHERE id = ?');
  }

  task(id: number): void {
    const wire = this.#wireOfTask.all(id);
    this.#task.run(id);
    for (const exchange of wire) this.exchange(exchange.id);
  }

  /** Artifact content in its frames is kept. Returns false if the exchange was gone already. */
  exchange(id: number): boolean {
    this.#artifacts.keepWithout(id);
    return Number(this.#exchange.run(id).changes) > 0;
  }

  /**
   * Deletes up to `most` of its tasks, and then the context itself. Returns how many tasks it deleted: fewer than `most` once the context is
   * gone.
   */
  context(id: number, most: number): number {
    const tasks = this.#tasksOf.all(id, most);
    for (const task of tasks) this.task(task.id);
    if (tasks.length < most) this.#context.run(id);
    return tasks.length;
  }
}
