import * as assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../scripts/chromium.ts';
import { ChatHarness, type HarnessOptions } from '../support/chatHarness/chatHarness.ts';
import { everywhere, everywhereEmpty, payloads } from '../support/chatHarness/hostile.ts';
import { plainTalk } from '../support/chatHarness/stories.ts';
import { snapshotOf, Story } from '../support/chatHarness/story.ts';
import { eventually } from '../support/eventually.ts';

suite('chat panel: hostile agents', () => {
  let browser: Browser;
  let panel: ChatHarness;
  suiteSetup(async () => { browser = await launchChromium(); });
  suiteTeardown(() => browser.close());
  teardown(() => panel.close());

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await ChatHarness.open(browser, options);
    return panel;
  };

  for (const guarded of [true, false]) {
    test(`nothing runs, loads or leads away ${guarded ? 'under the policy' : 'without the policy either'}`, async function () {
      this.timeout(180_000);
      for (const story of [everywhere, everywhereEmpty]) {
        await panel?.close();
        await open({ snapshot: story('harmless'), guarded });
        for (const payload of payloads) {
          await panel.change(story(payload));
          await panel.answer({ send: { error: { message: payload, nextStep: payload } } });
          await panel.page.evaluate(provoke);
          const { executions, frames, foreign } = await panel.page.evaluate(() => ({
            executions: window.executions.length, frames: window.frames.length,
            foreign: [...document.querySelectorAll('#root :is(script, iframe, frame, object, embed, link, meta, base, form, style, video:not([src^="data:"]), audio:not([src^="data:"]), source, template, math, animate, foreignObject, marquee, [onerror], [onload], [style], a[href], area)')].map(element => element.outerHTML.slice(0, 200)),
          }));
          assert.deepEqual({ executions, frames, foreign, requests: panel.strayRequests, navigations: panel.navigations }, { executions: 0, frames: 0, foreign: [], requests: [], navigations: [] }, payload);
        }
        assert.deepEqual(panel.complaints, []);
        const asked = (await panel.sent('openLink')).map(({ params }) => new URL((params as { url: string }).url).protocol);
        assert.deepEqual([...new Set(asked)].filter(protocol => !['http:', 'https:', 'mailto:'].includes(protocol)), []);
        assert.ok(story === everywhereEmpty || asked.length > 0, 'no link was followed, so nothing was tried');
      }
    });
  }

  test('the detectors see an attack that gets through', async () => {
    await open({ snapshot: plainTalk(), guarded: false });
    await panel.page.evaluate(list => {
      for (const html of list) document.querySelector('.scroller')!.insertAdjacentHTML('beforeend', html);
    }, payloads.filter(payload => payload.startsWith('<') && !/href|http-equiv|action|srcdoc/.test(payload)));
    await panel.page.evaluate(provoke);
    await eventually(async () => assert.ok(await panel.page.evaluate(() => window.executions.length) > 5));
    assert.ok(panel.strayRequests.length > 3, panel.strayRequests.join(' '));
  });

  test('an honest link is followed, one that pretends says where it leads', async () => {
    const text = '[here](https://example.org/a) [https://bank.example](https://evil.example/login) [x](javascript:alert(1)) [a\u202eb](https://example.org/b)';
    await open({ snapshot: snapshotOf(new Story().agent(0, [{ text }]).entries) });
    assert.match(await panel.page.locator('.markdown').innerText(), /^here https:\/\/bank\.example \(https:\/\/evil\.example\/login\) x \(javascript:alert\(1\)\) a⟨U\+202E⟩b$/);
    assert.equal(await panel.page.locator('.markdown').getByRole('link').count(), 3);
  });
});

/** In the page: fires the events handlers wait for, opens what is folded, clicks every link, sends a message, and waits a moment. */
async function provoke(): Promise<void> {
  const elements = [...document.querySelectorAll<HTMLElement>('body *')];
  for (const element of elements) {
    for (const type of ['mouseover', 'mouseenter', 'pointerover', 'focus', 'error', 'load', 'toggle', 'begin', 'animationstart', 'transitionend', 'start', 'wheel', 'keydown']) element.dispatchEvent(new Event(type, { bubbles: false }));
  }
  for (const element of document.querySelectorAll<HTMLElement>('a, area, summary, [role=link], form button')) element.click();
  const box = document.querySelector('textarea');
  if (box !== null) {
    box.value = 'a';
    box.dispatchEvent(new Event('input', { bubbles: true }));
  }
  await new Promise(done => setTimeout(done));
  document.querySelector<HTMLButtonElement>('button.send')?.click();
  await new Promise(done => setTimeout(done, 5));
  await new Promise(requestAnimationFrame);
}
