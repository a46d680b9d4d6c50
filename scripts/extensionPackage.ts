import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';

const readmePath = 'dist/README.md';

/**
 * Packages the built extension in a folder, with a README whose pictures can be shown. Rejects with vsce's own error, also where the
 * manifest's repository is of a host that vsce does not know.
 */
export async function packExtension(folder: string, packagePath: string): Promise<void> {
  const { repository } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { readonly repository?: unknown };
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  await mkdir(join(folder, 'dist'), { recursive: true });
  // With a repository, vsce makes the URLs of pictures and links absolute.
  await writeFile(join(folder, readmePath), repository === undefined ? withoutLinks(withoutPictures(readme)) : readme);
  await createVSIX({
    cwd: folder,
    packagePath,
    readmePath,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: repository !== undefined,
  });
}

/**
 * The page of an installed extension loads pictures over https only, neither from the package nor from data URLs
 * (`test/ui/vsix.test.ts`). The block of pictures is removed where they have no such address.
 */
const withoutPictures = (text: string): string => text.replace(/<!-- pictures -->[^]*?<!-- \/pictures -->\n\n?/, '');

/** Links to files of the package lead nowhere on that page: their words stay. */
const withoutLinks = (text: string): string => text.replaceAll(/\[([^\]]*)\]\((?!https?:|#)[^)]*\)/g, '$1');
