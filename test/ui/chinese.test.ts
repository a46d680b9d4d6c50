import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';

const words = (file: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as Record<string, string>;
const bundle = words('l10n/bundle.l10n.zh-cn.json');
const manifest = words('package.nls.zh-cn.json');

/** Every text of a page, and what its elements are called. */
const textsOf = (frame: Frame): Promise<readonly string[]> =>
  frame.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter(element => element.closest('[translate=no]') === null)
      .flatMap(element => [
        ...[...element.childNodes].filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.textContent ?? ''),
        ...['title', 'aria-label', 'placeholder'].map(name => element.getAttribute(name) ?? ''),
      ])
      .map(text => text.trim())
      .filter(text => text !== ''),
  );

/** The row of an agent that answers. */
const currency = new RegExp(`^Currency.*${bundle['reachable'] ?? ''}`);

suite('a Chinese VS Code', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open({ language: 'zh-cn' });
  });
  suiteTeardown(() => stage.close());

  test('the view, its rows, its commands and a chat speak Chinese, and nothing that has Chinese words is left English', async () => {
    const { workbench } = stage;
    const tree = await workbench.view('A2A', manifest['view.agents'] ?? '');
    await tree.item(currency).waitFor();
    await workbench.pickCommand(`A2A: ${manifest['command.openChat'] ?? ''}`);
    await workbench.pick('Currency');
    const chat = stage.chat('Currency');
    await chat.send('How much is 10 USD in INR?');
    await tree.expand('Currency');
    await tree.item(/How much is/).waitFor();
    await chat.idle();
    const frame = await chat.frame();
    for (const tab of ['Tasks', 'Wire', 'Conversation']) {
      await frame.getByRole('tab', { name: bundle[tab] ?? tab }).click();
      // What a tab needs is loaded when it is opened.
      if (tab === 'Wire') await frame.locator('.wire-row').first().waitFor();
      const texts = await eventually(async () => {
        const shown = await textsOf(frame);
        assert.ok(shown.filter(text => /\p{Script=Han}/u.test(text)).length > 10, shown.join(' | '));
        return shown;
      });
      assert.deepEqual(
        texts.filter(text => Object.hasOwn(bundle, text) && bundle[text] !== text),
        [],
      );
    }
  });

  test('a check of conformance and its page speak Chinese', async () => {
    const { workbench } = stage;
    const said = (text: string): string => bundle[text] ?? text;
    const tree = await workbench.view('A2A', manifest['view.agents'] ?? '');
    await tree.contextMenu(currency, manifest['command.checkConformance'] ?? '');
    await workbench.page.getByPlaceholder(said('Run checks that start tasks?')).waitFor();
    await workbench.pick(said('Read-Only Checks'));
    const title = said('Conformance of {0}').replace('{0}', 'Currency');
    const frame = await webviewFrame(workbench.page, `h1:text-is(${JSON.stringify(title)})`);
    await frame.getByRole('button', { name: said('Check Again') }).waitFor();
    await frame.getByRole('button', { name: new RegExp(`^VER-03，.*：${said('failed')}`) }).click();
    await frame.locator('mark').waitFor();
    await frame.getByText(said('By level and subject')).click();
    await frame.getByText(said('By level and subject')).click();
    const texts = await textsOf(frame);
    // What stays is the protocol's: ids, levels, names of members and errors, and what was sent and came.
    const english = texts.filter(
      text => /[a-z]{3,} [a-z]{2,} [a-z]{2,}/i.test(text) && !/\p{Script=Han}/u.test(text) && !/[{}:/]/.test(text),
    );
    assert.deepEqual(english, []);
    assert.deepEqual(
      texts.filter(text => Object.hasOwn(bundle, text) && bundle[text] !== text),
      [],
    );
  });

  test('a fault in a request file is told in Chinese', async () => {
    const { workbench } = stage;
    await writeFile(join(stage.folder, 'faulty.a2a'), '{ "requests": [{ "name": "a", "agent": "Nobody", "message": "{{x}}" }] }');
    await workbench.openFile('faulty.a2a');
    await eventually(async () =>
      assert.deepEqual(
        new Set((await workbench.problems()).map(problem => problem.split('\n')[0])),
        new Set(['没有智能体“Nobody”。', '未知的变量或请求“x”。']),
      ),
    );
  });
});
