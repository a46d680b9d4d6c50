import { closeSync, copyFileSync, existsSync, openSync, readFileSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { ArtifactRows } from '../rows/artifactRows.ts';
import type { Rows } from '../rows/changeWriter.ts';
import { ContextArtifacts } from '../lists/contextArtifacts.ts';
import { ContextRows } from '../rows/contextRows.ts';
import { Database, type Query } from '../database/database.ts';
import { EntryRows } from '../rows/entryRows.ts';
import { ExchangeRows } from '../rows/exchangeRows.ts';
import { FrameRows } from '../rows/frameRows.ts';
import { HistoryExport } from './historyExport.ts';
import type { HistoryImport } from './historyImport.ts';
import type { HistoryItem } from '../changes/historyEdits.ts';
import { decode } from '../texts/jsonText.ts';
import { migrate } from '../schema/migrations.ts';
import { OwnerRows } from '../rows/ownerRows.ts';
import { mendTrees } from './treePages.ts';
import { copyReadable, readTables, type Losses } from './readableRows.ts';
import { saysUnreadable, storeProblem } from '../database/storeProblem.ts';
import { TaskRows } from '../rows/taskRows.ts';

export interface SalvageOutcome {
  /** Tasks that were copied, those that are incomplete too. */
  readonly tasks: number;
  /** Tasks and contexts that could not be read, or not completely; each once, as far as anything says that it was there. */
  readonly unreadable: number;
}

const endings = ['', '-wal', '-shm', '-journal'];

function removeFiles(path: string): void {
  for (const ending of endings) rmSync(path + ending, { force: true });
}

/**
 * Copies what can still be read of a damaged history into another one, a task at a time, nothing twice. The damaged file is not changed: a
 * copy of it is read. Throws a `Problem` if the other history cannot be written.
 */
export async function salvage(aside: string, into: Pick<HistoryImport, 'lines'>, at: number): Promise<SalvageOutcome> {
  const copy = `${aside}.salvage`;
  let database: Database | undefined;
  try {
    for (const ending of ['', '-wal']) if (existsSync(aside + ending)) copyFileSync(aside + ending, copy + ending);
    database = openDamaged(copy);
    const roots = database === undefined ? [] : rootsOf(database);
    // Copies the log into the file.
    database?.close();
    if (roots.length > 0 && !existsSync(`${copy}-wal`)) mendTrees(copy, roots);
    database = openDamaged(copy);
    return database === undefined ? { tasks: 0, unreadable: 0 } : await bringOver(database, into, at);
  } finally {
    database?.close();
    removeFiles(copy);
  }
}

/** The first pages of the tables that are read. */
const rootsOf = (database: Database): number[] =>
  database
    .prepare<{ name: string; rootpage: number }>("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'")
    .all()
    .flatMap(({ name, rootpage }) => (Object.hasOwn(readTables, name) ? [rootpage] : []));

/** Undefined for a file of which nothing can be read. */
function openDamaged(path: string): Database | undefined {
  for (const firstPage of [undefined, ownFirstPage]) {
    if (firstPage !== undefined) giveFirstPage(path, firstPage(`${path}.first`));
    fitLength(path);
    let database: Database | undefined;
    try {
      database = new Database(path);
      migrate(database);
      for (const table of Object.keys(readTables)) database.prepare(`SELECT rowid FROM ${table}`);
      return database;
    } catch (error) {
      database?.close();
      if (!saysUnreadable(error)) throw error;
    }
  }
  return undefined;
}

/** Where the header of a database file has its page size and its number of pages (https://www.sqlite.org/fileformat2.html#the_database_header). */
const pageSizeAt = 16;
const pageCountAt = 28;
const headerLength = 100;

/** SQLite opens no file that is shorter than its header says. */
function fitLength(path: string): void {
  const file = openSync(path, 'r+');
  try {
    const header = Buffer.alloc(headerLength);
    readSync(file, header, 0, headerLength, 0);
    const size = header.readUInt16BE(pageSizeAt);
    const pages = Math.floor(statSync(path).size / (size === 1 ? 65_536 : Math.max(size, 512)));
    if (header.readUInt32BE(pageCountAt) <= pages) return;
    header.writeUInt32BE(pages, pageCountAt);
    writeSync(file, header, pageCountAt, 4, pageCountAt);
  } finally {
    closeSync(file);
  }
}

/** The first page of a history says where its tables begin, which is the same in every history of this schema. */
function ownFirstPage(path: string): Buffer {
  try {
    createHistory(path);
    const bytes = readFileSync(path);
    const page = bytes.subarray(0, bytes.readUInt16BE(pageSizeAt));
    // Of however many pages: see `fitLength`.
    page.writeUInt32BE(0xff_ff_ff_ff, pageCountAt);
    return page;
  } finally {
    removeFiles(path);
  }
}

function giveFirstPage(path: string, page: Buffer): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, page, 0, page.length, 0);
  } finally {
    closeSync(file);
  }
}

function createHistory(path: string): void {
  removeFiles(path);
  const database = new Database(path);
  try {
    migrate(database);
  } finally {
    database.close();
  }
}

/**
 * Copies what can be read of an open history into another one, a task at a time, nothing twice. Throws a `Problem` if that one, or a file
 * beside the first, cannot be written.
 */
export async function bringOver(damaged: Database, into: Pick<HistoryImport, 'lines'>, at: number): Promise<SalvageOutcome> {
  const path = `${damaged.path}.readable-${process.pid}`;
  let clean: Database | undefined;
  try {
    createHistory(path);
    const losses = await copyReadable(damaged, path);
    clean = new Database(path);
    const reader = new CleanReader(clean, losses);
    let tasks = 0;
    let refused = 0;
    for (const lines of reader.lines()) {
      const chunks = lines.map(line => new TextEncoder().encode(line));
      const { added, failed } = await into.lines(chunks, at);
      tasks += added;
      refused += failed;
      await setImmediate();
    }
    return { tasks, unreadable: losses.tasks.size + losses.contexts.size + refused };
  } catch (error) {
    throw storeProblem(error);
  } finally {
    clean?.close();
    removeFiles(path);
  }
}

/** Reads a history whose rows are all readable, though what they say may be spoilt. */
class CleanReader {
  readonly #losses: Losses;
  readonly #export: HistoryExport;
  readonly #contexts: Query<{ id: number; key: string }>;
  readonly #tasks: Query<{ id: number; task_id: string }>;

  /** Adds to the losses what it cannot read. */
  constructor(database: Database, losses: Losses) {
    this.#losses = losses;
    const frames = new FrameRows(database);
    const artifacts = new ArtifactRows(database, frames);
    const rows: Rows = {
      contexts: new ContextRows(database),
      tasks: new TaskRows(database),
      entries: new EntryRows(database, artifacts),
      artifacts,
      owners: new OwnerRows(database),
    };
    this.#export = new HistoryExport(database, rows, new ExchangeRows(database, frames), new ContextArtifacts(database), () => []);
    this.#contexts = database.prepare('SELECT id, key FROM contexts WHERE deleted IS NULL AND title IS NOT NULL ORDER BY id');
    this.#tasks = database.prepare('SELECT id, task_id FROM tasks WHERE context = ? AND deleted IS NULL ORDER BY id');
  }

  /** Whole contexts if they can be read, otherwise those of their tasks that can. */
  *lines(): Generator<readonly string[]> {
    for (const { id, key } of this.#contexts.all()) {
      const lines = this.#linesOf({ context: key });
      if (lines !== undefined) {
        yield lines;
        continue;
      }
      let whole = true;
      for (const task of this.#tasks.all(id)) {
        const ofTask = this.#read(() => this.#linesOf({ context: key, taskId: decode<string>(task.task_id) }));
        if (ofTask !== undefined) yield ofTask;
        else {
          this.#losses.tasks.add(task.id);
          whole = false;
        }
      }
      // Then it is an entry outside tasks.
      if (whole) this.#losses.contexts.add(id);
    }
  }

  #linesOf(item: HistoryItem): string[] | undefined {
    return this.#read(() => [...this.#export.lines([item])]);
  }

  #read<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof SyntaxError) && !saysUnreadable(error)) throw error;
      return undefined;
    }
  }
}
