import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a file piece by piece, whole or not at all: what is there of it meanwhile has a name that no other file has. False where it is not
 * wanted any more, as `isWanted` says at the end. Rejects with what the system says, or what the pieces do.
 */
export async function writeWhole(path: string, pieces: AsyncIterable<string>, isWanted: () => boolean): Promise<boolean> {
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
