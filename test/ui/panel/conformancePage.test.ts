import * as assert from 'node:assert/strict';
import type { ConformanceView, ShownResult } from '../../../src/chat/host/conformanceMessages.ts';
import type { Verdict } from '../../../src/conformance/rules/rule/verdict.ts';
import { axeSaysInEveryTheme } from '../../support/chatHarness/axe.ts';
import type { ChatHarness } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { shownText, shownTexts } from '../../support/chatHarness/shownText.ts';
import { snapshotOf } from '../../support/chatHarness/story.ts';
import { eventually } from '../../support/eventually.ts';

const verdicts: ConformanceView['verdicts'] = {
  fail: 'failed',
  warn: 'warning',
  disputed: 'disputed',
  inconclusive: 'inconclusive',
  pass: 'passed',
  'not-testable': 'not tested',
  'not-applicable': 'not applicable',
};
const result = (rule: string, verdict: Verdict, more: Partial<ShownResult> = {}): ShownResult => ({
  rule,
  title: `Title of ${rule}`,
  level: 'MUST',
  section: '3.1.2',
  family: rule.split('-')[0]!,
  interface: 0,
  verdict,
  why: `Why of ${rule}.`,
  hasExchange: true,
  ...more,
});
const countsOf = (results: readonly ShownResult[]): Record<Verdict, number> =>
  Object.fromEntries(Object.keys(verdicts).map(verdict => [verdict, results.filter(each => each.verdict === verdict).length])) as Record<
    Verdict,
    number
  >;
/** A run with these results over one or two interfaces. */
const viewOf = (results: readonly ShownResult[], more: Partial<NonNullable<ConformanceView['run']>> = {}): ConformanceView => ({
  type: 'view',
  agent: 'Lighthouse',
  run: {
    id: 1,
    when: 'today',
    remarks: [],
    interfaces: ['1.0', '0.3'].map(version => ({ title: `JSONRPC ${version} at http://a.example`, short: `JSONRPC ${version}` })),
    counts: countsOf(results),
    levels: [{ title: 'MUST', counts: countsOf(results) }],
    families: [{ key: 'PUSH', title: 'Push notifications', counts: countsOf(results) }],
    results,
    ...more,
  },
  runs: [
    { id: 1, label: 'today: 1 failed' },
    { id: 2, label: 'before: 2 failed' },
  ],
  deviations: [],
  verdicts,
  strings: {},
});

suite('the page of conformance', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;
  const open = async (view: ConformanceView, options: { readonly width?: number } = {}) => {
    panel = await openPanel({ page: 'conformancePage', snapshot: snapshotOf([]), drawn: false, ...options });
    await panel.post(view);
  };
  type Found = ReturnType<ChatHarness['page']['locator']>;
  const cell = (name: string): Found => panel.page.getByRole('button', { name, exact: true });
  const isOpen = (found: Found): Promise<string | null> => found.getAttribute('aria-expanded');
  const asked = async (): Promise<readonly unknown[]> =>
    ((await panel.sent()) as readonly { readonly type: string }[]).filter(({ type }) => type !== 'ready');

  test('in every theme, where it is narrow: nothing is cut off or scrolls sideways, nothing for axe to say', async () => {
    const results = [result('PUSH-01', 'fail'), result('STRM-01', 'warn'), result('RPC-04', 'pass'), result('CORE-11', 'disputed')];
    const long = 'word '.repeat(200) + 'x'.repeat(400);
    await open(viewOf(results, { remarks: [long], comparison: '1 fixed, 0 new since before' }), { width: 460 });
    await cell('PUSH-01, JSONRPC 1.0: failed').click();
    await panel.post({
      type: 'evidence',
      run: 1,
      index: 0,
      request: `POST http://a.example\n\n${'x'.repeat(400)}`,
      before: 'a'.repeat(300),
      marked: '{"code":-32004}',
      after: 'b',
      status: 'HTTP 200',
      bytes: 'bytes 1 to 9 are marked',
    });
    assert.equal(await shownText(panel.page.locator('mark')), '{"code":-32004}');
    await panel.page.getByText('By level and subject').click();
    const [wide, visible] = await panel.page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(wide <= visible, `${wide} of ${visible}`);
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });

  test('streams that were cut: a row for each event, with outcome and reason in words, also where it is narrow', async () => {
    const row = (after: number, how: string, outcome: string, verdict: Verdict, details?: string) => ({
      after,
      how,
      outcome,
      verdict,
      ...(details !== undefined && { details }),
    });
    const resume = {
      interface: 'JSONRPC 1.0 http://a.example',
      columns: ['Cut After Event', 'Resumed With', 'Outcome'],
      rows: [
        row(1, 'SubscribeToTask', 'same', 'pass'),
        row(2, 'SubscribeToTask', 'lost', 'fail', `Missing: "${'x'.repeat(200)}"`),
        row(3, 'SubscribeToTask', 'repeated', 'warn', 'Twice: "two "'),
        row(4, 'nothing: both were refused', 'never ended', 'fail', 'No end of the task within 10 s.'),
      ],
      remarks: ['The same message sent twice: answered with the same task.'],
    };
    const none = { ...resume, interface: 'JSONRPC 0.3 http://a.example', rows: [], remarks: ['Not applicable: a reason.'] };
    await open(viewOf([result('RPC-04', 'pass')], { resume: [resume, none] }), { width: 360 });
    await eventually(async () =>
      assert.deepEqual(
        (await shownTexts(panel.page.locator('.resume tbody tr'))).map(text => text.replaceAll(/\s+/g, ' ').slice(0, 40)),
        [
          '1 SubscribeToTask same',
          '2 SubscribeToTask lost Missing: "xxxxxxx',
          '3 SubscribeToTask repeated Twice: "two "',
          '4 nothing: both were refused never ended',
        ],
      ),
    );
    await panel.page.getByText('Not applicable: a reason.').waitFor();
    const [wide, visible] = await panel.page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(wide <= visible, `${wide} of ${visible}`);
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
  });

  test('a row opens and closes what its verdict rests on, by the mouse anywhere and by the keyboard', async () => {
    await open(viewOf([result('PUSH-01', 'fail'), result('RPC-04', 'pass')]));
    const rule = cell('PUSH-01, JSONRPC 1.0: failed');
    const head = panel.page.locator('.matrix th', { hasText: 'PUSH-01' });
    const opens = (does: () => Promise<void>, isNow: boolean): Promise<void> =>
      does().then(() => eventually(async () => assert.equal(await isOpen(rule), String(isNow))));
    await opens(() => head.click(), true);
    await panel.page.getByText('Why of PUSH-01.').waitFor();
    await opens(() => head.locator('code').click(), false);
    await opens(() => rule.press('Enter'), true);
    await opens(() => rule.press(' '), false);
  });

  test('a row opens with the worst verdict of its interfaces, a cell with its own', async () => {
    await open(viewOf([result('CORE-11', 'pass'), result('CORE-11', 'inconclusive', { interface: 1 })]));
    const cells = ['1.0: passed', '0.3: inconclusive'].map(told => cell(`CORE-11, JSONRPC ${told}`));
    const row = panel.page.locator('tr', { has: cells[0]! });
    const opened = (...wanted: readonly boolean[]): Promise<void> =>
      eventually(async () => assert.deepEqual(await Promise.all(cells.map(isOpen)), wanted.map(String)));
    await row.getByRole('rowheader').click();
    await opened(false, true);
    await row
      .getByRole('cell')
      .first()
      .click({ position: { x: 3, y: 3 } });
    await opened(true, false);
    await row.getByRole('rowheader').click();
    await opened(false, false);
  });

  test('rules are found by words, by verdict and by what changed', async () => {
    await open(
      viewOf(
        [
          result('PUSH-01', 'fail'),
          result('STRM-01', 'fail', { title: 'A stream is refused' }),
          result('RPC-04', 'pass', { change: 'fixed' }),
        ],
        {
          comparison: '1 fixed, 0 new since before',
        },
      ),
    );
    const shown = (): Promise<readonly string[]> => shownTexts(panel.page.locator('.matrix th[scope=row] code'));
    const all = ['PUSH-01', 'STRM-01', 'RPC-04'];
    const search = panel.page.getByPlaceholder('Search rules');
    assert.deepEqual(await shown(), all);
    await search.fill('stream refused');
    await eventually(async () => assert.deepEqual(await shown(), ['STRM-01']));
    await search.fill('');
    await cell('2 failed').click();
    await eventually(async () => assert.deepEqual(await shown(), ['PUSH-01', 'STRM-01']));
    await cell('2 failed').click();
    await panel.page.getByRole('button', { name: /1 fixed, 0 new/ }).click();
    await eventually(async () => assert.deepEqual(await shown(), ['RPC-04']));
    await cell('RPC-04, JSONRPC 1.0: passed').locator('.change.fixed').waitFor();
  });

  test('rules of an interface that does not answer are there for who asks for them', async () => {
    const view = viewOf([result('CORE-11', 'inconclusive', { isUnanswered: true }), result('RPC-04', 'pass', { interface: 1 })], {
      remarks: ['/dead: The interface did not answer: 1 rule is inconclusive for it.'],
    });
    await open(view);
    await panel.page.getByText(/The interface did not answer/).waitFor();
    const unanswered = cell('CORE-11, JSONRPC 1.0: inconclusive');
    assert.equal(await unanswered.count(), 0);
    await cell('1 inconclusive').click();
    await unanswered.waitFor();
  });

  test('asks the host for what it does not have', async () => {
    await open(viewOf([result('PUSH-01', 'fail')]));
    await cell('PUSH-01, JSONRPC 1.0: failed').click();
    await panel.page.getByLabel('Run').selectOption({ index: 1 });
    await cell('Export…').click();
    await cell('Check Again').click();
    await panel.post({ ...viewOf([result('PUSH-01', 'fail')]), progress: { done: 1, total: 9, what: '2/9: RPC-04' } });
    await panel.page.getByText('2/9: RPC-04').waitFor();
    await cell('Stop').click();
    assert.deepEqual(await asked(), [
      { type: 'evidence', run: 1, index: 0 },
      { type: 'show', run: 2 },
      { type: 'export' },
      { type: 'check' },
      { type: 'stop' },
    ]);
  });
});
