import { existsSync, renameSync } from 'node:fs';
import { Database } from './database.ts';
import { migrate } from './migrations.ts';
import { saysDamaged, storeProblem } from './storeProblem.ts';
import { TaskStore } from './taskStore.ts';

export interface OpenStoreOptions {
  /** Hears where a damaged history was set aside; a fresh one is opened in its place. */
  readonly onDamaged?: (setAside: string) => void;
}

/**
 * Opens the task history at this path, or makes it (its folder must exist). A damaged file is renamed and never deleted. Throws a
 * `Problem` with code `no-sqlite`, `history-newer`, `history-unopened`, `history-read-only`, `history-busy` or another of
 * `storeProblem.ts`.
 */
export function openStore(path: string, options: OpenStoreOptions = {}): TaskStore {
  try {
    try {
      return open(path);
    } catch (error) {
      if (!saysDamaged(error)) throw error;
    }
    try {
      // Another window may have set it aside in the meantime.
      return open(path);
    } catch (error) {
      if (!saysDamaged(error)) throw error;
    }
    options.onDamaged?.(setAside(path));
    return open(path);
  } catch (error) {
    throw storeProblem(error);
  }
}

function open(path: string): TaskStore {
  const database = new Database(path);
  try {
    migrate(database);
    return new TaskStore(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A database without its -wal loses what was committed last, so the three files go together. */
function setAside(path: string): string {
  const aside = `${path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}
