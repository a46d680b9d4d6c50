import * as assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { scriptedAgent, type ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import type { Message } from '../../src/protocol/message/message.ts';
import { textOf } from '../../src/protocol/message/part.ts';
import type { Task } from '../../src/protocol/message/task.ts';
import { listTasks } from '../support/askAgent.ts';
import { shownText, shownTexts } from '../support/chatHarness/shownText.ts';
import { eventually } from '../support/eventually.ts';
import type { ChatView } from '../support/vscode/chatView.ts';
import { picture } from '../support/vscode/picture.ts';
import { Stage } from '../support/vscode/stage.ts';
import { webviewFrames } from '../support/vscode/webviewFrame.ts';
import type { ColorTheme } from '../support/vscode/workbench.ts';

type Violations = readonly { readonly id: string; readonly impact: string | null; readonly nodes: readonly { readonly html: string }[] }[];

/** What a task of the trip was asked for: "Add a spa…" comes first, then flight, hotel and snowmobile. */
const wordsOf = ({ history = [] }: Task): string => textOf(history[0]?.parts ?? []);

/** Says something after the task is over. */
const done: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
const late = { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: 'too late' }] } };

suite('a chat', function () {
  // Each goes on where the one before ended.
  this.bail(true);
  let stage: Stage;
  let refusing: ScriptedAgent;
  let odd: ScriptedAgent;
  /** The booking of the snowmobile lasts until it is let go. */
  const held = Promise.withResolvers<undefined>();
  suiteSetup(async () => {
    refusing = scriptedAgent({
      version: '1.0',
      script: { SendStreamingMessage: [{ error: { code: -32005, message: 'Only images, please.' } }] },
    });
    odd = scriptedAgent({
      version: '1.0',
      script: { SendStreamingMessage: [{ event: { task: done } }, { event: { artifactUpdate: late } }] },
    });
    await Promise.all([refusing.start(), odd.start()]);
    stage = await Stage.open({
      settings: { 'workbench.colorTheme': 'Dark Modern', 'editor.minimap.enabled': false },
      pace: async (ms, { text, signal }) => (text.includes('snowmobile') ? held.promise : delay(ms / 20, undefined, { signal })),
    });
  });
  suiteTeardown(async () => {
    held.resolve(undefined);
    await stage?.close();
    await Promise.all([refusing.stop(), odd.stop()]);
  });

  test('a drawn and refined sailboat', async () => {
    const chat = await stage.newChat('Sailboat');
    await chat.send('Generate an image of a sailboat on the ocean.');
    await chat.shows(/completed/i);
    await chat.idle();
    await chat.refer();
    await chat.send('Please modify the sailboat to be red.');
    await chat.shows(/red sailboat/);
    await chat.idle();
    const widths = await (await chat.locator('img')).evaluateAll(images => images.map(image => (image as HTMLImageElement).naturalWidth));
    assert.deepEqual([widths.length, widths.every(width => width > 100)], [2, true], widths.join(' '));
    const tree = await stage.tree();
    await tree.expand('Sailboat');
    await tree.expand(/Generate/);
    await tree.expand(/Please/);
    await tree.item('sailboat_image.png').waitFor();
  });

  const themes: readonly (readonly [theme: ColorTheme, name: string])[] = [
    ['Default High Contrast', 'chat-high-contrast'],
    ['Dark Modern', 'chat-dark'],
  ];
  for (const [theme, name] of themes) {
    test(`the panel in ${theme}: nothing serious for people who need more contrast, a keyboard or a screen reader`, async () => {
      await stage.workbench.setTheme(theme);
      const frame = await stage.chat('Sailboat').frame();
      await frame.locator('img').first().waitFor();
      await picture(stage.workbench, name);
      const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
      // The panel's policy lets no script in, so axe comes in through the debugger and not through the page.
      const violations = (await frame.evaluate(
        `(async () => { const module = undefined; ${axe}; return (await window.axe.run(document, { resultTypes: ['violations'] })).violations; })()`,
      )) as Violations;
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(
        serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
        [],
      );
    });
  }

  test('words are found with the keyboard, code on the wire is highlighted', async () => {
    const frame = await stage.chat('Sailboat').frame();
    const message = frame.getByRole('textbox', { name: /Message/ });
    await message.click();
    await stage.workbench.page.keyboard.press('Control+f');
    await frame.getByRole('textbox', { name: 'Find' }).fill('sailboat');
    const count = frame.locator('.find-count');
    await count.filter({ hasText: /^\? of \d+$/ }).waitFor();
    await stage.workbench.page.keyboard.press('Enter');
    await count.filter({ hasText: /^(\d+) of \1$/ }).waitFor();
    await stage.workbench.page.keyboard.press('Shift+Enter');
    await stage.workbench.page.keyboard.press('Escape');
    await frame.locator('.find-bar').waitFor({ state: 'detached' });
    await eventually(async () => assert.equal(await message.evaluate(element => element === document.activeElement), true));
    await frame.getByRole('tab', { name: 'Wire' }).click();
    await frame.locator('.wire-row', { hasText: 'SendStreamingMessage' }).first().click();
    await frame.locator('.hljs-attr').first().waitFor();
    await frame.getByRole('tab', { name: 'Conversation' }).click();
  });

  test('a request file with its response beside', async () => {
    await stage.workbench.setTheme('Light Modern');
    await stage.workbench.openFile('currency.a2a');
    await stage.workbench.pressLens(stage.workbench.lens('Send Request'), stage.workbench.lens(/input required/));
    const { page } = stage.workbench;
    // The first screen is the answer: what is below it is folded.
    await page.locator('.view-line', { hasText: '"timings"' }).first().waitFor();
    await page.locator('.view-line', { hasText: '"exchanges"' }).first().waitFor();
    await eventually(async () => assert.equal(await page.locator('.view-line', { hasText: 'totalMs' }).count(), 0));
    for (const lens of ['Open in Chat', 'Show in Wire', 'Save…'])
      await page.locator('.codelens-decoration a', { hasText: lens }).last().waitFor();
    await picture(stage.workbench, 'request-light');
  });

  const tab = async (chat: ChatView, name: string): Promise<void> => (await chat.frame()).getByRole('tab', { name }).click();
  const node = async (chat: ChatView, words: string | RegExp): Promise<Locator> =>
    (await chat.locator('.net-node')).filter({ hasText: words });
  /** What was sent for the last message of the person, as it went over the wire. */
  const lastMessage = async (chat: ChatView): Promise<Message> => {
    await tab(chat, 'Conversation');
    await (await chat.locator('.row.mine')).last().getByRole('button', { name: 'Show Exchange' }).click();
    let body = '';
    await eventually(async () => {
      body = /\{[\s\S]*\n\}/.exec((await stage.workbench.editor().innerText()).replaceAll('\u00a0', ' '))?.[0] ?? '';
      assert.match(body, /messageId/);
    });
    await stage.workbench.tab(/^SendStreamingMessage/).click({ button: 'middle' });
    return (JSON.parse(body) as { params: { message: Message } }).params.message;
  };

  /** The chat with Sailboat. */
  let chat: ChatView;
  const drawn = (): Promise<readonly Task[]> => listTasks(stage.agents.urls.Sailboat);
  const cards = async () => await chat.locator('.card.artifact');
  /** Opens the menu of the newest version's card, or of the one with this count, and picks. */
  const pickOnCard = async (index: number, entry: string): Promise<void> => {
    const card = (await cards()).nth(index);
    await card.getByRole('button', { name: /Version of the artifact/ }).click();
    await (await chat.frame()).getByRole('menuitem', { name: entry }).click();
  };
  const draws = async (text: string, count: number): Promise<void> => {
    await chat.send(text);
    await eventually(async () => assert.equal(await (await cards()).count(), count));
    await chat.idle();
  };
  const close = async (title: RegExp): Promise<void> => {
    const tab = stage.workbench.tab(title);
    await tab.click({ button: 'middle' });
    await tab.waitFor({ state: 'detached' });
  };
  const target = async (): Promise<string> => shownText(await chat.locator('.target-text'));

  test('another picture of the same context is its third version', async () => {
    await stage.workbench.command('View: Close All Editors');
    const tree = await stage.tree();
    await tree.item(/Generate/).click();
    chat = stage.chat('Sailboat');
    await chat.refer();
    await draws('Now at night.', 3);
    await eventually(async () => assert.deepEqual(await shownTexts(await chat.locator('.version')), ['v1 of 3', 'v2 of 3', 'v3 of 3']));
  });

  test('two versions stand side by side', async () => {
    await pickOnCard(2, 'Compare with Another Version…');
    await stage.workbench.pick('v2');
    await stage.workbench.tab(/v2 sailboat_image\.png ↔ v3 sailboat_image\.png/).waitFor();
    await eventually(async () => assert.equal((await webviewFrames(stage.workbench.page, 'body.ready img')).length, 2));
    await close(/v2 sailboat/);
  });

  test('one is rejected, one accepted, and what is refined is the accepted one: on the wire, too', async () => {
    await pickOnCard(2, 'Reject');
    await pickOnCard(1, 'Accept');
    await eventually(async () =>
      assert.deepEqual(
        await (await chat.locator('.version')).evaluateAll(marks => marks.map(mark => mark.className.trim().split(' ').at(-1))),
        ['version', 'accepted', 'rejected'],
      ),
    );
    await pickOnCard(2, 'Refine the Latest Accepted: v2');
    await (await chat.locator('.composer .chip')).getByText('sailboat_image.png v2').waitFor();
    await draws('Give it blue sails.', 4);
    // What is left is the chip that says what the next message follows.
    await eventually(async () => assert.equal(await (await chat.locator('.composer .chip')).getByText('sailboat_image.png v2').count(), 0));
    const tasks = (await drawn()).toSorted((one, other) => (one.status.timestamp ?? '').localeCompare(other.status.timestamp ?? ''));
    const accepted = tasks[1];
    assert.deepEqual(tasks[3]?.artifacts?.[0]?.metadata, { hull: 'red', sail: 'blue', time: 'day' }, 'it goes on from the red one by day');
    const message = await lastMessage(chat);
    assert.equal(message.taskId, undefined);
    assert.deepEqual(message.referenceTaskIds, [accepted?.id]);
    assert.deepEqual(message.parts[0]?.metadata, {
      referenceArtifacts: [{ artifactId: accepted?.artifacts?.[0]?.artifactId, taskId: accepted?.id }],
    });
  });

  test('a verdict and a version stand in the tree, too', async () => {
    const tree = await stage.tree();
    await tree.expand('Sailboat');
    await tree.expand(/Generate/);
    await tree.expand(/Please/);
    await tree.item(/v2 of 4 · accepted/).waitFor();
    await tree.contextMenu(/v2 of 4/, 'Reference in Chat');
    await (await chat.locator('.composer .chip')).getByText('sailboat_image.png v2').waitFor();
    await chat.press('Remove Reference to "sailboat_image.png v2"');
  });

  test('the task opens as its timeline, with links to its exchanges', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await tree.inlineAction(/Now at night/, 'Open Task');
    await eventually(async () =>
      assert.match((await workbench.editor().innerText()).replaceAll('\u00a0', ' '), /── Timeline ──[\s\S]*0\.000 s +⇄1 +You/),
    );
    await workbench.editor().locator('.detected-link').first().waitFor();
    await workbench.page.locator('.codelens-decoration', { hasText: 'Read Again with History…' }).waitFor();
    await close(/^Now at night/);
  });

  test('a message can begin a new context', async () => {
    await chat.press('Change Message Destination');
    await (await chat.frame()).getByRole('menuitemradio', { name: 'New Conversation' }).click();
    await eventually(async () => assert.equal(await target(), 'New conversation'));
    await chat.send('Draw a green sailboat');
    await eventually(async () => assert.equal(new Set((await drawn()).map(({ contextId }) => contextId)).size, 2));
    await stage.workbench.tab(/Draw a green/).waitFor();
  });

  test('Helsinki: four tasks, two of them at once, and the picture of what rests on what', async () => {
    const bookings = async (): Promise<readonly Task[]> => {
      const tasks = await listTasks(stage.agents.urls.Helsinki);
      return tasks.toSorted((one, other) => wordsOf(one).localeCompare(wordsOf(other)));
    };
    await stage.workbench.command('View: Close All Editors');
    await stage.workbench.setTheme('Dark Modern');
    const chat = await stage.newChat('Helsinki');
    const book = async (text: string, ground: string): Promise<void> => {
      await tab(chat, 'Tasks');
      await (await node(chat, ground)).hover();
      await (await node(chat, ground)).getByRole('button', { name: /^More about/ }).click();
      await (await chat.frame()).getByRole('menuitem', { name: 'Reference in Next Message' }).click();
      await chat.send(text);
      await (await node(chat, text)).waitFor();
    };
    await chat.send('Book a flight to Helsinki');
    await chat.shows(/Your flight is booked/);
    await chat.idle();
    await book('Book a snowmobile', 'Book a flight');
    await book('Book a hotel', 'Book a flight');
    await (await node(chat, /Book a hotel\s*Task 3 · completed · 1 artifact/)).waitFor();
    await (await node(chat, /Book a snowmobile\s*Task 2 · working/)).waitFor();
    await book('Add a spa reservation to my hotel', 'Book a hotel');
    await (await node(chat, /Add a spa.*Task 4 · completed/)).waitFor();
    const [, , hotel, snowmobile] = await bookings();
    assert.equal(snowmobile?.status.state, 'TASK_STATE_WORKING', 'it was there all the time');
    await eventually(async () => assert.equal(await (await chat.locator('.net-lines path')).count(), 3));
    await stage.workbench.page.setViewportSize({ width: 1280, height: 560 });
    await picture(stage.workbench, 'tasks-dark');
    await stage.workbench.page.setViewportSize({ width: 1280, height: 800 });
    assert.deepEqual((await lastMessage(chat)).referenceTaskIds, [hotel?.id]);
    await tab(chat, 'Tasks');
    held.resolve(undefined);
    await (await node(chat, /Task 2 · completed/)).waitFor();
    await chat.idle();
    assert.deepEqual(
      (await bookings()).map(({ status }) => status.state),
      Array(4).fill('TASK_STATE_COMPLETED'),
    );
    await (await node(chat, 'Book a flight')).locator('.net-main').click();
    await (await chat.locator('.row:focus')).getByText('Book a flight to Helsinki').waitFor();
    await tab(chat, 'Tasks');
    await (await node(chat, 'Book a hotel')).hover();
    await (await node(chat, 'Book a hotel')).getByRole('button', { name: /^More about/ }).click();
    await (await chat.frame()).getByRole('menuitem', { name: 'Open Task' }).click();
    await stage.workbench.tab(/^Book a hotel/).waitFor();
  });

  test("a JSON-RPC error is told with its name, the agent's words and the next step", async () => {
    // Not before: the pictures above are the README's.
    const agents = { Refusing: { url: refusing.url }, Odd: { url: odd.url } };
    await mkdir(join(stage.folder, '.vscode'), { recursive: true });
    await writeFile(join(stage.folder, '.vscode', 'settings.json'), JSON.stringify({ 'a2a.agents': agents }));
    const chat = await stage.newChat('Refusing');
    await chat.send('Hello?');
    await eventually(async () => {
      const text = await chat.text();
      for (const words of [/ContentTypeNotSupportedError/, /Only images, please\./, /defaultInputModes/]) assert.match(text, words);
    });
  });

  test('a quiet mark in the chat leads to the finding in the exchange', async () => {
    const chat = await stage.newChat('Odd');
    await chat.send('Hello');
    await chat.idle();
    const mark = (await chat.frame()).getByRole('button', { name: /1 protocol finding: STRM-03/ });
    await mark.click();
    await eventually(async () => assert.match(await stage.workbench.editor().innerText(), /STRM-03\s·\sMUST\s·\sA2A\s1\.0\s§3\.1\.2/));
    // VS Code says where the cursor is.
    await stage.workbench.page.locator('.statusbar-item', { hasText: /Ln 4, / }).waitFor();
  });
});
