import type { AssistantCall, Entry } from '../../protocol/message/transcript.ts';
import type { Rows } from '../rows/changeWriter.ts';
import type { ContextScope } from '../rows/contextScope.ts';
import type { Database } from '../database/database.ts';
import { pageLimit } from '../database/pageLimit.ts';

/** The entries of contexts, with text chunks joined. Contexts are given by their key. */
export class Transcript {
  readonly #database: Database;
  readonly #scope: ContextScope;
  readonly #rows: Rows;

  constructor(database: Database, scope: ContextScope, rows: Rows) {
    this.#database = database;
    this.#scope = scope;
    this.#rows = rows;
  }

  /** The newest entries before `before`, oldest first. */
  entries(options: { readonly context: string; readonly before?: number; readonly limit?: number }): Entry[] {
    return this.#scope.read(options.context, [], id => this.#rows.entries.page(id, options.before, pageLimit(options.limit)));
  }

  /** The oldest entries after `after`, oldest first. */
  entriesAfter(options: { readonly context: string; readonly after: number; readonly limit?: number }): Entry[] {
    return this.#scope.read(options.context, [], id => this.#rows.entries.after(id, options.after, pageLimit(options.limit)));
  }

  /** The oldest `limit` entries of a task; artifacts may be cut after `enough` code units. */
  entriesOfTask(context: string, taskId: string, options: { readonly limit: number; readonly enough: number }): readonly Entry[] {
    return this.#scope.read(context, [], id => {
      const task = this.#rows.tasks.present(id, taskId);
      return task === undefined ? [] : this.#rows.entries.ofTask(task, options.limit, options.enough);
    });
  }

  /** The places of these tasks among all of the context, from 1; of tasks that it does not have there is none. */
  taskNumbers(context: string, taskIds: ReadonlySet<string>): ReadonlyMap<string, number> {
    return this.#scope.read<ReadonlyMap<string, number>>(context, new Map(), id => this.#rows.tasks.numbers(id, taskIds));
  }

  entry(seq: number): Entry | undefined {
    return this.#database.read(() => this.#rows.entries.bySeq(seq));
  }

  /** Key of the context that an entry is in. */
  contextOfEntry(seq: number): string | undefined {
    return this.#database.read(() => this.#rows.entries.contextOf(seq));
  }

  /** The last entry of a task. */
  lastEntry(context: string, taskId: string): Entry | undefined {
    return this.#scope.read(context, undefined, id => {
      const task = this.#rows.tasks.present(id, taskId);
      return task === undefined ? undefined : this.#rows.entries.lastOfTask(task);
    });
  }

  /** The newest call of a language model that sent a message in the context, or in the task of that id. */
  assistantIn(context: string, taskId: string | undefined): AssistantCall | undefined {
    return this.#scope.read(context, undefined, id => {
      const task = taskId === undefined ? undefined : this.#rows.tasks.present(id, taskId);
      return taskId !== undefined && task === undefined ? undefined : this.#rows.entries.assistantIn(id, task);
    });
  }

  /** Entries that were written or changed after that revision of their context, and the current revision. */
  changedEntries(context: string, rev: number): { readonly entries: Entry[]; readonly rev: number } {
    return this.#scope.read(context, { entries: [], rev }, id => ({
      entries: this.#rows.entries.changed(id, rev),
      rev: this.#rows.contexts.rev(context),
    }));
  }
}
