import type { ArtifactRows } from '../rows/artifactRows.ts';
import type { Database, Query } from '../database/database.ts';

/** Takes tasks and contexts out of the history for good, with all that belongs to them. Called inside a transaction. */
export class Removal {
  readonly #artifacts: ArtifactRows;
  readonly #wireOfTask: Query<{ id: number }>;
  readonly #exchange: Query;
  readonly #task: Query;
  readonly #tasksOf: Query<{ id: number }>;
  readonly #context: Query;

  constructor(database: Database, artifacts: ArtifactRows) {
    this.#artifacts = artifacts;
    // What one stream brought may belong to two tasks, and a poll that brought nothing new to none but by its own word.
    this.#wireOfTask = database.prepare(`SELECT id FROM exchanges WHERE (uid IN (SELECT exchange FROM entries WHERE task = ?1 AND exchange IS NOT NULL) OR task = ?1)
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

  /** What an artifact has in its frames stays. Returns false where it was gone already. */
  exchange(id: number): boolean {
    this.#artifacts.keepWithout(id);
    return Number(this.#exchange.run(id).changes) > 0;
  }

  /** Up to `most` of its tasks, and then itself; returns how many tasks went, less than `most` once it is gone. */
  context(id: number, most: number): number {
    const tasks = this.#tasksOf.all(id, most);
    for (const task of tasks) this.task(task.id);
    if (tasks.length < most) this.#context.run(id);
    return tasks.length;
  }
}
