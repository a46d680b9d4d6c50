import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Problem, sentence } from '../protocol/problem.ts';
import { environmentFileNames, type EnvironmentFile } from './environments.ts';

/** Most folders that are looked into. */
const mostFolders = 64;

/**
 * The environment files beside a request file and above it, up to and with the root; nearest first, the private one of a folder before
 * the shared one. Rejects with a `Problem` `no-file` where one is there and cannot be read.
 */
export async function findEnvironments({ folder, root }: { readonly folder: string; readonly root: string }): Promise<readonly EnvironmentFile[]> {
  const folders: string[] = [];
  for (let at = resolve(folder); folders.length < mostFolders; at = dirname(at)) {
    folders.push(at);
    if (at === resolve(root) || dirname(at) === at) break;
  }
  const paths = folders.flatMap(at => [
    { path: join(at, environmentFileNames.private), private: true }, { path: join(at, environmentFileNames.shared), private: false },
  ]);
  const files = await Promise.all(paths.map(async ({ path, private: isPrivate }) => {
    const text = await textOf(path);
    return text === undefined ? [] : [{ path, text, private: isPrivate }];
  }));
  return files.flat();
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Problem('no-file', sentence('The file {0} cannot be read: {1}', path, (cause as Error).message), { cause });
  }
}
