import * as assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../../scripts/chromium.ts';
import type { Entry } from '../../../src/protocol/message/transcript.ts';
import { ChatHarness } from '../../support/chatHarness/chatHarness.ts';
import { undrawable, withFault, withoutDepthBound, withoutErrorBoundary } from '../../support/chatHarness/hostile/brokenBuilds.ts';
import { buildPages, type PageFiles, pageFiles } from '../../support/chatHarness/pageFiles.ts';
import { snapshotOf, Story } from '../../support/chatHarness/story.ts';
import { caught, figure, full, sampleOf } from '../../support/figure.ts';
import { nestedLengths, nestedShapes } from '../../support/nestedMarkdown.ts';
import { shownText } from '../../support/chatHarness/shownText.ts';

/** Every shape at every length, or a sample of the shapes at two lengths each. */
const lengthsEach = full ? nestedLengths.length : 2;
const shapes = sampleOf(Object.entries(nestedShapes));
const perPage = 40;

interface Nested {
  readonly name: string;
  readonly text: string;
}

const all: readonly Nested[] = shapes.flatMap(([name, shape], index) =>
  Array.from({ length: lengthsEach }, (_, turn) => nestedLengths[(index + turn * 5) % nestedLengths.length]!).map(length => ({
    name: `${name} of ${length}`,
    text: shape(length),
  })),
);

/** Everywhere an agent's Markdown stands: as a message, as an artifact, as a status. */
function entriesOf(texts: readonly string[]): readonly Entry[] {
  const story = new Story();
  texts.forEach((text, index) => {
    if (index % 3 === 0) story.agent(index, [{ text }]);
    else if (index % 3 === 1) story.artifact(index, `t${index}`, [{ text, mediaType: 'text/markdown' }], { name: 'nested' });
    else story.status(index, `t${index}`, 'TASK_STATE_INPUT_REQUIRED', text);
  });
  return story.entries;
}

suite('nested Markdown of hostile agents', () => {
  let browser: Browser;
  suiteSetup(async () => {
    browser = await launchChromium();
  });
  suiteTeardown(() => browser.close());

  const open = async (files: PageFiles, entries: readonly Entry[]): Promise<ChatHarness> =>
    ChatHarness.open(browser, { snapshot: snapshotOf(entries), files });

  /** Which rows are drawn, which only plainly, and whether one could go on. */
  async function seen({ page }: ChatHarness): Promise<{
    readonly drawn: number;
    readonly undrawn: readonly string[];
    readonly without: number;
    readonly usable: boolean;
  }> {
    return page.evaluate(() => {
      const rows = [...document.querySelectorAll<HTMLElement>('article.row')];
      return {
        drawn: rows.length,
        undrawn: rows
          .filter(row => row.classList.contains('undrawn-row'))
          .map(row => (row.querySelector('.undrawn-text')?.textContent ?? '').slice(0, 20)),
        without: rows.filter(row => !(row.textContent ?? '').includes('x')).length,
        usable: document.querySelector('.composer textarea') !== null && document.querySelectorAll('[role=tab]').length === 3,
      };
    });
  }

  /** Draws them all, page after page, each opened anew as after a reload. */
  async function drawAll(files: PageFiles, nested: readonly Nested[]): Promise<void> {
    for (let first = 0; first < nested.length; first += perPage) {
      const some = nested.slice(first, first + perPage);
      const panel = await open(files, entriesOf(some.map(({ text }) => text)));
      assert.deepEqual(
        { ...(await seen(panel)), complaints: panel.complaints.slice(0, 3) },
        { drawn: some.length, undrawn: [], without: 0, usable: true, complaints: [] },
        `${some[0]?.name} and the next ${some.length - 1}`,
      );
      await panel.close();
    }
  }

  test('every shape is drawn, beside the others and above the composer', async function () {
    this.timeout(900_000);
    await drawAll(await pageFiles(), all);
    figure(
      'F31',
      { 'nested texts': all.length },
      `${all.length} texts of ${shapes.length} of ${Object.keys(nestedShapes).length} nested shapes`,
    );
  });

  test('501 characters that once left a conversation blank', async () => {
    const texts = ['- ', '1. ', '> - ', '- > ', '* 1. '].flatMap(unit => [20, 60, 250].map(count => `${unit.repeat(count)}x`));
    const panel = await open(await pageFiles(), entriesOf(texts));
    assert.deepEqual(await seen(panel), { drawn: texts.length, undrawn: [], without: 0, usable: true });
    assert.ok((await panel.page.locator('.markdown ul ul ul ul').count()) > 0);
    await panel.close();
  });

  test('a build without the bound does not pass', async function () {
    this.timeout(300_000);
    const files = await buildPages([withoutDepthBound]);
    await assert.rejects(
      drawAll(
        files,
        ['- ', '1. ', '> - '].map(unit => ({ name: unit, text: `${unit.repeat(300)}x` })),
      ),
    );
    caught('F31', 'a build that nests as deeply as it is told');
  });

  test('an entry that cannot be drawn shows its text and its bytes; all else is drawn, and what is written goes on', async () => {
    const texts = ['one x', `${undrawable}: *x* <b>`, 'two x', `${undrawable}, too x`, 'three x'];
    const panel = await open(await buildPages([withFault]), entriesOf(texts));
    assert.deepEqual(await seen(panel), {
      drawn: texts.length,
      undrawn: [texts[1]!.slice(0, 20), texts[3]!.slice(0, 20)],
      without: 0,
      usable: true,
    });
    const row = panel.page.locator('.undrawn-row').first();
    assert.equal(await shownText(row.locator('.undrawn-text')), texts[1]);
    await row.getByText('As stored').click();
    assert.match(await shownText(row.locator('pre')), /"artifactId": "x1"/);
    await row.getByRole('button', { name: 'Show Exchange' }).click();
    assert.deepEqual(
      (await panel.sent('openExchange')).map(({ params }) => params),
      [{ exchangeId: 'exchange-1' }],
    );
    await panel.page.locator('.composer textarea').fill('and on');
    await panel.page.locator('.composer textarea').press('Enter');
    assert.equal((await panel.sent('send')).length, 1);

    // The entry that changes into one that can be drawn is drawn again.
    const [, entry] = entriesOf(['one x', 'mended x']);
    await panel.update({ type: 'put', entry: entry! });
    assert.equal((await seen(panel)).undrawn.length, 1);
    assert.match(await shownText(panel.page.locator('article[data-row="2"]')), /mended x/);
    await panel.close();
  });

  test('a build without the boundary does not pass', async () => {
    const files = await buildPages([withFault, withoutErrorBoundary]);
    const panel = await open(files, entriesOf(['one x', 'two x', 'three x']));
    assert.deepEqual(await seen(panel), { drawn: 3, undrawn: [], without: 0, usable: true });
    await panel.close();
    // Nothing at all comes of the page then: neither the other entries nor the composer.
    const blank = await ChatHarness.open(browser, {
      snapshot: snapshotOf(entriesOf(['one x', `${undrawable} x`, 'three x'])),
      files,
      drawn: false,
    });
    await blank.page.waitForFunction(() => window.fakeHost.sent.length > 0);
    await blank.drawn();
    assert.deepEqual({ ...(await seen(blank)), undrawn: [] }, { drawn: 0, undrawn: [], without: 0, usable: false });
    assert.match(blank.complaints.join('\n'), /a planted fault/);
    await blank.close();
  });
});
