import * as assert from 'node:assert/strict';
import type { ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { busyDay, plainTalk } from '../../support/chatHarness/stories.ts';
import { storyStart } from '../../support/chatHarness/story.ts';
import { eventually } from '../../support/eventually.ts';
import { shownText, shownTexts } from '../../support/chatHarness/shownText.ts';

suite('chat panel: deviations from the protocol', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await openPanel(options);
    return panel;
  };

  const marks = (): ReturnType<ChatHarness['page']['locator']> => panel.page.locator('.findings-mark');
  const list = (): ReturnType<ChatHarness['page']['locator']> => panel.page.locator('.findings-list:popover-open');

  test('a mark has the sentence of a single finding, and says how many there are of several; pointed at it says how, as text; pressed it opens the exchange at the finding', async () => {
    await open({ snapshot: busyDay() });
    assert.deepEqual(await shownTexts(marks()), [
      '5 protocol findings',
      'The answer is JSON; its media type should say so, not "text/plain".',
    ]);
    const single = 'The answer is JSON; its media type should say so, not "text/plain". 1 protocol finding: RPC-02. Show Exchange';
    assert.equal(await marks().last().getAttribute('aria-label'), single);
    assert.equal(await marks().first().getAttribute('aria-label'), '5 protocol findings: DATA-04, DATA-01. Show Exchange');
    await marks().first().hover();
    await list().waitFor();
    const words = await shownText(list());
    for (const wanted of [
      'DATA-04',
      'Timestamps are ISO 8601 in UTC',
      '/status/timestamp · MUST · A2A 1.0 §5.6.1 · 4 times',
      '[messageId](https://evil.example)',
      '<b>bold</b>',
    ]) {
      assert.ok(words.includes(wanted), wanted);
    }
    await marks().first().click();
    await list().getByRole('button', { name: 'DATA-01' }).click();
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('openExchange')).map(({ params }) => params),
        [
          { exchangeId: 'exchange-6', finding: 0 },
          { exchangeId: 'exchange-6', finding: 2 },
        ],
      ),
    );
    await panel.page.mouse.move(0, 0);
    await panel.page.getByRole('textbox').focus();
    await list().waitFor({ state: 'detached' });
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });

  test('a finding about a push notification says so: it has no row of its own', async () => {
    const snapshot = busyDay();
    await open({
      snapshot: { ...snapshot, findings: snapshot.findings.slice(-1).map(one => ({ ...one, operation: 'PushNotification' })) },
    });
    assert.deepEqual(await shownTexts(marks()), ['Push notification: The answer is JSON; its media type should say so, not "text/plain".']);
  });

  test('the keyboard shows the list, walks through it and Escape puts it away', async () => {
    await open({ snapshot: busyDay() });
    await marks().first().focus();
    await list().waitFor();
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('openExchange')).map(({ params }) => params),
        [{ exchangeId: 'exchange-6', finding: 2 }],
      ),
    );
    await panel.page.keyboard.press('Escape');
    await list().waitFor({ state: 'detached' });
  });

  test('the marks and their list stay inside the page', async () => {
    await open({ snapshot: busyDay(), width: 360, height: 420 });
    for (const mark of await marks().all()) {
      await mark.focus();
      await list().waitFor();
      for (const box of [await list().boundingBox(), await mark.boundingBox()])
        assert.ok(box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= 360 && box.y + box.height <= 420, JSON.stringify(box));
    }
  });

  test('marks come while the agent works, and go to the newest row', async () => {
    const before = plainTalk();
    await open({ snapshot: { ...before, entries: before.entries.slice(0, 2) } });
    assert.equal(await marks().count(), 0);
    const found = [{ exchangeId: before.entries[1]?.exchangeId, startedAt: storyStart, lines: busyDay().findings[1]?.lines }];
    await panel.post({ type: 'event', name: 'findings', value: found });
    assert.equal(await marks().count(), 1);
    await panel.post({ type: 'event', name: 'findings', value: [] });
    assert.equal(await marks().count(), 0);
  });
});
