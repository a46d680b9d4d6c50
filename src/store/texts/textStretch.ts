import { closeSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';

/** So many bytes of a file from there on; fewer where it has no more, none where it is gone. Throws what else the system says. */
export function stretchOf(path: string, start: number, length: number): Uint8Array {
  const handle = tolerant(() => openSync(path, 'r'));
  if (handle === undefined) return new Uint8Array();
  try {
    const bytes = new Uint8Array(length);
    let read = 0;
    while (read < length) {
      const more = readSync(handle, bytes, read, length - read, start + read);
      if (more === 0) return bytes.subarray(0, read);
      read += more;
    }
    return bytes;
  } finally {
    closeSync(handle);
  }
}

/** Names in a folder that may not be there. */
export const namesIn = (folder: string): readonly string[] => tolerant(() => readdirSync(folder)) ?? [];

/** Returns false where the system does not let it go yet, as while another window reads it. */
export function removed(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

function tolerant<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
