import * as assert from 'node:assert/strict';
import { axeSays } from '../../support/chatHarness/axe.ts';
import { type ChatHarness, type HarnessOptions, themeNames } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { busyDay, plainTalk } from '../../support/chatHarness/stories.ts';
import { exchangeOf, wireAnswers } from '../../support/chatHarness/wire.ts';
import { eventually } from '../../support/eventually.ts';
import { shownText, shownTexts } from '../../support/chatHarness/shownText.ts';

suite('chat panel: the wire', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: Partial<HarnessOptions> = {}): Promise<void> => {
    panel = await openPanel({ snapshot: plainTalk(), answers: wireAnswers('exchange-1'), ...options });
  };
  const tab = (name: string): ReturnType<ChatHarness['page']['locator']> => panel.page.getByRole('tab', { name });
  const row = (): ReturnType<ChatHarness['page']['locator']> => panel.page.locator('.exchange');

  for (const theme of themeNames) {
    test(`the wire in ${theme}: nothing for axe to say`, async () => {
      await open({ theme });
      await tab('Wire').click();
      await row().getByRole('button', { name: 'SendStreamingMessage' }).click();
      await panel.page.locator('.frame').first().waitFor();
      assert.deepEqual(await axeSays(panel.page), []);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }

  test('an exchange unfolds to its request, masked headers, answer and events with their times and gaps', async () => {
    await open();
    await tab('Wire').click();
    assert.match(
      await shownText(row()),
      /SendStreamingMessage\s+POST http:\/\/agent\.example\/rpc[^]*200 · first after 120 ms · over after 900 ms · 2 events · 1 protocol finding/,
    );
    await row().getByRole('button', { name: 'SendStreamingMessage' }).click();
    await panel.page.locator('.frame').first().waitFor();
    const words = await shownText(row());
    for (const wanted of [
      'authorization: ••••',
      '"method": "SendStreamingMessage"',
      'Answer after 40.0 ms',
      'HTTP 200',
      '120.0 ms',
      '370.5 ms (+250.5)',
      '{"result":{"task":"agent.example"}}',
    ])
      assert.ok(words.includes(wanted), wanted);
    await row().getByRole('button', { name: 'Copy as cURL' }).click();
    await row().getByRole('button', { name: 'Copy as Request File' }).click();
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('copyExchange')).map(({ params }) => params),
        [
          { exchangeId: 'exchange-1', form: 'curl' },
          { exchangeId: 'exchange-1', form: 'a2a' },
        ],
      ),
    );
  });

  test('a call that failed says why in its row, in the words of its connection, of its answer or of the conversation', async () => {
    const { summary } = exchangeOf('e-1');
    const { entries } = plainTalk();
    const told = entries.find(({ kind }) => kind === 'problem')!;
    const exchanges = [
      { ...summary, id: 'e-1', failure: 'socket hang up' },
      { ...summary, id: 'e-2', error: 'Task not found' },
      { ...summary, id: told.exchangeId! },
      { ...summary, id: 'e-4' },
    ];
    await open({ answers: { ...wireAnswers('e-1'), exchanges: { result: { exchanges, more: false } } } });
    await tab('Wire').click();
    await row().first().waitFor();
    assert.deepEqual(await shownTexts(panel.page.locator('.exchange-reason')), [
      'socket hang up',
      'Task not found',
      'The agent refused the message: Operation not supported (-32004).',
    ]);
    assert.equal(await panel.page.locator('.exchange-facts .codicon-error').count(), 3);
  });

  test('an entry leads to its exchange, and the exchange back to the entry', async () => {
    await open({ snapshot: busyDay() });
    await panel.answer({
      exchanges: { result: { exchanges: [exchangeOf('exchange-6').summary], more: false } },
      exchange: { result: exchangeOf('exchange-6').shown },
    });
    const entry = panel.page.locator('article', { has: panel.page.locator('.findings-mark') }).first();
    await entry.getByRole('button', { name: 'Show in Wire' }).click();
    await panel.page.locator('.frame').first().waitFor();
    assert.equal(await panel.page.locator('.scroller').isVisible(), false);
    await row().getByRole('button', { name: 'Show in Conversation' }).click();
    await panel.page.locator('.scroller').waitFor();
    assert.equal(await entry.evaluate(element => element === document.activeElement), true);
  });

  test('an exchange leads to an entry that is far back, or says that it has none', async () => {
    const busy = busyDay();
    await open({
      snapshot: { ...plainTalk(), more: true },
      answers: {
        ...wireAnswers('exchange-6'),
        entryOf: { result: { seq: busy.entries[5]!.seq } },
        around: { result: { entries: busy.entries, older: false, newer: true } },
      },
    });
    await tab('Wire').click();
    await row().getByRole('button', { name: 'Show in Conversation' }).click();
    await eventually(async () => assert.equal(await panel.page.evaluate(() => document.activeElement?.tagName), 'ARTICLE'));
    await panel.answer({ entryOf: { result: null }, exchanges: { result: { exchanges: [exchangeOf('unheard').summary], more: false } } });
    await tab('Wire').click();
    await row().last().getByRole('button', { name: 'Show in Conversation' }).click();
    await eventually(async () => assert.match(await shownText(panel.page.getByRole('alert').first()), /came with this exchange/));
  });

  test('older exchanges and later events are read a page at a time', async () => {
    await open({
      answers: {
        ...wireAnswers('exchange-1'),
        exchanges: { result: { exchanges: [exchangeOf('exchange-1').summary], more: true } },
        frames: { result: { frames: exchangeOf('exchange-1').frames, more: true } },
      },
    });
    await tab('Wire').press('Enter');
    await row().first().waitFor();
    await panel.answer({ exchanges: { result: { exchanges: [exchangeOf('exchange-0').summary], more: false } } });
    await panel.page.getByRole('button', { name: 'Show Older Exchanges' }).click();
    await eventually(async () => assert.equal(await row().count(), 2));
    assert.deepEqual((await panel.sent('exchanges')).at(-1)?.params, { before: 'exchange-1' });
    await row().first().getByRole('button', { name: 'SendStreamingMessage' }).click();
    await panel.page.getByRole('button', { name: 'Show More Events' }).waitFor();
    await panel.answer({ frames: { result: { frames: [{ seq: 2, at: Date.now(), data: 'the third' }], more: false } } });
    await panel.page.getByRole('button', { name: 'Show More Events' }).click();
    await panel.page.getByText('the third').waitFor();
    assert.deepEqual((await panel.sent('frames')).at(-1)?.params, { exchangeId: 'exchange-1', after: 1 });
  });

  test('the keyboard goes from one tab to the next', async () => {
    await open();
    await tab('Conversation').focus();
    await panel.page.keyboard.press('ArrowRight');
    assert.equal(await tab('Tasks').getAttribute('aria-selected'), 'true');
    await panel.page.keyboard.press('ArrowRight');
    assert.equal(await tab('Wire').getAttribute('aria-selected'), 'true');
    assert.equal(await tab('Wire').evaluate(element => element === document.activeElement), true);
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.locator('.scroller').waitFor();
  });
});
