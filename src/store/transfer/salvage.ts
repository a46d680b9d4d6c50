import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { ArtifactRows } from '../rows/artifactRows.ts';
import type { Rows } from '../rows/changeWriter.ts';
import { ContextArtifacts } from '../lists/contextArtifacts.ts';
import { ContextRows } from '../rows/contextRows.ts';
import { Database, type Query } from '../database/database.ts';
import { EntryRows } from '../rows/entryRows.ts';
import { ExchangeRows } from '../rows/exchangeRows.ts';
import { FrameRows } from '../rows/frameRows.ts';
import { HeldParts } from '../rows/heldParts.ts';
import { HistoryExport } from './historyExport.ts';
import type { HistoryImport } from './historyImport.ts';
import type { HistoryItem } from '../changes/historyEdits.ts';
import { decode } from '../texts/jsonText.ts';
import { migrate } from '../schema/migrations.ts';
import { OwnerRows } from '../rows/ownerRows.ts';
import { saysDamaged } from '../database/storeProblem.ts';
import { TaskRows } from '../rows/taskRows.ts';

export interface SalvageOutcome {
  /** Tasks that were copied. */
  readonly tasks: number;
  /** Tasks and contexts that could not be read completely. */
  readonly unreadable: number;
}

/** How many ids are skipped after a row that cannot be read, and how often. */
const step = 20;
const maxFailures = 10_000;

/**
 * Copies what can still be read of a damaged history into another one, a task at a time, nothing twice. The damaged file is not changed: a
 * copy of it is read. Throws a `Problem` if the other history cannot be written.
 */
export async function salvage(aside: string, into: Pick<HistoryImport, 'lines'>, at: number): Promise<SalvageOutcome> {
  const copy = `${aside}.salvage`;
  for (const suffix of ['', '-wal']) if (existsSync(aside + suffix)) copyFileSync(aside + suffix, copy + suffix);
  let database: Database | undefined;
  try {
    database = openDamaged(copy);
    return database === undefined ? { tasks: 0, unreadable: 0 } : await bringOver(new DamagedReader(database), into, at);
  } finally {
    database?.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true });
  }
}

/** Undefined for a file of which nothing can be read. */
function openDamaged(path: string): Database | undefined {
  let database: Database | undefined;
  try {
    database = new Database(path);
    migrate(database);
    // They keep the index of words, which may be what is broken, and statements that would run them could not be prepared.
    for (const { name } of database.prepare<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'trigger'").all())
      database.exec(`DROP TRIGGER "${name}"`);
    return database;
  } catch (error) {
    database?.close();
    if (saysDamaged(error)) return undefined;
    throw error;
  }
}

/** A task at a time, nothing twice. */
export async function bringOver(reader: DamagedReader, into: Pick<HistoryImport, 'lines'>, at: number): Promise<SalvageOutcome> {
  let tasks = 0;
  for (const item of reader.items()) {
    const lines = reader.linesOf(item);
    if (lines !== undefined)
      tasks += (
        await into.lines(
          lines.map(line => new TextEncoder().encode(line)),
          at,
        )
      ).added;
    await setImmediate();
  }
  return { tasks, unreadable: reader.unreadable };
}

/** Reads what it can of a damaged history. */
export class DamagedReader {
  unreadable = 0;
  readonly #export: HistoryExport;
  readonly #contexts: Query<{ id: number; key: string }>;
  readonly #tasks: Query<{ id: number; task_id: string }>;

  constructor(database: Database) {
    const frames = new FrameRows(database);
    const artifacts = new ArtifactRows(database, new HeldParts(database, frames));
    const rows: Rows = {
      contexts: new ContextRows(database),
      tasks: new TaskRows(database),
      entries: new EntryRows(database, artifacts),
      artifacts,
      owners: new OwnerRows(database),
    };
    this.#export = new HistoryExport(database, rows, new ExchangeRows(database, frames), new ContextArtifacts(database), () => []);
    this.#contexts = database.prepare(
      'SELECT id, key FROM contexts WHERE id > ? AND deleted IS NULL AND title IS NOT NULL ORDER BY id LIMIT 1',
    );
    this.#tasks = database.prepare(
      'SELECT id, task_id FROM tasks NOT INDEXED WHERE id > ? AND context = ? AND deleted IS NULL ORDER BY id LIMIT 1',
    );
  }

  /** Whole contexts if they can be read, otherwise those of their tasks that can. */
  *items(): Generator<HistoryItem> {
    for (const { id, key } of this.#rows(this.#contexts)) {
      if (this.linesOf({ context: key }, false) !== undefined) yield { context: key };
      else
        for (const task of this.#rows(this.#tasks, id)) {
          const taskId = this.#read<string>(task.task_id);
          if (taskId !== undefined) yield { context: key, taskId };
        }
    }
  }

  #read<T>(json: string): T | undefined {
    try {
      return decode<T>(json);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.unreadable++;
      return undefined;
    }
  }

  linesOf(item: HistoryItem, counts = true): string[] | undefined {
    try {
      return [...this.#export.lines([item])];
    } catch (error) {
      if (!saysDamaged(error) && !(error instanceof SyntaxError)) throw error;
      if (counts) this.unreadable++;
      return undefined;
    }
  }

  *#rows<Row extends { id: number }>(query: Query<Row>, ...values: readonly number[]): Generator<Row> {
    for (let last = 0, failures = 0; failures < maxFailures; ) {
      try {
        const row = query.get(last, ...values);
        if (row === undefined) return;
        last = row.id;
        yield row;
      } catch (error) {
        if (!saysDamaged(error)) throw error;
        this.unreadable++;
        failures++;
        last += step;
      }
    }
  }
}
