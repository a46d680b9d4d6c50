import * as assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { conformingAgent } from '../support/conformance/agent/conformingAgent.ts';
import { otherwise } from '../support/conformance/probeDecoy.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';
import type { ColorTheme } from '../support/vscode/workbench.ts';

/** Longest time from Stop to the end of the run, in milliseconds: much less than the 15 seconds that an answer is waited for. */
const stopMs = 5_000;

suite('runs of conformance checks', () => {
  let agent: Awaited<ReturnType<typeof conformingAgent>>;
  let stage: Stage;
  /** Texts that were sent to the agent. */
  const texts: string[] = [];
  /** How many requests for tasks are answered before the agent falls silent. */
  let answered = Number.POSITIVE_INFINITY;
  let isBroken = false;
  /** How often the agent was asked for the lists of its tasks: once in each check. */
  let asked = 0;

  suiteSetup(async () => {
    agent = await conformingAgent({
      version: '1.0',
      binding: 'JSONRPC',
      kind: 'bare',
      card: card => ({ ...card, name: 'Harbour <b>of</b> "Ships"' }),
      script: right => ({
        ...otherwise('GetTask', (request, does) => (answered-- > 0 ? does(request) : [{ stall: true }]))(right),
        ...otherwise('SubscribeToTask', (request, does) => {
          asked++;
          return isBroken ? [{ error: { code: -32001, message: '<script>alert(1)</script>' } }] : does(request);
        })(right),
        ...otherwise('SendMessage', (request, does) => {
          texts.push(JSON.stringify(request.params));
          return does(request);
        })(right),
      }),
    });
    stage = await Stage.open({ agents: {}, settings: { 'workbench.colorTheme': 'Dark Modern' } });
    await mkdir(join(stage.folder, '.vscode'), { recursive: true });
    await writeFile(settings(), JSON.stringify({ 'a2a.agents': { Harbour: { url: agent.url } } }, undefined, 2));
    await (await stage.tree()).item('Harbour').waitFor();
  });
  suiteTeardown(async () => {
    await stage?.close();
    await agent?.stop();
  });

  teardown(() => {
    answered = Number.POSITIVE_INFINITY;
  });

  const settings = (): string => join(stage.folder, '.vscode', 'settings.json');
  const page = () => webviewFrame(stage.workbench.page, 'h1:text-is("Conformance of Harbour")');
  const rows = (label: string) =>
    stage.workbench.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row', { hasText: label });
  const question = () => stage.workbench.page.getByPlaceholder('May the agent be made to work?');

  test('what to send is asked once, kept in the settings of the agent, and used by the next run', async () => {
    const { workbench } = stage;
    await workbench.command('A2A: Check Conformance…');
    await workbench.pick('Harbour');
    await rows('Choose What to Send…').click();
    for (const [number, before, text] of [
      [1, 'task', 'Name the ships'],
      [2, '', 'long'],
      [3, '', 'ask'],
      [4, '', ''],
    ] as const) {
      await workbench.page.getByText(`Check Conformance of "Harbour" (${number}/4)`).waitFor();
      await eventually(async () => assert.equal(await workbench.quickInput().inputValue(), before));
      if (number === 1) await workbench.screenshot('conformance-choose');
      await workbench.answer(text);
    }
    await rows('Task: “Name the ships”').waitFor();
    const kept = { task: 'Name the ships', 'long-task': 'long', 'input-required': 'ask' };
    await eventually(async () => {
      const written = JSON.parse(await readFile(settings(), 'utf8')) as { 'a2a.agents': { Harbour: { check: object } } };
      assert.deepEqual(written['a2a.agents'].Harbour.check, kept);
    });
    await workbench.screenshot('conformance-chosen');
    await rows('Also Make the Agent Work').click();
    const shown = await page();
    await shown.getByRole('button', { name: 'Check Again' }).waitFor();
    const sent = (text: string): boolean => texts.some(each => each.includes(JSON.stringify(text)));
    assert.ok(sent('Name the ships') && sent('long') && sent('ask') && !sent('task'), texts.join('\n'));

    texts.length = 0;
    await shown.getByRole('button', { name: 'Check Again' }).click();
    await rows('Also Make the Agent Work').click();
    await shown.getByRole('button', { name: 'Check Again' }).waitFor();
    await shown.getByText('No change since').waitFor();
    assert.ok(sent('Name the ships') && sent('long') && !sent('task'), texts.join('\n'));
    // What the check made at the agent is not between the chats.
    const tree = await stage.tree();
    await tree.inlineAction('Harbour', 'Refresh');
    await tree.item('Test runs').waitFor();
    await tree.item('New Chat').waitFor();
    assert.equal(await tree.item(/Name the ships|ask/).count(), 0);
    await tree.expand('Test runs');
    await tree.item('Name the ships').waitFor();
    await workbench.screenshot('conformance-test-runs');
  });

  test('Stop ends a run at once: what was checked is kept, and the page says how much was not', async () => {
    const { workbench } = stage;
    const shown = await page();
    const total = Number.parseInt(await shown.getByRole('button', { name: /^\d+ passed$/ }).innerText(), 10);
    const inconclusive = await shown.getByRole('button', { name: /: inconclusive$/ }).allInnerTexts();
    answered = 4;
    await shown.getByRole('button', { name: 'Check Again' }).click();
    await rows('Ask Only What Starts No Work').click();
    await eventually(() => assert.ok(answered < 0));
    // A second check of the same agent does not begin beside it.
    await workbench.command('A2A: Check Conformance…');
    await workbench.pick('Harbour');
    await shown.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    assert.equal(await question().isVisible(), false);
    await shown.getByText(/\d+\/\d+: \w+-\d+, JSONRPC 1\.0/).waitFor();
    await workbench.screenshot('conformance-running');
    const before = performance.now();
    await shown.getByRole('button', { name: 'Stop', exact: true }).click();
    await shown.getByRole('button', { name: 'Check Again' }).waitFor();
    const took = performance.now() - before;
    assert.ok(took < stopMs, `${took} ms`);
    const remark = await shown.getByText('The check was stopped').innerText();
    const [, missing = '', of = ''] = /(\d+) of (\d+) verdicts are missing/.exec(remark) ?? [];
    const passed = Number.parseInt(await shown.getByRole('button', { name: /^\d+ passed$/ }).innerText(), 10);
    assert.ok(passed > 0 && passed < total, `${passed} of ${total}`);
    assert.ok(Number(missing) > 0 && Number(missing) + passed <= Number(of), remark);
    assert.equal(await shown.getByRole('button', { name: /^\d+ failed$/ }).count(), 0);
    await eventually(async () =>
      assert.deepEqual(await shown.getByRole('button', { name: /: inconclusive$/ }).allInnerTexts(), inconclusive),
    );
    await workbench.screenshot('conformance-stopped');
    await eventually(async () => assert.equal(await shown.getByLabel('Run').locator('option').count(), 3));

    // One that is stopped while the question is open goes away with it, and nothing is kept.
    await shown.getByRole('button', { name: 'Check Again' }).click();
    await question().waitFor();
    // In a window of this size the question is above the button.
    await shown.getByRole('button', { name: 'Stop', exact: true }).dispatchEvent('click');
    await question().waitFor({ state: 'hidden' });
    await shown.getByRole('button', { name: 'Check Again' }).waitFor();
    assert.equal(await shown.getByLabel('Run').locator('option').count(), 3);
  });

  test('rules about push notifications pass through the receiver of the editor, with the deliveries behind them', async () => {
    const { workbench } = stage;
    // A published server of the SDK, which notifies.
    await writeFile(
      settings(),
      JSON.stringify({ 'a2a.agents': { Harbour: { url: agent.url }, Notifier: { url: stage.agents.urls.Sailboat } } }, undefined, 2),
    );
    await (await stage.tree()).item('Notifier').waitFor();
    const status = workbench.page.locator('.statusbar-item[id$="a2a.notificationReceiver"]');
    assert.equal(await status.count(), 0);
    await workbench.command('A2A: Check Conformance…');
    await workbench.pick('Notifier');
    await rows('Also Make the Agent Work').click();
    const shown = await webviewFrame(workbench.page, 'h1:text-is("Conformance of Notifier")');
    await status.waitFor();
    const port = /127\.0\.0\.1:(\d+)/.exec((await status.getAttribute('aria-label')) ?? (await status.innerHTML()))?.[1];
    assert.ok(port !== undefined);
    await workbench.screenshot('conformance-receiving');
    await shown.getByRole('button', { name: 'Check Again' }).waitFor({ timeout: 90_000 });
    await shown.getByText(`Push notifications of the agent were received at http://127.0.0.1:${port} for the check.`).waitFor();
    // It was off before, and is again.
    await status.waitFor({ state: 'detached' });
    await shown.getByRole('button', { name: /^\d+ passed$/ }).click();
    for (const rule of ['PUSH-05', 'PUSH-06', 'PUSH-07'])
      await shown
        .getByRole('button', { name: `${rule}: passed` })
        .first()
        .waitFor();
    await shown.getByRole('button', { name: 'PUSH-06: passed' }).first().click();
    const bearer = shown.getByText('Bearer ••••••').first();
    await bearer.waitFor();
    await bearer.scrollIntoViewIfNeeded();
    for (const [theme, name] of [
      ['Light Modern', 'light'],
      ['Dark Modern', 'dark'],
    ] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`conformance-delivery-${name}`);
    }
    await workbench.command('View: Close Editor');
    await writeFile(settings(), JSON.stringify({ 'a2a.agents': { Harbour: { url: agent.url } } }, undefined, 2));
    await (await stage.tree()).item('Notifier').waitFor({ state: 'detached' });
    // The page of the other agent is in front again for what follows.
    await workbench.command('A2A: Show Conformance');
    await workbench.pick('Harbour');
  });

  test('a report is exported in each format, and says the same everywhere', async () => {
    const { workbench } = stage;
    isBroken = true;
    const shown = await page();
    await shown.getByRole('button', { name: 'Check Again' }).click();
    await rows('Ask Only What Starts No Work').click();
    await shown.getByRole('button', { name: 'STRM-01: failed' }).waitFor();
    const exported = async (format: string, extension: string): Promise<string> => {
      const path = join(stage.folder, `report.${extension}`);
      await workbench.command('Notifications: Clear All Notifications');
      await (await page()).getByRole('button', { name: 'Export…' }).click();
      await workbench.page.getByPlaceholder('Export the report as').waitFor();
      await workbench.pick(format);
      await eventually(async () => assert.match(await workbench.quickInput().inputValue(), new RegExp(`conformance.*\\.${extension}$`)));
      await workbench.answerPath(path);
      await workbench.notified('Exported to');
      return readFile(path, 'utf8');
    };
    const html = await exported('HTML', 'html');
    assert.match(html, /Content-Security-Policy" content="default-src 'none'/);
    assert.doesNotMatch(html, /<(script|link|img|iframe|b>)/);
    assert.match(html, /&lt;script&gt;alert\(1\)/);
    assert.match(html, /Harbour &lt;b&gt;of&lt;\/b&gt;/);
    const markdown = await exported('Markdown', 'md');
    // What failed, with the interface that failed it.
    assert.match(markdown, /^\*\*1 failed, /m);
    assert.match(markdown, /^### STRM-01: JSONRPC 1\.0\b/m);
    const lines = (await exported('JSON', 'jsonl'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Readonly<Record<string, unknown>>);
    for (const line of lines)
      assert.deepEqual(
        ['rule', 'interface', 'level', 'section', 'verdict', 'why', 'exchange'].filter(key => !(key in line)),
        [],
      );
    assert.deepEqual(
      lines.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule),
      ['STRM-01'],
    );
    const junit = await exported('JUnit', 'xml');
    assert.match(junit, new RegExp(`<testsuites [^>]*tests="${lines.length}" failures="1"`));
    assert.match(junit, /<failure type="STRM-01"/);
    const badge = await exported('Badge (SVG)', 'svg');
    const musts = lines.filter(({ level }) => String(level).startsWith('MUST'));
    const kept = musts.filter(({ verdict }) => verdict === 'pass').length;
    assert.match(badge, new RegExp(`aria-label="A2A 1\\.0: ${kept} of ${kept + 1} MUST"`));
    const browser = await workbench.page
      .context()
      .browser()!
      .newContext({ colorScheme: 'dark', viewport: { width: 900, height: 1200 } });
    try {
      const report = await browser.newPage();
      await report.goto(`file://${join(stage.folder, 'report.html')}`);
      await report.getByText('STRM-01').first().waitFor();
      await report.screenshot({ path: 'test-output/screenshots/conformance-report.png' });
    } finally {
      await browser.close();
    }
  });

  test('a run that is stopped leaves the mark of the last whole one on the agent', async () => {
    const { workbench } = stage;
    const marked = (await stage.tree()).item(/Harbour.*breaks 1 rule/);
    isBroken = true;
    await workbench.command('A2A: Check Conformance…');
    await workbench.pick('Harbour');
    await rows('Ask Only What Starts No Work').click();
    const shown = await page();
    await shown.getByRole('button', { name: 'STRM-01: failed' }).waitFor();
    await marked.waitFor();
    answered = 4;
    await shown.getByRole('button', { name: 'Check Again' }).click();
    await rows('Ask Only What Starts No Work').click();
    await eventually(() => assert.ok(answered < 0));
    await shown.getByRole('button', { name: 'Stop', exact: true }).click();
    await shown.getByText('The check was stopped').waitFor();
    assert.equal(await shown.getByRole('button', { name: /^\d+ failed$/ }).count(), 0);
    await marked.waitFor();
    await workbench.screenshot('conformance-mark-stays');
  });

  /** Checks an agent of this name whose last interface breaks off, beside Harbour, and does something with its page. */
  async function withDeadInterface(name: string, alone: boolean, look: (shown: Frame) => Promise<void>): Promise<void> {
    const { workbench } = stage;
    const half = await conformingAgent({
      version: '1.0',
      binding: 'JSONRPC',
      kind: 'bare',
      card: (card, { url }) => ({
        ...card,
        supportedInterfaces: [
          ...(alone ? [] : (card.supportedInterfaces as readonly object[])),
          { url: `${url}dead`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        ],
      }),
      before: right => async (request, pass) => {
        if (request.url.startsWith('/dead')) throw new Error('breaks off');
        return right(request, pass);
      },
    });
    try {
      const agents = { Harbour: { url: agent.url }, [name]: { url: half.url } };
      await writeFile(settings(), JSON.stringify({ 'a2a.agents': agents }, undefined, 2));
      await (await stage.tree()).item(name).waitFor();
      await workbench.command('A2A: Check Conformance…');
      await workbench.pick(name);
      await rows('Ask Only What Starts No Work').click();
      await look(await webviewFrame(workbench.page, `h1:text-is("Conformance of ${name}")`));
      await workbench.command('View: Close Editor');
      await writeFile(settings(), JSON.stringify({ 'a2a.agents': { Harbour: { url: agent.url } } }, undefined, 2));
    } finally {
      await half.stop();
    }
  }

  test('an interface that does not answer is one remark, and its rules are there for who asks for them', async () => {
    await withDeadInterface('Half', true, async shown => {
      await shown.getByText(/\/dead: The interface did not answer: \d+ rules are inconclusive for it\./).waitFor();
      assert.equal(await shown.getByRole('button', { name: 'CORE-11: inconclusive' }).count(), 0);
      await stage.workbench.screenshot('conformance-dead-interface');
      await shown.getByRole('button', { name: /^\d+ inconclusive$/ }).click();
      await shown.getByRole('button', { name: 'CORE-11: inconclusive' }).waitFor();
    });
  });

  test('a row opens with the worst verdict of its interfaces, a cell with its own', async () => {
    await withDeadInterface('Both', false, async shown => {
      const cells = (['passed', 'inconclusive'] as const).map(verdict => shown.getByRole('button', { name: `CORE-11: ${verdict}` }));
      const row = shown.locator('tr', { has: cells[0] });
      const opened = async (...wanted: readonly boolean[]): Promise<void> =>
        eventually(async () =>
          assert.deepEqual(
            await Promise.all(cells.map(cell => cell.getAttribute('aria-expanded', { timeout: 1_000 }))),
            wanted.map(String),
          ),
        );
      await shown.getByText(/\/dead: The interface did not answer/).waitFor();
      await row.getByRole('rowheader').click();
      await opened(false, true);
      await stage.workbench.screenshot('conformance-two-interfaces');
      await row
        .getByRole('cell')
        .first()
        .click({ position: { x: 3, y: 3 } });
      await opened(true, false);
      await row.getByRole('rowheader').click();
      await opened(false, false);
    });
  });

  test('an agent that is checked continuously is checked after each saved file, one run after the other', async () => {
    const { workbench } = stage;
    isBroken = false;
    const tests = await workbench.view('Testing', 'Test Explorer');
    await tests.item('A2A Conformance').waitFor();
    await tests.expand('A2A Conformance');
    await tests.item('Harbour').waitFor();
    await writeFile(join(stage.folder, 'server.js'), '// the server\n');
    await workbench.openFile('server.js');
    const row = workbench.page.locator('.test-explorer .monaco-list-row', { hasText: 'Harbour' });
    await tests.inlineAction('Harbour', 'Turn on Continuous Run');
    const before = asked;
    const save = async (): Promise<void> => {
      await workbench.editor().click();
      await workbench.page.keyboard.insertText('// changed\n');
      await workbench.page.keyboard.press('Control+S');
    };
    await save();
    await row.locator('.codicon-testing-passed-icon').waitFor();
    const once = asked - before;
    assert.ok(once > 0);
    isBroken = true;
    await save();
    await row.locator('.codicon-testing-failed-icon').waitFor();
    assert.equal(asked - before, 2 * once);
    // It is no notification each time.
    assert.equal(await workbench.notification('Checking conformance').count(), 0);
    await workbench.screenshot('conformance-continuous');
  });

  test('a check on the page waits for one of the Test Explorer, and says so', async () => {
    const { workbench } = stage;
    const tests = await workbench.view('Testing', 'Test Explorer');
    await tests.item('A2A Conformance').waitFor();
    await tests.expand('A2A Conformance');
    // It stalls in the middle, until it is stopped.
    answered = 1;
    await tests.inlineAction('Harbour', 'Run Test');
    await eventually(() => assert.ok(answered < 0));
    await workbench.command('A2A: Check Conformance…');
    await workbench.pick('Harbour');
    const shown = await page();
    await shown.getByText('Waiting for another check of "Harbour" to end…').waitFor();
    assert.equal(await question().isVisible(), false);
    await workbench.screenshot('conformance-waiting');
    answered = Number.POSITIVE_INFINITY;
    await workbench.command('Test: Cancel Test Run');
    await question().waitFor();
    await rows('Ask Only What Starts No Work').click();
    await shown.getByRole('button', { name: 'Check Again' }).waitFor();
  });

  const themes: readonly ColorTheme[] = ['Light Modern', 'Default High Contrast Light', 'Default High Contrast', 'Dark Modern'];

  test('the page is readable where it is narrow, in each theme', async () => {
    const { workbench } = stage;
    await workbench.page.setViewportSize({ width: 760, height: 900 });
    await workbench.command('A2A: Show Conformance');
    await workbench.pick('Harbour');
    const shown = await page();
    await shown.getByRole('button', { name: 'STRM-01: failed' }).click();
    await shown.locator('mark').waitFor();
    const subjects = shown.getByText('By level and subject');
    for (const theme of themes) {
      const name = `conformance-narrow-${theme.toLowerCase().replaceAll(' ', '-')}`;
      await workbench.setTheme(theme);
      await subjects.click();
      await workbench.screenshot(`${name}-summary`);
      await subjects.click();
      await workbench.screenshot(name);
    }
    // Nothing is cut off or scrolls sideways.
    const [wide, visible] = await shown.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(wide <= visible, `${wide} of ${visible}`);
  });
});
