import * as assert from 'node:assert/strict';
import type { ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { streaming } from '../../support/chatHarness/stories.ts';
import { eventually } from '../../support/eventually.ts';
import { shownText } from '../../support/chatHarness/shownText.ts';

suite('chat panel: streams', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await openPanel(options);
    return panel;
  };
  const scroll = (): Promise<{ top: number; end: number }> =>
    panel.page.locator('.scroller').evaluate(box => ({ top: box.scrollTop, end: box.scrollHeight - box.clientHeight - box.scrollTop }));

  test('a delta draws its own entry alone', async () => {
    await open({ snapshot: streaming() });
    await panel.page.evaluate(() => {
      const touched = new Set<string>();
      Object.assign(window, { touched });
      new MutationObserver(records => {
        for (const { target } of records)
          touched.add((target instanceof Element ? target : target.parentElement)?.closest('.row')?.className ?? 'outside');
      }).observe(document.querySelector('.scroller')!, { subtree: true, childList: true, characterData: true, attributes: true });
    });
    for (let index = 0; index < 5; index++)
      await panel.update({ type: 'append', seq: 4, parts: [{ text: `line ${index}\n` }], chunks: 88 + index });
    const touched = await panel.page.evaluate(() => [...(window as unknown as { touched: Set<string> }).touched]);
    assert.deepEqual(
      touched.map(name => name.trim().split(' ')[1]).filter(name => name !== 'row-progress'),
      ['row-artifact'],
    );
  });

  test('ten thousand pieces arrive whole, the last as cheap as the first', async () => {
    await open({ snapshot: streaming() });
    const session = await panel.page.context().newCDPSession(panel.page);
    await session.send('Performance.enable');
    /** Seconds the page has worked so far. */
    const worked = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics
        .filter(({ name }) => ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'].includes(name))
        .reduce((sum, { value }) => sum + value, 0);
    };
    const times: number[] = [];
    for (let quarter = 0; quarter < 4; quarter++) {
      const before = await worked();
      await panel.page.evaluate(streamPieces, { count: 2_500, first: quarter * 2_500 });
      times.push((await worked()) - before);
    }
    console.log(`      10,000 pieces, in quarters: ${times.map(time => `${Math.round(time * 1000)} ms`).join(', ')} of work`);
    assert.equal(await panel.page.locator('.artifact').getByText('Piece 9999.').count(), 1);
    assert.match(await shownText(panel.page.locator('.artifact .card-head')), /10,?000 chunks/);
    await panel.page
      .locator('.artifact')
      .getByRole('button', { name: /Show \d+ Earlier Paragraphs/ })
      .waitFor();
    assert.ok(times[3]! < Math.max(times[0]!, 0.2) * 4, `quarters took ${times.join(' ')}`);
    assert.ok((await panel.page.evaluate(() => document.querySelectorAll('*').length)) < 5_000);
    await eventually(async () => assert.ok((await scroll()).end < 2));
  });
});

/** In the page: plays the host with one artifact that grows, 25 pieces at a time, and waits until the last is on show. */
async function streamPieces({ count, first }: { readonly count: number; readonly first: number }): Promise<void> {
  const pieces = [
    'Some words of it ',
    'and **more** of them, ',
    'with a [link](https://example.org).\n',
    '\n## A heading\n\n',
    '- an item\n',
    '```js\nconst a = 1;\n```\n\n',
  ];
  for (let sent = first; sent < first + count; sent += 25) {
    const value = Array.from({ length: 25 }, (_, index) => ({
      type: 'append',
      seq: 4,
      parts: [{ text: pieces[(sent + index) % 6] }],
      chunks: sent + index,
    }));
    window.postMessage({ type: 'event', name: 'updates', value });
    await new Promise(done => setTimeout(done, 4));
  }
  const last = first + count;
  window.postMessage({
    type: 'event',
    name: 'updates',
    value: [{ type: 'append', seq: 4, parts: [{ text: `\n\nPiece ${last - 1}.\n\n` }], chunks: last }],
  });
  while (!document.querySelector('.artifact')!.textContent.includes(`Piece ${last - 1}.`)) await new Promise(requestAnimationFrame);
}
