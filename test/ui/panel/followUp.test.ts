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
  const chips = (): ReturnType<ChatHarness['page']['locator']> =>
    panel.page.locator('.composer .chip, form .chip').or(panel.page.locator('[aria-label="The message refers to"] .chip'));
  const send = async (text: string): Promise<unknown> => {
    await panel.page.getByRole('textbox').fill(text);
    await panel.page.getByRole('textbox').press('Enter');
    await panel.drawn();
    return (await panel.sent('send')).at(-1)?.params;
  };

  test('refers to it, with a chip that can be taken away', async () => {
    await open({ snapshot: snapshotOf(story.entries, { contextId: 'c', tasks: [drawn] }) });
    assert.match(await shownText(chips()), /Draw a sailboat/);
    assert.deepEqual(await send('Make it red'), { text: 'Make it red', references: [{ taskId: 't-1' }] });
    await chips().getByRole('button').click();
    assert.equal(await chips().count(), 0);
    assert.deepEqual(await send('Something else'), { text: 'Something else' });
    const next = task('t-2', 'TASK_STATE_COMPLETED', 'Something else', 9);
    await panel.state(snapshotOf([], { contextId: 'c', tasks: [next, drawn] }).state);
    assert.match(await shownText(chips()), /Something else/);
  });

  test('refers to nothing where the newest task failed, runs or waits, nor in a new context', async () => {
    for (const state of [
      'TASK_STATE_FAILED',
      'TASK_STATE_CANCELED',
      'TASK_STATE_REJECTED',
      'TASK_STATE_WORKING',
      'TASK_STATE_INPUT_REQUIRED',
    ] as const) {
      await open({
        snapshot: snapshotOf(story.entries, {
          contextId: 'c',
          tasks: [{ ...task('t-2', state, 'Newer', 5) }, drawn],
          ...(state === 'TASK_STATE_INPUT_REQUIRED' && { waitingTaskId: 't-2' }),
        }),
      });
      assert.equal(await chips().count(), 0, state);
      await panel.close();
    }
    await open({ snapshot: snapshotOf(story.entries, { contextId: 'c', tasks: [drawn] }) });
    await panel.page.getByRole('button', { name: 'Change Where the Message Goes' }).click();
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
