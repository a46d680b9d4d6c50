import { FileError } from './usage.ts';

/** What `a2a run` needs. Node.js has its SQLite without a flag since then. */
const needed = '22.13';

/** Request files are sent with a history of their own, which is in memory, in Node's SQLite. @throws FileError */
export function refuseOldNode(version = process.version, hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined): void {
  if (hasSqlite) return;
  throw new FileError(`a2a run needs Node.js ${needed} or later, because of its SQLite; this is ${version}.`);
}
