import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { HistoryFile } from './historyFile.ts';
import { foundDamaged, isBusy, saysDamaged, storeIsHeld, storeProblem } from './storeProblem.ts';
import { loadSqlite } from './sqlite.ts';
import { WaitingWrites } from './waitingWrites.ts';

/** A prepared statement whose rows have this shape. Only here are SQL and TypeScript assumed to agree, without a check. */
export interface Query<Row = never> {
  get(...values: readonly SQLInputValue[]): Row | undefined;
  all(...values: readonly SQLInputValue[]): Row[];
  /** One row at a time; the statement must not be run again before the last row is read. */
  iterate(...values: readonly SQLInputValue[]): Iterable<Row>;
  run(...values: readonly SQLInputValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
}

export interface DatabaseOptions {
  /** Called when SQLite finds the file damaged while it is in use. */
  readonly onDamaged?: () => void;
  /** Called when its files were deleted, cut or replaced while in use, and again at each check until it is opened again. */
  readonly onLost?: () => void;
  /** How long the thread waits for another process's write, in milliseconds. Callers that can wait longer use `WaitingWrites`. */
  readonly busyTimeoutMs?: number;
  /** Nothing is written: writes throw a `Problem` `history-read-only`. The database must exist. */
  readonly readOnly?: boolean;
}

/** Pages of one step of a copy. */
const pagesAtOnce = 200;
/** Milliseconds: several times the length of a write, and less than a person notices. */
const defaultBusyTimeoutMs = 20;
/** The same for the last writes before the database is closed, in milliseconds. */
const lastPatience = 2_000;

/**
 * A statement with one parameter for each place of a numbered one (`?1`): Node.js 22.19, on which VS Code 1.105 runs, cannot bind numbered ones.
 * `bound` puts values in the order of the places.
 */
function withoutNumbers(sql: string): {
  readonly text: string;
  readonly bound: (values: readonly SQLInputValue[]) => readonly SQLInputValue[];
} {
  if (!/\?\d/.test(sql)) return { text: sql, bound: values => values };
  const places: number[] = [];
  let highest = 0;
  // As SQLite counts: one without a number has the number after the highest so far.
  const text = sql.replaceAll(/\?(\d*)/g, (_, given: string) => {
    const number = given === '' ? highest + 1 : Number(given);
    highest = Math.max(highest, number);
    places.push(number - 1);
    return '?';
  });
  return { text, bound: values => places.map(place => values[place] ?? null) };
}

/** One connection. Writes are short `BEGIN IMMEDIATE` transactions, so that several windows share one history without busy errors. */
export class Database {
  #connection: DatabaseSync;
  #file: HistoryFile;
  #lost = false;
  #inTransaction = false;
  #dataVersion: number;
  readonly #readDataVersion: Query<{ data_version: number }>;

  readonly #onDamaged: () => void;
  readonly #onLost: () => void;
  readonly #busyTimeoutMs: number;
  readonly isReadOnly: boolean;
  /** Another process was found writing: until it has finished, the thread does not wait for it again. */
  #metOther = false;
  readonly path: string;
  readonly writes = new WaitingWrites();

  constructor(
    path: string,
    { onDamaged = () => {}, onLost = () => {}, busyTimeoutMs = defaultBusyTimeoutMs, readOnly = false }: DatabaseOptions = {},
  ) {
    this.#onDamaged = onDamaged;
    this.#onLost = onLost;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.isReadOnly = readOnly;
    this.path = path;
    this.#connection = connect(path, busyTimeoutMs, readOnly);
    try {
      this.#readDataVersion = this.prepare('PRAGMA data_version');
      this.#dataVersion = this.#readDataVersion.get()?.data_version ?? 0;
      this.#file = new HistoryFile(path);
    } catch (error) {
      this.#connection.close();
      throw error;
    }
  }

  prepare<Row>(sql: string): Query<Row> {
    const { text, bound } = withoutNumbers(sql);
    let connection: DatabaseSync | undefined;
    let statement: Query<Row>;
    // Compiled with its first use: a history has 230, of which a process uses few, and compiling all takes two thirds of the time to open it.
    const now = (): Query<Row> => {
      if (connection !== this.#connection) {
        connection = this.#connection;
        statement = connection.prepare(text) as unknown as Query<Row>;
      }
      return statement;
    };
    return {
      get: (...values) => now().get(...bound(values)),
      all: (...values) => now().all(...bound(values)),
      iterate: (...values) => now().iterate(...bound(values)),
      run: (...values) => now().run(...bound(values)),
    };
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  /** Reads; an error of SQLite becomes a `Problem`. */
  read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#problem(error);
    }
  }

  /**
   * Runs the work in one transaction, or in the one that is open already, which decides about `durable`. `durable` waits until it is on the disk and survives even a power
   * cut; otherwise it survives only the end of the process. Throws a `Problem`, and then nothing is written. `history-busy`: another process
   * writes, or waiting writes come first.
   */
  write<T>(work: () => T, durable = false): T {
    if (this.#inTransaction) return work();
    if (!this.#lost && !this.#file.isThere) this.#lose();
    if (this.#lost || this.writes.holdsBack) throw storeIsHeld();
    this.#inTransaction = true;
    try {
      if (durable) this.#connection.exec('PRAGMA synchronous = FULL');
      this.#connection.exec('BEGIN IMMEDIATE');
      this.#waitFor(this.#busyTimeoutMs);
      try {
        const result = work();
        this.#connection.exec('COMMIT');
        return result;
      } catch (error) {
        // A full disk rolls back by itself; ROLLBACK would then hide the first error.
        if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
        throw error;
      } finally {
        if (durable) this.#connection.exec('PRAGMA synchronous = NORMAL');
      }
    } catch (error) {
      throw this.#problem(error);
    } finally {
      this.#inTransaction = false;
    }
  }

  /** Reads the whole file. Throws a `Problem` with code `history-damaged`. */
  check(): void {
    const found = this.read(() => this.prepare<{ quick_check: string }>('PRAGMA quick_check(1)').get()?.quick_check);
    if (found !== 'ok') throw foundDamaged(found ?? '');
  }

  /** Checks whether the history's files are still there, and whole. */
  look(): void {
    if (this.#lost ? true : !this.#file.look()) this.#lose();
  }

  /** True if the file at the history's path is the one that is open here. */
  get isAtItsPath(): boolean {
    return this.#file.isThere;
  }

  /** Copies all that this connection sees into a new file, step by step. Rejects with SQLite's error. */
  async copyTo(path: string): Promise<void> {
    await loadSqlite().backup(this.#connection, path, { rate: pagesAtOnce });
  }

  /** Continues with the file that is at the history's path now, which must have the newest schema. Throws a `Problem`. */
  reopen(): void {
    const old = this.#connection;
    try {
      this.#connection = connect(this.path, this.#busyTimeoutMs, this.isReadOnly);
    } catch (error) {
      throw this.#problem(error);
    }
    const oldFile = this.#file;
    this.#file = new HistoryFile(this.path);
    this.#lost = false;
    this.#metOther = false;
    // SQLite notices that its file has moved, and does not touch the new file of that name.
    old.close();
    oldFile.close();
  }

  /** Nothing is written until it is opened again. */
  #lose(): void {
    this.#lost = true;
    this.#onLost();
  }

  #problem(error: unknown): unknown {
    if (saysDamaged(error)) this.#onDamaged();
    const problem = storeProblem(error);
    if (isBusy(problem)) this.#waitFor(0);
    return problem;
  }

  /** Sets how long the thread waits for another process, in milliseconds. */
  #waitFor(ms: number): void {
    const met = ms === 0;
    if (met === this.#metOther) return;
    this.#metOther = met;
    this.#connection.exec(`PRAGMA busy_timeout = ${ms}`);
  }

  /** True if another connection has committed since the last call. */
  changedElsewhere(): boolean {
    const now = this.read(() => this.#readDataVersion.get()?.data_version ?? 0);
    const changed = now !== this.#dataVersion;
    this.#dataVersion = now;
    return changed;
  }

  close(): void {
    if (!this.#connection.isOpen) return;
    this.#connection.exec(`PRAGMA busy_timeout = ${lastPatience}`);
    this.writes.finish();
    this.#connection.close();
    this.#file.close();
  }
}

/** Page size of a new file, in bytes. */
const pageSize = 16_384;
/** The log is copied into the database file at this size, in bytes, and not at SQLite's 4 MB: a fast stream waits for that less often. */
const logSize = 16 * 1024 * 1024;

/** In bytes: a file that is there keeps the size that it was made with. */
const pageSizeOf = (connection: DatabaseSync): number => Number(connection.prepare('PRAGMA page_size').get()?.['page_size'] ?? pageSize);

function connect(path: string, busyTimeoutMs: number, readOnly: boolean): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const connection = new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly });
  try {
    if (readOnly) {
      connection.exec('PRAGMA trusted_schema = OFF');
      return connection;
    }
    // For a new file: `incremental_vacuum` returns the space of deleted rows to the disk step by step, and events of 4 and 64 KB are committed
    // 1.4 and 1.25 times as fast as with SQLite's pages of 4 KiB (`npm run bench -- reading`).
    connection.exec(`PRAGMA page_size = ${pageSize}; PRAGMA auto_vacuum = INCREMENTAL`);
    connection.exec('PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON;');
    // SQLite versions with the WAL-reset defect (see `walIsSound`) can lose committed rows in WAL mode; a rollback journal cannot.
    const version = String(connection.prepare('SELECT sqlite_version() AS version').get()?.['version'] ?? '');
    connection.exec(`PRAGMA journal_mode = ${walIsSound(version) ? 'WAL' : 'DELETE'}`);
    // In WAL mode NORMAL waits for the disk at checkpoints alone: a commit survives the end of the process, and not a power cut. What a person
    // is reported as kept is committed with FULL (`write`, durable). A commit then takes 0.2 to 0.8 ms instead of 0.03, and one in twenty 4 ms
    // instead of 0.06 (`npm run bench -- history`): too much for each step of a stream, which its agent still has.
    connection.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${Math.ceil(logSize / pageSizeOf(connection))}`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** True if the WAL-reset defect is fixed: 3.51.3 and later, 3.50.7 and later in 3.50, 3.44.6 and later in 3.44. */
export function walIsSound(sqliteVersion: string): boolean {
  const [major = 0, minor = 0, patch = 0] = sqliteVersion.split('.').map(Number);
  if (major !== 3) return major > 3;
  if (minor === 44) return patch >= 6;
  if (minor === 50) return patch >= 7;
  return minor > 51 || (minor === 51 && patch >= 3);
}
