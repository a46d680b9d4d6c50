import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import { scriptedAgent, type ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import type { OperationParams } from '../../src/protocol/message/operations.ts';
import type { Task } from '../../src/protocol/message/task.ts';
import { shownTexts } from '../support/chatHarness/shownText.ts';
import { sailboat } from '../support/chatHarness/story.ts';
import { eventually } from '../support/eventually.ts';
import type { ChatView } from '../support/vscode/chatView.ts';
import { Stage } from '../support/vscode/stage.ts';

const done: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
const extension = 'https://example.org/ext/signed/v1';

suite('messages to agents: interfaces, extensions and what is attached', () => {
  let stage: Stage;
  /** Speaks 0.3 and says 1.0. */
  let liar: ScriptedAgent;
  /** Requires an extension. */
  let strict: ScriptedAgent;
  /** Takes pictures, and is what messages with files go to. */
  let quay: ScriptedAgent;
  let chat: ChatView;
  const got: OperationParams['SendMessage'][] = [];
  const picture = sailboat(true);
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
    quay = scriptedAgent({
      version: '1.0',
      card: url => ({
        ...minimalCard(url, '1.0'),
        defaultInputModes: ['text/plain', 'image/*'],
        defaultOutputModes: ['text/plain', 'image/png'],
      }),
      script: {
        SendStreamingMessage: ({ params }) => {
          if (params !== undefined) got.push(params);
          return [
            {
              event: {
                message: { messageId: `m${got.length}`, role: 'ROLE_AGENT', contextId: 'c', parts: [{ text: `Answer ${got.length}` }] },
              },
            },
          ];
        },
      },
    });
    await Promise.all([liar.start(), strict.start(), quay.start()]);
    stage = await Stage.open({ agents: { Quay: quay.url } });
    // An agent that is added shows the tree, too: who opens it in that moment closes it.
    await stage.tree();
    await writeFile(join(stage.folder, 'boat.png'), Buffer.from(picture, 'base64'));
    await writeFile(join(stage.folder, 'notes.txt'), 'Reef early.\n');
    await writeFile(join(stage.folder, 'all.zip'), 'PK');
    await stage.workbench.command('View: Close All Editors');
  });
  suiteTeardown(async () => {
    await stage?.close();
    await Promise.all([liar, strict, quay].map(agent => agent?.stop()));
  });
  const add = async (url: string): Promise<void> => {
    await stage.workbench.command('A2A: Add Agent…');
    await stage.workbench.answer(url);
  };

  test('an agent whose card is wrong says so when it is added, in the tree, and is fixed', async () => {
    await add(liar.url);
    await stage.workbench.notified(/Added the agent "Scripted agent"\. .*says A2A 1\.0/);
    const tree = await stage.tree();
    await tree.item(/Scripted agent/).hover();
    await eventually(async () =>
      assert.match((await tree.item(/Scripted agent/).getAttribute('aria-label')) ?? '', /1 problem with its card/),
    );
    await tree.inlineAction(/Scripted agent/, 'Fix…');
    await stage.workbench.notified(/"Scripted agent" now uses JSONRPC 0\.3 at http/);
    await tree.item(/Scripted agent.*A2A 0\.3/).waitFor();
  });

  test('a required extension is asked about before a message goes, turned on and asked for', async () => {
    await add(strict.url);
    const chat = await stage.newChat('Scripted agent 2');
    await chat.shows('Required extension is off');
    await chat.send('Hello');
    await chat.shows(`The agent requires an extension that is off: ${extension}`);
    assert.equal(strict.requests.filter(({ operation }) => operation === 'SendStreamingMessage').length, 0);
    await chat.press('Turn On and Send');
    await chat.shows(/completed/i);
    await chat.shows('1 extension on');
    assert.equal(strict.requests.find(({ operation }) => operation === 'SendStreamingMessage')?.headers['a2a-extensions'], extension);
    await chat.press('1 extension on');
    await stage.workbench.page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Signs what it says.' }).waitFor();
    await stage.workbench.page.keyboard.press('Escape');
  });

  const names = async (): Promise<string[]> => shownTexts(await chat.locator('.draft-part .chip-words'));
  const shows = (wanted: readonly string[]): Promise<void> => eventually(async () => assert.deepEqual(await names(), wanted));
  const box = async (): Promise<ReturnType<Awaited<ReturnType<ChatView['frame']>>['getByRole']>> =>
    (await chat.frame()).getByRole('textbox');
  const lastParts = (): OperationParams['SendMessage']['message']['parts'] => got.at(-1)?.message.parts ?? [];

  test('files are attached with the button and from the explorer, put in order, and arrive as they are', async () => {
    const { workbench } = stage;
    // They would lie over the composer.
    await workbench.command('Notifications: Clear All Notifications');
    await workbench.command('View: Close All Editors');
    chat = await stage.newChat('Quay');
    await chat.press(/^Attach Files/);
    await eventually(async () => assert.match(await workbench.quickInput().inputValue(), /^\/.*\/$/));
    await workbench.pick('boat.png');
    await shows(['Text', 'boat.png']);
    await (await chat.locator('.thumbnail')).waitFor();
    const explorer = await workbench.view('Explorer', 'workspace');
    await explorer.contextMenu('notes.txt', 'Attach to A2A Chat…');
    await shows(['Text', 'boat.png', 'notes.txt']);
    await (await box()).fill('Like this?');
    const chip = (await chat.frame()).getByRole('button', { name: /^Part 3: notes\.txt/ });
    await chip.focus();
    await chip.press('Alt+ArrowUp');
    await shows(['Text', 'notes.txt', 'boat.png']);
    await (await box()).press('Enter');
    await chat.shows('Answer 1');
    assert.deepEqual(lastParts(), [
      { text: 'Like this?' },
      { raw: Buffer.from('Reef early.\n').toString('base64'), filename: 'notes.txt', mediaType: 'text/plain' },
      { raw: picture, filename: 'boat.png', mediaType: 'image/png' },
    ]);
    await shows([]);
  });

  test('what the card does not list is attached anyway only when the person says so', async () => {
    const explorer = await stage.workbench.view('Explorer', 'workspace');
    await explorer.contextMenu('all.zip', 'Attach to A2A Chat…');
    await chat.shows(/all\.zip is not attached yet\. The agent's card lists text\/plain, image\/\*, but no application\/zip\./);
    await chat.press('Attach Anyway');
    await explorer.contextMenu('boat.png', 'Attach to A2A Chat…');
    await shows(['Text', 'all.zip', 'boat.png']);
    await (await box()).fill('half a thought');
    await (await chat.frame()).getByRole('button', { name: 'Send (Enter)' }).click();
    await chat.shows('Answer 2');
    assert.deepEqual(
      lastParts().map(part => ('raw' in part ? [part.filename, part.raw.length] : part)),
      [{ text: 'half a thought' }, ['all.zip', 4], ['boat.png', picture.length]],
    );
  });

  test('selected text of an editor becomes a part', async () => {
    const { workbench } = stage;
    await workbench.openFile('notes.txt');
    await workbench.editor().click();
    await workbench.page.keyboard.press('Control+A');
    await workbench.editor().locator('.selected-text').first().waitFor();
    await workbench.command('A2A: Attach to A2A Chat…');
    await shows(['Text', 'notes.txt:1-2']);
    await (await box()).press('Enter');
    await chat.shows('Answer 3');
    assert.deepEqual(lastParts(), [{ text: 'Reef early.\n' }]);
  });

  test('a file of the explorer is dropped with Shift held, once the person has said yes', async () => {
    const { page } = stage.workbench;
    const from = await (await stage.workbench.view('Explorer', 'workspace')).item('notes.txt').boundingBox();
    const to = await (await chat.locator('.composer-box')).boundingBox();
    assert.ok(from !== null && to !== null);
    await page.mouse.move(from.x + 30, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y + 15, { steps: 3 });
    await page.keyboard.down('Shift');
    await eventually(async () => {
      await page.mouse.move(to.x + 60, to.y + 10);
      await page.mouse.move(to.x + 70, to.y + 12);
      assert.equal(await (await chat.locator('.composer.over')).count(), 1);
    });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Attach' }).click();
    await shows(['Text', 'notes.txt']);
  });
});
