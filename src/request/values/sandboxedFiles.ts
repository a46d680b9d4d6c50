import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { FileContent } from './valueSources.ts';
import { utf8Text } from '../text/utf8Text.ts';

/** Largest file that is read, in bytes. */
export const largestFile = 16 * 1024 * 1024;

/** Reads files that others name, and none outside a root: neither by `..` nor through a symbolic link. */
export class SandboxedFiles {
  readonly #root: string;
  readonly #folder: string;

  /** Paths are seen from `folder`; `root` is the folder nothing leads out of. Both absolute. */
  constructor({ root, folder }: { readonly root: string; readonly folder: string }) {
    this.#root = root;
    this.#folder = folder;
  }

  /** A file that a request names. Rejects with a `Problem`: `file-outside`, `no-file`, `file-too-large`. */
  async read(path: string): Promise<FileContent> {
    try {
      return { name: basename(resolve(this.#folder, path)), bytes: await this.#read(path) };
    } catch (error) {
      const nextStep = error instanceof Problem ? stepsInRequests[error.code] : undefined;
      throw error instanceof Problem && nextStep !== undefined
        ? new Problem(error.code, error.sentence, { nextStep, cause: error.cause })
        : error;
    }
  }

  /** A file in UTF-8 without its byte order mark. Rejects with a `Problem`: `file-outside`, `no-file`, `file-too-large`, `not-utf8`. */
  async text(path: string): Promise<string> {
    return utf8Text(path, await this.#read(path));
  }

  /** The same; undefined where there is none of that name. */
  async textIfThere(path: string): Promise<string | undefined> {
    try {
      return await this.text(path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** For whoever makes a file where there is none. Rejects with a `Problem` `file-outside` where a link to nowhere stands: it would be made where that leads. */
  async checkNew(path: string): Promise<void> {
    const link = await lstat(resolve(this.#folder, path)).then(
      found => found.isSymbolicLink(),
      () => false,
    );
    if (link)
      throw new Problem('file-outside', sentence('{0} is a link to nowhere, so nothing was written there.', path), {
        nextStep: sentence('Delete the link first.'),
      });
  }

  /** Rejects as `text` does, without reading: for a file that VS Code reads. */
  async check(path: string): Promise<void> {
    await this.#open(path, (real, shown) => opened(real, shown, async () => undefined));
  }

  #read(path: string): Promise<Uint8Array> {
    return this.#open(path, readRegular);
  }

  async #open<T>(path: string, use: (real: string, path: string) => Promise<T>): Promise<T> {
    try {
      const root = await realpath(this.#root);
      const wanted = resolve(this.#folder, path);
      // Said of the path first: on Windows the mere look at \\server\share would sign in there.
      if (leadsOut(root, wanted) && leadsOut(this.#root, wanted)) throw outside(path, root);
      const real = await realpath(wanted);
      if (leadsOut(root, real)) throw outside(path, root);
      return await use(real, path);
    } catch (cause) {
      if (cause instanceof Problem) throw cause;
      throw unreadable(path, cause);
    }
  }
}

/** What a person can do about a file that a request names, by the code of the problem. */
const stepsInRequests: Readonly<Record<string, LocalizedMessage>> = {
  'no-file': sentence('Paths start at the folder of the request file.'),
  'file-too-large': sentence('Send it by its address, as a part with "url".'),
};

/** A file in UTF-8 that a person named, wherever it is, without its byte order mark. Rejects with a `Problem`: `no-file`, `file-too-large`, `not-utf8`. */
export const readNamedText = (path: string): Promise<string> => named(path, async real => utf8Text(path, await readRegular(real, path)));

/** Rejects as `readNamedText` does, without reading: for a file that VS Code reads. */
export const checkNamed = (path: string): Promise<void> => named(path, real => opened(real, path, async () => undefined));

async function named<T>(path: string, use: (real: string) => Promise<T>): Promise<T> {
  try {
    return await use(await realpath(path));
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw unreadable(path, cause);
  }
}

function leadsOut(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
}

/** What is not a regular file is not waited for: a pipe would never end. `real` is free of links; `path` is what people know it by. */
async function opened<T>(
  real: string,
  path: string,
  use: (handle: Awaited<ReturnType<typeof open>>, size: number) => Promise<T>,
): Promise<T> {
  const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) {
      throw new Problem(
        'no-file',
        stat.isDirectory() ? sentence('{0} is a folder.', path) : sentence('{0} is not a regular file, so it was not read.', path),
      );
    }
    if (stat.size > largestFile) throw tooLarge(path);
    return await use(handle, stat.size);
  } finally {
    await handle.close();
  }
}

const readRegular = (real: string, path: string): Promise<Uint8Array> =>
  opened(real, path, async (handle, size) => {
    const buffer = Buffer.alloc(size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = (await handle.read(buffer, length, buffer.length - length, length)).bytesRead;
    return buffer.subarray(0, Math.min(length, size));
  });

const isMissing = (error: unknown): boolean =>
  error instanceof Problem && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';

const outside = (path: string, root: string): Problem =>
  new Problem('file-outside', sentence('The file {0} lies outside {1}, so it was not read.', path, root), {
    nextStep: sentence('Copy it into the folder and refer to it there.'),
  });

const unreadable = (path: string, cause: unknown): Problem =>
  new Problem('no-file', sentence('The file {0} cannot be read: {1}', path, (cause as Error).message), { cause });

const tooLarge = (path: string): Problem =>
  new Problem('file-too-large', sentence('The file {0} is larger than {1} MB.', path, largestFile / 1024 / 1024), {
    nextStep: sentence('Split it into smaller files.'),
  });
