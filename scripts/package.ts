import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { buildProduct } from './build.ts';
import { printFailure } from './failure.ts';

// Makes a2a-workbench-VERSION.vsix, the installable extension; vsce prints what is in it.

const root = join(import.meta.dirname, '..');

try {
  await buildProduct({ production: true });
  const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
  const packagePath = join(root, `${name}-${version}.vsix`);
  await createVSIX({ cwd: root, packagePath, dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false });
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
