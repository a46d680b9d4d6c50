import * as assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unrelatedBuiltins } from '../../scripts/builtinExtensions.ts';
import { eventually } from '../support/eventually.ts';
import { launchWorkbench, type Workbench } from '../support/vscode/workbench.ts';

/** A request with a key that nobody knows, the same before and after; only the message differs. */
const request = (message: string): string => `{\n  "agent": "http://127.0.0.1:9",\n  "mesage": "typo",\n  "message": "${message}"\n}\n`;
/** A card with a fault that the schema does not see. */
const card = (description: string): string =>
  JSON.stringify(
    {
      name: 'Kiosk',
      description,
      version: '1',
      capabilities: {},
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [
        { id: 'a', name: 'A', description: 'a', tags: [] },
        { id: 'a', name: 'B', description: 'b', tags: [] },
      ],
      supportedInterfaces: [{ url: 'http://127.0.0.1:9', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    },
    null,
    2,
  );

suite('a file and its revision in Git', () => {
  let workbench: Workbench;
  let temporary: string;
  suiteSetup(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'a2a-git-'));
    const folder = join(temporary, 'workspace');
    await mkdir(folder);
    const git = (...args: string[]): Promise<unknown> =>
      promisify(execFile)('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], { cwd: folder });
    const write = (words: string): Promise<unknown> =>
      Promise.all([writeFile(join(folder, 'typo.a2a'), request(words)), writeFile(join(folder, 'kiosk.agent-card.json'), card(words))]);
    await write('before');
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'First');
    await write('after');
    workbench = await launchWorkbench({
      folder,
      withoutBuiltins: unrelatedBuiltins.filter(name => !['git', 'git-base'].includes(name)),
      settings: { 'git.enabled': true, 'git.openRepositoryInParentFolders': 'never', 'files.autoSave': 'off' },
    });
  });
  suiteTeardown(async () => {
    await workbench?.close();
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  });

  const problems = (): Promise<string[]> =>
    workbench.page.locator('.markers-panel [role=treeitem] .marker-message-details-container').allInnerTexts();

  for (const [file, fault, typed, more] of [
    ['typo.a2a', /mesage/, '"nonsense": 1,', /nonsense/],
    ['kiosk.agent-card.json', /Another skill/, '"documentationUrl": 7,', /Ln 1,/],
  ] as const) {
    test(`have each problem of ${file} once between them`, async () => {
      await workbench.openFile(file);
      await workbench.command('Problems: Focus on Problems View');
      await eventually(async () =>
        assert.equal((await problems()).filter(text => fault.test(text)).length, 1, (await problems()).join(' | ')),
      );
      await workbench.openFile(file);
      await workbench.command('Git: Open Changes');
      await workbench.tab(/Working Tree/).waitFor();
      const sides = workbench.page.locator('.monaco-diff-editor:visible .editor');
      await sides.nth(0).locator('.view-line', { hasText: 'before' }).waitFor();
      const right = sides.nth(1).locator('.view-line', { hasText: 'after' });
      await right.waitFor();
      // What is written now is looked at after the revision was opened: once that has come, so has all the revision could bring.
      // Where the mouse rests on a file's name, its hover covers the text.
      await workbench.page.mouse.move(640, 790);
      await right.click();
      await workbench.page.keyboard.press('Control+Home');
      await workbench.page.keyboard.press('End');
      await workbench.page.keyboard.insertText(typed);
      await eventually(async () =>
        assert.ok(
          (await problems()).some(text => more.test(text)),
          (await problems()).join(' | '),
        ),
      );
      const found = await problems();
      assert.equal(found.filter(text => fault.test(text)).length, 1, found.join(' | '));
      assert.deepEqual(
        found.filter((text, index) => found.indexOf(text) !== index),
        [],
      );
      await workbench.screenshot(`git-diff-${file.split('.')[0]}`);
      await workbench.command('File: Revert File');
      await workbench.command('View: Close All Editors');
    });
  }
});
