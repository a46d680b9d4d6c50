import { Problem, sentence } from '../../protocol/problem.ts';
import type { Database } from '../database/database.ts';
import { tables, wordTables } from './tables.ts';

/**
 * The steps to the newest schema, each never edited once it is released: `user_version` counts the steps taken. The first is the schema of
 * 0.1.0; a later one changes what the steps before it made, rows included.
 */
export const migrations: readonly string[] = [tables + wordTables];

/** Brings a history to the newest schema, that is through these steps. Throws a `Problem` if a newer version of this product wrote it. */
export function migrate(database: Database, steps = migrations): void {
  const versionOf = database.prepare<{ user_version: number }>('PRAGMA user_version');
  const version = (): number => versionOf.get()?.user_version ?? 0;
  if (version() === steps.length) return;
  database.write(() => {
    // Read again: another window may have migrated while this one waited for the lock.
    const from = version();
    if (from > steps.length) throw newer(from, steps);
    for (const step of steps.slice(from)) database.exec(step);
    database.exec(`PRAGMA user_version = ${steps.length}`);
  });
}

/** Throws for a history with another schema than the newest: one that is only read is not brought to it. A `Problem` if a newer version wrote it. */
export function requireNewest(database: Database): void {
  const version = database.prepare<{ user_version: number }>('PRAGMA user_version').get()?.user_version ?? 0;
  if (version > migrations.length) throw newer(version, migrations);
  if (version < migrations.length) throw new Error(`schema ${version}, known ${migrations.length}`);
}

const newer = (version: number, steps: readonly string[]): Problem =>
  new Problem('history-newer', sentence('The task history was written by a newer version of A2A Workbench.'), {
    nextStep: sentence('Update A2A Workbench.'),
    details: `schema ${version}, known ${steps.length}`,
  });
