import * as assert from 'node:assert/strict';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import { scriptedAgent, type ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import type { Task } from '../../src/protocol/message/task.ts';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { atOtherHost } from '../support/otherHost.ts';
import { Stage } from '../support/vscode/stage.ts';

const done: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
const extension = 'https://example.org/ext/signed/v1';

suite('interfaces and extensions', () => {
  let stage: Stage;
  /** Speaks 0.3 and says 1.0. */
  let liar: ScriptedAgent;
  /** Requires an extension. */
  let strict: ScriptedAgent;
  /** Says that it speaks three generations at one address, and speaks one of them. */
  let boaster: ScriptedAgent;
  /** Has its second interface at another address. */
  let split: ScriptedAgent;
  suiteSetup(async () => {
    const script = {
      SendStreamingMessage: [{ event: { task: done } }],
      GetTask: [{ error: { code: -32001, message: 'no such task' } }],
    } as const;
    liar = scriptedAgent({ version: '0.3', script, card: url => minimalCard(url, '1.0') });
    strict = scriptedAgent({
      version: '1.0',
      script,
      card: url => ({
        ...minimalCard(url, '1.0'),
        capabilities: {
          streaming: true,
          extensions: [{ uri: extension, description: 'Signs what it says.', required: true }, { uri: 'https://example.org/ext/quiet' }],
        },
      }),
    });
    boaster = scriptedAgent({
      version: '1.0',
      script,
      card: url => ({
        ...minimalCard(url, '1.0'),
        name: 'Boaster',
        supportedInterfaces: ['1.0', '0.3', '0.2'].map(protocolVersion => ({ url, protocolBinding: 'JSONRPC', protocolVersion })),
      }),
    });
    await boaster.start();
    await liar.start();
    split = scriptedAgent({
      version: '1.0',
      script,
      card: url => ({
        ...minimalCard(url, '1.0'),
        name: 'Split',
        supportedInterfaces: [
          { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url: atOtherHost(liar.url), protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
        ],
      }),
    });
    await split.start();
    await strict.start();
    stage = await Stage.open();
    await stage.workbench.command('View: Close All Editors');
  });
  suiteTeardown(async () => {
    await stage.close();
    await liar.stop();
    await strict.stop();
    await boaster.stop();
    await split.stop();
  });
  const add = async (url: string): Promise<void> => {
    await stage.workbench.command('A2A: Add Agent…');
    await stage.workbench.answer(url);
  };

  test('an interface is chosen from the tree, kept in the settings, and undone', async () => {
    const tree = await stage.tree();
    await tree.item(/Currency.*A2A 1\.0/).waitFor();
    await tree.contextMenu('Currency', 'Choose Interface…');
    await stage.workbench.page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Follow the Card' }).waitFor();
    await stage.workbench.screenshot('interface-pick');
    await stage.workbench.pick('JSONRPC 0.3');
    await tree.item(/Currency.*A2A 0\.3/).waitFor();
    const told = await stage.workbench.notified('"Currency" now uses JSONRPC 0.3');
    await told.getByRole('button', { name: 'Undo' }).click();
    await tree.item(/Currency.*A2A 1\.0/).waitFor();
  });

  test('the chat says what is spoken and leads to the choice', async () => {
    const chat = await stage.newChat('Currency');
    await chat.press(/Uses JSONRPC 1\.0 at .* Choose Another Interface/);
    await stage.workbench.pick('JSONRPC 0.3');
    await chat.shows(/Uses JSONRPC 0\.3 at .*as set in the agent's settings/);
    await chat.press(/Choose Another Interface/);
    await stage.workbench.pick('Follow the Card');
    await chat.shows(/Uses JSONRPC 1\.0 at .*the card prefers/);
  });

  test('an agent whose card is wrong says so when it is added, in the tree, and is fixed', async () => {
    await add(liar.url);
    await stage.workbench.notified(/Added the agent "Scripted agent"\. .*says A2A 1\.0/);
    const tree = await stage.tree();
    await tree.item(/Scripted agent/).hover();
    await stage.workbench.screenshot('agent-problem');
    await eventually(async () =>
      assert.match((await tree.item(/Scripted agent/).getAttribute('aria-label')) ?? '', /1 problem with its card/),
    );
    await tree.inlineAction(/Scripted agent/, 'Fix…');
    await stage.workbench.notified(/"Scripted agent" now uses JSONRPC 0\.3 at http/);
    await tree.item(/Scripted agent.*A2A 0\.3/).waitFor();
    const chat = await stage.newChat('Scripted agent');
    await chat.send('Hello');
    await chat.shows(/completed/i);
  });

  test('a required extension is asked about before a message goes, turned on and asked for', async () => {
    await add(strict.url);
    const chat = await stage.newChat('Scripted agent 2');
    await chat.shows('Required extension is off');
    await chat.send('Hello');
    await chat.shows(`The agent requires an extension that is off: ${extension}`);
    await stage.workbench.screenshot('extension-notice');
    assert.equal(strict.requests.filter(({ operation }) => operation === 'SendStreamingMessage').length, 0);
    await chat.press('Turn On and Send');
    await chat.shows(/completed/i);
    await chat.shows('1 extension on');
    assert.equal(strict.requests.find(({ operation }) => operation === 'SendStreamingMessage')?.headers['a2a-extensions'], extension);
    await chat.press('1 extension on');
    await stage.workbench.page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Signs what it says.' }).waitFor();
    await stage.workbench.screenshot('extension-pick');
    await stage.workbench.page.keyboard.press('Escape');
  });

  test('a request is sent on every interface, and the answers are compared', async () => {
    await stage.workbench.openFile('currency.a2a');
    await stage.workbench.command('A2A: Send on Every Interface');
    const told = await stage.workbench.notified(/"Currency" (answers|does not answer) the same on \d+ interfaces/);
    const open = told.getByRole('button', { name: 'Open Answers' });
    if ((await open.count()) > 0) await open.click();
    await stage.workbench.page.locator('.monaco-diff-editor').first().waitFor();
    await eventually(async () => assert.match(await stage.workbench.page.locator('.monaco-diff-editor').first().innerText(), /TASK_STATE/));
    await stage.workbench.screenshot('every-interface');
    await stage.workbench.command('View: Close All Editors');
  });

  test('the last message of a chat is sent on every interface; of more than two answers each is beside the first', async () => {
    await add(boaster.url);
    const chat = await stage.newChat('Boaster');
    await chat.send('Hello');
    await chat.shows(/completed/i);
    await stage.workbench.command('A2A: Send on Every Interface');
    await stage.workbench.notified(/"Boaster" does not answer the same on 3 interfaces/);
    await stage.workbench.page.locator('.multiDiffEntry').nth(1).waitFor();
    await stage.workbench.screenshot('three-interfaces');
    await stage.workbench.command('View: Close All Editors');
  });

  test('interfaces at other addresses are asked about before anything is sent there', async () => {
    await add(split.url);
    const chat = await stage.newChat('Split');
    await chat.send('Hello');
    await chat.shows(/completed/i);
    const ask = async (button: string): Promise<void> => {
      await stage.workbench.command('A2A: Send on Every Interface');
      const dialog = stage.workbench.page.locator('.monaco-dialog-box', { hasText: new URL(atOtherHost(liar.url)).origin });
      await dialog.getByRole('button', { name: button }).click();
    };
    const asked = (): number => liar.requests.filter(({ operation }) => operation === 'SendStreamingMessage').length;
    const before = asked();
    await ask('Cancel');
    await ask('Leave Them Out');
    await stage.workbench.notified(/"Split" does not answer the same on 2 interfaces/);
    assert.equal(asked(), before);
    await stage.workbench.tab('Split: Hello').click();
    await chat.idle();
    await ask('Allow');
    await eventually(async () => assert.equal(asked(), before + 1));
    await stage.workbench.command('View: Close All Editors');
  });

  test('a request and its response say what it was sent over, and lead to the choice', async () => {
    await stage.workbench.openFile('currency.a2a');
    const lens = (text: string | RegExp): Locator => stage.workbench.page.locator('.codelens-decoration a', { hasText: text }).first();
    await stage.workbench.pressLens(lens('Send Request'), lens(/input required/));
    await lens('JSONRPC 1.0').waitFor();
    await lens('Send on Every Interface').waitFor();
    await lens('Choose Interface…').waitFor();
    // What is below the answer is folded.
    await stage.workbench.press(stage.workbench.page.locator('.view-line', { hasText: '"interface": {' }).first());
    await stage.workbench.command('Unfold');
    await stage.workbench.page
      .locator('.view-line', { hasText: /"why":.*the.interface.the.card.prefers/ })
      .first()
      .waitFor();
    await stage.workbench.screenshot('request-interface');
    await stage.workbench.pressLens(lens('Choose Interface…'), stage.workbench.quickInput());
    await stage.workbench.pick('JSONRPC 0.3');
    await stage.workbench.notified(/"Currency" now uses JSONRPC 0\.3/);
    await stage.workbench.pressLens(lens('Send Request'), lens('JSONRPC 0.3'));
  });
});
