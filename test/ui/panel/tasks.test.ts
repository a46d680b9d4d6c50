import * as assert from 'node:assert/strict';
import { axeSaysInEveryTheme } from '../../support/chatHarness/axe.ts';
import type { ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { journey, journeyTasks, manyTasks, sauna } from '../../support/chatHarness/tasks.ts';
import { eventually } from '../../support/eventually.ts';
import { shownText, shownTexts } from '../../support/chatHarness/shownText.ts';

suite('chat panel: the tasks', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: Partial<HarnessOptions> = {}): Promise<void> => {
    panel = await openPanel({ snapshot: journey(), answers: { tasks: { result: journeyTasks() } }, ...options });
    await panel.page.getByRole('tab', { name: 'Tasks' }).click();
  };
  type Found = ReturnType<ChatHarness['page']['locator']>;
  const node = (words: string | RegExp): Found => panel.page.locator('.net-node').filter({ hasText: words });
  const button = (words: string | RegExp): Found => node(words).locator('.net-main');
  const focused = (): Promise<string> => panel.page.evaluate(() => document.activeElement?.querySelector('.net-title')?.textContent ?? '');

  test('in every theme: nothing for axe to say, of a picture and of a list', async () => {
    await open({ answers: { tasks: { result: manyTasks() } } });
    await node('Book a hotel').waitFor();
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
    await panel.page.getByRole('button', { name: 'List' }).click();
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });

  test('what rests on what: in lines for the eye, in words for a screen reader and in the list', async () => {
    await open();
    await node('Book a hotel').waitFor();
    assert.equal(await panel.page.locator('.net-lines path').count(), 3);
    const places = await panel.page
      .locator('.net-node')
      .evaluateAll(nodes => nodes.map(each => each.getBoundingClientRect()).map(({ x, y }) => [x, y] as const));
    const [flight, hotel, snowmobile, spa] = places as [
      readonly [number, number],
      readonly [number, number],
      readonly [number, number],
      readonly [number, number],
    ];
    assert.ok(
      flight[0] < hotel[0] && hotel[0] === snowmobile[0] && hotel[1] < snowmobile[1] && snowmobile[0] < spa[0],
      JSON.stringify(places),
    );
    await panel.page
      .getByRole('list', { name: 'Task dependencies' })
      .getByRole('button', { name: 'Book a snowmobile Task 3 · working · refers to Task 1', exact: true })
      .waitFor();
    await panel.page.getByText('4 tasks · 1 working · 1 input required').waitFor();
    await panel.page.getByRole('button', { name: 'List' }).click();
    assert.equal(await panel.page.locator('.net-lines').count(), 0);
    assert.match(await shownText(node('Add a spa')), /Task 4 · input required · refers to Task 2/);
  });

  test('a task of which one state alone is known has no time', async () => {
    const { tasks, ...rest } = journeyTasks();
    const [first, ...others] = tasks;
    const told = { ...first!, states: [{ state: 'TASK_STATE_COMPLETED' as const, at: first!.createdAt! }] };
    await open({ answers: { tasks: { result: { ...rest, tasks: [told, ...others] } } } });
    const rows = panel.page.getByRole('list', { name: 'Task times' }).getByRole('button');
    await rows.first().waitFor();
    assert.match(await shownText(rows.first()), /Completed\s*$/);
    assert.match(await shownText(rows.nth(1)), /Completed · [\d.]+ m?s\s*$/);
  });

  test('when the tasks ran: a bar each on one axis, and idle times folded; a press leads to the conversation', async () => {
    await open();
    const rows = panel.page.getByRole('list', { name: 'Task times' }).getByRole('button');
    await rows.first().waitFor();
    assert.deepEqual(
      (await shownTexts(rows)).map(text => text.replace(/\s+/g, ' ').trim().toLowerCase().split(' · ')[0]),
      [
        'task 1 book a flight to helsinki completed',
        'task 2 book a hotel completed',
        'task 3 book a snowmobile working',
        'task 4 add a spa reservation to my hotel input required',
      ],
    );
    assert.match(await shownText(rows.first()), /4\.0 s/);
    const bars = await rows.evaluateAll(all =>
      all.map(row => [...row.querySelectorAll('.gantt-span')].map(span => span.getBoundingClientRect().left)),
    );
    assert.ok(bars[0]![0]! < bars[1]![0]! && bars[1]![0]! < bars[3]![0]!, JSON.stringify(bars));
    assert.equal(await rows.last().locator('.gantt-span.tone-ask').count(), 1, 'the time in which it waits');
    await rows.nth(2).click();
    await panel.page.locator('.row.revealed, .row:focus', { hasText: 'Book a snowmobile' }).waitFor();
    assert.equal(await panel.page.locator('.gantt:visible').count(), 0);
  });

  test('a task leads to where it begins, to its document, and into the next message', async () => {
    await open();
    await button('Book a snowmobile').click();
    await eventually(async () =>
      assert.equal(
        await panel.page
          .locator('.row', { hasText: 'Book a snowmobile' })
          .first()
          .evaluate(row => row === document.activeElement),
        true,
      ),
    );
    await panel.page.getByRole('tab', { name: 'Tasks' }).click();
    const pick = async (words: string, entry: string): Promise<void> => {
      await node(words).hover();
      await node(words)
        .getByRole('button', { name: /^More about/ })
        .click();
      await panel.page.getByRole('menuitem', { name: entry }).click();
    };
    await pick('Book a hotel', 'Open Task');
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('openTask')).map(({ params }) => params),
        [{ taskId: 't-2' }],
      ),
    );
    await pick('Book a flight', 'Reference in Next Message');
    await panel.page.locator('.composer .chip').getByText('Book a flight to Helsinki').waitFor();
    await pick('Add a spa', 'Answer It');
    assert.match(await shownText(panel.page.locator('.target-text')), /Replying to: “At what time/);
  });

  test('the keyboard walks along the lines; one stop of the tabulator', async () => {
    await open();
    await node('Book a hotel').waitFor();
    await button('Book a flight').focus();
    for (const [key, there] of [
      ['ArrowRight', 'Book a hotel'],
      ['ArrowDown', 'Book a snowmobile'],
      ['ArrowLeft', 'Book a flight to Helsinki'],
      ['End', 'Add a spa reservation to my hotel'],
      ['ArrowLeft', 'Book a hotel'],
    ] as const) {
      await panel.page.keyboard.press(key);
      assert.equal(await focused(), there, key);
    }
    assert.equal(await panel.page.locator('.net-lines .lit').count(), 2);
    assert.equal(await panel.page.locator('.net-main[tabindex="0"]').count(), 1);
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    await panel.page.getByRole('menuitem', { name: 'Open Task' }).press('Escape');
    await panel.page.keyboard.press('Shift+Tab');
    assert.equal(await focused(), 'Book a hotel');
    await panel.page.getByRole('button', { name: 'List' }).click();
    await button('Book a hotel').focus();
    await panel.page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Book a snowmobile');
  });

  test('states change while it is on show, and new tasks come', async () => {
    await open();
    await node(/Task 3 · working/).waitFor();
    const { state } = journey();
    const before = await node('Book a hotel').boundingBox();
    await panel.answer({ tasks: 'never' });
    await panel.state({ ...state, tasks: state.tasks.map(each => ({ ...each, state: 'TASK_STATE_COMPLETED' as const })) });
    await node(/Task 3 · completed/).waitFor();
    const others = { 't-2': 'TASK_STATE_REJECTED', 't-3': 'TASK_STATE_AUTH_REQUIRED' } as const;
    await panel.state({ ...state, tasks: state.tasks.map(each => ({ ...each, state: others[each.taskId as 't-2'] ?? each.state })) });
    await node(/Task 2 · rejected/).waitFor();
    await node(/Task 3 · authorization required/).waitFor();
    await panel.answer({ tasks: { result: journeyTasks([sauna]) } });
    await panel.state(state);
    await node('Book a sauna').waitFor();
    assert.equal(await panel.page.locator('.net-lines path').count(), 5);
    assert.equal((await node('Book a hotel').boundingBox())?.x, before?.x);
  });

  test('of many, finished ones are taken together and come apart again; others say what they are', async () => {
    // Answered by what was asked: the panel reads the tasks again whenever it likes.
    const many = manyTasks(300);
    const ids = many.nodes.find(({ tasks }) => tasks.length > 1)?.tasks.map(number => many.tasks[number]!.taskId) ?? [];
    await open({ answers: { tasks: { result: many }, [`tasks ${JSON.stringify({ unfolded: ids })}`]: { result: manyTasks(300, ids) } } });
    const folded = panel.page.locator('.net-node.folded');
    await folded.waitFor();
    assert.ok((await panel.page.locator('.net-node').count()) <= 40);
    await panel.page.getByText(/^\d+ tasks · .*17 older ones are not shown/).waitFor();
    assert.match(await shownText(folded), /^Refinement 1 … Refinement \d+\s+\d+ finished tasks · completed · \d+ artifacts$/m);
    assert.match(await shownText(node('A talk of last week')), /Task in another context/);
    assert.match(await shownText(node('nobody-knows-this-one')), /Unknown task · not in the history/);
    await button('nobody-knows').press('Enter');
    await button('A talk of last week').press('Enter');
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('openTask')).map(({ params }) => params),
        [{ taskId: 'far' }],
      ),
    );
    assert.equal(await panel.page.locator('.net-lines .backward').count(), 1);
    await folded.locator('.net-main').press('Enter');
    await eventually(async () => assert.equal(await focused(), 'Refinement 1'));
    assert.ok((await panel.page.locator('.net-node').count()) > 300);
    const { unfolded } = (await panel.sent('tasks')).at(-1)?.params as { unfolded: readonly string[] };
    assert.deepEqual([unfolded[0], unfolded.length > 250], ['c-0', true]);
    await panel.page.getByRole('button', { name: 'Fold Finished Tasks' }).click();
    // The picture before, which stays until the answer is there, has two.
    await eventually(async () => assert.equal(await folded.count(), 1));
    assert.deepEqual((await panel.sent('tasks')).at(-1)?.params, { unfolded: [] });
  });

  test('all of them are copied as text and as a flow chart', async () => {
    await open();
    await panel.page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', {
        value: {
          writeText: async (text: string) => {
            document.title = text;
          },
        },
      });
    });
    await node('Book a hotel').waitFor();
    const copy = async (entry: string): Promise<string> => {
      await panel.page.getByRole('button', { name: 'Copy Tasks' }).click();
      await panel.page.getByRole('menuitem', { name: entry }).click();
      await panel.page.getByText('Copied').waitFor();
      return panel.page.title();
    };
    assert.match(await copy('Copy as Text'), /Task 4: Add a spa reservation to my hotel \(input required; refers to Task 2\) \[t-4\]/);
    assert.match(await copy('Copy as Mermaid'), /flowchart LR .*t1 --> t2 .*t2 --> t4/);
  });

  test('a context without tasks says so, and an error is said', async () => {
    await open({ answers: { tasks: { result: { tasks: [], older: 0, nodes: [], lines: [], left: 0, width: 0, height: 0 } } } });
    await panel.page.getByText('This context has no tasks yet.').waitFor();
    await panel.close();
    await open({ answers: { tasks: { error: { message: 'The history cannot be read.' } } } });
    await panel.page.getByRole('alert').getByText('The history cannot be read.').waitFor();
  });
});
