import { dirname, join, resolve } from 'node:path';
import { SandboxedFiles } from '../values/sandboxedFiles.ts';

/** Most folders that are searched. */
const maxFolders = 64;

export interface SearchedFolders {
  readonly folder: string;
  readonly root: string;
  /** Called before a file is read or looked for, with its whole path. */
  readonly onRead?: ((path: string) => void) | undefined;
}

export interface FolderFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The files of these names in a folder and in its parents up to and including the root: nearest first, and within a folder in the order of
 * the names. Rejects with a `Problem` where a file exists but is not read: `no-file`, `file-outside`, `file-too-large`.
 */
export async function findFolderFiles({ folder, root, onRead }: SearchedFolders, names: readonly string[]): Promise<readonly FolderFile[]> {
  const folders: string[] = [];
  for (let at = resolve(folder); folders.length < maxFolders; at = dirname(at)) {
    folders.push(at);
    if (at === resolve(root) || dirname(at) === at) break;
  }
  const held = new SandboxedFiles({ root: folders.at(-1)!, folder });
  const files: FolderFile[] = [];
  // One after the other, so that the same one of several unreadable files is reported each time.
  for (const path of folders.flatMap(at => names.map(name => join(at, name)))) {
    onRead?.(path);
    const text = await held.textIfThere(path);
    if (text !== undefined) files.push({ path, text });
  }
  return files;
}
