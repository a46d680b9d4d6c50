import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../protocol/problem.ts';
import { unopened } from './database/storeProblem.ts';
import { openStore, type OpenStoreOptions } from './openStore.ts';
import type { TaskStore } from './taskStore.ts';

export interface OpenedFolder {
  readonly store: TaskStore;
  /** Where the history is, and where other files may be written. */
  readonly folder: string;
  /** Why that is a temporary folder, if it is; `close` deletes it. */
  readonly temporary?: Problem;
  close(): void;
}

/** Codes of errors because a folder, or the history in it, cannot be written. */
const unwritable: readonly string[] = ['history-unopened', 'history-read-only', 'history-full'];

/**
 * Opens the history of this folder, which is made if need be. If it cannot be written, a history in a temporary folder takes its place, so that
 * everything works but nothing stays. Throws as `openStore` does.
 */
export function openFolder(folder: string, options: OpenStoreOptions): OpenedFolder {
  try {
    make(folder);
    const store = openStore(join(folder, 'history.db'), options);
    return { store, folder, close: () => store.close() };
  } catch (error) {
    if (!(error instanceof Problem) || !unwritable.includes(error.code)) throw error;
    const other = temporaryFolder();
    if (other === undefined) throw error;
    const remove = (): void => rmSync(other, { recursive: true, force: true, maxRetries: 3 });
    try {
      const store = openStore(join(other, 'history.db'), options);
      return {
        store,
        folder: other,
        temporary: error,
        close: () => {
          store.close();
          remove();
        },
      };
    } catch {
      remove();
      throw error;
    }
  }
}

/** Undefined if there can be none. */
function temporaryFolder(): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), 'a2a-workbench-'));
  } catch {
    return undefined;
  }
}

function make(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw unopened(folder, error);
  }
}
