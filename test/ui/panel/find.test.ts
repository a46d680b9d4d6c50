import * as assert from 'node:assert/strict';
import type { FoundEntry } from '../../../src/chat/host/messages.ts';
import type { Entry } from '../../../src/protocol/message/transcript.ts';
import { axeSaysInEveryTheme } from '../../support/chatHarness/axe.ts';
import type { Answers, ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { busyDay } from '../../support/chatHarness/stories.ts';
import { snapshotOf, storyStart } from '../../support/chatHarness/story.ts';
import { eventually } from '../../support/eventually.ts';
import { shownText } from '../../support/chatHarness/shownText.ts';

/** A conversation of that many messages, of which every tenth speaks of a sailboat. */
const talk = (from: number, to: number): Entry[] =>
  Array.from({ length: to - from }, (_, index) => {
    const seq = from + index;
    const text = `Number ${seq}. ${'Words that fill a line or two. '.repeat(4)}${seq % 10 === 0 ? 'A **red** sail`boat`, 帆船.' : ''}`;
    return {
      kind: 'message',
      seq,
      at: storyStart + seq,
      message: { messageId: `m${seq}`, role: seq % 2 === 0 ? 'ROLE_AGENT' : 'ROLE_USER', parts: [{ text }] },
    };
  });
const found = (...seqs: number[]): FoundEntry[] => seqs.map(seq => ({ seq, times: 1 }));

suite('chat panel: find', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: Partial<HarnessOptions> = {}): Promise<void> => {
    const snapshot = { ...snapshotOf(talk(1000, 1060)), more: true };
    panel = await openPanel({ snapshot, answers: { find: { result: { found: found(30, 1010, 1050) } } }, ...options });
  };
  const box = (): ReturnType<ChatHarness['page']['locator']> => panel.page.getByRole('textbox', { name: 'Find' });
  const count = (): Promise<string> => shownText(panel.page.locator('.find-count'));
  const says = (text: string): Promise<void> => eventually(async () => assert.equal(await count(), text));
  const marked = (): Promise<{ all: string[]; current: string[] }> =>
    panel.page.evaluate(() => {
      const words = (name: string): string[] => [...(CSS.highlights.get(name) ?? [])].map(String);
      return { all: words('found'), current: words('found-current') };
    });
  const top = (): Promise<number> => panel.page.locator('.scroller').evaluate(element => element.scrollTop);

  test('what is in a part of a text that is not drawn is opened at its line', async () => {
    const text = `${'line\n'.repeat(30_000)}needle`;
    const message = { messageId: 'm', role: 'ROLE_AGENT' as const, parts: [{ text, mediaType: 'text/x-python' }] };
    await open({
      snapshot: snapshotOf([{ kind: 'message', seq: 7, at: storyStart, message }]),
      answers: { find: { result: { found: found(7) } }, findLine: { result: { part: 0, line: 30_001 } } },
    });
    await panel.page.keyboard.press('Control+f');
    await box().fill('needle');
    await says('? of 1');
    await box().press('Enter');
    await panel.page.getByRole('button', { name: 'Open at Line 30001' }).click();
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('openPart')).map(({ params }) => params),
        [{ seq: 7, part: 0, line: 30_001 }],
      ),
    );
    assert.deepEqual(
      (await panel.sent('findLine')).map(({ params }) => params),
      [{ text: 'needle', matchCase: false, seq: 7, nth: 0 }],
    );
    await box().fill('line');
    await eventually(async () => assert.equal(await panel.page.getByRole('button', { name: /Open at Line/ }).count(), 0));
  });

  test('the bar in every theme: nothing for axe to say', async () => {
    await open({
      snapshot: busyDay(),
      answers: { find: { result: { found: [{ seq: busyDay().entries.at(-1)!.seq, times: 3 }] } } },
    });
    await panel.page.keyboard.press('Control+f');
    await box().fill('cur');
    await says('? of 3');
    await box().press('Enter');
    await eventually(async () => assert.deepEqual((await marked()).current, ['cur']));
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });

  test('words are marked across bold and code without a move of the page, and walked through with the keyboard', async () => {
    await open();
    await panel.page.getByRole('textbox', { name: /Message/ }).focus();
    const before = await top();
    await panel.page.keyboard.press('Control+f');
    // Letter by letter in one task: a busy machine can take longer over keys than the panel waits for the next.
    await box().evaluate((field, words) => {
      for (let length = 1; length <= words.length; length++) {
        (field as HTMLInputElement).value = words.slice(0, length);
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }
    }, 'red sailboat');
    await says('? of 3');
    assert.deepEqual(
      (await panel.sent('find')).map(({ params }) => params),
      [{ text: 'red sailboat', matchCase: false }],
    );
    assert.deepEqual(
      (await marked()).all,
      Array.from({ length: 6 }, () => 'red sailboat'),
    );
    assert.equal(await top(), before);
    await panel.page.keyboard.press('Enter');
    await says('3 of 3');
    await eventually(async () => assert.deepEqual((await marked()).current, ['red sailboat']));
    await panel.page.keyboard.press('Shift+Enter');
    await says('2 of 3');
    await eventually(async () =>
      assert.equal(await panel.page.locator('[data-row="1010"]').evaluate(row => row.getBoundingClientRect().top > 0), true),
    );
    await panel.page.keyboard.press('F3');
    await says('3 of 3');
    await panel.page.keyboard.press('Alt+c');
    await eventually(async () => assert.deepEqual((await panel.sent('find')).at(-1)?.params, { text: 'red sailboat', matchCase: true }));
    await panel.page.keyboard.press('Escape');
    assert.equal(await panel.page.locator('.find-bar').count(), 0);
    assert.deepEqual(await marked(), { all: [], current: [] });
    assert.equal(await panel.page.getByRole('textbox', { name: /Message/ }).evaluate(element => element === document.activeElement), true);
  });

  test('what is far back is gone to with its neighbours, and the way to the end leads over pages', async () => {
    const around: Answers = {
      around: { result: { entries: talk(20, 60), older: true, newer: true } },
      newer: { result: { entries: talk(60, 90), more: true } },
    };
    await open({ answers: { find: { result: { found: found(30) } }, ...around } });
    await panel.page.getByRole('button', { name: /Find in Conversation/ }).click();
    await box().fill('帆船');
    await says('? of 1');
    await box().press('Enter');
    await eventually(async () => assert.deepEqual((await marked()).current, ['帆船']));
    assert.equal(await box().evaluate(element => element === document.activeElement), true);
    assert.deepEqual(
      (await panel.sent('around')).map(({ params }) => params),
      [{ seq: 30 }],
    );
    assert.equal(
      await panel.page.locator('[data-row="30"]').evaluate(row => {
        const { top: above, bottom } = row.getBoundingClientRect();
        return above >= 0 && bottom <= innerHeight;
      }),
      true,
    );
    await panel.update({ type: 'put', entry: talk(2000, 2001)[0]! });
    assert.equal(await panel.page.locator('[data-row="2000"]').count(), 0);
    await panel.page.locator('.scroller').evaluate(element => {
      element.scrollTop = element.scrollHeight;
    });
    await panel.page.locator('[data-row="89"]').waitFor({ state: 'attached' });
    assert.deepEqual((await panel.sent('newer'))[0]?.params, { after: 59 });
    await panel.answer({ older: { result: { entries: talk(1950, 2001), more: true } } });
    await panel.page.locator('.to-end').click();
    await panel.page.locator('[data-row="2000"]').waitFor();
    assert.equal(await panel.page.locator('[data-row="30"]').count(), 0);
    await eventually(async () =>
      assert.equal(
        await panel.page.locator('.scroller').evaluate(element => element.scrollHeight - element.scrollTop - element.clientHeight < 2),
        true,
      ),
    );
  });

  test('nothing found is said, and nothing is marked', async () => {
    await open({ answers: { find: { result: { found: [] } } } });
    await panel.page.keyboard.press('Control+f');
    await box().fill('submarine');
    await says('No results');
    assert.equal(await panel.page.locator('.find-box.nothing').count(), 1);
    assert.deepEqual(await marked(), { all: [], current: [] });
  });
});
