import * as assert from 'node:assert/strict';
import type { ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import type { MessageEntry, StatusEntry } from '../../../src/protocol/message/transcript.ts';
import { eventually } from '../../support/eventually.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { withoutStream } from '../../../src/protocol/mendedWithoutStream.ts';
import { busyDay, parallelTasks, plainTalk, streaming } from '../../support/chatHarness/stories.ts';
import { sailboat, snapshotOf, Story, storyStart, task } from '../../support/chatHarness/story.ts';
import { shownText, shownTexts } from '../../support/chatHarness/shownText.ts';

suite('chat panel: entries', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await openPanel(options);
    return panel;
  };

  test('an answer that the agent refused can be written as a new task, which is not sent by itself', async () => {
    const story = new Story()
      .user(0, 'Book a hotel', { taskId: 't-1' })
      .status(1, 't-1', 'TASK_STATE_INPUT_REQUIRED', 'Where?')
      .user(2, 'In Turku', { taskId: 't-1', delivery: 'refused' });
    const waiting = task('t-1', 'TASK_STATE_INPUT_REQUIRED', 'Book a hotel', 0);
    const result = { seq: 3, text: 'In Turku', textAt: 0, parts: [], references: [], metadata: '' };
    await open({
      snapshot: snapshotOf(story.entries, { contextId: 'c', tasks: [waiting], waitingTaskId: 't-1' }),
      answers: { recall: { result } },
    });
    await panel.page.getByRole('button', { name: 'Write as New Task' }).click();
    await eventually(async () => assert.equal(await panel.page.getByRole('textbox').inputValue(), 'In Turku'));
    await panel.page.getByText('New task (the other one keeps waiting)').waitFor();
    assert.deepEqual(await panel.sent('send'), []);
    await panel.page.getByRole('textbox').press('Enter');
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('send')).map(({ params }) => params),
        [{ text: 'In Turku' }],
      ),
    );
  });

  test('a message that a language model sent says so, with tool and program', async () => {
    const assistant = { tool: 'a2a_send', client: 'Test Editor' };
    const story = new Story().user(0, 'Mine').user(1, 'Made', { assistant });
    await open({ snapshot: snapshotOf(story.entries) });
    const words = (text: string) => panel.page.locator('.row', { hasText: text }).locator('.delivery').textContent();
    assert.match((await words('Made')) ?? '', /Sent by a language model \(a2a_send, Test Editor\)/);
    assert.doesNotMatch((await words('Mine')) ?? '', /language model/);
  });

  test('what can be done with them asks the host with ids only', async () => {
    const story = busyDay();
    const booking = story.entries.find(entry => entry.kind === 'artifact' && entry.artifact.name === 'Booking');
    const lost = story.entries.find(entry => entry.kind === 'message' && entry.delivery === 'unknown');
    await open({
      snapshot: { ...story, state: { ...story.state, running: true } },
      answers: { checkDelivery: { result: { outcome: 'unknowable', message: 'The agent cannot say.' } } },
    });
    const card = panel.page.locator('.card', { hasText: 'Booking' });
    await card.getByRole('button', { name: 'Open in Editor' }).nth(1).click();
    await card.getByRole('button', { name: 'Save…' }).first().click();
    await card.getByRole('link').click();
    await card.getByRole('button', { name: 'Show Exchange' }).click();
    await panel.page.getByRole('button', { name: 'Check', exact: true }).click();
    await panel.page.getByRole('button', { name: 'Send Again' }).click();
    await panel.page.locator('.gap').getByRole('button', { name: 'Refresh Task' }).click();
    await panel.page.getByRole('button', { name: 'Stop' }).click();
    await panel.page.getByRole('link', { name: 'harbour forecast' }).press('Enter');
    assert.deepEqual(
      (await panel.sent())
        .slice(1)
        .filter(({ name }) => name !== 'form')
        .map(({ name, params }) => [name, params]),
      [
        ['openPart', { seq: booking?.seq, part: 1 }],
        ['savePart', { seq: booking?.seq, part: 0 }],
        ['openLink', { url: 'https://example.org/receipts/4711.pdf' }],
        ['openExchange', { exchangeId: booking?.exchangeId }],
        ['checkDelivery', { seq: lost?.seq }],
        ['sendAgain', { seq: lost?.seq }],
        ['refreshTask', { taskId: 't-2' }],
        ['stop', null],
        ['openLink', { url: 'https://example.org/forecast?place=helsinki' }],
      ],
    );
  });

  test('a message that may not have arrived can be looked for, and what the agent says of it stands beside it', async () => {
    await open({
      snapshot: busyDay(),
      answers: {
        checkDelivery: {
          result: {
            outcome: 'unknowable',
            message: 'The agent cannot list its tasks, so it cannot be asked.',
            nextStep: "Look at the agent's own log.",
          },
        },
      },
    });
    await panel.page.getByRole('button', { name: 'Check', exact: true }).click();
    const row = panel.page.locator('.delivery-check', { hasText: 'cannot list' });
    assert.equal((await shownText(row)).trim(), "The agent cannot list its tasks, so it cannot be asked. Look at the agent's own log.");
    assert.equal(await row.getAttribute('role'), 'status');
  });

  test("a message of the person's that only the agent has says so, and one that was sent from here does not", async () => {
    const { entries } = new Story().user(0, 'Draw a boat').user(60, 'Draw a quay');
    const { delivery: _, ...elsewhere } = entries[0] as MessageEntry;
    await open({ snapshot: snapshotOf([elsewhere, entries[1]!]) });
    const below = await shownTexts(panel.page.locator('.delivery'));
    assert.deepEqual(
      below.map(text => text.includes("in the agent's history, not sent from here")),
      [true, false],
    );
  });

  test('the time of an end that was learned by asking is an upper bound', async () => {
    const { entries } = new Story().user(0, 'Draw', { taskId: 't-1' }).status(3, 't-1', 'TASK_STATE_COMPLETED');
    await open({ snapshot: snapshotOf([entries[0]!, { ...(entries[1] as StatusEntry), polled: true, timestamp: 'noon' }]) });
    const state = panel.page.locator('.row-status .state');
    await eventually(async () => assert.match(await shownText(state), /Completed\s*within 3\.0 s/));
    assert.match((await state.getAttribute('title')) ?? '', /or earlier: the agent was asked then\nThe agent's time: noon/);
  });

  test('what came after the end of a task stands below it as that', async () => {
    const { entries } = new Story().user(0, 'Draw', { taskId: 't-1' }).status(1, 't-1', 'TASK_STATE_COMPLETED', 'Here it is');
    const line = { rule: 'STRM-03', title: 'Nothing follows a terminal state', pointer: '', message: 'late', finding: 0, times: 1 };
    const found = {
      exchangeId: entries[1]!.exchangeId!,
      operation: 'SendMessage',
      startedAt: storyStart,
      lines: [{ ...line, ignoredTexts: ['one moment'] }],
    };
    await open({ snapshot: snapshotOf(entries, {}, [found]) });
    await panel.page.locator('.row-status .note', { hasText: 'Sent after the task ended: one moment' }).waitFor();
  });

  test('several tasks are told apart by number, one task is not numbered', async () => {
    await open({ snapshot: busyDay() });
    assert.deepEqual(await shownTexts(panel.page.locator('.task-number')), ['Task 1', 'Task 2', 'Task 3']);
    await panel.close();
    await open({ snapshot: streaming() });
    assert.equal(await panel.page.locator('.task-number').count(), 0);
    const second = new Story().user(30, 'And quays?', { taskId: 't-2' }).entries[0]!;
    await panel.update({ type: 'put', entry: { ...second, seq: 50 } });
    assert.deepEqual(await shownTexts(panel.page.locator('.task-number')), ['Task 1', 'Task 2']);
  });

  test('tasks that run at the same time stand in a card each, which says in place what is going on', async () => {
    await open({ snapshot: parallelTasks() });
    const heads = panel.page.locator('.task-head');
    const said = async (): Promise<readonly string[]> => (await shownTexts(heads)).map(text => text.replace(/\s+/g, ' ').trim());
    assert.deepEqual(await said(), [
      'Task 2 Book a hotel Completed 4.6 s',
      'Task 3 Book a snowmobile Working',
      'Task 4 Book a spa Input required 2.2 s',
    ]);
    const rows = panel.page.locator('.carded');
    assert.deepEqual(
      await rows.evaluateAll(all => all.map(row => row.getAttribute('data-row'))),
      ['6', '15', '17', '7', '10', '14'],
      'each row of a card once, in the order of arrival',
    );
    const steps = rows.first().getByRole('button', { name: '3 Steps' });
    await steps.click();
    assert.deepEqual(await shownTexts(rows.first().locator('.earlier .words')), [
      'Looking for rooms near the harbour…',
      'Comparing four hotels…',
      'Booking the room…',
    ]);
    const snowmobile = panel.page.locator('[data-row="7"]');
    assert.match(await shownText(snowmobile), /Reserving a snowmobile…/);
    const more = parallelTasks();
    const last = more.entries.find(({ seq }) => seq === 16)!;
    assert.ok(last.kind === 'status' && last.message !== undefined);
    const next = { ...last, seq: 18, message: { ...last.message, parts: [{ text: 'Arranging the transfer…' }] } };
    await panel.update({ type: 'put', entry: next });
    assert.match(await shownText(snowmobile), /Arranging the transfer…/);
    assert.doesNotMatch(await shownText(snowmobile), /Reserving a snowmobile…/);
    const { message: _, ...done } = { ...next, seq: 19, state: 'TASK_STATE_COMPLETED' as const };
    await panel.update({ type: 'put', entry: done });
    assert.match((await said())[1]!, /^Task 3 Book a snowmobile Completed/);
    assert.doesNotMatch(await shownText(snowmobile), /Arranging/, 'what it did stands aside once it is over');
    assert.equal(await panel.page.locator('.callout-ask .state').count(), 0, 'the top of the card says that it waits');
  });

  test('a state without words goes with the task that it was of', async () => {
    const story = new Story().user(0, 'Draw', { taskId: 't-1' }).status(1, 't-1', 'TASK_STATE_SUBMITTED');
    await open({ snapshot: snapshotOf(story.entries, { running: true, tasks: [task('t-1', 'TASK_STATE_SUBMITTED', 'Draw', 0)] }) });
    assert.match(await shownText(panel.page.locator('.progress')), /submitted/i);
    const over = story
      .artifact(2, 't-1', [{ text: 'x' }])
      .status(3, 't-1', 'TASK_STATE_COMPLETED')
      .entries.slice(2);
    await panel.update(...over.map(entry => ({ type: 'put', entry }) as const));
    assert.doesNotMatch(await shownText(panel.page.locator('.scroller')), /submitted/i);
  });

  test('progress is one line; the rest is there on demand', async () => {
    await open({ snapshot: busyDay(), height: 300 });
    const line = panel.page.locator('.progress').first();
    assert.match(await shownText(line), /^\s*Filling the sea…\s*2 Earlier\s*$/);
    await line.getByRole('button', { name: '2 Earlier' }).click();
    assert.match(await shownText(line), /Sketching the hull…\s+Hoisting the sails…/);
  });

  test('progress of the work is told in the same line', async () => {
    await open({ snapshot: busyDay() });
    const line = panel.page.locator('.progress').first();
    const working = busyDay().entries.findLast(
      entry => entry.kind === 'status' && entry.taskId === 't-1' && entry.state === 'TASK_STATE_WORKING',
    )!;
    for (const progress of [10, 50]) await panel.update({ type: 'put', entry: { ...working, metadata: { progress } } as typeof working });
    assert.match(await shownText(line), /^\s*Filling the sea…\s*· 50 %\s*2 Earlier\s*$/);
  });

  test('pictures are those the bytes are, whatever the agent calls them', async () => {
    const raw = sailboat(true);
    const story = new Story().artifact(0, 't', [
      { raw, mediaType: 'text/html', filename: 'a.html' },
      { raw: Buffer.from('<html>').toString('base64'), mediaType: 'image/png', filename: 'b.png' },
      { raw: '!!', mediaType: 'image/png' },
    ]);
    await open({ snapshot: snapshotOf(story.entries) });
    assert.deepEqual(
      await panel.page.locator('img').evaluateAll(images => images.map(image => (image as HTMLImageElement).naturalWidth)),
      [320],
    );
    assert.match(await shownText(panel.page.locator('.card')), /b\.png\s*image\/png · 6 B/);
  });

  test('code is highlighted once its block is closed', async () => {
    await open({ snapshot: streaming() });
    const code = panel.page.locator('.code-block code');
    assert.equal(await code.locator('span').count(), 0);
    await panel.update({ type: 'append', seq: 4, parts: [{ text: '```\n' }], chunks: 88 });
    await code.locator('.hljs-keyword').nth(1).waitFor();
  });

  test('screen readers are told whole sentences, never pieces', async () => {
    await open({ snapshot: streaming() });
    const spoken = panel.page.getByRole('status');
    await panel.update({ type: 'append', seq: 4, parts: [{ text: 'piece' }], chunks: 88 });
    assert.equal(await shownText(spoken), '');
    const done = new Story().status(9, 't-1', 'TASK_STATE_COMPLETED', 'All chapters are written.').entries[0]!;
    await panel.update({ type: 'put', entry: { ...done, seq: 9 } });
    assert.equal(await shownText(spoken), 'Task completed: All chapters are written.');
    assert.equal(await panel.page.getByRole('log').getAttribute('aria-live'), 'off');
  });

  test('a message that is none of the contract changes nothing', async () => {
    await open({ snapshot: plainTalk() });
    const before = await panel.page.locator('#root').innerHTML();
    for (const message of [
      { type: 'event', name: 'unknown', value: [] },
      { type: 'answer', id: 77, result: null },
    ])
      await panel.post(message);
    assert.equal(await panel.page.locator('#root').innerHTML(), before);
    assert.equal(panel.complaints.length, 2);
  });

  test('where the first answer is an error it is said, and trying again works', async () => {
    await open({ snapshot: plainTalk(), ready: { error: { message: 'The history cannot be read.', nextStep: 'Reload the window.' } } });
    await panel.page.getByText('The history cannot be read.').waitFor();
    await panel.answer({ ready: { result: plainTalk() } });
    await panel.page.getByRole('button', { name: 'Try Again' }).click();
    await panel.page.getByText('Hello! What can you do?').first().waitFor();
  });

  test('a message that the agent refuses to stream can be sent without a stream', async () => {
    const refused = new Story().user(0, 'Go.', { delivery: 'refused' }).problem(1, 'It does not stream.', withoutStream('').template, '');
    await open({ snapshot: snapshotOf(refused.entries) });
    await panel.page.getByRole('button', { name: 'Send Without Streaming' }).click();
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('sendAgain')).map(({ params }) => params),
        [{ seq: 1, streaming: false }],
      ),
    );
  });

  test('where nothing answers at an interface, another of the card can be chosen, if there is one', async () => {
    const story = new Story().user(0, 'Go.', { delivery: 'refused' }).problem(1, 'Connection refused.', 'Start the agent.', '');
    const entries = story.entries.map(entry => (entry.kind === 'problem' ? { ...entry, code: 'unreachable' as const } : entry));
    await open({ snapshot: snapshotOf(entries) });
    await panel.page.getByRole('button', { name: 'Reload Card' }).waitFor();
    const choose = panel.page.getByRole('button', { name: 'Choose Interface…' });
    assert.equal(await choose.count(), 0);
    await panel.change(snapshotOf(entries, { choices: true }));
    await choose.click();
    await eventually(async () => assert.equal((await panel.sent('chooseInterface')).length, 1));
  });

  test('a problem without details has nothing to unfold', async () => {
    const story = new Story()
      .user(0, 'Go.')
      .problem(1, 'It broke.', 'Try again.', ' \n')
      .problem(2, 'It broke again.', 'Try again.', 'HTTP 500');
    panel = await openPanel({ snapshot: snapshotOf(story.entries) });
    await panel.page.getByText('It broke again.').waitFor();
    assert.equal(await panel.page.locator('.callout-bad').count(), 2);
    assert.equal(await panel.page.locator('.callout-bad details').count(), 1);
  });

  test('a problem names the address that was asked below its headline, once', async () => {
    const address = 'http://127.0.0.1:9999/rpc';
    const story = new Story()
      .user(0, 'Go.')
      .problem(1, 'The agent answered HTTP 500: ValueError', 'Look at its log.', '')
      .problem(2, 'The agent answered HTTP 404.', `The agent card has ${address}.`, '');
    const entries = story.entries.map(entry => (entry.kind === 'problem' ? { ...entry, address } : entry));
    panel = await openPanel({ snapshot: snapshotOf(entries), width: 360 });
    await panel.page.getByText('The agent answered HTTP 404.').waitFor();
    const boxes = await shownTexts(panel.page.locator('.callout-bad'));
    assert.deepEqual(
      boxes.map(text =>
        text
          .split(/\n+/)
          .map(line => line.trim())
          .filter(Boolean)
          .slice(0, 3),
      ),
      [
        ['The agent answered HTTP 500: ValueError', address, 'Look at its log.'],
        ['The agent answered HTTP 404.', `The agent card has ${address}.`, 'Show Exchange'],
      ],
    );
  });

  test('while the agent is asked for what it alone has, that is said', async () => {
    const { state } = snapshotOf([]);
    await open({ snapshot: { ...snapshotOf([]), state: { ...state, loading: true } } });
    const loading = panel.page.getByText('Loading from the agent…');
    await loading.waitFor();
    await panel.state(state);
    assert.equal(await loading.count(), 0);
  });

  test('what the agent refuses for want of a sign-in has the sign-in beside it, and nothing else has', async () => {
    const refused = new Story().user(0, 'Go.').problem(1, 'It wants to know who asks.', 'Sign in.', 'HTTP 401').entries;
    const problem = refused[1];
    assert.ok(problem?.kind === 'problem');
    await open({ snapshot: snapshotOf(refused) });
    const button = panel.page.getByRole('button', { name: 'Sign In…' });
    await panel.page.getByText('It wants to know who asks.').waitFor();
    assert.equal(await button.count(), 0);
    await panel.update({ type: 'put', entry: { ...problem, code: 'unauthorized' } });
    await button.click();
    assert.equal((await panel.sent('signIn')).length, 1);
  });

  test('after a sign-in a refused message is sent again from its box, and folded once it arrived', async () => {
    const story = new Story()
      .user(0, 'Go.', { delivery: 'refused' })
      .problem(1, 'HTTP 401', 'Sign in.', '')
      .problem(2, 'HTTP 401', 'Sign in.', '');
    const entries = story.entries.map(entry => (entry.kind === 'problem' ? { ...entry, code: 'unauthorized' } : entry));
    const snapshot = snapshotOf(entries);
    await open({ snapshot });
    const box = panel.page.locator('.callout-bad');
    const actions = (): Promise<readonly string[]> => shownTexts(box.getByRole('button'));
    await box.waitFor();
    assert.deepEqual(await actions(), ['Sign In…', 'Show Exchange']);
    await panel.state({ ...snapshot.state, signedInAt: entries[2]!.at + 1 });
    await eventually(async () => assert.deepEqual(await actions(), ['Send Again', 'Show Exchange']));
    await box.getByRole('button', { name: 'Send Again' }).click();
    await eventually(async () => assert.deepEqual((await panel.sent('sendAgain'))[0]?.params, { seq: 1 }));
    const again = new Story().user(3, 'Go.').entries[0]!;
    await panel.update({ type: 'put', entry: { ...again, seq: 9 } });
    await panel.page.getByText('Failed · Sent again below').waitFor();
    assert.equal(await box.count(), 0);
    assert.equal(await panel.page.getByRole('button', { name: 'Send Again' }).count(), 0);
  });
});
