import { closeSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';

/** So many bytes of a file from there on; fewer if the file is shorter, none if it is gone. Throws the system's other errors. */
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

/** Names in a folder that may be missing. */
export const namesIn = (folder: string): readonly string[] => tolerant(() => readdirSync(folder)) ?? [];

/** Returns false if the system does not allow it yet, such as while another window reads it. */
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
