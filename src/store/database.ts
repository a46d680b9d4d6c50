import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { foundDamaged, saysDamaged, storeProblem } from './storeProblem.ts';
import { loadSqlite } from './sqlite.ts';

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

/** How long a write waits for another process's write, in milliseconds. */
const busyTimeout = 5000;

/** One connection. Writes are short `BEGIN IMMEDIATE` transactions, so that several windows share one history without busy errors. */
export class Database {
  readonly #connection: DatabaseSync;
  #inTransaction = false;
  #dataVersion: number;
  readonly #readDataVersion: Query<{ data_version: number }>;

  readonly #onDamaged: () => void;
  readonly #watchers: Watcher[] = [];
  readonly path: string;

  /** `onDamaged` hears that SQLite found the file broken while it was in use. */
  constructor(path: string, onDamaged: () => void = () => {}) {
    this.#onDamaged = onDamaged;
    this.path = path;
    const { DatabaseSync } = loadSqlite();
    this.#connection = new DatabaseSync(path, { timeout: busyTimeout });
    try {
      // Of a new file: what is deleted can be given back to the disk a little at a time.
      this.#connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
      this.#connection.exec('PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON;');
      this.#chooseJournal();
      // 16 MiB instead of 4: a stream that runs fast waits less often until the disk has everything twice.
      this.#connection.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000');
      this.#readDataVersion = this.prepare('PRAGMA data_version');
      this.#dataVersion = this.#readDataVersion.get()?.data_version ?? 0;
    } catch (error) {
      this.#connection.close();
      throw error;
    }
  }

  prepare<Row>(sql: string): Query<Row> {
    return this.#connection.prepare(sql) as unknown as Query<Row>;
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
   * even a power cut; otherwise it survives the end of the process. Throws a `Problem`; nothing is kept then.
   */
  write<T>(work: () => T, durable = false): T {
    if (this.#inTransaction) return work();
    this.#inTransaction = true;
    try {
      if (durable) this.#connection.exec('PRAGMA synchronous = FULL');
      this.#connection.exec('BEGIN IMMEDIATE');
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

  #problem(error: unknown): unknown {
    if (saysDamaged(error)) this.#onDamaged();
    return storeProblem(error);
  }

  /** True when another connection has committed since this was last asked. */
  changedElsewhere(): boolean {
    const now = this.read(() => this.#readDataVersion.get()?.data_version ?? 0);
    const changed = now !== this.#dataVersion;
    this.#dataVersion = now;
    return changed;
  }

  close(): void {
    if (this.#connection.isOpen) this.#connection.close();
  }

  /** WAL can lose committed rows in SQLite before the fixes named here (the WAL-reset defect); a rollback journal does not. */
  #chooseJournal(): void {
    const version = this.prepare<{ version: string }>('SELECT sqlite_version() AS version').get()?.version ?? '';
    this.#connection.exec(`PRAGMA journal_mode = ${walIsSound(version) ? 'WAL' : 'DELETE'}`);
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
