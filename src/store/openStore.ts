import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Problem, sentence } from '../protocol/problem.ts';
import { Database, type DatabaseOptions } from './database/database.ts';
import { migrate, requireNewest } from './schema/migrations.ts';
import { foundDamaged, saysDamaged, storeProblem, unopened } from './database/storeProblem.ts';
import { TaskStore } from './taskStore.ts';

export interface OpenStoreOptions extends Pick<DatabaseOptions, 'busyTimeoutMs' | 'onLost'> {
  /** Called with the path to which a damaged history was moved; a new one is opened in its place. */
  readonly onDamaged?: (setAside: string) => void;
}

/** In milliseconds. */
const justMade = 10_000;

/** This file lies beside a history that is known to be damaged: the next process that opens the history checks all of it. */
const suspect = (path: string): string => `${path}.suspect`;

/**
 * Opens the task history at this path, or creates it (its folder must exist). A damaged file is renamed and never deleted. Throws a `Problem`
 * with code `no-sqlite`, `history-newer`, `history-unopened`, `history-busy` or another of `storeProblem.ts`.
 */
export function openStore(path: string, options: OpenStoreOptions = {}): TaskStore {
  try {
    try {
      return open(path, options);
    } catch (error) {
      if (!saysDamaged(error)) throw error;
    }
    try {
      // Another window may have moved it away in the meantime.
      return open(path, options);
    } catch (error) {
      if (!saysDamaged(error)) throw error;
    }
    options.onDamaged?.(setAside(path));
    return open(path, options);
  } catch (error) {
    const problem = storeProblem(error);
    const isOfFolder = problem instanceof Problem && ['history-unopened', 'history-read-only'].includes(problem.code);
    throw isOfFolder ? unopened(dirname(path), error) : problem;
  }
}

/** Longest wait for another process's write, in milliseconds: a reader that is no window has nothing else to do. */
const readPatienceMs = 2_000;

/**
 * Opens a history for reading alone, also while windows write it. Throws a `Problem` with code `no-sqlite`, `history-newer`, or
 * `history-unread` for what is not there or is no history of this version.
 */
export function readStore(path: string): TaskStore {
  try {
    const database = new Database(path, { readOnly: true, busyTimeoutMs: readPatienceMs });
    try {
      requireNewest(database);
      return new TaskStore(database);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('history-unread', sentence('{0} cannot be read as a task history.', path), {
      nextStep: sentence('Name the file history.db in the storage folder of the extension, which VS Code has opened in this version.'),
      cause: error,
      details: (error as Error).message,
    });
  }
}

function open(path: string, { busyTimeoutMs, onLost }: OpenStoreOptions): TaskStore {
  if (isEmptied(path)) throw foundDamaged('the file is empty');
  const database = new Database(path, {
    onDamaged: () => markSuspect(path),
    ...(busyTimeoutMs !== undefined && { busyTimeoutMs }),
    ...(onLost && { onLost }),
  });
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

/** SQLite would silently start a new history in an empty file. A file that another window has just created is still empty, so it is not counted. */
function isEmptied(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === 0 && Date.now() - found.mtimeMs > justMade;
}

function markSuspect(path: string): void {
  try {
    writeFileSync(suspect(path), '');
  } catch {
    // The folder cannot be written either; the person sees that the history is damaged.
  }
}

/** A database without its -wal loses the last commits, so the three files are moved together. */
function setAside(path: string): string {
  const aside = `${path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  rmSync(suspect(path), { force: true });
  return aside;
}
