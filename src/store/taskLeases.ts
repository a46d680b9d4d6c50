import type { Rows } from './rows/changeWriter.ts';
import type { ContextScope } from './rows/contextScope.ts';
import type { Database } from './database/database.ts';
import type { UnfinishedTask } from './rows/taskRows.ts';

/** Which process follows which task: only one process writes a task's changes, and another takes over when that one is gone. */
export class TaskLeases {
  readonly #database: Database;
  readonly #scope: ContextScope;
  readonly #rows: Pick<Rows, 'contexts' | 'entries' | 'owners' | 'tasks'>;

  constructor(database: Database, scope: ContextScope, rows: Pick<Rows, 'contexts' | 'entries' | 'owners' | 'tasks'>) {
    this.#database = database;
    this.#scope = scope;
    this.#rows = rows;
  }

  /** Registers this process as one that follows tasks; with `replaces`, in the place of another process that is gone. */
  enter(owner: string, options: { readonly at: number; readonly replaces?: string }): void {
    this.#database.write(() => {
      this.#rows.owners.beat(owner, options.at);
      if (options.replaces !== undefined && options.replaces !== owner) this.#rows.owners.inherit(owner, options.replaces, options.at);
    });
  }

  /** Reports that the process is still alive. */
  beat(owner: string, at: number): void {
    this.#database.write(() => this.#rows.owners.beat(owner, at));
  }

  /** Removes the process: other processes may take over its tasks at once. */
  leave(owner: string): void {
    this.#database.write(() => this.#rows.owners.delete(owner));
  }

  /** Takes a task over, unless a living process other than `owner` follows it; with `force` even then. */
  claim(context: string, taskId: string, owner: string, { at, force = false }: { readonly at: number; readonly force?: boolean }): boolean {
    return this.#scope.write(context, id => {
      const row = this.#rows.tasks.row(id, taskId);
      if (row === undefined) return true;
      if (!force && row.owner !== null && row.owner !== owner && this.#rows.owners.isAlive(row.owner, at)) return false;
      this.#rows.tasks.setOwner(row.id, owner);
      this.#rows.owners.beat(owner, at);
      return true;
    });
  }

  /** True if a living process other than `owner` follows the task. */
  isElsewhere(context: string, taskId: string, owner: string, at: number): boolean {
    return this.#scope.read(context, false, id => {
      const row = this.#rows.tasks.row(id, taskId);
      return (
        row !== undefined && row.following === 1 && row.owner !== null && row.owner !== owner && this.#rows.owners.isAlive(row.owner, at)
      );
    });
  }

  /** The owner no longer follows the task; with `again`, the next process that looks takes it over. */
  release(context: string, taskId: string, owner: string, again: boolean): void {
    this.#database.write(() => {
      const id = this.#rows.contexts.idOf(context);
      const row = id === undefined ? undefined : this.#rows.tasks.row(id, taskId);
      if (row === undefined || row.owner !== owner) return;
      if (again) this.#rows.tasks.orphan(row.id);
      else this.#rows.tasks.setOwner(row.id, undefined);
    });
  }

  /**
   * Tasks that `owner` follows, or that were followed by a process that is gone; the last changed first. `all`: also active tasks without a
   * follower.
   */
  unfinished(owner: string, options: { readonly at: number; readonly all: boolean }): UnfinishedTask[] {
    return this.#database.read(() =>
      this.#rows.tasks
        .unfinished(options.all)
        .filter(task => task.owner === undefined || task.owner === owner || !this.#rows.owners.isAlive(task.owner, options.at))
        .map(({ context, agent, taskId, state, updatedAt }) => ({ context, agent, taskId, state, updatedAt })),
    );
  }

  /** Messages that `owner` is sending, or that were being sent by a process that is gone. */
  stranded(owner: string, at: number): readonly { readonly context: string; readonly seq: number }[] {
    return this.#database.read(() =>
      this.#rows.entries
        .sending()
        .filter(row => row.owner === null || row.owner === owner || !this.#rows.owners.isAlive(row.owner, at))
        .map(({ key, seq }) => ({ context: key, seq })),
    );
  }
}
