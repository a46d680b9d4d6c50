import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { translated } from '../../../scripts/translations.ts';
import type { HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { boards } from '../../support/chatHarness/hostile/boards/index.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { snapshotOf } from '../../support/chatHarness/story.ts';

/** Each sentence of the bundle without an English word. */
const strings = Object.fromEntries(
  [...(translated()[0]?.used ?? [])].map(text => [text, text.replaceAll(/[A-Za-z]+/g, word => 'é'.repeat(word.length))]),
);
const foreign = '数据';
const ofAgent: readonly string[] = ['agent', 'description', 'interface'];
/** A JSON value in which pages get these sentences, and an agent with foreign words. */
const localized = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (name, inner: unknown) =>
      name === 'strings' ? strings : ofAgent.includes(name) && inner !== 0 ? foreign : inner,
    ),
  ) as Value;

/** Words that stay: those of A2A and HTTP, keys of a keyboard, and what the boards themselves say. */
const known = new Set(
  (
    'task status artifact message error JSON HTTP MUST DATA html json Ctrl ' +
    'Words before now Messages POST SendStreamingMessage jsonrpc method params text rpc authorization note agent example'
  ).split(' '),
);
const isNoSentence = /https?:\S+|[a-z]+\/[a-z.+-]+/g;

/** Texts of a page, and the names and tooltips of its elements. */
const textsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('#root *')].flatMap(element => [
      ...[...element.childNodes].filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.textContent ?? ''),
      ...['title', 'aria-label', 'aria-description', 'placeholder', 'alt'].map(name => element.getAttribute(name) ?? ''),
    ]),
  );

suite('the pages in another language', () => {
  const openPanel = panelBrowser();

  // The boards show every place of the pages: what is on them is foreign, so that any English word is ours.
  for (const [name, board] of Object.entries(boards))
    test(`no English word is left: ${name}`, async () => {
      const panel = await openPanel({
        page: board.page,
        snapshot: localized(snapshotOf([])),
        answers: localized(board.answers) as HarnessOptions['answers'] & object,
        drawn: false,
      });
      await panel.page.evaluate(() => document.documentElement.setAttribute('lang', 'zh-CN'));
      const seen = new Set<string>();
      const look = async (): Promise<void> => {
        await panel.drawn();
        for (const text of await textsOf(panel.page)) seen.add(text);
      };
      const { answers = {}, messages, presses } = localized(board.show([() => foreign], 0));
      await panel.answer(answers as HarnessOptions['answers'] & object);
      for (const message of messages) await panel.post(message);
      await look();
      for (const selector of [...presses, '[aria-haspopup]']) {
        for (const element of (await panel.page.locator(selector).elementHandles()).slice(0, 30)) {
          await element.evaluate(each => (each as HTMLElement).click());
          await look();
        }
      }
      const english = [...seen].filter(text =>
        (text.replaceAll(isNoSentence, '').match(/[A-Za-z]{3,}/g) ?? []).some(word => !known.has(word)),
      );
      assert.ok(seen.size >= 20, `${seen.size} texts`);
      assert.deepEqual(english, []);
    });
});
