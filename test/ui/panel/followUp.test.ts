import * as assert from 'node:assert/strict';
import type { ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { snapshotOf, Story, task } from '../../support/chatHarness/story.ts';
import { shownText } from '../../support/chatHarness/shownText.ts';

suite('chat panel: a message after a finished task', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await openPanel(options);
    return panel;
  };
  const drawn = task('t-1', 'TASK_STATE_COMPLETED', 'Draw a sailboat', 0);
  const story = new Story().user(0, 'Draw a sailboat', { taskId: 't-1' }).status(1, 't-1', 'TASK_STATE_COMPLETED');
  const chips = (): ReturnType<ChatHarness['page']['locator']> => panel.page.locator('.composer .chip');
  const send = async (text: string): Promise<unknown> => {
    await panel.page.getByRole('textbox').fill(text);
    await panel.page.getByRole('textbox').press('Enter');
    await panel.drawn();
    return (await panel.sent('send')).at(-1)?.params;
  };

  test('refers to nothing, and is offered a reference that one click or key takes', async () => {
    await open({ snapshot: snapshotOf(story.entries, { contextId: 'c', tasks: [drawn] }) });
    assert.equal(await shownText(chips()), 'Refer to "Draw a sailboat"');
    assert.deepEqual(await send('Something else'), { text: 'Something else' });
    await chips().click();
    assert.equal(await shownText(chips()), 'Draw a sailboat');
    assert.deepEqual(await send('Make it red'), { text: 'Make it red', references: [{ taskId: 't-1' }] });
    assert.equal(await shownText(chips()), 'Refer to "Draw a sailboat"');
    await panel.page.getByRole('textbox').fill('Make it blue');
    await panel.page.getByRole('textbox').press('Alt+Enter');
    assert.equal(await shownText(chips()), 'Draw a sailboat');
    await chips().getByRole('button').click();
    assert.equal(await shownText(chips()), 'Refer to "Draw a sailboat"');
    assert.deepEqual(await send('Make it green'), { text: 'Make it green' });
  });

  test('may refer to another task of several that are over, of which the newest is offered', async () => {
    const tasks = [
      task('t-3', 'TASK_STATE_WORKING', 'Book a flight', 9),
      task('t-2', 'TASK_STATE_COMPLETED', 'Book a snowmobile', 5),
      task('t-1', 'TASK_STATE_COMPLETED', 'Book a hotel', 0),
    ];
    await open({ snapshot: snapshotOf(story.entries, { contextId: 'c', tasks, running: true }) });
    assert.equal(await shownText(chips()), 'Refer to "Book a snowmobile"');
    await panel.page.getByRole('button', { name: 'Refer to Another Task' }).click();
    await panel.page.getByRole('menuitem', { name: 'Book a hotel' }).click();
    assert.equal(await shownText(chips()), 'Book a hotel');
    assert.deepEqual(await send('Add a spa reservation to my hotel'), {
      text: 'Add a spa reservation to my hotel',
      references: [{ taskId: 't-1' }],
    });
  });

  test('is offered nothing where it answers a task that waits, nor in a new context', async () => {
    await open({
      snapshot: snapshotOf(story.entries, {
        contextId: 'c',
        tasks: [task('t-2', 'TASK_STATE_INPUT_REQUIRED', 'Newer', 5), drawn],
        waitingTaskId: 't-2',
      }),
    });
    assert.equal(await chips().count(), 0);
    await panel.page.getByRole('button', { name: 'Change Message Destination' }).click();
    await panel.page
      .getByRole('menuitemradio', { name: 'New Conversation' })
      .or(panel.page.getByRole('menuitem', { name: 'New Conversation' }))
      .click();
    assert.equal(await chips().count(), 0);
  });

  test('going to a row moves the list alone, not the page around it', async () => {
    const long = new Story();
    for (let index = 0; index < 60; index++) long.user(index, `Number ${index}. ${'Words that fill a line or two. '.repeat(6)}`);
    await open({ snapshot: snapshotOf(long.entries) });
    // A frame that is a little taller than what is seen of it, as the workbench's own may be.
    await panel.page
      .addStyleTag({ content: 'html { height: calc(100% + 200px); overflow: auto } body { margin-top: 60px }' })
      .catch(() => undefined);
    await panel.page.evaluate(() => {
      document.documentElement.style.height = '130%';
      document.body.style.paddingBottom = '300px';
    });
    await panel.post({ type: 'event', name: 'reveal', value: { seq: 3 } });
    await panel.drawn();
    assert.deepEqual(await panel.page.evaluate(() => [document.documentElement.scrollTop, document.body.scrollTop, scrollY]), [0, 0, 0]);
    assert.equal(
      await panel.page.locator('article', { hasText: 'Number 2.' }).evaluate(row => {
        const { top, bottom } = row.getBoundingClientRect();
        const box = row.closest('.scroller')!.getBoundingClientRect();
        return top >= box.top && bottom <= box.bottom;
      }),
      true,
    );
  });
});
