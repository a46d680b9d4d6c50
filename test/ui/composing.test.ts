import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import { scriptedAgent, type ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import type { OperationParams } from '../../src/protocol/message/operations.ts';
import { eventually } from '../support/eventually.ts';
import { sailboat } from '../support/chatHarness/story.ts';
import type { ChatView } from '../support/vscode/chatView.ts';
import { Stage } from '../support/vscode/stage.ts';
import { shownTexts } from '../support/chatHarness/shownText.ts';

suite('composing', () => {
  let stage: Stage;
  let agent: ScriptedAgent;
  let chat: ChatView;
  const got: OperationParams['SendMessage'][] = [];
  const picture = sailboat(true);
  suiteSetup(async () => {
    agent = scriptedAgent({
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
    await agent.start();
    stage = await Stage.open({ agents: { Harbour: agent.url } });
    await writeFile(join(stage.folder, 'boat.png'), Buffer.from(picture, 'base64'));
    await writeFile(join(stage.folder, 'notes.txt'), 'Reef early.\n');
    await writeFile(join(stage.folder, 'all.zip'), 'PK');
    chat = await stage.newChat('Harbour');
  });
  suiteTeardown(async () => {
    await stage.close();
    await agent.stop();
  });

  const names = async (): Promise<string[]> => shownTexts(await chat.locator('.draft-part .chip-words'));
  const shows = (wanted: readonly string[]): Promise<void> => eventually(async () => assert.deepEqual(await names(), wanted));
  const box = async (): Promise<ReturnType<Awaited<ReturnType<ChatView['frame']>>['getByRole']>> =>
    (await chat.frame()).getByRole('textbox');
  const lastParts = (): OperationParams['SendMessage']['message']['parts'] => got.at(-1)?.message.parts ?? [];

  test('files are attached with the button and from the explorer, put in order, and arrive as they are', async () => {
    await chat.press(/^Attach Files/);
    const { workbench } = stage;
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
    await workbench.screenshot('composing');
    await (await box()).press('Enter');
    await chat.shows('Answer 1');
    assert.deepEqual(lastParts(), [
      { text: 'Like this?' },
      { raw: Buffer.from('Reef early.\n').toString('base64'), filename: 'notes.txt', mediaType: 'text/plain' },
      { raw: picture, filename: 'boat.png', mediaType: 'image/png' },
    ]);
    await shows([]);
  });

  test('what the card does not list is attached anyway only when the person says so; a draft survives a reload of the window', async () => {
    const explorer = await stage.workbench.view('Explorer', 'workspace');
    await explorer.contextMenu('all.zip', 'Attach to A2A Chat…');
    await chat.shows(/all\.zip is not attached yet\. The agent's card lists text\/plain, image\/\*, and no application\/zip\./);
    await chat.press('Attach Anyway');
    await explorer.contextMenu('boat.png', 'Attach to A2A Chat…');
    await shows(['Text', 'all.zip', 'boat.png']);
    await (await box()).fill('half a thought');
    await stage.workbench.reload();
    await eventually(async () => assert.equal(await (await box()).inputValue(), 'half a thought'));
    await shows(['Text', 'all.zip', 'boat.png']);
    await (await chat.locator('.thumbnail')).waitFor();
    await (await chat.frame()).getByRole('button', { name: 'Send (Enter)' }).click();
    await chat.shows('Answer 2');
    assert.deepEqual(
      lastParts().map(part => ('raw' in part ? [part.filename, part.raw.length] : part)),
      [{ text: 'half a thought' }, ['all.zip', 4], ['boat.png', picture.length]],
    );
  });

  test('Up leads to earlier messages with their files, Down back to the draft; one is edited and sent as a new message', async () => {
    const field = await box();
    await field.fill('');
    await field.press('ArrowUp');
    await eventually(async () => assert.equal(await field.inputValue(), 'half a thought'));
    await field.press('ArrowUp');
    await eventually(async () => assert.equal(await field.inputValue(), 'Like this?'));
    await shows(['Text', 'notes.txt', 'boat.png']);
    await field.press('ArrowDown');
    await field.press('ArrowDown');
    await shows([]);
    await eventually(async () => assert.equal(await field.inputValue(), ''));
    const frame = await chat.frame();
    await frame.locator('.row.mine').first().hover();
    await frame.getByRole('button', { name: 'Edit and Resend' }).first().click();
    await eventually(async () => assert.equal(await field.inputValue(), 'Like this?'));
    await field.fill('Or like this?');
    await field.press('Enter');
    await chat.shows('Answer 3');
    assert.deepEqual(
      lastParts().map(part => ('raw' in part ? part.raw : part)),
      [{ text: 'Or like this?' }, Buffer.from('Reef early.\n').toString('base64'), picture],
    );
    assert.equal(new Set(got.map(({ message }) => message.messageId)).size, 3);
  });

  test('selected text of an editor becomes a part', async () => {
    const { workbench } = stage;
    await workbench.openFile('notes.txt');
    await workbench.editor().click();
    await workbench.page.keyboard.press('Control+A');
    await workbench.editor().locator('.selected-text').first().waitFor();
    await workbench.command('A2A: Attach Selection to A2A Chat…');
    await shows(['Text', 'notes.txt:1-2']);
    await (await box()).press('Enter');
    await chat.shows('Answer 4');
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
