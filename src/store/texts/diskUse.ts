import type { Database, Query } from '../database/database.ts';
import type { TextFiles } from './textFiles.ts';

/** What a history takes on the disk: never less than its content. */
export class DiskUse {
  readonly #database: Database;
  readonly #texts: TextFiles;
  readonly #pages: Query<{ page_count: number }>;
  readonly #free: Query<{ freelist_count: number }>;
  readonly #pageSize: number;
  /** Of the files beside the database, when they were last looked at, and what had been written by then; in bytes. */
  #files = 0;
  #appended = 0;

  constructor(database: Database, texts: TextFiles) {
    this.#database = database;
    this.#texts = texts;
    this.#pages = database.prepare('PRAGMA page_count');
    this.#free = database.prepare('PRAGMA freelist_count');
    this.#pageSize = database.read(() => database.prepare<{ page_size: number }>('PRAGMA page_size').get())?.page_size ?? 0;
  }

  /** In bytes, also of what other processes wrote. */
  async measure(): Promise<number> {
    const appended = this.#texts.appended;
    this.#files = await this.#texts.size();
    this.#appended = appended;
    return this.now;
  }

  /** In bytes, as `measure` found it and with what this process has written since; asked for as often as one likes. */
  get now(): number {
    const pages = this.#database.read(() => (this.#pages.get()?.page_count ?? 0) - (this.#free.get()?.freelist_count ?? 0));
    return pages * this.#pageSize + this.#files + this.#texts.appended - this.#appended;
  }
}
