import { Problem, sentence } from '../../protocol/problem.ts';
import type { ContextRows } from './contextRows.ts';
import type { Database } from '../database/database.ts';

/** Work inside one context, which callers give by its key and the tables by its row id. */
export class ContextScope {
  readonly #database: Database;
  readonly #contexts: ContextRows;

  constructor(database: Database, contexts: ContextRows) {
    this.#database = database;
    this.#contexts = contexts;
  }

  /** Returns `otherwise` if there is no such context. */
  read<T>(key: string, otherwise: T, work: (id: number) => T): T {
    return this.#database.read(() => {
      const id = this.#contexts.idOf(key);
      return id === undefined ? otherwise : work(id);
    });
  }

  /** One transaction. @throws Problem `no-context` */
  write<T>(key: string, work: (id: number) => T, durable = false): T {
    return this.#database.write(() => {
      const id = this.#contexts.idOf(key);
      if (id === undefined) {
        throw new Problem('no-context', sentence('This context is no longer in the history.'), {
          nextStep: sentence('It was deleted, perhaps in another window. Start a new one.'),
        });
      }
      return work(id);
    }, durable);
  }
}
