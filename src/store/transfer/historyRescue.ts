import { randomUUID } from 'node:crypto';
import { constants, copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from '../database/database.ts';
import type { HistoryImport } from './historyImport.ts';
import { bringOver, type SalvageOutcome } from './salvage.ts';
import { loadSqlite } from '../database/sqlite.ts';
import { foundDamaged } from '../database/storeProblem.ts';

export { salvage } from './salvage.ts';

/** The result for a history whose files were deleted, cut or replaced while it was in use. */
export interface Rescued {
  /** True if all of it is in a new file; otherwise what could be read was copied into the file that is there now. */
  readonly whole: boolean;
  readonly brought: SalvageOutcome;
  /** Where the old file is now, if there was one. */
  readonly setAside: string | undefined;
}

/** The history that is now at a path. */
interface OpenedHistory {
  readonly import: Pick<HistoryImport, 'lines'>;
  close(): void;
}

/**
 * Writes what the open connection still has of a history to a new file at the same path, or into the file that another process has put there.
 * The database must not be written meanwhile, and must be opened again afterwards. Throws if no new file can be created.
 */
export async function rescueHistory(database: Database, open: (path: string) => OpenedHistory, at: number): Promise<Rescued> {
  const { path } = database;
  mkdirSync(dirname(path), { recursive: true });
  const isOurs = database.isAtItsPath;
  const copy = isOurs || !existsSync(path) ? await copyOf(database) : undefined;
  const aside = `${path}.lost-${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}`;
  const moved = isOurs || !existsSync(path) ? setAside(path, aside) : [];
  const told = moved.length > 0 ? aside : undefined;
  if (copy !== undefined && putInPlace(copy, path)) return { whole: true, brought: { tasks: 0, unreadable: 0 }, setAside: told };
  const there = open(path);
  try {
    return { whole: false, brought: await bringOver(database, there.import, at), setAside: told };
  } finally {
    there.close();
  }
}

/** A copy of the whole history as the connection sees it; undefined if it cannot be read to its end. */
async function copyOf(database: Database): Promise<string | undefined> {
  const copy = `${database.path}.rescue-${randomUUID()}`;
  try {
    await database.copyTo(copy);
    // Bytes that are missing at a file's end are read as zeros.
    check(copy);
    return copy;
  } catch {
    // Readable rows are copied one by one.
    rmSync(copy, { force: true });
    rmSync(`${copy}-journal`, { force: true });
    return undefined;
  }
}

function check(path: string): void {
  const copy = new (loadSqlite().DatabaseSync)(path);
  try {
    const found = copy.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    if (found !== 'ok') throw foundDamaged(String(found));
  } finally {
    copy.close();
  }
}

/** Returns what was there. The old file's log must not be mistaken for that of the new one. */
function setAside(path: string, aside: string): readonly string[] {
  const moved = ['', '-wal', '-shm'].filter(suffix => existsSync(path + suffix));
  for (const suffix of moved) renameSync(path + suffix, aside + suffix);
  return moved;
}

/** False if another window was quicker: its file stays. */
function putInPlace(copy: string, path: string): boolean {
  try {
    try {
      linkSync(copy, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      // A file system without hard links.
      copyFileSync(copy, path, constants.COPYFILE_EXCL);
    }
    return statSync(path).size > 0;
  } finally {
    rmSync(copy, { force: true });
  }
}
