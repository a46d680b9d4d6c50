import * as assert from 'node:assert/strict';
import type { SentEntry } from '../../../src/chat/host/messages.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { ChatHarness } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { snapshotOf, Story } from '../../support/chatHarness/story.ts';

suite('what an agent sends too much of is drawn in part', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;
  const open = async (parts: readonly Part[], more: Partial<SentEntry> = {}): Promise<void> => {
    const [mine, answer] = new Story().user(0, 'hi').agent(1, parts).entries;
    panel = await openPanel({ snapshot: snapshotOf([mine!, { ...answer!, ...more } as SentEntry]) });
    await panel.drawn();
  };
  const drawn = (selector: string): Promise<{ readonly elements: number; readonly lines: number; readonly characters: number }> =>
    panel.page
      .locator(selector)
      .last()
      .evaluate(element => ({
        elements: element.querySelectorAll('*').length,
        lines: (element.textContent ?? '').split('\n').length,
        characters: (element.textContent ?? '').length,
      }));

  for (const [name, part] of Object.entries({
    'files that are text': { raw: Buffer.from('abc\n'.repeat(70_000)).toString('base64'), mediaType: 'text/plain', filename: 'f' },
    code: { text: 'x = 1\n'.repeat(50_000), mediaType: 'text/x-python', filename: 'f' },
    'tables of data': {
      data: Array.from({ length: 50 }, () => Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`c${index}`, 'x']))),
    },
  } satisfies Record<string, Part>)) {
    test(`fifty parts are drawn page by page: ${name}`, async () => {
      await open(Array.from({ length: 50 }, () => part));
      const { elements, characters } = await drawn('.parts');
      assert.ok(elements < 8_000 && characters < 250_000, `${elements} elements, ${characters} characters`);
      const before = await panel.page.locator('.part').count();
      await panel.page.getByRole('button', { name: /Show \d+ More Parts/ }).click();
      await panel.page.locator('.part').nth(before).waitFor();
    });
  }

  for (const [name, data] of Object.entries({
    'a list of texts of many lines': Array.from({ length: 200 }, () => 'x\n'.repeat(1_000)),
    'an object of texts that are turned': Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`k${index}`, '\u202e'.repeat(2_000)]),
    ),
    'a table of texts of many lines': Array.from({ length: 50 }, () => ({ a: 'x\n'.repeat(1_000), b: 'y\n'.repeat(1_000) })),
  })) {
    test(`data: ${name}`, async () => {
      await open([{ data }]);
      const { lines, characters } = await drawn('.data');
      assert.ok(lines < 8_000 && characters < 40_000, `${lines} lines, ${characters} characters`);
    });
  }

  test("what is cut in an agent's message leads to all of it", async () => {
    // One paragraph, which is shown as it is beyond 100,000 characters.
    await open([{ text: 'word '.repeat(40_000) }]);
    await panel.page.locator('.note').getByRole('button', { name: 'Open in Editor' }).click();
    const [asked] = await panel.sent('openPart');
    assert.equal((asked?.params as { readonly part: number }).part, 0);
  });

  test('a text that the person is said to have written', async () => {
    const entries = new Story().user(0, 'a line\n'.repeat(100_000)).entries;
    panel = await openPanel({ snapshot: snapshotOf(entries) });
    const { lines } = await drawn('.bubble .plain');
    assert.ok(lines <= 2_001, String(lines));
    await panel.page.getByText('The exchange has all of it.').waitFor();
  });

  test('an address: its beginning is shown, the whole is opened', async () => {
    const url = `http://x.example/${'a'.repeat(50_000)}`;
    await open([{ url }]);
    const link = panel.page.locator('.url-part .link');
    assert.equal((await link.textContent())?.length, 2_001);
    await link.click();
    assert.deepEqual(
      (await panel.sent('openLink')).map(({ params }) => params),
      [{ url }],
    );
  });

  test('what the page was not sent: it says so, and the host copies, opens and saves it whole', async () => {
    const parts: readonly Part[] = [{ text: 'begins' }, { data: null }, { raw: '', filename: 'f.bin' }, { url: 'http://x.example/aaa' }];
    await open(parts, { cut: [{ part: 0, bytes: 5_000_000 }, { part: 1 }, { part: 2, bytes: 20_000_000 }, { part: 3 }], leftOut: 7 });
    const sections = panel.page.locator('.part');
    await sections.nth(0).getByText('only a part is shown here').waitFor();
    for (const index of [1, 2]) await sections.nth(index).getByText('Too large to show here').waitFor();
    assert.match((await sections.nth(2).textContent()) ?? '', /19 MB/);
    assert.equal(await sections.nth(3).locator('.link').count(), 0, 'the beginning of an address is no link');
    await panel.page.getByText('7 more parts are not shown here.').waitFor();
    for (const index of [0, 1, 3]) await sections.nth(index).getByRole('button', { name: 'Copy' }).click();
    await sections.nth(1).getByRole('button', { name: 'Open in Editor' }).click();
    await sections.nth(2).getByRole('button', { name: 'Save…' }).click();
    await panel.page.getByRole('button', { name: 'Copy Text' }).last().click();
    const seq = (await panel.sent('openPart')).map(({ params }) => (params as { seq: number }).seq)[0]!;
    assert.deepEqual(
      (await panel.sent()).filter(({ name }) => name !== 'ready').map(({ name, params }) => [name, params]),
      [
        ['copyWhole', { seq, part: 0 }],
        ['copyWhole', { seq, part: 1 }],
        ['copyWhole', { seq, part: 3 }],
        ['openPart', { seq, part: 1 }],
        ['savePart', { seq, part: 2 }],
        ['copyWhole', { seq }],
      ],
    );
  });
});
