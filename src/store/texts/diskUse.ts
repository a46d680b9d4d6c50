import type { Database, Query } from '../database/database.ts';
import type { TextFiles } from './textFiles.ts';

/** The size of a history on the disk: never less than its content. */
export class DiskUse {
  readonly #database: Database;
  readonly #texts: TextFiles;
  readonly #pages: Query<{ page_count: number }>;
  readonly #free: Query<{ freelist_count: number }>;
  readonly #pageSize: number;
  /** Bytes of the files beside the database when they were last measured, and how much had been written by then. */
  #files = 0;
  #appended = 0;

  constructor(database: Database, texts: TextFiles) {
    this.#database = database;
    this.#texts = texts;
    this.#pages = database.prepare('PRAGMA page_count');
    this.#free = database.prepare('PRAGMA freelist_count');
    this.#pageSize = database.read(() => database.prepare<{ page_size: number }>('PRAGMA page_size').get())?.page_size ?? 0;
  }

  /** In bytes, including what other processes wrote. */
  async measure(): Promise<number> {
    const appended = this.#texts.appended;
    this.#files = await this.#texts.size();
    this.#appended = appended;
    return this.now;
  }

  /** In bytes, as `measure` found it plus what this process has written since; cheap to ask for. */
  get now(): number {
    const pages = this.#database.read(() => (this.#pages.get()?.page_count ?? 0) - (this.#free.get()?.freelist_count ?? 0));
    return pages * this.#pageSize + this.#files + this.#texts.appended - this.#appended;
  }
}
