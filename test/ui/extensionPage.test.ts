import * as assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { unrelatedBuiltins } from '../../scripts/builtinExtensions.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';
import { launchWorkbench, type Workbench } from '../support/vscode/workbench.ts';

const icon = resolve(import.meta.dirname, '../../media/icon.png');

/** Every way in which the text of a README could bring a picture of its package along; vsce packs no text with SVG tags. */
const waysOf = (data: string): Readonly<Record<string, string>> => ({
  'a relative address': '![a](media/icon.png)',
  'a relative address in HTML': '<img src="./media/icon.png" alt="b">',
  'the bytes in the text': `![c](${data})`,
  'the bytes in HTML': `<img src="${data}" alt="d">`,
  'a source set': `<picture><source srcset="${data}"><img alt="e"></picture>`,
  'a background': `<div style="width:40px;height:40px;background-image:url(${data})">f</div>`,
  'the picture of a film': `<video poster="${data}" width="40" height="40"></video>`,
  'an object': `<object data="${data}" width="40" height="40"></object>`,
});

suite('the page of an extension', () => {
  let workbench: Workbench;
  let temporary: string;
  suiteSetup(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'a2a-page-'));
    const bytes = await readFile(icon);
    const ways = waysOf(`data:image/png;base64,${bytes.toString('base64')}`);
    await mkdir(join(temporary, 'media'));
    await writeFile(join(temporary, 'media', 'icon.png'), bytes);
    await writeFile(
      join(temporary, 'package.json'),
      JSON.stringify({
        name: 'pictures',
        displayName: 'Pictures',
        publisher: 'test',
        version: '1.0.0',
        description: 'd',
        engines: { vscode: '^1.100.0' },
      }),
    );
    await writeFile(
      join(temporary, 'README.md'),
      ['# Pictures in a README', ...Object.entries(ways).map(([what, how]) => `## ${what}\n\n${how}`), '## The end'].join('\n\n'),
    );
    const vsix = join(temporary, 'pictures.vsix');
    await createVSIX({
      cwd: temporary,
      packagePath: vsix,
      dependencies: false,
      allowMissingRepository: true,
      rewriteRelativeLinks: false,
      skipLicense: true,
      allowPackageAllSecrets: false,
    });
    workbench = await launchWorkbench({ vsix, withoutBuiltins: unrelatedBuiltins, folder: temporary });
  });
  suiteTeardown(async () => {
    await workbench?.close();
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  });

  // Once one of them does, the README's pictures can come with the package: see `withoutPictures` in scripts/extensionPackage.ts.
  test('shows no picture that comes with the package, in whatever way its README names it', async () => {
    await workbench.command('View: Show Extensions');
    await workbench.page.locator('.extensions-list .monaco-list-row', { hasText: 'Pictures' }).first().click();
    const frame = await webviewFrame(workbench.page, 'h1:has-text("Pictures in a README")');
    await frame.getByRole('heading', { name: 'The end' }).waitFor();
    await frame.waitForLoadState('load');
    await workbench.screenshot('extension-page-pictures');
    const shown = await frame.locator('body').evaluate(body =>
      [...body.querySelectorAll('img, video, object, [style]')].flatMap(element => {
        const { backgroundImage } = getComputedStyle(element);
        const isShown =
          (element instanceof HTMLImageElement && element.naturalWidth > 0) ||
          (element instanceof HTMLVideoElement && element.poster !== '') ||
          element instanceof HTMLObjectElement ||
          backgroundImage !== 'none';
        return isShown ? [element.outerHTML.slice(0, 80)] : [];
      }),
    );
    assert.deepEqual(shown, []);
  });
});
