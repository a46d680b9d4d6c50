import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Where a file is written until it is whole: in the same folder, under a name that no pattern for reports or artifacts finds. */
const besideOf = (path: string): string => join(dirname(path), `.a2a-${randomUUID()}.unfinished`);

/**
 * Writes a file from pieces, atomically: they go to a temporary file in the same folder, which is renamed at the end. A link in its place is
 * replaced, never followed. Resolves with false, and leaves `path` as it was, if `isWanted` returns false at the end. Rejects with the
 * system's error or that of `pieces`.
 */
export async function writeAtomically(
  path: string,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  isWanted: () => boolean = () => true,
): Promise<boolean> {
  const beside = besideOf(path);
  const file = await open(beside, 'wx');
  try {
    // Keeps the file's permissions.
    const before = await lstat(path).catch(() => undefined);
    if (before?.isFile() === true) await file.chmod(before.mode & 0o777);
    await file.writeFile(pieces);
    await file.sync();
    if (!isWanted()) return false;
    // Windows renames no file that is open.
    await file.close();
    await rename(beside, path);
    return true;
  } finally {
    await file.close();
    await rm(beside, { force: true });
  }
}

/** The same at once, for bytes that are there. @throws the system's error */
export function writeAtOnce(path: string, content: string | Uint8Array): void {
  const beside = besideOf(path);
  const before = statSync(path, { throwIfNoEntry: false });
  const descriptor = openSync(beside, 'wx');
  try {
    try {
      // A file that only its owner may read stays one, also while it is written.
      if (before !== undefined) fchmodSync(descriptor, before.mode & 0o777);
      writeFileSync(descriptor, content);
    } finally {
      closeSync(descriptor);
    }
    renameSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
}

/** A file that is written piece by piece, and is there once it is finished. */
export class UnfinishedFile {
  readonly #path: string;
  readonly #beside: string;
  #descriptor: number | undefined;

  /** @throws the system's error, also where a file in its place may not be written */
  constructor(path: string) {
    this.#path = path;
    this.#beside = besideOf(path);
    const before = lstatSync(path, { throwIfNoEntry: false });
    if (before !== undefined) accessSync(path, constants.W_OK);
    this.#descriptor = openSync(this.#beside, 'wx');
    if (before !== undefined) chmodSync(this.#beside, before.mode & 0o777);
  }

  /** @throws the system's error */
  write(text: string): void {
    if (this.#descriptor !== undefined) writeAll(this.#descriptor, text);
  }

  /** Puts it in its place; once. @throws the system's error */
  finish(): void {
    if (this.#descriptor === undefined) return;
    fsyncSync(this.#descriptor);
    this.#close();
    renameSync(this.#beside, this.#path);
  }

  /** Leaves the place as it was, unless it is finished. */
  discard(): void {
    if (this.#descriptor === undefined) return;
    this.#close();
    rmSync(this.#beside, { force: true });
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** @throws the system's error */
export function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}
