import type { ContextScope } from './contextScope.ts';
import type { Database, Query } from '../database/database.ts';
import { encode } from '../texts/jsonText.ts';

/** How much arrived for tasks since the last write, by the ids from the agent. */
export interface TaskWire {
  /** Bytes. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Which exchanges are about which task. */
  readonly exchanges: ReadonlyMap<string, string>;
}

/** How much agents have sent for their tasks. Writes are called inside a transaction. */
export class TaskSizes {
  readonly #scope: ContextScope;
  readonly #size: Query<{ size: number }>;
  readonly #add: Query;
  readonly #assign: Query;

  constructor(database: Database, scope: ContextScope) {
    this.#scope = scope;
    this.#size = database.prepare('SELECT size FROM tasks WHERE context = ? AND task_id = ?');
    this.#add = database.prepare('UPDATE tasks SET size = size + ? WHERE context = ? AND task_id = ?');
    this.#assign = database.prepare(
      'UPDATE exchanges SET task = (SELECT id FROM tasks WHERE context = ?1 AND task_id = ?2) WHERE uid = ?3 AND context = ?1',
    );
  }

  /** In bytes, as far as it is written. */
  of(context: string, taskId: string): number {
    return this.#scope.read(context, 0, id => this.#size.get(id, encode(taskId))?.size ?? 0);
  }

  /** A task that is not in the history has no size. */
  put(context: number, { sizes, exchanges }: TaskWire): void {
    for (const [taskId, bytes] of sizes) this.#add.run(bytes, context, encode(taskId));
    for (const [uid, taskId] of exchanges) this.#assign.run(context, encode(taskId), uid);
  }
}
