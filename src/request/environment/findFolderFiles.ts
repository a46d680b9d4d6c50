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
export async function findFolderFiles<T extends { readonly name: string }>(
  { folder, root, onRead }: SearchedFolders,
  wanted: readonly T[],
): Promise<readonly (FolderFile & { readonly kind: T })[]> {
  const folders: string[] = [];
  for (let at = resolve(folder); folders.length < maxFolders; at = dirname(at)) {
    folders.push(at);
    if (at === resolve(root) || dirname(at) === at) break;
  }
  const held = new SandboxedFiles({ root: folders.at(-1)!, folder });
  const files: (FolderFile & { readonly kind: T })[] = [];
  // One after the other, so that the same one of several unreadable files is reported each time.
  for (const at of folders) {
    for (const kind of wanted) {
      const path = join(at, kind.name);
      onRead?.(path);
      const text = await held.textIfThere(path);
      if (text !== undefined) files.push({ path, text, kind });
    }
  }
  return files;
}
