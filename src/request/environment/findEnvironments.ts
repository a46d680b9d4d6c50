import { dirname, join, resolve } from 'node:path';
import { environmentFileNames, type EnvironmentFile } from './environments.ts';
import { SandboxedFiles } from '../values/sandboxedFiles.ts';

/** Most folders that are looked into. */
const mostFolders = 64;

/**
 * The environment files beside a request file and above it, up to and with the root; nearest first, the private one of a folder before
 * the shared one. Rejects with a `Problem` where one is there and is not read: `no-file`, `file-outside`, `file-too-large`.
 */
export async function findEnvironments({
  folder,
  root,
}: {
  readonly folder: string;
  readonly root: string;
}): Promise<readonly EnvironmentFile[]> {
  const folders: string[] = [];
  for (let at = resolve(folder); folders.length < mostFolders; at = dirname(at)) {
    folders.push(at);
    if (at === resolve(root) || dirname(at) === at) break;
  }
  const paths = folders.flatMap(at => [
    { path: join(at, environmentFileNames.private), private: true },
    { path: join(at, environmentFileNames.shared), private: false },
  ]);
  const held = new SandboxedFiles({ root: folders.at(-1)!, folder });
  const files = await Promise.all(
    paths.map(async ({ path, private: isPrivate }) => {
      const text = await held.textIfThere(path);
      return text === undefined ? [] : [{ path, text, private: isPrivate }];
    }),
  );
  return files.flat();
}
