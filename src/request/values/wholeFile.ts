import type { FileHandle } from 'node:fs/promises';
import { Problem, sentence } from '../../protocol/problem.ts';

/** Largest file that is read, in bytes. */
export const maxFileBytes = 16 * 1024 * 1024;
/** A file that is being written to is read so often before it is given up. */
const maxReadings = 3;

/**
 * The bytes of an open file as they are at one time: half of what somebody is saving is never taken for the whole.
 * @param path for people
 * @throws Problem `file-too-large`, `file-changing`
 */
export async function readWholeFile(handle: Pick<FileHandle, 'stat' | 'read'>, path: string): Promise<Uint8Array> {
  let before = await handle.stat();
  for (let reading = 0; reading < maxReadings; reading++) {
    requireBounded(before.size, path);
    // One more byte than there should be shows that the file has grown.
    const buffer = Buffer.alloc(before.size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = (await handle.read(buffer, length, buffer.length - length, length)).bytesRead;
    const after = await handle.stat();
    if (length === before.size && after.size === before.size && after.mtimeMs === before.mtimeMs) return buffer.subarray(0, length);
    before = after;
  }
  throw new Problem('file-changing', sentence('The file {0} changed while it was being read.', path), {
    nextStep: sentence('Try again when it is complete.'),
  });
}

/** @throws Problem `file-too-large` */
export function requireBounded(size: number, path: string): void {
  if (size <= maxFileBytes) return;
  throw new Problem('file-too-large', sentence('The file {0} is larger than {1} MB.', path, maxFileBytes / 1024 / 1024), {
    nextStep: sentence('Split it into smaller files.'),
  });
}
