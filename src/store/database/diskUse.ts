import type { Database, Query } from './database.ts';

/** The size of a history on the disk: never less than its content. */
export class DiskUse {
  readonly #database: Database;
  readonly #pages: Query<{ page_count: number }>;
  readonly #free: Query<{ freelist_count: number }>;
  readonly #pageSize: number;

  constructor(database: Database) {
    this.#database = database;
    this.#pages = database.prepare('PRAGMA page_count');
    this.#free = database.prepare('PRAGMA freelist_count');
    this.#pageSize = database.read(() => database.prepare<{ page_size: number }>('PRAGMA page_size').get())?.page_size ?? 0;
  }

  /** In bytes, including what other processes wrote; cheap to ask for. */
  get now(): number {
    const pages = this.#database.read(() => (this.#pages.get()?.page_count ?? 0) - (this.#free.get()?.freelist_count ?? 0));
    return pages * this.#pageSize;
  }
}
