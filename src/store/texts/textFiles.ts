import { randomUUID } from 'node:crypto';
import { mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Database, Query } from '../database/database.ts';
import { OpenTextFile } from '../database/openTextFile.ts';
import { namesIn, removed, stretchOf } from './textStretch.ts';

/** Where a row's bytes are: in `bytes`, or in a file. */
export interface KeptText {
  readonly bytes: Uint8Array | null;
  readonly file: number | null;
  readonly start: number | null;
  readonly length: number | null;
}

/** The owner of a file: the file is deleted after it. */
export type TextOwner = 'exchange' | 'artifact';

/** A text of so many bytes gets a file; a file that is open takes smaller texts as well. */
const least = 32 * 1024;
const leastOfOpen = 4 * 1024;
/** Most files that are open; the one that was not written for the longest time is closed. */
const mostOpen = 16;
/** How many files one step deletes. */
const goneAtOnce = 200;
/** A file without a row that is older than this, in milliseconds, will never get one: its transaction was not committed. */
const forsaken = 60 * 60_000;

/**
 * Texts in a folder beside the history: a file for what one exchange or one artifact brought to one process. Files are only appended to. A row
 * is committed after its bytes are written, so that the end of the process loses nothing; a power cut may lose the last bytes, and then
 * reading returns less than the row says.
 */
export class TextFiles {
  readonly #database: Database;
  /** Undefined for a history in memory, which stores everything in rows. */
  readonly #folder: string | undefined;
  readonly #open = new Map<string, OpenTextFile>();
  #appended = 0;
  readonly #insert: Query;
  readonly #name: Query<{ name: string }>;
  readonly #isOf: Readonly<Record<TextOwner, Query<{ id: number }>>>;
  readonly #release: Query;
  readonly #ofNobody: Query<{ id: number; name: string }>;
  readonly #byName: Query<{ id: number }>;
  readonly #delete: Query;

  /** `beside`: the history's path, if the database is at another one. */
  constructor(database: Database, beside = database.path) {
    this.#database = database;
    this.#folder = beside === ':memory:' ? undefined : textFolder(beside);
    this.#insert = database.prepare('INSERT INTO text_files (name, exchange, artifact) VALUES (?, ?, ?)');
    this.#name = database.prepare('SELECT name FROM text_files WHERE id = ?');
    this.#isOf = {
      exchange: database.prepare('SELECT id FROM text_files WHERE id = ? AND exchange = ?'),
      artifact: database.prepare('SELECT id FROM text_files WHERE id = ? AND artifact = ?'),
    };
    this.#release = database.prepare('UPDATE text_files SET artifact = NULL WHERE artifact = ?');
    this.#ofNobody = database.prepare(
      `SELECT id, name FROM text_files WHERE exchange IS NULL AND artifact IS NULL ORDER BY id LIMIT ${goneAtOnce}`,
    );
    this.#byName = database.prepare('SELECT id FROM text_files WHERE name = ?');
    this.#delete = database.prepare('DELETE FROM text_files WHERE id = ?');
    database.watch({ rolledBack: () => this.close(), durable: () => this.#settle() });
  }

  /** Inside a transaction: the place of these bytes, for a row of their owner, which is given by its row id. */
  keep(kind: TextOwner, owner: number, bytes: Uint8Array): KeptText {
    const file = this.#folder === undefined ? undefined : this.#fileFor(this.#folder, kind, owner, bytes.byteLength);
    if (file === undefined) return inRow(bytes);
    try {
      const start = file.append(bytes);
      this.#appended += bytes.byteLength;
      return { bytes: null, file: file.id, start, length: bytes.byteLength };
    } catch {
      // Then SQLite stores it, or reports the disk's error.
      this.#closeFile(keyOf(kind, owner));
      return inRow(bytes);
    }
  }

  /** The bytes of a row; fewer than it says if the file has lost some. */
  read({ bytes, file, start, length }: KeptText): Uint8Array | null {
    if (file === null || start === null || length === null) return bytes;
    const name = this.#name.get(file)?.name;
    return name === undefined || this.#folder === undefined ? new Uint8Array() : stretchOf(join(this.#folder, name), start, length);
  }

  /** How many bytes this process has written so far. */
  get appended(): number {
    return this.#appended;
  }

  /** The size of all files, in bytes. Measures some of them at a time. */
  async size(): Promise<number> {
    const folder = this.#folder;
    if (folder === undefined) return 0;
    let size = 0;
    for (const [index, name] of namesIn(folder).entries()) {
      size += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
      if (index % goneAtOnce === goneAtOnce - 1) await setImmediate();
    }
    return size;
  }

  /** Inside a transaction: the artifact's texts are no longer needed; others may come. */
  release(artifact: number): void {
    this.#closeFile(keyOf('artifact', artifact));
    this.#release.run(artifact);
  }

  /** Deletes some files whose owners are gone. Returns true if there are more. */
  collect(): boolean {
    const folder = this.#folder;
    if (folder === undefined) return false;
    const gone = this.#database.read(() => this.#ofNobody.all()).filter(({ name }) => removed(join(folder, name)));
    if (gone.length > 0) this.#database.write(() => gone.forEach(({ id }) => this.#delete.run(id)));
    return gone.length === goneAtOnce;
  }

  /** Deletes files that no committed row refers to. */
  sweep(at: number): void {
    const folder = this.#folder;
    if (folder === undefined) return;
    for (const name of namesIn(folder)) {
      const path = join(folder, name);
      if (this.#database.read(() => this.#byName.get(name)) !== undefined) continue;
      const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: at };
      if (mtimeMs < at - forsaken) removed(path);
    }
  }

  /** Closes the open files; later writes go to new ones. */
  close(): void {
    for (const key of [...this.#open.keys()]) this.#closeFile(key);
  }

  /** Undefined if the bytes are too few for a file, or if none can be created. */
  #fileFor(folder: string, kind: TextOwner, owner: number, length: number): OpenTextFile | undefined {
    const key = keyOf(kind, owner);
    const open = this.#open.get(key);
    if (length < (open === undefined ? least : leastOfOpen)) return undefined;
    // Another process may have replaced or deleted it.
    if (open !== undefined && this.#isOf[kind].get(open.id, owner) !== undefined) {
      this.#open.delete(key);
      this.#open.set(key, open);
      return open;
    }
    this.#closeFile(key);
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= mostOpen) this.#closeFile(oldest);
    const name = randomUUID();
    let handle: number;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      handle = openSync(join(folder, name), 'ax', 0o600);
    } catch {
      return undefined;
    }
    const { lastInsertRowid } = this.#insert.run(name, kind === 'exchange' ? owner : null, kind === 'artifact' ? owner : null);
    const file = new OpenTextFile(Number(lastInsertRowid), handle);
    this.#open.set(key, file);
    return file;
  }

  #settle(): void {
    for (const file of this.#open.values()) file.settle();
  }

  #closeFile(key: string): void {
    this.#open.get(key)?.close();
    this.#open.delete(key);
  }
}

/** The folder beside a history. */
export const textFolder = (path: string): string => `${path}.texts`;

const keyOf = (kind: TextOwner, owner: number): string => `${kind} ${owner}`;

const inRow = (bytes: Uint8Array): KeptText => ({ bytes, file: null, start: null, length: null });
