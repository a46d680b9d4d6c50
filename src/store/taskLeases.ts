import type { Rows } from './rows/changeWriter.ts';
import type { ContextScope } from './rows/contextScope.ts';
import type { Database } from './database/database.ts';
import type { UnfinishedTask } from './rows/taskRows.ts';

/** Which process follows which task: a task's changes are written by one process, and taken up by another when that is gone. */
export class TaskLeases {
  readonly #database: Database;
  readonly #scope: ContextScope;
  readonly #rows: Pick<Rows, 'contexts' | 'entries' | 'owners' | 'tasks'>;

  constructor(database: Database, scope: ContextScope, rows: Pick<Rows, 'contexts' | 'entries' | 'owners' | 'tasks'>) {
    this.#database = database;
    this.#scope = scope;
    this.#rows = rows;
  }

  /** Signs this process in among those that follow tasks, in the place of another that is gone where `replaces` says so. */
  enter(owner: string, options: { readonly at: number; readonly replaces?: string }): void {
    this.#database.write(() => {
      this.#rows.owners.beat(owner, options.at);
      if (options.replaces !== undefined && options.replaces !== owner) this.#rows.owners.inherit(owner, options.replaces, options.at);
    });
  }

  /** Says that the process is still there. */
  beat(owner: string, at: number): void {
    this.#database.write(() => this.#rows.owners.beat(owner, at));
  }

  /** Signs off: what it followed is free for others at once. */
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

  /** A living process other than `owner` follows the task. */
  isElsewhere(context: string, taskId: string, owner: string, at: number): boolean {
    return this.#scope.read(context, false, id => {
      const row = this.#rows.tasks.row(id, taskId);
      return row !== undefined && row.following === 1 && row.owner !== null && row.owner !== owner && this.#rows.owners.isAlive(row.owner, at);
    });
  }

  /** The owner follows the task no longer; where `again` is set, the next process to look picks it up. */
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
   * Tasks that `owner` follows, or that a process followed which is gone; the last changed first. `all`: also active ones that
   * nobody follows any more.
   */
  unfinished(owner: string, options: { readonly at: number; readonly all: boolean }): UnfinishedTask[] {
    return this.#database.read(() => this.#rows.tasks.unfinished(options.all)
      .filter(task => task.owner === undefined || task.owner === owner || !this.#rows.owners.isAlive(task.owner, options.at))
      .map(({ context, agent, taskId, state, updatedAt }) => ({ context, agent, taskId, state, updatedAt })));
  }

  /** Messages that `owner` is sending, or that a process was sending which is gone. */
  stranded(owner: string, at: number): readonly { readonly context: string; readonly seq: number }[] {
    return this.#database.read(() => this.#rows.entries.sending()
      .filter(row => row.owner === null || row.owner === owner || !this.#rows.owners.isAlive(row.owner, at))
      .map(({ key, seq }) => ({ context: key, seq })));
  }
}
