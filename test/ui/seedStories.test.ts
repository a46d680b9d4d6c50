import * as assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { textOf } from '../../src/protocol/message/part.ts';
import type { Task } from '../../src/protocol/message/task.ts';
import { listTasks } from '../support/askAgent.ts';
import { eventually } from '../support/eventually.ts';
import type { ChatView } from '../support/vscode/chatView.ts';
import { picture } from '../support/vscode/picture.ts';
import { Stage } from '../support/vscode/stage.ts';

/** What a task of the trip was asked for: "Add a spa…" comes first, then flight, hotel and snowmobile. */
const wordsOf = ({ history = [] }: Task): string => textOf(history[0]?.parts ?? []);

/** What the documents of A2A tell of the life of a task; refining and comparing is in `versions.test.ts`, the question of a task in `chat.test.ts`. */
suite('the stories of the documents', () => {
  let stage: Stage;
  /** Pauses of bookings whose request has these words last until they are let go. */
  const held = { words: /snowmobile|lounge/, release: (): void => undefined };
  let released: Promise<void>;
  const hold = (): void => {
    released = new Promise(resolve => {
      held.release = resolve;
    });
  };
  suiteSetup(async () => {
    hold();
    stage = await Stage.open({
      settings: { 'workbench.colorTheme': 'Dark Modern' },
      pace: async (ms, { text, signal }) => (held.words.test(text) ? released : delay(ms / 20, undefined, { signal })),
    });
  });
  suiteTeardown(() => {
    held.release();
    return stage.close();
  });

  const tab = async (chat: ChatView, name: string): Promise<void> => (await chat.frame()).getByRole('tab', { name }).click();
  const node = async (chat: ChatView, words: string | RegExp): Promise<Locator> =>
    (await chat.locator('.net-node')).filter({ hasText: words });
  /** What was sent for the last message of the person, as it went over the wire. */
  const lastMessage = async (
    chat: ChatView,
  ): Promise<{ readonly contextId?: string; readonly taskId?: string; readonly referenceTaskIds?: readonly string[] }> => {
    await tab(chat, 'Conversation');
    await (await chat.locator('.row.mine')).last().getByRole('button', { name: 'Show Exchange' }).click();
    let body = '';
    await eventually(async () => {
      body = /\{[\s\S]*\n\}/.exec((await stage.workbench.editor().innerText()).replaceAll('\u00a0', ' '))?.[0] ?? '';
      assert.match(body, /messageId/);
    });
    await stage.workbench.tab(/^SendStreamingMessage/).click({ button: 'middle' });
    return (JSON.parse(body) as { params: { message: object } }).params.message;
  };

  test('an agent of messages alone: a context, no task', async () => {
    const chat = await stage.newChat('Phrasebook');
    await chat.send('How do I say thank you?');
    await chat.shows('Kiitos');
    await chat.idle();
    await chat.send('And how does it sound?');
    await chat.shows(/sounds like KEE-tos/);
    await tab(chat, 'Tasks');
    await chat.shows(/This context has no tasks yet/);
    assert.deepEqual(await listTasks(stage.agents.urls.Phrasebook), []);
  });

  test('an agent of tasks alone: what it declines is a task, too', async () => {
    const chat = await stage.newChat('Writer');
    await chat.send('Write 10 chunks');
    await chat.shows(/completed/i);
    await chat.idle();
    await chat.send('Write 1 chunk');
    await chat.shows(/I write from 2 to/);
    await tab(chat, 'Tasks');
    await (await node(chat, /Write 1 chunk\s*Task 2 · rejected/)).waitFor();
    const tasks = await listTasks(stage.agents.urls.Writer);
    assert.deepEqual([tasks.length, new Set(tasks.map(({ contextId }) => contextId)).size], [2, 1]);
  });

  test('a hybrid agent: what it does is agreed upon by message, then there is a task in the same context', async () => {
    const chat = await stage.newChat('Sailboat');
    await chat.send('What can you do?');
    await chat.shows(/I draw sailboats/);
    await chat.idle();
    assert.deepEqual(await listTasks(stage.agents.urls.Sailboat), []);
    await chat.send('Then draw a sailboat');
    await chat.shows('sailboat_image.png');
    await chat.idle();
    const [task] = await listTasks(stage.agents.urls.Sailboat);
    const message = await lastMessage(chat);
    assert.deepEqual([message.contextId, message.taskId], [task?.contextId, undefined]);
  });

  test('Helsinki: four tasks, two of them at once, and the picture of what rests on what', async () => {
    const bookings = async (): Promise<readonly Task[]> => {
      const tasks = await listTasks(stage.agents.urls.Helsinki);
      return tasks.toSorted((one, other) => wordsOf(one).localeCompare(wordsOf(other)));
    };
    const chat = await stage.newChat('Helsinki');
    const book = async (text: string, ground: string): Promise<void> => {
      await tab(chat, 'Tasks');
      await (await node(chat, ground)).hover();
      await (await node(chat, ground)).getByRole('button', { name: /^More about/ }).click();
      await (await chat.frame()).getByRole('menuitem', { name: 'Refer to in the Next Message' }).click();
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
    held.release();
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

  test('a task that waits for a permission says so, and goes on by itself once it is given', async () => {
    hold();
    await stage.workbench.command('View: Close All Editors');
    const chat = await stage.newChat('Helsinki');
    await chat.send('Book a flight to Helsinki');
    await chat.shows(/Your flight is booked/);
    await chat.idle();
    await chat.send('Book the airport lounge');
    await (await chat.locator('.callout-ask')).getByText(/authorization required/i).waitFor();
    await chat.shows('https://airline.example/allow');
    const tree = await stage.tree();
    await tree.expand('Helsinki');
    await tree.item(/1 waiting for you/).waitFor();
    await tab(chat, 'Tasks');
    await (await node(chat, /Book the airport lounge\s*Task 2 · authorization required/)).waitFor();
    await stage.workbench.screenshot('tasks-permission');
    held.release();
    await (await node(chat, /Task 2 · completed · 1 artifact/)).waitFor();
  });
});
