import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';

const readmePath = 'dist/README.md';

/**
 * Makes the installable extension of what stands in a folder, built already, with a README whose pictures can be shown. Rejects with vsce's own
 * error, also where the manifest names a repository that vsce knows no addresses of files of.
 */
export async function packExtension(folder: string, packagePath: string): Promise<void> {
  const { repository } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { readonly repository?: unknown };
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  await mkdir(join(folder, 'dist'), { recursive: true });
  // With a repository vsce makes its addresses of pictures and links whole.
  await writeFile(join(folder, readmePath), repository === undefined ? withoutPictures(readme) : readme);
  await createVSIX({
    cwd: folder,
    packagePath,
    readmePath,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: repository !== undefined,
  });
}

/** Pictures that stand in lines of their own and come with the package. */
const ownPictures = /^!\[[^\]]*\]\((?!https:)[^)]*\)\n\n?/gm;

/**
 * The page of an installed extension loads pictures over https alone: it takes neither files of the package nor pictures in the text
 * (`test/ui/extensionPage.test.ts`). What it cannot show would stand there broken.
 */
const withoutPictures = (text: string): string => text.replaceAll(ownPictures, '');

/** So many pictures of a README come with the package. */
export const picturesOf = (readme: string): number => [...readme.matchAll(ownPictures)].length;
