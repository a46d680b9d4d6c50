import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
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

suite('the preview of a response', () => {
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
      settings: { 'workbench.colorTheme': 'Dark Modern', 'editor.minimap.enabled': false },
    });
    stage.workbench.page.on('request', request => asked.push(request.url()));
    await writeFile(join(stage.folder, 'tides.a2a'), file);
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
    await workbench.command('View: Focus First Editor Group');
    await workbench.openFile('tides.a2a');
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

  test('is opened once by its lens, renders Markdown and pictures, loads nothing and asks before it follows a link', async () => {
    const { workbench } = stage;
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
    for (const [theme, name] of [
      ['Light Modern', 'light'],
      ['Dark Modern', 'dark'],
    ] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`response-preview-${name}`);
    }

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
    await workbench.screenshot('response-part');
    await workbench.command('View: Close Editor');
    await workbench.tab('chart.png').waitFor({ state: 'detached' });
    assert.deepEqual(
      asked.filter(url => url.includes('tides.example')),
      [],
    );
  });

  test('follows: the next response takes the place of the last', async () => {
    await send(1);
    const preview = await shown();
    await preview.getByRole('heading', { name: 'again' }).waitFor();
    await preview.locator('em', { hasText: 'changed' }).waitFor();
    assert.equal(await preview.getByText('Tides of the harbour').count(), 0);
    assert.equal(await stage.workbench.page.locator('.part.editor .tab', { hasText: 'Preview tides.a2a' }).count(), 1);
  });

  test('follows while all requests are sent, and shows in the end which failed', async () => {
    const { workbench } = stage;
    await send(0);
    const preview = await shown();
    const heading = (name: string) => preview.getByRole('heading', { name, exact: true });
    await heading('tides').waitFor();
    const all = async (): Promise<void> => {
      while ((await preview.getByText('running…').count()) > 0) {
        goOn();
        await workbench.page.waitForTimeout(100);
      }
    };
    await preview.getByText('running…').waitFor();
    await all();
    await heading('tides').waitFor();
    await workbench.pressLens(workbench.lens('Send All'), preview.getByText('running…'));
    await heading('tides').waitFor();
    await all();
    await heading('again').waitFor();
    await preview.getByText('The expectation does not hold').waitFor();
    await preview.locator('.failures').waitFor();
    await workbench.screenshot('response-preview-all-sent');
    // The document, behind the preview, is the same response, folded as when it is opened.
    await workbench.tab(/tides response/).click();
    await eventually(async () => assert.match(await workbench.editor().innerText(), /"request":\s"again"[^]*"exchanges":\s\[\s*\]/));
    await workbench.screenshot('response-all-sent');
    await tab().click();
    await shown();
  });

  test('is gone after a reload', async () => {
    const { workbench } = stage;
    // Out of sight, behind another tab: VS Code asks for such a panel only when it is looked at.
    await workbench.page.keyboard.press('Control+2');
    await workbench.openFile('README.md');
    await tab().waitFor();
    await workbench.reload();
    await workbench.tab('tides.a2a').waitFor();
    const group = workbench.page.locator('.editor-group-container');
    await eventually(async () => assert.deepEqual([await tab().count(), await group.count()], [0, 2]));
    await workbench.page.keyboard.press('Control+2');
    await workbench.command('View: Close Editor');
    await send(0);
    await finish();
    await workbench.pressLens(workbench.lens('Preview'), tab());
    await shown();
    await workbench.reload();
    // VS Code restores no read-only document, so their column has nothing left and goes.
    await eventually(async () => assert.deepEqual([await tab().count(), await group.count()], [0, 1]));
    await workbench.screenshot('response-preview-reloaded');
  });

  test('opens by itself where the setting says so, and grows with the answer', async () => {
    const { workbench } = stage;
    await workbench.setSettings({ 'a2a.responsePreview': true });
    await send(0);
    const preview = await shown();
    await preview.getByRole('heading', { name: 'Tides of the harbour' }).waitFor();
    await preview.getByText('running…').waitFor();
    assert.equal(await preview.locator('th').count(), 0);
    await preview.locator('main').evaluate(main => main.setAttribute('data-first', 'yes'));
    goOn();
    await preview.locator('th', { hasText: 'depth' }).waitFor();
    await workbench.screenshot('response-preview-streaming');
    await finish();
    await preview.locator('img').waitFor();
    await eventually(async () => assert.equal(await preview.getByText('running…').count(), 0));
    // The same page, not one that was loaded anew.
    await preview.locator('main[data-first=yes]').waitFor();
    await eventually(async () =>
      assert.match(await workbench.page.evaluate(() => document.activeElement?.className ?? ''), /inputarea|native-edit-context/),
    );
  });
});
