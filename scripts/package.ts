import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProduct } from './build.ts';
import { packExtension } from './extensionPackage.ts';
import { Failure, printFailure } from './failure.ts';
import { untranslated } from './translations.ts';

// Makes a2a-workbench-VERSION.vsix, the installable extension; vsce prints what is in it.

const root = join(import.meta.dirname, '..');

// Reproducible: the same sources make the same bytes. vsce takes file times from SOURCE_DATE_EPOCH, and the time zone is fixed.
process.env['SOURCE_DATE_EPOCH'] ??= String(Date.UTC(1980, 0, 2) / 1000);
process.env['TZ'] = 'UTC';

try {
  const missing = untranslated();
  if (missing.length > 0)
    throw new Failure(`${missing.length} sentences have no Chinese one:\n${missing.join('\n')}`, 'Add them to the tables named.');
  await buildProduct({ production: true });
  const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
  await packExtension(root, join(root, `${name}-${version}.vsix`));
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
