import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createVSIX, listFiles } from '@vscode/vsce';
import { buildProduct } from './build.ts';
import { printFailure } from './failure.ts';

// Makes a2a-workbench-VERSION.vsix, the installable extension, and prints what is in it.

const root = join(import.meta.dirname, '..');

try {
  await buildProduct({ production: true });
  const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
  const packagePath = join(root, `${name}-${version}.vsix`);
  await createVSIX({ cwd: root, packagePath, dependencies: false, allowMissingRepository: true });
  const files = await listFiles({ cwd: root, dependencies: false });
  for (const file of files.sort()) console.log(`${String((await stat(join(root, file))).size).padStart(10)}  ${file}`);
  console.log(`${String((await stat(packagePath)).size).padStart(10)}  ${packagePath}, with ${files.length} files`);
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
