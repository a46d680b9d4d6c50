import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Database, type DatabaseOptions } from './database/database.ts';
import { migrate } from './schema/migrations.ts';
import { foundDamaged, saysDamaged, storeProblem } from './database/storeProblem.ts';
import { TaskStore } from './taskStore.ts';
import { textFolder } from './texts/textFiles.ts';

export interface OpenStoreOptions extends Pick<DatabaseOptions, 'patience' | 'onLost'> {
  /** Hears where a damaged history was set aside; a fresh one is opened in its place. */
  readonly onDamaged?: (setAside: string) => void;
}

/** In milliseconds. */
const justMade = 10_000;

/** Beside the history while it is known to be broken somewhere: who opens it next looks all of it through. */
const suspect = (path: string): string => `${path}.suspect`;

/**
 * Opens the task history at this path, or makes it (its folder must exist). A damaged file is renamed and never deleted. Throws a
 * `Problem` with code `no-sqlite`, `history-newer`, `history-unopened`, `history-read-only`, `history-busy` or another of
 * `storeProblem.ts`.
 */
export function openStore(path: string, options: OpenStoreOptions = {}): TaskStore {
  try {
    try {
      return open(path, options);
    } catch (error) {
      if (!saysDamaged(error)) throw error;
    }
    try {
      // Another window may have set it aside in the meantime.
      return open(path, options);
    } catch (error) {
      if (!saysDamaged(error)) throw error;
    }
    options.onDamaged?.(setAside(path));
    return open(path, options);
  } catch (error) {
    throw storeProblem(error);
  }
}

function open(path: string, { patience, onLost }: OpenStoreOptions): TaskStore {
  if (isEmptied(path)) throw foundDamaged('the file is empty');
  const database = new Database(path, { onDamaged: () => markSuspect(path), ...(patience !== undefined && { patience }), ...(onLost && { onLost }) });
  try {
    if (existsSync(suspect(path))) {
      database.check();
      rmSync(suspect(path), { force: true });
    }
    migrate(database);
    return new TaskStore(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite would begin a new history in it, and nobody would hear of the old one. Another window that has just made its file has not filled it yet. */
function isEmptied(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === 0 && Date.now() - found.mtimeMs > justMade;
}

function markSuspect(path: string): void {
  try {
    writeFileSync(suspect(path), '');
  } catch {
    // The folder cannot be written either; that the history is damaged is what the person is told.
  }
}

/** A database without its -wal loses what was committed last, so the three files go together, and its texts. */
function setAside(path: string): string {
  const aside = `${path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  // First: where a window still reads in it, a folder may not be let go, and then everything stays as it is.
  if (existsSync(textFolder(path))) renameSync(textFolder(path), textFolder(aside));
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  rmSync(suspect(path), { force: true });
  return aside;
}
