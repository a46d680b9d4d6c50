import * as assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import type { Step } from '../../src/mock/script.ts';
import { scriptedAgent, type ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import { textOf } from '../../src/protocol/message/part.ts';
import { sailboat } from '../support/chatHarness/story.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';
import { webviewFrame, webviewFrames } from '../support/vscode/webviewFrame.ts';

/** Two requests, so that the response of the one takes the place of the other's. */
const file = `{
  "agent": "Reporter",
  "requests": [
    { "name": "tides", "message": "Report the tides" },
    { "name": "again", "message": "Once more", "expect": { "text": "Nothing has changed." } }
  ]
}
`;

const report = [
  '# Tides of the harbour\n\nHigh water is at **06:12**, see [the table](https://tides.example/today).\n\n',
  '| quay | depth |\n| --- | ---: |\n| north | 7.4 m |\n| south | 5.1 m |\n\n',
  '```python\nprint("tide")\n```\n\n![chart](https://tides.example/chart.png)\n\n<img src="https://tides.example/pixel.png">\n',
];

const page = '.response';

const checks = `{
  "agent": "Currency",
  "requests": [
    { "name": "ask", "message": "How much is {{amount}} {{currency}}?" },
    {
      "name": "answer", "after": "ask", "message": "EUR",
      "expect": { "state": "completed", "text": "EUR" }
    },
    {
      "name": "wrong", "message": "Convert {{amount}} {{currency}} to EUR",
      "expect": { "state": "failed" }
    }
  ],
  "variables": { "amount": 10, "currency": "USD" }
}
`;

suite('request files and their responses', () => {
  let agent: ScriptedAgent;
  let stage: Stage;
  /** Lets the agent go on to the next piece. */
  let goOn = (): void => {};
  const asked: string[] = [];

  suiteSetup(async () => {
    agent = scriptedAgent({
      version: '1.0',
      script: {
        async *SendStreamingMessage({ params }): AsyncGenerator<Step> {
          const words = textOf(params?.message.parts ?? []);
          const ids = { taskId: `t-${words}`, contextId: 'c' };
          const artifact = (artifactId: string, name: string, parts: readonly object[], more: object = {}) =>
            ({ event: { artifactUpdate: { ...ids, artifact: { artifactId, name, parts }, ...more } } }) as Step;
          yield { event: { task: { id: ids.taskId, contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } } };
          if (words === 'Once more') yield artifact('note', 'note', [{ text: 'Nothing has *changed*.' }]);
          else {
            for (const [index, text] of report.entries()) {
              yield artifact('report', 'Report', [{ text }], { append: index > 0, lastChunk: index === report.length - 1 });
              await new Promise<void>(resolve => {
                goOn = resolve;
              });
            }
            yield artifact('chart', 'Chart', [{ raw: sailboat(false), mediaType: 'image/png', filename: 'chart.png' }]);
          }
          yield {
            event: {
              statusUpdate: {
                ...ids,
                status: {
                  state: 'TASK_STATE_COMPLETED',
                  message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'All _told_.' }] },
                },
              },
            },
          };
        },
      },
    });
    await agent.start();
    stage = await Stage.open({
      agents: { Reporter: agent.url },
      withAgents: ['Currency'],
      pace: 0,
      settings: { 'workbench.colorTheme': 'Dark Modern', 'editor.minimap.enabled': false },
    });
    stage.workbench.page.on('request', request => asked.push(request.url()));
    await writeFile(join(stage.folder, 'tides.a2a'), file);
    await writeFile(join(stage.folder, 'checks.a2a'), checks);
  });
  suiteTeardown(async () => {
    await stage.close();
    await agent.stop();
  });

  const shown = (): Promise<Frame> => webviewFrame(stage.workbench.page, page);
  const tab = () => stage.workbench.tab('Preview tides.a2a');
  /** Sends the request with this number and waits until its response is there, as far as the agent tells it for now. */
  const send = async (number: number): Promise<void> => {
    const { workbench } = stage;
    await workbench.pressLens(workbench.lens('Send Request').nth(number), workbench.tab(/tides response/));
  };
  const finish = async (): Promise<void> => {
    const completed = stage.workbench.lens(/completed/);
    while (!(await completed.first().isVisible())) {
      goOn();
      await stage.workbench.page.waitForTimeout(100);
    }
  };

  /** Titles of the tabs of a column, by its position from 0. */
  const tabsOf = async (column: number): Promise<readonly string[]> => {
    const titles = await stage.workbench.page.locator('.editor-group-container').nth(column).locator('.tab .label-name').allInnerTexts();
    return titles.map(title => title.trim());
  };

  test('the preview of a response is opened once by its lens, renders Markdown and pictures, loads nothing and asks before it follows a link', async () => {
    const { workbench } = stage;
    await workbench.openFile('tides.a2a');
    await send(0);
    await finish();
    assert.equal((await webviewFrames(workbench.page, page)).length, 0, 'nobody asked for a preview');
    // A response is no file in a folder.
    const inResponse = workbench.page.locator('.editor-group-container').nth(1);
    assert.equal(await inResponse.locator('.breadcrumbs-below-tabs:not(.hidden) .monaco-breadcrumb-item').count(), 0);
    await workbench.pressLens(workbench.lens('Preview'), tab());
    const preview = await shown();
    // A tab beside the document, not a third column.
    assert.deepEqual(
      (await tabsOf(1)).map(title => title.replace('.json', '')),
      ['tides response', 'Preview tides.a2a'],
    );
    await preview.getByRole('heading', { name: 'Tides of the harbour' }).waitFor();
    await preview.locator('th', { hasText: 'depth' }).waitFor();
    await preview.locator('em', { hasText: 'told' }).waitFor();
    await preview.locator('.hljs-string', { hasText: 'tide' }).waitFor();
    const picture = preview.locator('img');
    await eventually(async () => assert.ok(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0)));
    assert.match((await picture.getAttribute('src')) ?? '', /^data:image\/png;base64,/);
    assert.equal(await preview.locator('img').count(), 1, 'a picture of the network was made an element');
    await preview.locator('.html', { hasText: '<img src=' }).waitFor();
    // The answer, not what is below it in the document.
    assert.doesNotMatch(await preview.locator('main').innerText(), /exchanges|timings/);

    await preview.getByRole('link', { name: 'the table' }).click();
    const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: 'An agent wrote this link' });
    await dialog.waitFor();
    await eventually(async () => assert.match(await dialog.innerText(), /https:\/\/tides\.example\/today/));
    await workbench.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await picture.click();
    await workbench.tab('chart.png').waitFor();
    await webviewFrame(workbench.page, 'body.image:not(.loading) img');
    // Of a part, the breadcrumbs tell the name alone, not the key that we have for it.
    await eventually(async () =>
      assert.match(
        await workbench.page.locator('.editor-group-container.active .breadcrumbs-below-tabs').innerText(),
        /^chart\.png\s+Image Preview$/,
      ),
    );
    await workbench.command('View: Close Editor');
    await workbench.tab('chart.png').waitFor({ state: 'detached' });
    assert.deepEqual(
      asked.filter(url => url.includes('tides.example')),
      [],
    );
  });

  test('the preview follows while all requests are sent, and shows in the end which failed', async () => {
    const { workbench } = stage;
    // The next response takes the place of the last.
    await send(1);
    const preview = await shown();
    const heading = (name: string) => preview.getByRole('heading', { name, exact: true });
    await heading('again').waitFor();
    await preview.locator('em', { hasText: 'changed' }).waitFor();
    assert.equal(await preview.getByText('Tides of the harbour').count(), 0);
    assert.equal(await workbench.page.locator('.part.editor .tab', { hasText: 'Preview tides.a2a' }).count(), 1);
    const all = async (): Promise<void> => {
      while ((await heading('again').count()) === 0 || (await preview.getByText('running…').count()) > 0) {
        goOn();
        await workbench.page.waitForTimeout(100);
      }
    };
    await workbench.pressLens(workbench.lens('Send All'), preview.getByText('running…'));
    await heading('tides').waitFor();
    await all();
    await preview.getByText('Expectation failed').waitFor();
    await preview.locator('.failures').waitFor();
    // The document, behind the preview, is the same response, folded as when it is opened.
    await workbench.tab(/tides response/).click();
    await eventually(async () => assert.match(await workbench.editor().innerText(), /"request":\s"again"[^]*"exchanges":\s\[\s*\]/));
    await tab().click();
    await shown();
  });

  const lens = (text: string | RegExp) => stage.workbench.lens(text);

  test('the next response takes the place of the one before, and nothing of that stays folded over it', async () => {
    const { page } = stage.workbench;
    await stage.workbench.command('View: Close All Editors');
    const one = (name: string, more = ''): string => `    { "name": "${name}", "message": "Convert 10 USD to EUR"${more} }`;
    await writeFile(
      join(stage.folder, 'twice.a2a'),
      `{\n  "agent": "Currency",\n  "requests": [\n${one('plain')},\n${one('expecting', ', "expect": { "state": "completed" }')}\n  ]\n}\n`,
    );
    await stage.workbench.openFile('twice.a2a');
    const line = (text: string | RegExp) => page.locator('.view-line', { hasText: text }).first();
    // What is below the answer is folded, so that the last member is on the first screen.
    const isFolded = async (name: string): Promise<void> => {
      await line(new RegExp(`"request":.*"${name}"`)).waitFor();
      await line('"exchanges"').waitFor();
      await eventually(async () => assert.equal(await page.locator('.view-line', { hasText: 'totalMs' }).count(), 0));
    };
    await stage.workbench.pressLens(lens('Send Request').first(), lens('completed').first());
    await isFolded('plain');
    await stage.workbench.pressLens(lens('Send Request').last(), line(/"request":.*"expecting"/));
    await isFolded('expecting');
    await line(/"kind":.*"state"/).waitFor();
    assert.equal(await page.locator('.tab', { hasText: /twice response/ }).count(), 1);
    await stage.workbench.command('View: Close All Editors');
  });

  test('a printed body with a fault comes in without it, and may come in as a request', async () => {
    const { page } = stage.workbench;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await writeFile(join(stage.folder, 'printed.a2a'), '\n');
    await stage.workbench.openFile('printed.a2a');
    await stage.workbench.editor().click();
    await page.evaluate(
      text => navigator.clipboard.writeText(text),
      '{\n  "jsonrpc": "2.0",\n  "id": "req-7", // an id\n  "method": "message/send"\n  "params": { "message": { "messageId": "1", "role": "user", "parts": [{ "kind": "text", "text": "hi" }], } }\n}',
    );
    await page.keyboard.press('Control+V');
    await eventually(async () =>
      assert.match(await stage.workbench.editor().innerText(), /"id":\s"req-7",\s*[^]*"method":\s"message\/send",/),
    );
    await page.locator('.post-edit-widget').click();
    await page.locator('.action-widget .monaco-list-row', { hasText: 'Insert as Written, Repaired' }).waitFor();
    await page.locator('.action-widget .monaco-list-row', { hasText: 'Insert as A2A Request' }).click();
    await eventually(async () => assert.match(await stage.workbench.editor().innerText(), /"waitFor":\s"response"/));
    await stage.workbench.command('View: Revert and Close Editor');
  });

  test('several lines that are pasted into a message become lines, with what stands around them', async () => {
    const { page } = stage.workbench;
    await writeFile(join(stage.folder, 'lines.a2a'), '{ "agent": "Currency", "message": "Please: " }\n');
    await stage.workbench.openFile('lines.a2a');
    await stage.workbench.press(stage.workbench.editor().getByText('"Please:'));
    await page.keyboard.press('End');
    // Before the closing quote and brace.
    for (let count = 0; count < 3; count++) await page.keyboard.press('ArrowLeft');
    await page.evaluate(text => navigator.clipboard.writeText(text), 'one\n  "two"\nthree');
    await page.keyboard.press('Control+V');
    const text = async (): Promise<string> => (await stage.workbench.editor().innerText()).replaceAll('\u00a0', ' ');
    const asLines = page.locator('.action-widget .monaco-list-row', { hasText: 'Insert as Lines' });
    if (!(await text()).includes('"lines"')) {
      await page.locator('.post-edit-widget').click();
      await asLines.click();
    }
    await eventually(async () => assert.match(await text(), /"lines": \[\s*[^]*"Please: one",\s*[^]*" {2}\\"two\\"",\s*[^]*"three"/));
    await stage.workbench.command('View: Revert and Close Editor');
  });

  test('the path above the text leads to the request, not through its JSON', async () => {
    const { page } = stage.workbench;
    await stage.workbench.openFile('checks.a2a');
    await page.locator('.statusbar-item[id$="a2a.environment"]', { hasText: 'No Environment' }).waitFor();
    await stage.workbench.press(stage.workbench.text(/^"answer"$/));
    await eventually(async () =>
      assert.match(await page.locator('.breadcrumbs-below-tabs:not(.hidden)').first().innerText(), /^checks\.a2a\s+A2A\s+answer$/),
    );
  });

  test('a test that runs continuously runs when its file is saved', async () => {
    const { page } = stage.workbench;
    await writeFile(
      join(stage.folder, 'saved.a2a'),
      '{ "agent": "Currency", "requests": [{ "name": "saved", "message": "Convert 10 USD to EUR", "expect": { "text": "EUR" } }] }\n',
    );
    await stage.workbench.openFile('saved.a2a');
    const tests = await stage.workbench.view('Testing', 'Test Explorer');
    await tests.inlineAction('saved.a2a', 'Turn on Continuous Run');
    for (const [find, put, verdict] of [
      ['"EUR" }', '"GBP" }', '✗1'],
      ['"GBP" }', '"EUR" }', '✓1'],
    ] as const) {
      const text = await readFile(join(stage.folder, 'saved.a2a'), 'utf8');
      await stage.workbench.editor().click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text.replace(find, put));
      await page.keyboard.press('Control+S');
      await lens(verdict).waitFor();
    }
  });
});
