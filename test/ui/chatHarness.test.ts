import * as assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../scripts/chromium.ts';
import type { ChatState } from '../../src/chat/messages.ts';
import type { Entry } from '../../src/protocol/transcript.ts';
import { eventually } from '../support/eventually.ts';
import { axeSays } from '../support/chatHarness/axe.ts';
import { ChatHarness, type HarnessOptions, themeNames } from '../support/chatHarness/chatHarness.ts';
import { everywhere, everywhereEmpty, payloads } from '../support/chatHarness/hostile.ts';
import { busyDay, plainTalk, streaming, untouched } from '../support/chatHarness/stories.ts';
import { sailboat, snapshotOf, Story, storyStart, task } from '../support/chatHarness/story.ts';

/** A long conversation: `count` entries with growing seq, ending at `last`. */
function talk(count: number, last = count): Entry[] {
  return Array.from({ length: count }, (_, index) => {
    const seq = last - count + 1 + index;
    const message = { messageId: `m${seq}`, role: seq % 2 === 0 ? 'ROLE_AGENT' as const : 'ROLE_USER' as const, parts: [{ text: `Number ${seq}. ${'Words that fill a line or two. '.repeat(6)}` }] };
    return { kind: 'message', seq, at: storyStart + seq, message };
  });
}

suite('chat panel', () => {
  let browser: Browser;
  let panel: ChatHarness;
  suiteSetup(async () => { browser = await launchChromium(); });
  suiteTeardown(() => browser.close());
  teardown(() => panel.close());

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await ChatHarness.open(browser, options);
    return panel;
  };
  const composer = (): ReturnType<ChatHarness['page']['locator']> => panel.page.getByRole('textbox');
  const scroll = (): Promise<{ top: number; end: number }> => panel.page.locator('.scroller').evaluate(box => ({ top: box.scrollTop, end: box.scrollHeight - box.clientHeight - box.scrollTop }));

  suite('looks', () => {
    for (const theme of themeNames) {
      for (const [name, story] of Object.entries({ busyDay, streaming, plainTalk, untouched })) {
        test(`${name} in ${theme}: nothing refused by the policy, nothing for axe to say`, async () => {
          await open({ snapshot: story(), theme, height: 2400 });
          assert.deepEqual(await axeSays(panel.page), []);
          assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
        });
      }
    }
  });

  suite('interface and extensions', () => {
    const idle = (state: Partial<ChatState>): HarnessOptions => ({ snapshot: { ...plainTalk(), state: { ...plainTalk().state, ...state } } });
    const missing = { known: 2, on: 1, missing: ['https://example.org/ext/signed'] };

    test('the sentence leads to the choice, for an agent that can be changed', async () => {
      await open(idle({ extensions: { known: 2, on: 1, missing: [] } }));
      await panel.page.getByRole('button', { name: /Choose another interface/ }).click();
      await panel.page.getByRole('button', { name: '1 extension on' }).click();
      await eventually(async () => assert.deepEqual((await panel.sent()).map(({ name }) => name).slice(1), ['chooseInterface', 'chooseExtensions']));
      await panel.state({ ...plainTalk().state, configured: false });
      assert.equal(await panel.page.locator('.choice').count(), 0);
      await panel.page.getByText('the first interface of the card').waitFor();
    });

    test('a required extension that is off is asked about before anything is sent', async () => {
      await open(idle({ extensions: missing }));
      await composer().fill('one');
      await composer().press('Enter');
      const alert = panel.page.getByRole('alert').filter({ hasText: 'https://example.org/ext/signed' });
      await alert.waitFor();
      assert.deepEqual(await panel.sent('send'), []);
      await alert.getByRole('button', { name: 'Dismiss' }).click();
      assert.equal(await composer().inputValue(), 'one');
      await composer().press('Enter');
      await alert.getByRole('button', { name: 'Turn On and Send' }).click();
      await eventually(async () => assert.deepEqual((await panel.sent()).map(({ name }) => name).slice(1), ['turnOnExtensions', 'send']));
    });

    test('what is sent anyway is asked about once; other extensions are asked about again', async () => {
      await open(idle({ extensions: missing }));
      await composer().fill('one');
      await composer().press('Enter');
      await panel.page.getByRole('button', { name: 'Send Anyway' }).click();
      await eventually(async () => assert.equal((await panel.sent('send')).length, 1));
      await composer().fill('two');
      await composer().press('Enter');
      await eventually(async () => assert.equal((await panel.sent('send')).length, 2));
      await panel.state({ ...plainTalk().state, extensions: { ...missing, missing: ['https://example.org/ext/other'] } });
      await composer().fill('three');
      await composer().press('Enter');
      await panel.page.getByRole('button', { name: 'Send Anyway' }).waitFor();
      assert.equal((await panel.sent('send')).length, 2);
    });

    test('what cannot be turned on stays asked about, with the error', async () => {
      await open(idle({ extensions: missing }));
      await panel.answer({ turnOnExtensions: { error: { message: 'The settings could not be written.' } } });
      await composer().fill('one');
      await composer().press('Enter');
      await panel.page.getByRole('button', { name: 'Turn On and Send' }).click();
      await panel.page.getByRole('alert').getByText('The settings could not be written.').waitFor();
      assert.deepEqual([(await panel.sent('send')).length, await composer().inputValue()], [0, 'one']);
    });
  });

  suite('deviations from the protocol', () => {
    const marks = (): ReturnType<ChatHarness['page']['locator']> => panel.page.locator('.findings-mark');
    const list = (): ReturnType<ChatHarness['page']['locator']> => panel.page.locator('.findings-list:popover-open');

    test('a mark says how many; pointed at it says how, as text; pressed it opens the exchange at the finding', async () => {
      await open({ snapshot: busyDay() });
      assert.deepEqual(await marks().allInnerTexts(), [' 2 deviations', ' 1 deviation'].map(text => text.trim()));
      assert.equal(await marks().first().getAttribute('aria-label'), '2 deviations from the protocol: DATA-04, DATA-01. Show exchange');
      await marks().first().hover();
      await list().waitFor();
      const words = await list().innerText();
      for (const wanted of ['DATA-04', 'Timestamps are ISO 8601 in UTC', '/status/timestamp · MUST · A2A 1.0 §5.6.1 · 4 times', '[messageId](https://evil.example)', '<b>bold</b>']) {
        assert.ok(words.includes(wanted), wanted);
      }
      await marks().first().click();
      await list().getByRole('button', { name: 'DATA-01' }).click();
      await eventually(async () => assert.deepEqual((await panel.sent('openExchange')).map(({ params }) => params),
        [{ exchangeId: 'exchange-6', finding: 0 }, { exchangeId: 'exchange-6', finding: 2 }]));
      await panel.page.mouse.move(0, 0);
      await panel.page.getByRole('textbox').focus();
      await list().waitFor({ state: 'detached' });
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });

    test('the keyboard shows the list, walks through it and Escape puts it away', async () => {
      await open({ snapshot: busyDay() });
      await marks().first().focus();
      await list().waitFor();
      await panel.page.keyboard.press('Tab');
      await panel.page.keyboard.press('Tab');
      await panel.page.keyboard.press('Enter');
      await eventually(async () => assert.deepEqual((await panel.sent('openExchange')).map(({ params }) => params), [{ exchangeId: 'exchange-6', finding: 2 }]));
      await panel.page.keyboard.press('Escape');
      await list().waitFor({ state: 'detached' });
    });

    test('the list stays inside the page', async () => {
      await open({ snapshot: busyDay(), width: 360, height: 420 });
      for (const mark of await marks().all()) {
        await mark.focus();
        await list().waitFor();
        const box = await list().boundingBox();
        assert.ok(box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= 360 && box.y + box.height <= 420, JSON.stringify(box));
      }
    });

    test('marks come while the agent works, and go to the newest row', async () => {
      const before = plainTalk();
      await open({ snapshot: { ...before, entries: before.entries.slice(0, 2) } });
      assert.equal(await marks().count(), 0);
      const found = [{ exchangeId: before.entries[1]?.exchangeId, startedAt: storyStart, lines: busyDay().findings[1]?.lines }];
      await panel.post({ type: 'event', name: 'findings', value: found });
      assert.equal(await marks().count(), 1);
      await panel.post({ type: 'event', name: 'findings', value: [] });
      assert.equal(await marks().count(), 0);
    });
  });

  suite('composer', () => {
    test('Enter sends, Shift+Enter makes a line, the text goes when the host has taken it', async () => {
      await open({ snapshot: plainTalk() });
      await composer().fill('one');
      await composer().press('Shift+Enter');
      await composer().pressSequentially('two');
      await composer().press('Enter');
      await eventually(async () => assert.equal(await composer().inputValue(), ''));
      assert.deepEqual((await panel.sent('send')).map(({ params }) => params), [{ text: 'one\ntwo' }]);
    });

    test('Enter that ends a composition does not send', async () => {
      await open({ snapshot: plainTalk() });
      await composer().fill('にほん');
      await composer().dispatchEvent('keydown', { key: 'Enter', isComposing: true });
      await composer().dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
      assert.deepEqual(await panel.sent('send'), []);
      assert.equal(await composer().inputValue(), 'にほん');
    });

    test('nothing is sent twice while the host has not answered, and nothing that is blank', async () => {
      await open({ snapshot: plainTalk() });
      await composer().fill('  \n ');
      await composer().press('Enter');
      await panel.answer({ send: 'never' });
      await composer().fill('once');
      await composer().press('Enter');
      await composer().press('Enter');
      assert.equal((await panel.sent('send')).length, 1);
    });

    test('an error stays with its next step, and so does what was typed', async () => {
      await open({ snapshot: plainTalk() });
      await panel.answer({ send: { error: { message: 'Nothing listens at 127.0.0.1:9.', nextStep: 'Start the agent.' } } });
      await composer().fill('precious');
      await composer().press('Enter');
      const alert = panel.page.getByRole('alert');
      await alert.getByText('Nothing listens at 127.0.0.1:9.').waitFor();
      await alert.getByText('Start the agent.').waitFor();
      assert.equal(await composer().inputValue(), 'precious');
      await alert.getByRole('button', { name: 'Dismiss' }).click();
      assert.equal(await alert.innerText(), '');
    });

    test('where it goes is said and can be changed', async () => {
      await open({ snapshot: busyDay() });
      const line = panel.page.locator('.target');
      assert.match(await line.innerText(), /Answers the task that waits: “To which currency/);
      await line.getByRole('button', { name: 'Change where the message goes' }).click();
      await line.getByRole('menuitemradio', { name: 'New Task in This Context' }).click();
      assert.match(await line.innerText(), /New task in this context/);
      await composer().fill('a');
      await composer().press('Enter');
      await eventually(async () => assert.match(await line.innerText(), /Answers the task that waits/));
      await composer().fill('EUR');
      await composer().press('Enter');
      await eventually(async () => assert.equal((await panel.sent('send')).length, 2));
      assert.deepEqual((await panel.sent('send')).map(({ params }) => params), [{ text: 'a' }, { text: 'EUR', taskId: 't-3' }]);
      await panel.state({ ...busyDay().state, waitingTaskId: undefined });
      assert.equal(await line.locator('.target-text').innerText(), 'New task in this context');
    });

    test('the draft and the context outlive the page', async () => {
      await open({ snapshot: plainTalk() });
      await composer().fill('half a thought');
      const kept = await panel.kept();
      assert.deepEqual(kept, { context: 'context-1', draft: 'half a thought', references: [] });
      await panel.close();
      await open({ snapshot: plainTalk(), kept });
      assert.equal(await composer().inputValue(), 'half a thought');
    });

    test('it grows with its text, and scrolls beyond a part of the panel', async () => {
      await open({ snapshot: plainTalk(), height: 600 });
      const height = async (): Promise<number> => (await composer().boundingBox())?.height ?? 0;
      const one = await height();
      await composer().fill('a\nb\nc\nd');
      assert.ok(await height() > one * 2.5);
      await composer().fill('a\n'.repeat(200));
      assert.ok(await height() <= 600 * 0.4 + 1);
    });

    test('examples fill the composer and send nothing', async () => {
      await open({ snapshot: untouched() });
      await panel.page.getByRole('button', { name: 'Convert 25 GBP to JPY' }).click();
      assert.equal(await composer().inputValue(), 'Convert 25 GBP to JPY');
      assert.equal(await composer().evaluate(box => box === document.activeElement), true);
      assert.deepEqual(await panel.sent('send'), []);
    });
  });

  suite('entries', () => {
    test('what can be done with them asks the host with ids only', async () => {
      const story = busyDay();
      const booking = story.entries.find(entry => entry.kind === 'artifact' && entry.artifact.name === 'Booking');
      const lost = story.entries.find(entry => entry.kind === 'message' && entry.delivery === 'unknown');
      await open({ snapshot: { ...story, state: { ...story.state, running: true } } });
      const card = panel.page.locator('.card', { hasText: 'Booking' });
      await card.getByRole('button', { name: 'Open in the editor' }).nth(1).click();
      await card.getByRole('button', { name: 'Save…' }).first().click();
      await card.getByRole('link').click();
      await card.getByRole('button', { name: 'Show exchange' }).click();
      await panel.page.getByRole('button', { name: 'Check', exact: true }).click();
      await panel.page.getByRole('button', { name: 'Send again' }).click();
      await panel.page.locator('.gap').getByRole('button', { name: 'Read the task again' }).click();
      await panel.page.getByRole('button', { name: 'Stop' }).click();
      await panel.page.getByRole('link', { name: 'harbour forecast' }).press('Enter');
      assert.deepEqual((await panel.sent()).slice(1).map(({ name, params }) => [name, params]), [
        ['openPart', { seq: booking?.seq, part: 1 }],
        ['savePart', { seq: booking?.seq, part: 0 }],
        ['openLink', { url: 'https://example.org/receipts/4711.pdf' }],
        ['openExchange', { exchangeId: booking?.exchangeId }],
        ['checkDelivery', { seq: lost?.seq }],
        ['sendAgain', { seq: lost?.seq }],
        ['refreshTask', { taskId: 't-2' }],
        ['stop', null],
        ['openLink', { url: 'https://example.org/forecast?place=helsinki' }],
      ]);
    });

    test('a message that may not have arrived can be looked for, and what the agent says of it stands beside it', async () => {
      await open({ snapshot: busyDay(), answers: { checkDelivery: { result: {
        outcome: 'unknowable', message: 'The agent cannot list its tasks, so it cannot be asked.', nextStep: 'Look at the agent\'s own log.',
      } } } });
      await panel.page.getByRole('button', { name: 'Check', exact: true }).click();
      const row = panel.page.locator('.delivery-check', { hasText: 'cannot list' });
      assert.equal((await row.innerText()).trim(), 'The agent cannot list its tasks, so it cannot be asked. Look at the agent\'s own log.');
      assert.equal(await row.getAttribute('role'), 'status');
    });

    test('an entry that is very far back is shown without all that came since, and one press leads back', async () => {
      const page = (last: number) => ({ result: { entries: talk(40, last), more: true } });
      const newest = { ...snapshotOf(talk(40, 90_000)), more: true };
      await open({ snapshot: newest, answers: { older: [80_000, 70_000, 60_000, 50_000, 40_000, 1_020].map(page) } });
      const row = (seq: number) => panel.page.locator('.column').getByText(`Number ${seq}.`);
      await panel.post({ type: 'event', name: 'reveal', value: { seq: 1_000 } });
      await row(1_000).waitFor();
      assert.equal(await row(90_000).count(), 0);
      // What comes now is not put behind what is on show.
      await panel.update({ type: 'put', entry: talk(1, 95_000)[0]! });
      assert.equal(await row(95_000).count(), 0);
      await panel.page.getByRole('button', { name: 'To the newest' }).click();
      await row(90_000).waitFor();
      assert.equal(await panel.page.getByRole('button', { name: 'To the newest' }).count(), 0);
      assert.equal((await panel.sent('older')).length, 6);
    });

    test('several tasks are told apart by number, one task is not numbered', async () => {
      await open({ snapshot: busyDay() });
      assert.deepEqual(await panel.page.locator('.task-number').allInnerTexts(), ['Task 1', 'Task 2', 'Task 3']);
      await panel.close();
      await open({ snapshot: streaming() });
      assert.equal(await panel.page.locator('.task-number').count(), 0);
      const second = new Story().user(30, 'And quays?', { taskId: 't-2' }).entries[0]!;
      await panel.update({ type: 'put', entry: { ...second, seq: 50 } });
      assert.deepEqual(await panel.page.locator('.task-number').allInnerTexts(), ['Task 1', 'Task 2']);
    });

    test('progress is one line; the rest is there on demand', async () => {
      await open({ snapshot: busyDay() });
      const line = panel.page.locator('.progress').first();
      assert.match(await line.innerText(), /^\s*Filling the sea…\s*3 earlier\s*$/);
      await line.getByRole('button', { name: '3 earlier' }).click();
      assert.match(await line.innerText(), /Sketching the hull…\s+Hoisting the sails…/);
    });

    test('progress of the work is told in the same line', async () => {
      await open({ snapshot: busyDay() });
      const line = panel.page.locator('.progress').first();
      const working = busyDay().entries.findLast(entry => entry.kind === 'status' && entry.taskId === 't-1' && entry.state === 'TASK_STATE_WORKING')!;
      for (const progress of [10, 50]) await panel.update({ type: 'put', entry: { ...working, metadata: { progress } } as typeof working });
      assert.match(await line.innerText(), /^\s*Filling the sea…\s*· 50 %\s*3 earlier\s*$/);
    });

    test('pictures are those the bytes are, whatever the agent calls them', async () => {
      const raw = sailboat(true);
      const story = new Story().artifact(0, 't', [{ raw, mediaType: 'text/html', filename: 'a.html' }, { raw: Buffer.from('<html>').toString('base64'), mediaType: 'image/png', filename: 'b.png' }, { raw: '!!', mediaType: 'image/png' }]);
      await open({ snapshot: snapshotOf(story.entries) });
      assert.deepEqual(await panel.page.locator('img').evaluateAll(images => images.map(image => (image as HTMLImageElement).naturalWidth)), [320]);
      assert.match(await panel.page.locator('.card').innerText(), /b\.png\s*image\/png · 6 B/);
    });

    test('code is coloured once its block is closed', async () => {
      await open({ snapshot: streaming() });
      const code = panel.page.locator('.code-block code');
      assert.equal(await code.locator('span').count(), 0);
      await panel.update({ type: 'append', seq: 4, parts: [{ text: '```\n' }], chunks: 88 });
      assert.ok(await code.locator('.hljs-keyword').count() >= 2);
    });

    test('screen readers are told whole sentences, never pieces', async () => {
      await open({ snapshot: streaming() });
      const spoken = panel.page.getByRole('status');
      await panel.update({ type: 'append', seq: 4, parts: [{ text: 'piece' }], chunks: 88 });
      assert.equal(await spoken.innerText(), '');
      const done = new Story().status(9, 't-1', 'TASK_STATE_COMPLETED', 'All chapters are written.').entries[0]!;
      await panel.update({ type: 'put', entry: { ...done, seq: 9 } });
      assert.equal(await spoken.innerText(), 'Task completed: All chapters are written.');
      assert.equal(await panel.page.getByRole('log').getAttribute('aria-live'), 'off');
    });

    test('a message that is none of the contract changes nothing', async () => {
      await open({ snapshot: plainTalk() });
      const before = await panel.page.locator('#root').innerHTML();
      for (const message of [null, 'x', { type: 'event', name: 'updates', value: [{ type: 'put', entry: { kind: 'message', seq: 1 } }] }, { type: 'answer', id: 77, result: null }]) await panel.post(message);
      assert.equal(await panel.page.locator('#root').innerHTML(), before);
      assert.equal(panel.complaints.length, 4);
    });

    test('where the first answer is an error it is said, and trying again works', async () => {
      await open({ snapshot: plainTalk(), ready: { error: { message: 'The history cannot be read.', nextStep: 'Reload the window.' } } });
      await panel.page.getByText('The history cannot be read.').waitFor();
      await panel.answer({ ready: { result: plainTalk() } });
      await panel.page.getByRole('button', { name: 'Try Again' }).click();
      await panel.page.getByText('Hello! What can you do?').first().waitFor();
    });
  });

  suite('scrolling', () => {
    test('starts at the end, follows it, and stays where the reader is', async () => {
      await open({ snapshot: snapshotOf(talk(60)) });
      await eventually(async () => assert.ok((await scroll()).end < 2));
      await panel.update(...talk(5, 65).map(entry => ({ type: 'put', entry }) as const));
      await eventually(async () => assert.ok((await scroll()).end < 2));
      await panel.page.locator('.scroller').hover();
      await panel.page.mouse.wheel(0, -1500);
      await eventually(async () => assert.ok((await scroll()).end > 1000));
      const reading = panel.page.locator('article', { hasText: 'Number 52.' });
      const before = (await reading.boundingBox())?.y ?? NaN;
      await panel.update(...talk(5, 70).map(entry => ({ type: 'put', entry }) as const));
      assert.ok(Math.abs(((await reading.boundingBox())?.y ?? NaN) - before) < 2);
      await panel.page.getByRole('button', { name: 'New' }).click();
      await eventually(async () => assert.ok((await scroll()).end < 2));
      assert.equal(await panel.page.getByRole('button', { name: 'New' }).count(), 0);
    });

    test('older entries come on the way up and move nothing', async () => {
      await open({ snapshot: { ...snapshotOf(talk(40, 100)), more: true } });
      await panel.answer({ older: { result: { entries: talk(40, 60), more: true } } });
      await eventually(async () => assert.ok((await scroll()).end < 2));
      await panel.page.locator('.scroller').evaluate(box => { box.scrollTop = 300; });
      const reading = panel.page.locator('article', { hasText: 'Number 63.' });
      const before = (await reading.boundingBox())?.y ?? NaN;
      await panel.page.locator('article', { hasText: 'Number 60.' }).waitFor({ state: 'attached' });
      await panel.drawn();
      const after = (await reading.boundingBox())?.y ?? NaN;
      assert.ok(Math.abs(after - before) < 4, `${before} became ${after}`);
      assert.deepEqual((await panel.sent('older'))[0]?.params, { before: 61 });
    });

    test('sending leads to the end', async () => {
      await open({ snapshot: snapshotOf(talk(60)) });
      await panel.page.locator('.scroller').evaluate(box => { box.scrollTop = 0; });
      await composer().fill('hello');
      await composer().press('Enter');
      await panel.update({ type: 'put', entry: talk(1, 61)[0]! });
      await eventually(async () => assert.ok((await scroll()).end < 2));
    });
  });

  suite('streams', () => {
    test('a delta draws its own entry alone', async () => {
      await open({ snapshot: streaming() });
      await panel.page.evaluate(() => {
        const touched = new Set<string>();
        Object.assign(window, { touched });
        new MutationObserver(records => {
          for (const { target } of records) touched.add((target instanceof Element ? target : target.parentElement)?.closest('.row')?.className ?? 'outside');
        }).observe(document.querySelector('.scroller')!, { subtree: true, childList: true, characterData: true, attributes: true });
      });
      for (let index = 0; index < 5; index++) await panel.update({ type: 'append', seq: 4, parts: [{ text: `line ${index}\n` }], chunks: 88 + index });
      const touched = await panel.page.evaluate(() => [...(window as unknown as { touched: Set<string> }).touched]);
      assert.deepEqual(touched.map(name => name.trim().split(' ')[1]).filter(name => name !== 'row-progress'), ['row-artifact']);
    });

    test('ten thousand pieces arrive whole, the last as cheap as the first', async function () {
      this.timeout(120_000);
      await open({ snapshot: streaming() });
      const session = await panel.page.context().newCDPSession(panel.page);
      await session.send('Performance.enable');
      /** Seconds the page has worked so far. */
      const worked = async (): Promise<number> => {
        const { metrics } = await session.send('Performance.getMetrics');
        return metrics.filter(({ name }) => ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'].includes(name)).reduce((sum, { value }) => sum + value, 0);
      };
      const times: number[] = [];
      for (let quarter = 0; quarter < 4; quarter++) {
        const before = await worked();
        await panel.page.evaluate(streamPieces, { count: 2_500, first: quarter * 2_500 });
        times.push(await worked() - before);
      }
      console.log(`      10,000 pieces, in quarters: ${times.map(time => `${Math.round(time * 1000)} ms`).join(', ')} of work`);
      assert.equal(await panel.page.locator('.artifact').getByText('Piece 9999.').count(), 1);
      assert.match(await panel.page.locator('.artifact .card-head').innerText(), /10,?000 chunks/);
      await panel.page.locator('.artifact').getByRole('button', { name: /Show \d+ earlier paragraphs/ }).waitFor();
      assert.ok(times[3]! < Math.max(times[0]!, 0.2) * 4, `quarters took ${times.join(' ')}`);
      assert.ok(await panel.page.evaluate(() => document.querySelectorAll('*').length) < 5_000);
      await eventually(async () => assert.ok((await scroll()).end < 2));
    });
  });

  suite('hostile agents', () => {
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

  test('a waiting task is found by its question even when it has no words', async () => {
    await open({ snapshot: snapshotOf(new Story().status(0, 't', 'TASK_STATE_AUTH_REQUIRED').entries, { contextId: 'c', waitingTaskId: 't', tasks: [task('t', 'TASK_STATE_AUTH_REQUIRED', 'Read my mail', 0)] }) });
    assert.match(await panel.page.locator('.target').innerText(), /“Read my mail”/);
    await panel.page.getByText('The agent wants authorization and did not say for what.').waitFor();
  });
});

/** In the page: plays the host with one artifact that grows, 25 pieces at a time, and waits until the last is on show. */
async function streamPieces({ count, first }: { readonly count: number; readonly first: number }): Promise<void> {
  const pieces = ['Some words of it ', 'and **more** of them, ', 'with a [link](https://example.org).\n', '\n## A heading\n\n', '- an item\n', '```js\nconst a = 1;\n```\n\n'];
  for (let sent = first; sent < first + count; sent += 25) {
    const value = Array.from({ length: 25 }, (_, index) => ({ type: 'append', seq: 4, parts: [{ text: pieces[(sent + index) % 6] }], chunks: sent + index }));
    window.postMessage({ type: 'event', name: 'updates', value });
    await new Promise(done => setTimeout(done, 4));
  }
  const last = first + count;
  window.postMessage({ type: 'event', name: 'updates', value: [{ type: 'append', seq: 4, parts: [{ text: `\n\nPiece ${last - 1}.\n\n` }], chunks: last }] });
  while (!document.querySelector('.artifact')!.textContent.includes(`Piece ${last - 1}.`)) await new Promise(requestAnimationFrame);
}

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
