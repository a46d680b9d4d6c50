import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Part } from '../../protocol/message/part.ts';
import { mediaTypeOfName } from '../../request/text/mediaTypes.ts';
import { UsageError } from './usage.ts';

/** Largest file that is sent, in bytes: its base64 has to be one string. */
const maxBytes = 256 * 1024 * 1024;

/** A file as a part of a message. @param cwd folder in which a relative path begins @throws UsageError */
export async function filePart(path: string, cwd: string): Promise<Part> {
  const whole = resolve(cwd, path);
  try {
    const { size } = await stat(whole);
    if (size > maxBytes) throw new Error(`it is larger than ${maxBytes / 1024 / 1024} MB`);
    const raw = (await readFile(whole)).toString('base64');
    return { raw, filename: basename(path), mediaType: mediaTypeOfName(path) };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw new UsageError(`File not found: ${path}`, { cause });
    throw new UsageError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
