import * as assert from 'node:assert/strict';
import type { ResponseView, SentPart, ShownAnswer } from '../../../src/chat/host/responseMessages.ts';
import { axeSaysInEveryTheme } from '../../support/chatHarness/axe.ts';
import type { ChatHarness } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { sailboat, snapshotOf } from '../../support/chatHarness/story.ts';
import { shownText } from '../../support/chatHarness/shownText.ts';
import { controlSequences, steering, turning, unseen } from '../../support/controlSequences.ts';

const parts = (text: string): readonly SentPart[] => [
  { is: 'part', part: { text } },
  { is: 'part', part: { text, filename: text, mediaType: text } },
  { is: 'part', part: { raw: 'AAAA', filename: text, mediaType: text } },
  { is: 'part', part: { data: { [text]: [text] } } },
  { is: 'part', part: { url: text } },
  { is: 'large', filename: text, mediaType: text, bytes: 1 },
];
/** Everything that agents, rows and requests say on the page. */
const saying = (text: string, response = 1): ResponseView => ({
  response,
  title: text,
  running: false,
  leftOut: 1,
  answers: [
    {
      row: text,
      state: 'TASK_STATE_FAILED',
      problem: { message: text, nextStep: text },
      expectations: { count: 3, failed: [{ message: text, expected: text, actual: text }], leftOut: 1 },
      contents: [
        { kind: 'artifact', name: text, description: text, parts: parts(text), leftOut: 2 },
        { kind: 'message', parts: parts(text), leftOut: 0 },
      ],
    },
    { row: 'the second', state: 'TASK_STATE_COMPLETED', contents: [] },
  ],
});

suite('the page of a response', () => {
  const openPanel = panelBrowser();
  const open = (): Promise<ChatHarness> => openPanel({ page: 'responsePage', snapshot: snapshotOf([]) });

  test('in every theme: nothing refused by the policy, nothing for axe to say', async () => {
    const panel = await open();
    const view = saying('# Tides\n\n| a | b |\n| - | - |\n| 1 | [c](https://a.example) |\n\n```json\n{ "a": 1 }\n```\n');
    const [answer] = view.answers;
    const picture: SentPart = { is: 'part', part: { raw: sailboat(false), filename: 'boat.png' } };
    await panel.post({
      ...view,
      title: 'tides',
      running: true,
      answers: [{ ...answer, contents: [...answer!.contents, { kind: 'artifact', name: 'Boat', parts: [picture], leftOut: 0 }] }],
    });
    await panel.page.locator('img').waitFor();
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });

  test('no bidi character is raw in what it shows, nor a control character or one that nobody sees in its names', async () => {
    const panel = await open();
    const found: string[] = [];
    for (const [index, sequence] of [...controlSequences, ...unseen].entries()) {
      await panel.post(saying(`a${sequence}b`, index));
      const shown = await panel.page.evaluate(() => {
        const titles = [...document.querySelectorAll('[title], [aria-label], [alt]')].flatMap(element =>
          ['title', 'aria-label', 'alt'].map(name => element.getAttribute(name) ?? ''),
        );
        // eslint-disable-next-line no-restricted-properties -- this page draws all of itself
        return { text: document.body.innerText, titles: titles.join('\n'), heading: document.querySelector('h1')?.textContent ?? '' };
      });
      if (!/a.*b/su.test(shown.heading)) found.push(`nothing is shown of ${JSON.stringify(sequence)}`);
      // In a text of a page nothing is steered; names, which go elsewhere too, have none of it.
      if (turning.test(shown.text + shown.titles) || steering.test(shown.titles + shown.heading)) found.push(JSON.stringify(sequence));
      if (unseen.includes(sequence) && shown.heading.includes(sequence)) found.push(`in a name: ${JSON.stringify(sequence)}`);
    }
    assert.deepEqual(found, []);
  });

  test('says first that expectations do not hold, and not that all is well', async () => {
    const failed = { message: 'The text does not contain "euro".', expected: 'euro', actual: '10 USD are 870 INR.\nAs of today.' };
    const view = (more: Partial<ShownAnswer>, rows = 1): ResponseView => ({
      response: 1,
      title: 'rate',
      running: false,
      leftOut: 0,
      answers: Array.from({ length: rows }, () => ({
        state: 'TASK_STATE_COMPLETED',
        contents: [{ kind: 'message', parts: [{ is: 'part', part: { text: '10 USD are **870 INR**.' } }], leftOut: 0 }],
        ...more,
      })),
    });
    const panel = await open();
    const head = panel.page.locator('.response-head');
    await panel.post(view({}));
    assert.match(await shownText(head), /^rate\s+Completed$/i);
    assert.equal(await head.locator('.tone-good').count(), 1);
    await panel.post(view({ expectations: { count: 2, failed: [], leftOut: 0 } }));
    assert.match(await shownText(head), /^rate\s+Completed$/i);
    await panel.post(view({ expectations: { count: 3, failed: [failed, { message: 'It took 2000 ms.' }], leftOut: 0 } }));
    assert.match(await shownText(head), /^rate\s+2 of 3 expectations failed\s+Completed$/i);
    assert.equal(await head.locator('.tone-good').count(), 0);
    assert.match(
      await shownText(panel.page.locator('.failures')),
      /does not contain "euro"\.\s+Expected\s+euro\s+Actual\s+10 USD are 870 INR\.\s+As of today\.\s+It took/,
    );
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
    await panel.post(view({ row: 'r', expectations: { count: 1, failed: [failed], leftOut: 0 } }, 2));
    assert.match(await shownText(head), /^rate\s+2 of 2 expectations failed$/);
    assert.equal(await panel.page.locator('.tone-good').count(), 0);
  });

  test('grows in place, and asks its host for parts and links', async () => {
    const panel = await open();
    const view = (text: string, more: readonly SentPart[]): ResponseView => ({
      response: 3,
      title: 'grow',
      running: true,
      leftOut: 0,
      answers: [
        {
          contents: [{ kind: 'artifact', name: 'A', parts: [{ is: 'part', part: { text } }, ...more], leftOut: 0 }],
        },
      ],
    });
    await panel.post(view('One [link](https://a.example/x)\n\nTwo\n', [{ is: 'part', part: { raw: sailboat(false), filename: 'b.png' } }]));
    const block = panel.page.locator('.block').first();
    await block.evaluate(element => element.setAttribute('data-kept', ''));
    await panel.post(view('One [link](https://a.example/x)\n\nTwo\n\nThree', [{ is: 'same' }]));
    assert.equal(await panel.page.locator('.block[data-kept]').count(), 1);
    assert.match(await shownText(panel.page.locator('main')), /Three/);
    await panel.page.getByRole('link', { name: 'link' }).click();
    await panel.page.locator('.picture').click();
    await panel.page.getByRole('button', { name: 'Save…' }).last().click();
    // A part that it has never had: it asks for everything.
    await panel.post(view('One', [{ is: 'same' }, { is: 'same' }]));
    assert.deepEqual(await panel.sent(), [
      { type: 'ready' },
      { type: 'openLink', url: 'https://a.example/x' },
      { type: 'openPart', response: 3, content: 0, part: 1 },
      { type: 'savePart', response: 3, content: 0, part: 1 },
      { type: 'ready' },
    ]);
    assert.match(await shownText(panel.page.locator('main')), /Three/);
  });
});
