import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a file from pieces, atomically: they go to a temporary file in the same folder, which is renamed at the end. Resolves with false,
 * and leaves `path` as it was, if `isWanted` returns false at the end. Rejects with the system's error or that of `pieces`.
 */
export async function writeAtomically(path: string, pieces: AsyncIterable<string>, isWanted: () => boolean): Promise<boolean> {
  const unfinished = join(dirname(path), `a2a-export-${randomUUID()}.unfinished`);
  const file = await open(unfinished, 'wx');
  try {
    await pipeline(Readable.from(pieces), file.createWriteStream());
    if (!isWanted()) return false;
    await rename(unfinished, path);
    return true;
  } finally {
    await file.close();
    await rm(unfinished, { force: true });
  }
}
