import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { HistoryFile } from './historyFile.ts';
import { foundDamaged, isBusy, saysDamaged, storeIsHeld, storeProblem } from './storeProblem.ts';
import { loadSqlite } from './sqlite.ts';
import { WaitingWrites } from './waitingWrites.ts';

/** A prepared statement whose rows have this shape: the one place where SQL and TypeScript are believed to agree. */
export interface Query<Row = never> {
  get(...values: readonly SQLInputValue[]): Row | undefined;
  all(...values: readonly SQLInputValue[]): Row[];
  /** A row at a time; the statement must not be run again before the end. */
  iterate(...values: readonly SQLInputValue[]): Iterable<Row>;
  run(...values: readonly SQLInputValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
}

/** Who hears how transactions ended. */
export interface Watcher {
  readonly rolledBack: () => void;
  /** What was committed is on the disk. */
  readonly durable: () => void;
}

export interface DatabaseOptions {
  /** Hears that SQLite found the file broken while it was in use. */
  readonly onDamaged?: () => void;
  /** Hears that its files were deleted, cut or replaced while it was in use, and again with each look until it is opened anew. */
  readonly onLost?: () => void;
  /** How long the thread stands still for another process's write, in milliseconds. Whoever can wait longer does so in `WaitingWrites`. */
  readonly patience?: number;
}

/** One step of a copy. */
const pagesAtOnce = 200;
/** Several times what a write takes, and less than anybody notices. */
const shortPatience = 20;
/** The same where nothing comes afterwards. */
const lastPatience = 2_000;

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
  readonly #patience: number;
  /** Another process was met at work: until it is gone nobody stands still for it again. */
  #metOther = false;
  readonly #watchers: Watcher[] = [];
  readonly path: string;
  readonly writes = new WaitingWrites();

  constructor(path: string, { onDamaged = () => {}, onLost = () => {}, patience = shortPatience }: DatabaseOptions = {}) {
    this.#onDamaged = onDamaged;
    this.#onLost = onLost;
    this.#patience = patience;
    this.path = path;
    this.#connection = connect(path, patience);
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
    let connection = this.#connection;
    let statement = connection.prepare(sql) as unknown as Query<Row>;
    const now = (): Query<Row> => {
      if (connection !== this.#connection) {
        connection = this.#connection;
        statement = connection.prepare(sql) as unknown as Query<Row>;
      }
      return statement;
    };
    return {
      get: (...values) => now().get(...values), all: (...values) => now().all(...values),
      iterate: (...values) => now().iterate(...values), run: (...values) => now().run(...values),
    };
  }

  watch(watcher: Watcher): void {
    this.#watchers.push(watcher);
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  /** Reads, with what SQLite says turned into a `Problem`. */
  read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#problem(error);
    }
  }

  /**
   * Runs the work in one transaction, or in the one that is open already. `durable` waits until it is on the disk, which survives
   * even a power cut; otherwise it survives the end of the process. Throws a `Problem`; nothing is kept then. `history-busy`: another
   * process writes, or writes that wait come first.
   */
  write<T>(work: () => T, durable = false): T {
    if (this.#inTransaction) return work();
    if (!this.#lost && !this.#file.isThere) this.#lose();
    if (this.#lost || this.writes.holdsBack) throw storeIsHeld();
    this.#inTransaction = true;
    try {
      if (durable) this.#connection.exec('PRAGMA synchronous = FULL');
      this.#connection.exec('BEGIN IMMEDIATE');
      this.#waitFor(this.#patience);
      try {
        const result = work();
        this.#connection.exec('COMMIT');
        if (durable) for (const watcher of this.#watchers) watcher.durable();
        return result;
      } catch (error) {
        // A full disk rolls back by itself; ROLLBACK would then hide the first error.
        if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
        for (const watcher of this.#watchers) watcher.rolledBack();
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

  /** Looks whether the history's files are still there, and whole. */
  look(): void {
    if (this.#lost ? true : !this.#file.look()) this.#lose();
  }

  /** The file at the history's path is the one that is open here. */
  get isAtItsPath(): boolean {
    return this.#file.isThere;
  }

  /** Copies all that this connection sees into a new file, a little at a time. Rejects with what SQLite says. */
  async copyTo(path: string): Promise<void> {
    await loadSqlite().backup(this.#connection, path, { rate: pagesAtOnce });
  }

  /** Goes on with what is at the history's path now, which has the newest schema. Throws a `Problem`. */
  reopen(): void {
    const old = this.#connection;
    try {
      this.#connection = connect(this.path, this.#patience);
    } catch (error) {
      throw this.#problem(error);
    }
    const oldFile = this.#file;
    this.#file = new HistoryFile(this.path);
    this.#lost = false;
    this.#metOther = false;
    for (const watcher of this.#watchers) watcher.rolledBack();
    // SQLite sees that its file has moved, and leaves alone what has its name now.
    old.close();
    oldFile.close();
  }

  /** Nothing is written any more until it is opened anew. */
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

  /** Lets the thread stand still so long for another process, in milliseconds. */
  #waitFor(ms: number): void {
    const met = ms === 0;
    if (met === this.#metOther) return;
    this.#metOther = met;
    this.#connection.exec(`PRAGMA busy_timeout = ${ms}`);
  }

  /** True when another connection has committed since this was last asked. */
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

function connect(path: string, patience: number): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const connection = new DatabaseSync(path, { timeout: patience });
  try {
    // Of a new file: what is deleted can be given back to the disk a little at a time.
    connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
    connection.exec('PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON;');
    // WAL can lose committed rows in SQLite before the fixes named below (the WAL-reset defect); a rollback journal does not.
    const version = String(connection.prepare('SELECT sqlite_version() AS version').get()?.['version'] ?? '');
    connection.exec(`PRAGMA journal_mode = ${walIsSound(version) ? 'WAL' : 'DELETE'}`);
    // 16 MiB instead of 4: a stream that runs fast waits less often until the disk has everything twice.
    connection.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** True where the WAL-reset defect is fixed: 3.51.3 and later, 3.50.7 and later in 3.50, 3.44.6 and later in 3.44. */
export function walIsSound(sqliteVersion: string): boolean {
  const [major = 0, minor = 0, patch = 0] = sqliteVersion.split('.').map(Number);
  if (major !== 3) return major > 3;
  if (minor === 44) return patch >= 6;
  if (minor === 50) return patch >= 7;
  return minor > 51 || (minor === 51 && patch >= 3);
}
