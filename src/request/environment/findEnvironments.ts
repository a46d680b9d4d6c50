import { dirname, join, resolve } from 'node:path';
import { environmentFileNames, type EnvironmentFile } from './environments.ts';
import { SandboxedFiles } from '../values/sandboxedFiles.ts';

/** Most folders that are searched. */
const maxFolders = 64;

/**
 * The environment files in the folder of a request file and in its parents up to and including the root: nearest first, and within a folder
 * private before shared. Rejects with a `Problem` where a file exists but is not read: `no-file`, `file-outside`, `file-too-large`.
 */
export async function findEnvironments({
  folder,
  root,
}: {
  readonly folder: string;
  readonly root: string;
}): Promise<readonly EnvironmentFile[]> {
  const folders: string[] = [];
  for (let at = resolve(folder); folders.length < maxFolders; at = dirname(at)) {
    folders.push(at);
    if (at === resolve(root) || dirname(at) === at) break;
  }
  const paths = folders.flatMap(at => [
    { path: join(at, environmentFileNames.private), private: true },
    { path: join(at, environmentFileNames.shared), private: false },
  ]);
  const held = new SandboxedFiles({ root: folders.at(-1)!, folder });
  const files: EnvironmentFile[] = [];
  // One after the other, so that of several files that cannot be read it is always the same that is told.
  for (const { path, private: isPrivate } of paths) {
    const text = await held.textIfThere(path);
    if (text !== undefined) files.push({ path, text, private: isPrivate });
  }
  return files;
}
