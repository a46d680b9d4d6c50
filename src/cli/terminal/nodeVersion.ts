import { FileError } from './usage.ts';

/** Minimum Node.js version of `a2a run`: the first with SQLite without a flag. */
const needed = '22.13';

/** Refuses a Node.js without SQLite, which holds the in-memory history of a run. @throws FileError */
export function refuseOldNode(version = process.version, hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined): void {
  if (hasSqlite) return;
  throw new FileError(`a2a run needs Node.js ${needed} or later, because of its SQLite; this is ${version}.`);
}
