import * as assert from 'node:assert/strict';
import type { ShownVersion } from '../../../src/chat/host/chatState.ts';
import type { ChatSnapshot } from '../../../src/chat/host/messages.ts';
import { axeSaysInEveryTheme } from '../../support/chatHarness/axe.ts';
import { type ChatHarness, type HarnessOptions, themeNames } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { shownText, shownTexts } from '../../support/chatHarness/shownText.ts';
import { busyDay, plainTalk, streaming, untouched } from '../../support/chatHarness/stories.ts';
import { snapshotOf, Story, task } from '../../support/chatHarness/story.ts';
import { eventually } from '../../support/eventually.ts';

suite('chat panel: looks', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;
  type Found = ReturnType<ChatHarness['page']['locator']>;

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await openPanel(options);
    return panel;
  };

  for (const [name, story] of Object.entries({ busyDay, streaming, plainTalk, untouched })) {
    test(`${name} in every theme: nothing refused by the policy, nothing for axe to say`, async () => {
      await open({ snapshot: story(), height: 2400 });
      assert.deepEqual(await axeSaysInEveryTheme(panel), []);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }

  test('a panel of 280 px keeps the name of its agent, whatever stands beside it', async () => {
    const story = busyDay();
    const name = 'Travel booking assistant';
    await open({
      snapshot: { ...story, state: { ...story.state, agent: name, unchecked: true, title: 'From Helsinki to Stockholm by boat' } },
      width: 280,
    });
    const heading = panel.page.getByRole('heading', { name });
    const { cut, right } = await heading.evaluate(element => ({
      cut: element.scrollWidth > element.clientWidth,
      right: element.getBoundingClientRect().right,
    }));
    assert.deepEqual([cut, right <= 280], [false, true]);
    // Beside it, where there is room, it gives way to the title.
    await panel.page.setViewportSize({ width: 900, height: 900 });
    assert.ok(await panel.page.locator('.header-title').isVisible());
    assert.ok(await panel.page.getByText('certificate not checked').isVisible());
  });

  test('the header of a panel of 360 px has two lines: the interface stands beside the state, the buttons beside the tabs', async () => {
    const story = busyDay();
    const its = { interface: 'Uses JSONRPC 1.0 at http://127.0.0.1:9999/', preferred: true as const, configured: true };
    await open({ snapshot: { ...story, state: { ...story.state, ...its } }, width: 360 });
    const middle = async (found: Found): Promise<number> => {
      const box = await found.boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 360);
      return box.y + box.height / 2;
    };
    const isBeside = async (one: Found, other: Found): Promise<boolean> => Math.abs((await middle(one)) - (await middle(other))) < 6;
    const { page } = panel;
    assert.ok(await isBeside(page.locator('.choice'), page.locator('.reachability')));
    assert.ok(await isBeside(page.getByRole('button', { name: 'Find in Conversation' }), page.getByRole('tab', { name: 'Wire' })));
  });

  /** Two tasks, the second of which draws another version of a boat; all else has one. */
  const boats = (): ChatSnapshot => {
    const { entries } = new Story()
      .user(0, 'Draw a boat.', { taskId: 't-1' })
      .artifact(2, 't-1', [{ text: 'A boat, red.' }], { name: 'boat.txt' })
      .artifact(3, 't-1', [{ text: 'A note.' }], { name: 'note.txt' })
      .status(4, 't-1', 'TASK_STATE_COMPLETED')
      .user(20, 'Make it blue', { taskId: 't-2' })
      .artifact(22, 't-2', [{ text: 'A boat, blue.' }], { name: 'boat.txt' })
      .status(23, 't-2', 'TASK_STATE_COMPLETED');
    const version = (seq: number, taskId: string, history: number, of: readonly [number, number]): ShownVersion => ({
      ...{ seq, taskId, history, artifactId: `x${seq}`, name: 'boat.txt' },
      ...{ version: of[0], of: of[1] },
    });
    return snapshotOf(entries, {
      preferred: true,
      checksRules: true,
      tasks: [task('t-2', 'TASK_STATE_COMPLETED', 'Make it blue', 20_000), task('t-1', 'TASK_STATE_COMPLETED', 'Draw a boat.', 0)],
      artifacts: [version(2, 't-1', 1, [1, 2]), version(3, 't-1', 2, [1, 1]), version(6, 't-2', 1, [2, 2])],
    });
  };
  const name = (words: string | RegExp): Found => panel.page.getByRole('button', { name: words });

  test('a calm chat: no number where there is one version, the interface of the card in a tooltip', async () => {
    await open({ snapshot: boats() });
    assert.deepEqual(
      (await shownTexts(panel.page.locator('.version'))).map(text => text.trim()),
      ['v1 of 2', '', 'v2 of 2'],
    );
    await name('Version of the artifact: v1').last().click();
    await panel.page.getByRole('menuitem', { name: 'Accept' }).waitFor();
    await panel.page.keyboard.press('Escape');
    const shown = panel.page.locator('.header-interface');
    assert.equal((await shownText(shown)).trim(), '');
    assert.match((await shown.getAttribute('title')) ?? '', /over JSON-RPC at/);
    const { preferred: _, ...odd } = boats().state;
    await panel.state(odd);
    await eventually(async () => assert.match(await shownText(shown), /over JSON-RPC at/));
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
  });

  test('the time bar is there while something is under way, and of a finished task on demand', async () => {
    await open({ snapshot: boats() });
    const bar = panel.page.getByRole('region', { name: 'Timeline of the task' });
    assert.equal(await bar.count(), 0);
    await name('4.0 s').click();
    await bar.getByText(/first event after 2\.0 s/).waitFor();
    await name('3.0 s').click();
    await eventually(async () =>
      assert.deepEqual(await name(/^[34]\.0 s$/).evaluateAll(all => all.map(each => each.ariaExpanded)), ['false', 'true']),
    );
    await bar.getByRole('button', { name: 'Close' }).click();
    await bar.waitFor({ state: 'detached' });
    await panel.state({ ...boats().state, running: true });
    await bar.waitFor();
  });

  test('an answer that kept every rule has a mark, which leads to its exchange; none where a rule is broken or rules are unknown', async () => {
    const { findings: _, ...calm } = boats();
    const broken = busyDay()
      .findings.map(each => ({ ...each, exchangeId: 'exchange-6' }))
      .slice(0, 1);
    await open({ snapshot: { ...calm, findings: broken } });
    const mark = name('No Protocol Findings: Show Exchange');
    assert.equal(await mark.count(), 1, 'the first task');
    await mark.click();
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('openExchange')).map(({ params }) => params),
        [{ exchangeId: 'exchange-3' }],
      ),
    );
    const { checksRules: __, ...unruled } = calm.state;
    await panel.state(unruled);
    await eventually(async () => assert.equal(await mark.count(), 0));
  });

  test('an answer has no such mark where another exchange of its turn broke a rule', async () => {
    const { findings: _, ...calm } = boats();
    const [finding] = busyDay().findings;
    const startedAt = calm.entries.find(({ kind }) => kind === 'artifact')!.at;
    await open({ snapshot: { ...calm, findings: [{ ...finding!, exchangeId: 'subscription', startedAt }] } });
    const marks = await name('No Protocol Findings: Show Exchange').all();
    assert.equal(marks.length, 1, 'the second task');
    await marks[0]!.click();
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('openExchange')).map(({ params }) => params),
        [{ exchangeId: 'exchange-6' }],
      ),
    );
  });

  test('a message under way shows for how long', async () => {
    await open({ snapshot: plainTalk() });
    assert.match(await shownText(panel.page.locator('.delivery-sending + .ticking')), /^\d+ (s|min \d+ s)$/);
  });

  test('Stop leaves the focus in the text box', async () => {
    await open({ snapshot: streaming() });
    await name('Stop').focus();
    await panel.page.keyboard.press('Enter');
    await panel.state({ ...streaming().state, stopping: true });
    await eventually(async () => assert.equal(await panel.page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA'));
  });

  test('Ctrl+Escape in the text box stops while something runs', async () => {
    await open({ snapshot: { ...plainTalk(), state: { ...plainTalk().state, running: false } } });
    await panel.page.getByRole('textbox').press('Control+Escape');
    await panel.state(streaming().state);
    await name('Stop').waitFor();
    await panel.page.getByRole('textbox').press('Escape');
    await panel.page.getByRole('textbox').press('Control+Escape');
    await eventually(async () => assert.equal((await panel.sent('stop')).length, 1));
  });

  test('a page that gets the focus late has it in the text box, but where text is selected', async () => {
    await open({ snapshot: plainTalk() });
    const focused = (): Promise<string | undefined> =>
      panel.page.evaluate(() => {
        (document.activeElement as HTMLElement).blur();
        window.dispatchEvent(new Event('focus'));
        return document.activeElement?.tagName;
      });
    await panel.page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('.bubble .plain')!));
    assert.equal(await focused(), 'BODY');
    await panel.page.evaluate(() => getSelection()?.removeAllRanges());
    assert.equal(await focused(), 'TEXTAREA');
  });

  test('the colors of tasks stand out in every theme', async () => {
    await open({ snapshot: plainTalk() });
    for (const theme of themeNames) {
      await panel.setTheme(theme);
      const faint = await panel.page.evaluate(() => {
        // Drawn, so that the browser makes red, green and blue of any notation.
        const context = document.createElement('canvas').getContext('2d')!;
        const luminance = (color: string): number => {
          context.fillStyle = getComputedStyle(document.body).getPropertyValue('--vscode-editor-background');
          context.fillRect(0, 0, 1, 1);
          context.fillStyle = color;
          context.fillRect(0, 0, 1, 1);
          const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map(value =>
            value <= 10 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4,
          );
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const background = luminance('transparent');
        return [1, 2, 3, 4, 5, 6].flatMap(n => {
          const element = document.body.appendChild(document.createElement('div'));
          element.className = `task-${n}`;
          element.style.color = 'var(--task)';
          const shown = luminance(getComputedStyle(element).color);
          const contrast = (Math.max(shown, background) + 0.05) / (Math.min(shown, background) + 0.05);
          return contrast < 3 ? [`task-${n} ${contrast.toFixed(1)}`] : [];
        });
      });
      assert.deepEqual(faint, [], theme);
    }
  });

  test('code has contrast in every theme, whatever is in it', async () => {
    const code = {
      python:
        '@cached\nclass Boat(Hull):\n    # Floats.\n    def sail(self, wind: int = 3) -> str:\n        return f"{wind} knots" if wind > 2 else None',
      ts: 'export class Boat<T> extends Hull implements Sails {\n  readonly #wind: number = 3; // knots\n  sail(at: Date): string { return `${this.#wind} ${at}`; }\n}\nconsole.log(new Boat<Date>(), /a+/u, true);',
      java: '@Override\npublic final class Boat extends Hull { static int n = 1; }',
      go: 'type Boat struct { Wind int }\nfunc (b *Boat) Sail() error { return nil }',
      sql: "SELECT name, count(*) FROM boats WHERE wind > 3 AND name <> 'x';",
      bash: 'for f in *.txt; do echo "$f" | grep -c boat; done # all',
      xml: '<!-- a --><boat wind="3"><![CDATA[x]]></boat>',
      css: '.boat > #sail:hover { color: #fff; width: 3px }',
      yaml: 'boat: &a\n  wind: 3\n  on: true',
      diff: '@@ -1 +1 @@\n-a\n+b',
      json: '{ "wind": 3, "on": null }',
    };
    const text = Object.entries(code)
      .map(([language, words]) => `\`\`\`${language}\n${words}\n\`\`\``)
      .join('\n\n');
    await open({ snapshot: snapshotOf(new Story().user(0, 'Code?').agent(1, [{ text }]).entries), height: 2400 });
    await panel.page.locator('.class_').first().waitFor();
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
  });
});
