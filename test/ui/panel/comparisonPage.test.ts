import * as assert from 'node:assert/strict';
import type { ComparisonView, ShownCell } from '../../../src/chat/host/comparisonMessages.ts';
import { axeSaysInEveryTheme } from '../../support/chatHarness/axe.ts';
import type { ChatHarness } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { shownText, shownTexts } from '../../support/chatHarness/shownText.ts';
import { snapshotOf } from '../../support/chatHarness/story.ts';
import { eventually } from '../../support/eventually.ts';

const cell = (more: Partial<ShownCell> = {}): ShownCell => ({
  state: 'TASK_STATE_COMPLETED',
  text: 'Two days by boat.',
  artifacts: [],
  findings: 0,
  firstEventMs: 120,
  totalMs: 1_400,
  differs: [],
  ...more,
});
const viewOf = (more: Partial<ComparisonView> = {}): ComparisonView => ({
  type: 'view',
  contexts: ['a', 'b', 'c'],
  runs: ['JSONRPC 1.0 · 10:15:00', 'JSONRPC 0.3 · 10:15:02', 'HTTP+JSON 1.0 · 10:15:04'].map((detail, index) => ({
    agent: 'Sailboat',
    detail,
    isRunning: index === 2,
  })),
  turns: [
    { said: 'How long to the island?', cells: [cell(), cell(), cell({ text: 'Three days.', differs: ['message'] })], equal: 1 },
    {
      said: 'Book it',
      cells: [
        cell({ artifacts: ['booking: Cabin 4'] }),
        cell({
          state: 'TASK_STATE_FAILED',
          problem: 'The agent closed the connection.',
          findings: 2,
          differs: ['state', 'artifacts', 'problem', 'findings'],
        }),
        undefined,
      ],
      equal: 0,
    },
  ],
  more: 0,
  normalization: { ids: true, times: true, keyOrder: true, tolerance: 0, without: [] },
  strings: {},
  ...more,
});

suite('the page of compared runs', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;
  const open = async (view: ComparisonView, options: { readonly width?: number } = {}): Promise<void> => {
    panel = await openPanel({ page: 'comparisonPage', snapshot: snapshotOf([]), drawn: false, ...options });
    await panel.post(view);
  };
  const asked = async (): Promise<readonly unknown[]> =>
    ((await panel.sent()) as readonly { readonly type: string }[]).filter(({ type }) => type !== 'ready');

  test('is a table of messages and runs with heads, in which each difference is named', async () => {
    await open(viewOf());
    const table = panel.page.getByRole('table');
    assert.deepEqual(await shownTexts(table.getByRole('rowheader').locator('.text')), ['How long to the island?', 'Book it']);
    assert.equal(await table.getByRole('columnheader').count(), 4);
    const trimmed = async (selector: string): Promise<readonly string[]> =>
      (await shownTexts(table.locator(selector))).map(text => text.trim());
    assert.deepEqual(await trimmed('.difference'), ['differs: message', 'differs: state, artifacts, error, findings', 'only in the base']);
    assert.deepEqual(await trimmed('.same'), ['same as the base']);
    assert.equal(await table.locator('td.differs').count(), 3);
    assert.match(await shownText(table.getByRole('row').nth(1)), /1 of 2 same as the base/);
    for (const words of ['failed', 'The agent closed the connection.', '2 protocol findings', 'booking: Cabin 4', 'not sent'])
      await table.getByText(words).first().waitFor();
  });

  test('opens the chat of a run and both sides of a turn, by the keyboard', async () => {
    await open(viewOf());
    await panel.page.getByRole('button', { name: 'Sailboat' }).nth(1).press('Enter');
    await panel.page.getByRole('button', { name: 'differs: message' }).press('Enter');
    await panel.page.getByRole('button', { name: 'same as the base' }).press('Enter');
    await eventually(async () =>
      assert.deepEqual(await asked(), [
        { type: 'open', run: 1 },
        { type: 'diff', turn: 0, run: 2 },
        { type: 'diff', turn: 0, run: 1 },
      ]),
    );
  });

  test('the choice of what to ignore goes to the host, and what is being typed stays when the runs go on', async () => {
    const { normalization } = viewOf();
    await open(viewOf());
    await panel.page.getByRole('checkbox', { name: 'Times' }).uncheck();
    const members = panel.page.getByLabel('Members', { exact: true });
    await members.fill('seed, /artifacts/0/name ,');
    await panel.post(viewOf({ more: 1 }));
    await panel.page.getByText('1 more message is not shown.').waitFor();
    assert.equal(await members.inputValue(), 'seed, /artifacts/0/name ,');
    await members.press('Enter');
    await panel.page.getByLabel('Number differences up to').fill('0.5');
    await panel.page.getByLabel('Number differences up to').press('Enter');
    await eventually(async () =>
      assert.deepEqual(await asked(), [
        { type: 'normalize', normalization: { ...normalization, times: false } },
        { type: 'normalize', normalization: { ...normalization, without: ['seed', '/artifacts/0/name'] } },
        { type: 'normalize', normalization: { ...normalization, tolerance: 0.5 } },
      ]),
    );
  });

  test('in every theme, narrow and with eight runs: the table scrolls, not the page, and nothing for axe to say', async () => {
    const long = 'word '.repeat(200) + 'x'.repeat(400);
    const view = viewOf();
    await open(
      {
        ...view,
        runs: Array.from({ length: 8 }, () => view.runs[2]!),
        turns: [
          {
            said: long,
            cells: Array.from({ length: 8 }, () => cell({ text: long, problem: long, differs: ['message', 'rest'] })),
            equal: 0,
          },
          ...view.turns,
        ],
      },
      { width: 460 },
    );
    await panel.page.getByRole('table').waitFor();
    const [wide, visible] = await panel.page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(wide <= visible, `${wide} of ${visible}`);
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });
});
