import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { Problem, sentence } from '../protocol/problem.ts';
import type { FileContent } from './reach.ts';

/** Largest file that is put into a request, in bytes. */
export const largestFile = 16 * 1024 * 1024;

/** Reads files, and none outside a root: neither by `..` nor through a symbolic link. */
export class HeldFiles {
  readonly #root: string;
  readonly #folder: string;

  /** Paths are seen from `folder`; `root` is the folder nothing leads out of. Both absolute. */
  constructor({ root, folder }: { readonly root: string; readonly folder: string }) {
    this.#root = root;
    this.#folder = folder;
  }

  /** Rejects with a `Problem`: `file-outside`, `no-file`, `file-too-large`. */
  async read(path: string): Promise<FileContent> {
    try {
      const [root, real] = await Promise.all([realpath(this.#root), realpath(resolve(this.#folder, path))]);
      const inside = relative(root, real);
      if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
        throw new Problem('file-outside', sentence('The file {0} lies outside {1}, so it was not read.', path, root), {
          nextStep: sentence('Copy it into the folder and refer to it there.'),
        });
      }
      return { name: basename(resolve(this.#folder, path)), bytes: await bounded(real, path) };
    } catch (cause) {
      if (cause instanceof Problem) throw cause;
      throw new Problem('no-file', sentence('The file {0} cannot be read: {1}', path, (cause as Error).message), {
        nextStep: sentence('Paths start at the folder of the request file.'), cause,
      });
    }
  }
}

/** What is no regular file is not waited for: a pipe would never end. */
async function bounded(real: string, path: string): Promise<Uint8Array> {
  const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const { size, isFile } = await handle.stat().then(stat => ({ size: stat.size, isFile: stat.isFile() }));
    if (!isFile) throw new Problem('no-file', sentence('{0} is no file.', path));
    if (size > largestFile) throw tooLarge(path);
    const buffer = Buffer.alloc(Math.min(size, largestFile) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) read = (await handle.read(buffer, length, buffer.length - length, length)).bytesRead;
    return buffer.subarray(0, Math.min(length, size));
  } finally {
    await handle.close();
  }
}

const tooLarge = (path: string): Problem => new Problem('file-too-large', sentence('The file {0} is larger than {1} MB.', path, largestFile / 1024 / 1024), {
  nextStep: sentence('Send it by its address, as a part with "url".'),
});
