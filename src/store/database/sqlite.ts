import { hint, Problem, sentence } from '../../protocol/problem.ts';

type Sqlite = typeof import('node:sqlite');

/**
 * Node's own SQLite. It is loaded when a history is opened and not when this file is loaded: a host without SQLite still starts, and says why
 * it has no history.
 */
export function loadSqlite(): Sqlite {
  const load: ((id: 'node:sqlite') => Sqlite | undefined) | undefined = process.getBuiltinModule;
  const sqlite = load?.('node:sqlite');
  if (sqlite === undefined) {
    throw new Problem('no-sqlite', sentence('Node.js {0} has no SQLite, so there is no task history.', process.version), {
      nextStep: hint(sentence('Update VS Code to 1.105 or later.'), 'Use Node.js 22.13 or later.'),
    });
  }
  return sqlite;
}
