import { environmentFileNames } from '../values/environmentFileNames.ts';
import type { EnvironmentFile } from './environments.ts';
import { findFolderFiles, type SearchedFolders } from './findFolderFiles.ts';

const wanted = [
  { name: environmentFileNames.private, private: true },
  { name: environmentFileNames.shared, private: false },
];

/**
 * The environment files in the folder of a request file and in its parents up to and including the root: nearest first, and within a folder
 * private before shared. Rejects as `findFolderFiles` does.
 */
export async function findEnvironments(folders: SearchedFolders): Promise<readonly EnvironmentFile[]> {
  return (await findFolderFiles(folders, wanted)).map(({ path, text, kind }) => ({ path, text, private: kind.private }));
}
