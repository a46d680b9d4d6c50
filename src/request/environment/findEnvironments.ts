import { basename } from 'node:path';
import { environmentFileNames } from '../values/environmentFileNames.ts';
import type { EnvironmentFile } from './environments.ts';
import { findFolderFiles, type SearchedFolders } from './findFolderFiles.ts';

/**
 * The environment files in the folder of a request file and in its parents up to and including the root: nearest first, and within a folder
 * private before shared. Rejects as `findFolderFiles` does.
 */
export async function findEnvironments(folders: SearchedFolders): Promise<readonly EnvironmentFile[]> {
  const names = environmentFileNames;
  const found = await findFolderFiles(folders, [names.private, names.shared]);
  return found.map(file => ({ ...file, private: basename(file.path) === names.private }));
}
