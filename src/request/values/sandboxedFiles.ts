import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { environmentFileNames } from './environmentFileNames.ts';
import type { FileContent } from './valueSources.ts';
import { utf8Text } from '../text/utf8Text.ts';
import { readWholeFile, requireBounded } from './wholeFile.ts';

/** Reads files whose paths come from others, but none outside a root, whether by `..` or through a symbolic link. */
export class SandboxedFiles {
  readonly #root: string;
  readonly #folder: string;

  /** Both are absolute paths: relative paths start at `folder`, and no file outside `root` is read. */
  constructor({ root, folder }: { readonly root: string; readonly folder: string }) {
    this.#root = root;
    this.#folder = folder;
  }

  /**
   * Reads a file for the message of a request. The author of the request chooses the file and the receiver. Rejects as `read` does, and with a
   * `Problem` `file-private` for private environment files, whose values are bound to where they went, and for the hidden files of the home
   * folder, where programs keep keys and passwords.
   */
  readForMessage(path: string): Promise<FileContent> {
    return this.read(path, async real => {
      const root = await realpath(this.#root);
      // There may be none, as for users of services.
      const home = await realpath(homedir()).catch(() => homedir());
      const isPrivate = basename(real).toLowerCase() === environmentFileNames.private;
      // A project in the home folder is no home folder.
      const isHidden = !leadsOut(root, home) && !leadsOut(home, real) && /(?:^|[\\/])\./.test(relative(home, real));
      if (isPrivate || isHidden) throw notForMessages(path, isPrivate);
    });
  }

  /**
   * Reads a file that a request names. Rejects with a `Problem`: `file-outside`, `no-file`, `file-too-large`, `file-changing`.
   * @param checked rejects for a file that is not to be read, before it is; `real` is free of links
   */
  async read(path: string, checked: (real: string) => Promise<void> = async () => {}): Promise<FileContent> {
    try {
      const bytes = await this.#open(path, async (real, shown) => {
        await checked(real);
        return readRegular(real, shown);
      });
      return { name: basename(resolve(this.#folder, path)), bytes };
    } catch (error) {
      const nextStep = error instanceof Problem ? stepsInRequests[error.code] : undefined;
      throw error instanceof Problem && nextStep !== undefined
        ? new Problem(error.code, error.sentence, { nextStep, cause: error.cause })
        : error;
    }
  }

  /** Reads a UTF-8 file without its byte order mark. Rejects with a `Problem`: `file-outside`, `no-file`, `file-too-large`, `file-changing`, `not-utf8`. */
  async text(path: string): Promise<string> {
    return utf8Text(path, await this.#open(path, readRegular));
  }

  /** The same; undefined where the file does not exist. */
  async textIfThere(path: string): Promise<string | undefined> {
    try {
      return await this.text(path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /**
   * To be called before creating a file. Rejects with a `Problem` `file-outside` for a symbolic link without a target, since the file would
   * be created at the target.
   */
  async checkNew(path: string): Promise<void> {
    const link = await lstat(resolve(this.#folder, path)).then(
      found => found.isSymbolicLink(),
      () => false,
    );
    if (link)
      throw new Problem('file-outside', sentence('{0} is a broken link, so nothing was written there.', path), {
        nextStep: sentence('Delete the link first.'),
      });
  }

  /** Rejects as `text` does, without reading: for a file that VS Code reads itself. */
  async check(path: string): Promise<void> {
    await this.#open(path, (real, shown) => opened(real, shown, async () => undefined));
  }

  #open<T>(path: string, use: (real: string, path: string) => Promise<T>): Promise<T> {
    return withReason(path, async () => {
      const root = await realpath(this.#root);
      const wanted = resolve(this.#folder, path);
      // Checked before the file is accessed: on Windows, looking at \\server\share would sign in there.
      if (leadsOut(root, wanted) && leadsOut(this.#root, wanted)) throw outside(path, root);
      const real = await realpath(wanted);
      if (leadsOut(root, real)) throw outside(path, root);
      return use(real, path);
    });
  }
}

/** Next steps for files that a request names, by problem code. */
const stepsInRequests: Readonly<Record<string, LocalizedMessage>> = {
  'no-file': sentence('Paths are relative to the folder of the request file.'),
  'file-too-large': sentence('Send it by its address, as a part with "url".'),
};

/**
 * Reads a UTF-8 file that a person named, in any folder, without its byte order mark. Rejects with a `Problem`: `no-file`,
 * `file-too-large`, `file-changing`, `not-utf8`.
 * @param cwd folder in which a relative path begins
 */
export const readNamedText = (path: string, cwd = ''): Promise<string> =>
  withReason(path, async () => utf8Text(path, await readRegular(await realpath(resolve(cwd, path)), path)));

/** Rejects as `readNamedText` does, without reading: for a file that VS Code reads itself. */
export const checkNamed = (path: string): Promise<void> =>
  withReason(path, async () => opened(await realpath(resolve(path)), path, async () => undefined));

/** Any other error than a `Problem` becomes `no-file`. */
async function withReason<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof Problem ? cause : unreadable(path, cause);
  }
}

export function leadsOut(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
}

/** Only regular files are opened: reading from a pipe might never end. `real` is free of links; `path` is shown to people. */
async function opened<T>(real: string, path: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) {
      throw new Problem(
        'no-file',
        stat.isDirectory() ? sentence('{0} is a folder.', path) : sentence('{0} is not a regular file, so it was not read.', path),
      );
    }
    requireBounded(stat.size, path);
    return await use(handle);
  } finally {
    await handle.close();
  }
}

const readRegular = (real: string, path: string): Promise<Uint8Array> => opened(real, path, handle => readWholeFile(handle, path));

const isMissing = (error: unknown): boolean =>
  error instanceof Problem && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';

const outside = (path: string, root: string): Problem =>
  new Problem('file-outside', sentence('The file {0} is outside {1}, so it was not read.', path, root), {
    nextStep: sentence('Copy it into the folder and refer to it there.'),
  });

const notForMessages = (path: string, isPrivate: boolean): Problem =>
  new Problem(
    'file-private',
    isPrivate
      ? sentence('{0} contains private values, so it was not included as a file.', path)
      : sentence('{0} is among the hidden files of your home folder, so it was not read.', path),
    {
      nextStep: isPrivate
        ? sentence('Refer to a variable of the environment instead.')
        : sentence('Copy it into the folder of the request file if its content may be sent.'),
    },
  );

const unreadable = (path: string, cause: unknown): Problem =>
  new Problem(
    'no-file',
    (cause as NodeJS.ErrnoException).code === 'ENOENT'
      ? sentence('File not found: {0}', path)
      : sentence('The file {0} cannot be read: {1}', path, (cause as Error).message),
    { cause },
  );
