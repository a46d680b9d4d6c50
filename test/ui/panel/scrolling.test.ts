import * as assert from 'node:assert/strict';
import type { Entry } from '../../../src/protocol/message/transcript.ts';
import type { ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { snapshotOf, storyStart } from '../../support/chatHarness/story.ts';
import { eventually } from '../../support/eventually.ts';

/** A long conversation: `count` entries with growing seq, ending at `last`. */
function talk(count: number, last = count): Entry[] {
  return Array.from({ length: count }, (_, index) => {
    const seq = last - count + 1 + index;
    const message = {
      messageId: `m${seq}`,
      role: seq % 2 === 0 ? ('ROLE_AGENT' as const) : ('ROLE_USER' as const),
      parts: [{ text: `Number ${seq}. ${'Words that fill a line or two. '.repeat(6)}` }],
    };
    return { kind: 'message', seq, at: storyStart + seq, message };
  });
}

suite('chat panel: scrolling', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await openPanel(options);
    return panel;
  };
  const composer = (): ReturnType<ChatHarness['page']['locator']> => panel.page.getByRole('textbox');
  const scroll = (): Promise<{ top: number; end: number }> =>
    panel.page.locator('.scroller').evaluate(box => ({ top: box.scrollTop, end: box.scrollHeight - box.clientHeight - box.scrollTop }));

  test('starts at the end, follows it, and stays where the reader is', async () => {
    await open({ snapshot: snapshotOf(talk(60)) });
    await eventually(async () => assert.ok((await scroll()).end < 2));
    await panel.update(...talk(5, 65).map(entry => ({ type: 'put', entry }) as const));
    await eventually(async () => assert.ok((await scroll()).end < 2));
    await panel.page.locator('.scroller').hover();
    await panel.page.mouse.wheel(0, -1500);
    await eventually(async () => assert.ok((await scroll()).end > 1000));
    const reading = panel.page.locator('article', { hasText: 'Number 52.' });
    const before = (await reading.boundingBox())?.y ?? NaN;
    await panel.update(...talk(5, 70).map(entry => ({ type: 'put', entry }) as const));
    assert.ok(Math.abs(((await reading.boundingBox())?.y ?? NaN) - before) < 2);
    await panel.page.getByRole('button', { name: 'New' }).click();
    await eventually(async () => assert.ok((await scroll()).end < 2));
    assert.equal(await panel.page.getByRole('button', { name: 'New' }).count(), 0);
  });

  test('older entries come on the way up and move nothing', async () => {
    await open({ snapshot: { ...snapshotOf(talk(40, 100)), more: true } });
    await panel.answer({ older: { result: { entries: talk(40, 60), more: true } } });
    await eventually(async () => assert.ok((await scroll()).end < 2));
    await panel.page.locator('.scroller').evaluate(box => {
      box.scrollTop = 300;
    });
    const reading = panel.page.locator('article', { hasText: 'Number 63.' });
    const before = (await reading.boundingBox())?.y ?? NaN;
    await panel.page.locator('article', { hasText: 'Number 60.' }).waitFor({ state: 'attached' });
    await panel.drawn();
    const after = (await reading.boundingBox())?.y ?? NaN;
    assert.ok(Math.abs(after - before) < 4, `${before} became ${after}`);
    assert.deepEqual((await panel.sent('older'))[0]?.params, { before: 61 });
  });

  test('sending leads to the end', async () => {
    await open({ snapshot: snapshotOf(talk(60)) });
    await panel.page.locator('.scroller').evaluate(box => {
      box.scrollTop = 0;
    });
    await composer().fill('hello');
    await composer().press('Enter');
    await panel.update({ type: 'put', entry: talk(1, 61)[0]! });
    await eventually(async () => assert.ok((await scroll()).end < 2));
  });
});
