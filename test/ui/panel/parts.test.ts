import { ExactNumber } from '../../../src/protocol/exactNumber.ts';
import * as assert from 'node:assert/strict';
import type { Part } from '../../../src/protocol/message/part.ts';
import { axeSays, axeSaysInEveryTheme } from '../../support/chatHarness/axe.ts';
import type { Answers, ChatHarness } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { sailboat, snapshotOf, Story } from '../../support/chatHarness/story.ts';
import { shownText, shownTexts } from '../../support/chatHarness/shownText.ts';

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');

/** A tenth of a second of silence. */
function wave(): string {
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(36 + 800, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(800, 40);
  return base64(Buffer.concat([head, Buffer.alloc(800, 128)]));
}

const tickets = [
  { ticketNumber: 'REQ12312', open: true, hours: 3.5 },
  { ticketNumber: 'REQ23422', open: false, hours: 12, note: 'waits' },
];
const parts: readonly Part[] = [
  { data: tickets },
  { data: { outer: { inner: { list: [1, 'two', null] } }, wide: Array.from({ length: 250 }, (_, index) => index) } },
  { raw: wave(), mediaType: 'audio/wav', filename: 'bell.wav' },
  { raw: sailboat(false), mediaType: 'image/png', filename: 'boat.png' },
  { raw: base64('a,b\n1,2\n'), mediaType: 'text/csv', filename: 'table.csv' },
  { raw: base64('%PDF-1.7'), mediaType: 'application/pdf', filename: 'ticket.pdf' },
];

suite('chat panel: parts', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (list: readonly Part[], answers: Answers = {}): Promise<void> => {
    const story = new Story().user(0, 'Show me everything', { taskId: 't' }).artifact(1, 't', list, { name: 'Everything' });
    panel = await openPanel({ snapshot: snapshotOf(story.entries), height: 1600, answers });
  };

  test('every kind in every theme: nothing for axe to say', async () => {
    await open(parts);
    await panel.page.locator('audio').waitFor();
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });

  test('line breaks in data are line breaks; what else is hidden is spelled out; large numbers have all of their digits', async () => {
    await open([{ data: {} }]);
    const data = { text: 'one\ntwo\tthree\u0000', 'turned\u202e': 'a\u202eb', id: new ExactNumber('9007199254740993'), small: 12 };
    const { entries } = new Story().user(0, 'Show me everything', { taskId: 't' }).artifact(1, 't', [{ data }], { name: 'Everything' });
    await panel.update(...entries.map(entry => ({ type: 'put', entry }) as const));
    const lines = (await shownText(panel.page.locator('.tree').first())).split('\n');
    assert.deepEqual(lines, ['text: one', 'two\tthree⟨U+0000⟩', 'turned⟨U+202E⟩: a⟨U+202E⟩b', 'id: 9007199254740993', 'small: 12']);
  });

  test('each block, key and value has the direction of its own words; what turns the direction of text is drawn', async () => {
    const text =
      '# שלום עולם\n\nשלום, this is Hebrew first.\n\nLatin first, שלום.\n\n- פריט ראשון\n- second item\n\n| שם | name |\n|--|--|\n| ערך | value |\n\nPay `abc\u202e123` to \u2066evil\u2069\n\n```\nif (a\u202e) {}\n```\n';
    await open([{ text }, { data: { שם: 'מחיר (ILS) 12', name: 'קוד: 12-34' } }]);
    const directions = await panel.page
      .locator('.markdown')
      .first()
      .evaluate(markdown => [...markdown.querySelectorAll('.heading, p, li, th, td, pre')].map(each => getComputedStyle(each).direction));
    assert.deepEqual(directions, ['rtl', 'rtl', 'ltr', 'rtl', 'ltr', 'rtl', 'ltr', 'rtl', 'ltr', 'ltr', 'ltr']);
    assert.deepEqual(await panel.page.locator('.tree bdi').evaluateAll(all => all.map(each => getComputedStyle(each).direction)), [
      'rtl',
      'rtl',
      'ltr',
      'rtl',
    ]);
    const words = await shownText(panel.page.locator('.markdown').first());
    assert.match(words, /abc⟨U\+202E⟩123/);
    assert.match(words, /⟨U\+2066⟩evil⟨U\+2069⟩/);
    assert.match(words, /if \(a⟨U\+202E⟩\) \{\}/);
  });

  test('objects of one kind are a table, and a tree on demand', async () => {
    await open([{ data: tickets }]);
    assert.deepEqual(await shownTexts(panel.page.locator('.data th')), ['ticketNumber', 'open', 'hours', 'note']);
    assert.deepEqual(await shownTexts(panel.page.locator('.data tr').nth(1).locator('td')), ['REQ12312', 'true', '3.5', '']);
    await panel.page.getByRole('button', { name: 'Show as Tree' }).click();
    assert.match(await shownText(panel.page.locator('.tree').first()), /ticketNumber: REQ12312/);
  });

  test('a branch opens with the keyboard, long ones a page at a time', async () => {
    await open([parts[1]!]);
    assert.match(await shownText(panel.page.locator('.tree').first()), /list[^]*1: two[^]*2: null/);
    const wide = panel.page.getByRole('button', { name: /^wide/ });
    assert.equal(await wide.getAttribute('aria-expanded'), 'false');
    await wide.press('Enter');
    await panel.page.getByRole('button', { name: 'Show 100 More' }).click();
    await panel.page.getByRole('button', { name: 'Show 50 More' }).click();
    await panel.page.getByText('249: 249').waitFor();
  });

  test('sound plays from its bytes alone, once it is asked to; what only begins like sound says so', async () => {
    await open([parts[2]!, { raw: base64('ID3 not at all'), mediaType: 'audio/mpeg' }]);
    const audio = panel.page.locator('audio');
    await panel.page.getByText('This cannot be played here').waitFor();
    assert.equal(await audio.count(), 1);
    await panel.page.waitForFunction(() => (document.querySelector('audio')?.duration ?? 0) > 0.09);
    assert.equal(await audio.evaluate(element => (element as HTMLAudioElement).paused), true);
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });

  test('CSV and TSV are tables, which a header sorts, and text on demand', async () => {
    const csv = 'town,people,note\r\nOulu,214633,"by the ""sea"", north"\r\nEspoo,314024,\r\nVantaa,247443,x\r\n';
    await open([
      { raw: base64(csv), mediaType: 'text/csv', filename: 'towns.csv' },
      { text: 'a\tb\n1\t2\n', mediaType: 'text/tab-separated-values' },
    ]);
    const first = panel.page.locator('.data').first();
    assert.deepEqual(await shownTexts(first.locator('th')), ['town', 'people', 'note']);
    assert.deepEqual(await shownTexts(first.locator('tbody tr').first().locator('td')), ['Oulu', '214633', 'by the "sea", north']);
    const towns = () => shownTexts(first.locator('tbody td:first-child'));
    const sort = first.getByRole('button', { name: 'people' });
    await sort.click();
    assert.deepEqual(await towns(), ['Oulu', 'Vantaa', 'Espoo']);
    assert.equal(await first.locator('th').nth(1).getAttribute('aria-sort'), 'ascending');
    await sort.click();
    assert.deepEqual(await towns(), ['Espoo', 'Vantaa', 'Oulu']);
    await sort.click();
    assert.deepEqual(await towns(), ['Oulu', 'Espoo', 'Vantaa']);
    await first.getByRole('button', { name: 'As Text' }).click();
    assert.match(await shownText(first.locator('code')), /by the ""sea""/);
    await first.getByRole('button', { name: 'As Table' }).click();
    assert.deepEqual(await shownTexts(panel.page.locator('.data').nth(1).locator('td')), ['1', '2']);
    assert.deepEqual(await axeSays(panel.page), []);
  });

  test('of a table of 2,000 rows and 200 columns only what is in sight is drawn; its headers and first column stay', async () => {
    const names = Array.from({ length: 200 }, (_, column) => `c${column}`);
    const lines = Array.from({ length: 2_000 }, (_, row) => names.map((_name, column) => `${row}.${column}`).join(','));
    await open([{ text: [names.join(','), ...lines].join('\n'), mediaType: 'text/csv' }]);
    const box = panel.page.locator('.table.large');
    await box.waitFor();
    await panel.page.getByText('2000 rows, 200 columns').waitFor();
    assert.ok((await box.locator('td').count()) < 2_000, String(await box.locator('td').count()));
    const corner = async () => ({
      head: await box.locator('th').first().boundingBox(),
      cell: await box.locator('tbody tr:not(.gap) td').first().boundingBox(),
    });
    const before = await corner();
    await box.evaluate(element => element.scrollTo(160 * 150, 24 * 1_500));
    await box.getByText('1505.152', { exact: true }).waitFor();
    const after = await corner();
    assert.deepEqual([after.head?.x, after.head?.y, after.cell?.x], [before.head?.x, before.head?.y, before.cell?.x]);
    assert.equal(await shownText(box.locator('tr[aria-rowindex="1502"] td').first()), '1500.0');
    const cell = await box.getByText('1505.152', { exact: true }).boundingBox();
    const room = await box.boundingBox();
    assert.ok(
      cell !== null && room !== null && cell.x > room.x + 160 && cell.x < room.x + room.width,
      'the cells are where they are looked for',
    );
    assert.deepEqual(await axeSays(panel.page), []);
  });

  test('bytes that are a text are shown as one', async () => {
    await open([
      { ...parts[4]!, mediaType: 'text/plain', filename: 'table.txt' },
      { raw: base64('a\0b'), mediaType: 'text/plain', filename: 'no.txt' },
    ]);
    assert.deepEqual(await shownTexts(panel.page.locator('.code-block code')), ['a,b\n1,2\n']);
  });

  test('output is marked by the schema that the request asked for', async () => {
    const asked = {
      messageId: 'm',
      role: 'ROLE_USER' as const,
      parts: [{ text: 'Tickets, please', metadata: { schema: { type: 'array' } } }],
    };
    const story = new Story().user(0, 'x', { taskId: 't' }).artifact(1, 't', [{ data: tickets }]);
    const [first, second] = story.entries;
    const snapshot = snapshotOf([{ ...first!, kind: 'message', message: asked }, second!]);
    panel = await openPanel({ snapshot, answers: { checkOutput: { result: [{ pointer: '/0', message: 'should be <b>string</b>' }] } } });
    await panel.page.getByText('/0 should be <b>string</b>').waitFor();
    assert.deepEqual(
      (await panel.sent('checkOutput')).map(({ params }) => params),
      [{ seq: 2, part: 0, asked: 1 }],
    );
  });

  test('a file from the network is shown from its bytes, and asked for by a click alone', async () => {
    await open([{ url: 'https://example.org/boat.png', mediaType: 'image/png' }], {
      loadPart: { result: { raw: sailboat(true), mediaType: 'image/png' } },
    });
    assert.deepEqual([await panel.page.locator('img').count(), await panel.sent('loadPart')], [0, []]);
    await panel.page.getByRole('button', { name: 'Load and Show Here' }).click();
    await panel.page.locator('img').waitFor();
    assert.deepEqual(
      (await panel.sent('loadPart')).map(({ params }) => params),
      [{ seq: 2, part: 0 }],
    );
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });

  test('an address that is none of the web is not offered', async () => {
    await open([{ url: 'file:///etc/passwd' }, { url: 'javascript:alert(1)' }]);
    assert.equal(await panel.page.getByRole('button', { name: 'Load and Show Here' }).count(), 0);
  });
});
