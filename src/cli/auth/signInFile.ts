import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { exclusiveBy } from '../../auth/exclusiveFile.ts';
import type { SignInStore } from '../../auth/signInStore.ts';
import { Problem, sentence } from '../../protocol/problem.ts';

/** Longest file that is read, in bytes. */
const maxBytes = 4 * 1024 * 1024;

/** Path of the sign-ins of the terminal. */
export const signInPath = (env: NodeJS.ProcessEnv): string => join(ownPath(env), 'sign-ins.json');

/** Path of the permissions for agents of folders. */
export const allowancePath = (env: NodeJS.ProcessEnv): string => join(ownPath(env), 'allowed.json');

/** The folder of the program's own settings, by operating system. */
function ownPath({ XDG_CONFIG_HOME, APPDATA }: NodeJS.ProcessEnv): string {
  const base =
    process.platform === 'win32' ? (APPDATA ?? join(homedir(), 'AppData', 'Roaming')) : XDG_CONFIG_HOME || join(homedir(), '.config');
  return join(base, 'a2a-workbench');
}

/**
 * Sign-ins in a file that only its owner can read. Rejects with a `Problem` `sign-in-file` for one that others can read: they may know
 * its secrets already.
 */
export function signInFile(path: string): SignInStore {
  const exclusively = exclusiveBy(`${path}.lock`);
  return {
    read: () => readOwn(path),
    write: async text => {
      await ownFolder(path);
      const beside = `${path}.${randomUUID()}`;
      const file = await open(beside, 'wx', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      try {
        await rename(beside, path);
      } catch (error) {
        await rm(beside, { force: true });
        throw error;
      }
    },
    exclusively: async (work, about) => {
      await ownFolder(path);
      return exclusively(work, about);
    },
    onDidChange: () => () => {},
  };
}

async function ownFolder(path: string): Promise<void> {
  const folder = dirname(path);
  if ((await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined) await chmod(folder, 0o700);
}

async function readOwn(path: string): Promise<string | undefined> {
  let size: number;
  let mode: number;
  try {
    ({ size, mode } = await stat(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  // Windows has no such bits; the folder is the user's own there.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new Problem('sign-in-file', sentence('Others can read the file of your sign-ins, {0}.', path), {
      nextStep: sentence('Restrict it to your user (chmod 600), or delete it and sign in again.'),
    });
  if (size > maxBytes) throw new Problem('sign-in-file', sentence('The file of your sign-ins, {0}, is too large to be one.', path));
  return readFile(path, 'utf8');
}
