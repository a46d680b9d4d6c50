import * as assert from 'node:assert/strict';
import type { ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { busyDay, plainTalk, untouched } from '../../support/chatHarness/stories.ts';
import { snapshotOf, Story, task } from '../../support/chatHarness/story.ts';
import { eventually } from '../../support/eventually.ts';
import { shownText } from '../../support/chatHarness/shownText.ts';

suite('chat panel: composer', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await openPanel(options);
    return panel;
  };
  const composer = (): ReturnType<ChatHarness['page']['locator']> => panel.page.getByRole('textbox');

  test('Enter sends, Shift+Enter makes a line, the text goes when the host has taken it', async () => {
    await open({ snapshot: plainTalk() });
    await composer().fill('one');
    await composer().press('Shift+Enter');
    await composer().pressSequentially('two');
    await composer().press('Enter');
    await eventually(async () => assert.equal(await composer().inputValue(), ''));
    assert.deepEqual(
      (await panel.sent('send')).map(({ params }) => params),
      [{ text: 'one\ntwo' }],
    );
  });

  test('no other button takes the place of Stop when that goes', async () => {
    const { entries, state } = plainTalk();
    await open({ snapshot: snapshotOf(entries, { ...state, running: true }) });
    const stop = panel.page.getByRole('button', { name: 'Stop (' });
    const place = (await stop.boundingBox())!;
    await panel.state(snapshotOf(entries, { ...state, running: false }).state);
    await stop.waitFor({ state: 'detached' });
    const button = await panel.page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest('button')?.title, [
      place.x + place.width / 2,
      place.y + place.height / 2,
    ] as const);
    assert.equal(button, undefined);
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

  test('what is written and sent while the host has not answered goes out after it', async () => {
    await open({ snapshot: plainTalk() });
    await panel.answer({ send: 'never' });
    await composer().fill('first');
    await composer().press('Enter');
    await panel.page.locator('.composer[aria-busy=true]').waitFor();
    await composer().pressSequentially(' second');
    await composer().press('Enter');
    const [first] = await panel.sent('send');
    await panel.answer({ send: { result: null } });
    await panel.post({ type: 'answer', id: first!.id, result: null });
    await panel.page.locator('.composer[aria-busy=false]').waitFor();
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('send')).map(({ params }) => params),
        [{ text: 'first' }, { text: ' second' }],
      ),
    );
    await eventually(async () => assert.equal(await composer().inputValue(), ''));
  });

  test('what is written meanwhile stays where the message was refused', async () => {
    await open({ snapshot: plainTalk() });
    await panel.answer({ send: 'never' });
    await composer().fill('first');
    await composer().press('Enter');
    await composer().fill('another');
    await composer().press('Enter');
    const [first] = await panel.sent('send');
    await panel.post({ type: 'answer', id: first!.id, error: { message: 'Connection refused: no server is listening at 127.0.0.1:9.' } });
    await panel.page.getByRole('alert').getByText('no server is listening').waitFor();
    assert.equal(await composer().inputValue(), 'another');
    assert.equal((await panel.sent('send')).length, 1);
  });

  test('an error stays with its next step, and so does what was typed', async () => {
    await open({ snapshot: plainTalk() });
    await panel.answer({
      send: { error: { message: 'Connection refused: no server is listening at 127.0.0.1:9.', nextStep: 'Start the agent.' } },
    });
    await composer().fill('precious');
    await composer().press('Enter');
    const alert = panel.page.getByRole('alert');
    await alert.getByText('Connection refused: no server is listening at 127.0.0.1:9.').waitFor();
    await alert.getByText('Start the agent.').waitFor();
    assert.equal(await composer().inputValue(), 'precious');
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await shownText(alert), '');
  });

  test('where it goes is said and can be changed', async () => {
    await open({ snapshot: busyDay() });
    const line = panel.page.locator('.target');
    assert.match(await shownText(line), /Replying to: “To which currency/);
    await line.getByRole('button', { name: 'Change Message Destination' }).click();
    await line.getByRole('menuitemradio', { name: 'New Task' }).click();
    assert.match(await shownText(line), /New task/);
    await composer().fill('a');
    await composer().press('Enter');
    await eventually(async () => assert.match(await shownText(line), /Replying to: “To which currency/));
    await composer().fill('EUR');
    await composer().press('Enter');
    await eventually(async () => assert.equal((await panel.sent('send')).length, 2));
    assert.deepEqual(
      (await panel.sent('send')).map(({ params }) => params),
      [{ text: 'a' }, { text: 'EUR', taskId: 't-3' }],
    );
    await panel.state({ ...busyDay().state, waitingTaskId: undefined });
    assert.equal(await shownText(line.locator('.target-text')), 'New task');
  });

  test('the draft and the context outlive the page', async () => {
    await open({ snapshot: plainTalk() });
    await composer().fill('half a thought');
    const kept = await panel.kept();
    const { context, draft } = kept as { context: string; draft: { text: string; version: number } };
    assert.deepEqual([context, draft.text], ['context-1', 'half a thought']);
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('keepDraft')).map(({ params }) => params),
        [draft],
      ),
    );
    await panel.close();
    await open({ snapshot: plainTalk(), kept });
    assert.equal(await composer().inputValue(), 'half a thought');
  });

  test('it grows with its text, and scrolls beyond a part of the panel', async () => {
    await open({ snapshot: plainTalk(), height: 600 });
    const height = async (): Promise<number> => (await composer().boundingBox())?.height ?? 0;
    const one = await height();
    await composer().fill('a\nb\nc\nd');
    assert.ok((await height()) > one * 2.5);
    await composer().fill('a\n'.repeat(200));
    assert.ok((await height()) <= 600 * 0.4 + 1);
  });

  test('examples fill the composer and send nothing', async () => {
    await open({ snapshot: untouched() });
    await panel.page.getByRole('button', { name: 'Convert 25 GBP to JPY' }).click();
    assert.equal(await composer().inputValue(), 'Convert 25 GBP to JPY');
    assert.equal(await composer().evaluate(box => box === document.activeElement), true);
    assert.deepEqual(await panel.sent('send'), []);
  });

  test('examples stay after the first message, and the card is one press away', async () => {
    const { state, ...rest } = plainTalk();
    const card = {
      name: 'Money',
      version: '2.1',
      provider: 'Bank',
      streaming: true,
      pushNotifications: false,
      extendedCard: false,
      skills: ['Convert'],
      problems: { count: 3, first: ['tags is missing. (CARD-03 /skills/0/tags)'] },
    };
    await open({ snapshot: { ...rest, state: { ...state, examples: ['How much is 10 USD?'], card } } });
    await panel.page.getByRole('button', { name: 'How much is 10 USD?' }).click();
    assert.equal(await composer().inputValue(), 'How much is 10 USD?');
    await panel.page.getByRole('button', { name: 'Agent Card at a Glance' }).click();
    assert.match(
      await shownText(panel.page.locator('.glance')),
      /Money\s+2\.1 · Bank[\s\S]*Streaming[\s\S]*3 problems in the card\s+tags is missing\. [\s\S]*Convert/,
    );
    await panel.page.getByRole('button', { name: 'Open Agent Card' }).click();
    await eventually(async () => assert.equal((await panel.sent('openCard')).length, 1));
  });

  test('examples, which begin a new task, are gone while a question is answered', async () => {
    await open({
      snapshot: snapshotOf(new Story().status(0, 't', 'TASK_STATE_INPUT_REQUIRED', 'Green or black?').entries, {
        contextId: 'c',
        waitingTaskId: 't',
        tasks: [task('t', 'TASK_STATE_INPUT_REQUIRED', 'Make tea', 0), task('d', 'TASK_STATE_COMPLETED', 'Boil water', 1)],
        examples: ['Make me a tea'],
      }),
    });
    await panel.page.getByText('Replying to').waitFor();
    const example = panel.page.getByRole('button', { name: 'Make me a tea' });
    assert.equal(await example.count(), 0);
    await panel.page.getByRole('button', { name: 'Change Message Destination' }).click();
    await panel.page.getByRole('menuitemradio', { name: 'New Task' }).click();
    await example.waitFor();
    // They leave the other tabs their room.
    await panel.page.getByRole('tab', { name: 'Wire' }).click();
    await eventually(async () => assert.equal(await example.count(), 0));
  });

  test('a waiting task is found by its question even when it has no words', async () => {
    await open({
      snapshot: snapshotOf(new Story().status(0, 't', 'TASK_STATE_AUTH_REQUIRED').entries, {
        contextId: 'c',
        waitingTaskId: 't',
        tasks: [task('t', 'TASK_STATE_AUTH_REQUIRED', 'Read my mail', 0)],
      }),
    });
    assert.match(await shownText(panel.page.locator('.target')), /“Read my mail”/);
    await panel.page.getByText('The agent requires authorization but did not say what for.').waitFor();
  });

  for (const signsIn of [true, undefined])
    test(`a task that waits for authorization offers ${signsIn ? 'to sign in where the card says how' : 'no sign-in where the card has none'}`, async () => {
      await open({
        snapshot: snapshotOf(new Story().status(0, 't', 'TASK_STATE_AUTH_REQUIRED', 'Log in to the mail box first').entries, {
          contextId: 'c',
          waitingTaskId: 't',
          tasks: [task('t', 'TASK_STATE_AUTH_REQUIRED', 'Read my mail', 0)],
          ...(signsIn && { signsIn }),
        }),
      });
      await panel.page.getByText('Log in to the mail box first', { exact: true }).waitFor();
      const button = panel.page.getByRole('button', { name: 'Sign In…' });
      if (signsIn) await button.click();
      assert.equal(await button.count(), signsIn ? 1 : 0);
      assert.equal((await panel.sent('signIn')).length, signsIn ? 1 : 0);
      if (!signsIn) return;
      const goesOn = new Story().status(0, 't', 'TASK_STATE_AUTH_REQUIRED').status(1, 't', 'TASK_STATE_WORKING').entries;
      const state = { contextId: 'c', tasks: [task('t', 'TASK_STATE_WORKING', 'Read my mail', 0)], signsIn };
      await panel.change(snapshotOf(goesOn.slice(1), state));
      await button.waitFor({ state: 'detached' });
    });

  test('what is written after @ is found among the artifacts, and the answer refers to the chosen one', async () => {
    const version = { taskId: 't-1', artifactId: 'a-1', name: 'sailboat_image.png', history: 0, of: 2 };
    const { state } = busyDay();
    const artifacts = [
      { ...version, seq: 6, version: 1 },
      { ...version, artifactId: 'a-2', seq: 7, version: 2, latest: true as const },
    ];
    await open({ snapshot: { ...busyDay(), state: { ...state, artifacts } } });
    await composer().pressSequentially('the first one: 1 @sail');
    await panel.page.getByRole('option', { name: /v1 of 2/ }).click();
    await panel.page.locator('.composer .chip').getByText('sailboat_image.png v1').waitFor();
    await composer().press('Enter');
    const { text, ...params } = await eventually(async () => {
      const [sent] = await panel.sent('send');
      assert.ok(sent !== undefined);
      return sent.params as { readonly text: string };
    });
    assert.equal(text.trim(), 'the first one: 1');
    assert.deepEqual(params, { taskId: 't-3', references: [{ taskId: 't-1', artifactId: 'a-1' }] });
  });

  test('a message to a finished task goes there on purpose only, and its refusal is shown', async () => {
    const state = { ...busyDay().state, waitingTaskId: undefined };
    await open({ snapshot: { ...busyDay(), state } });
    const line = panel.page.locator('.target');
    await line.getByRole('button', { name: 'Change Message Destination' }).click();
    await panel.page.getByRole('menuitemradio', { name: /Send Anyway: Generate an image/ }).click();
    assert.match(await shownText(line), /finished task \(the agent should refuse\)/);
    await composer().fill('Once more, please');
    await composer().press('Enter');
    await eventually(async () => assert.equal(await shownText(line.locator('.target-text')), 'New task'));
    assert.deepEqual(
      (await panel.sent('send')).map(({ params }) => params),
      [{ text: 'Once more, please', taskId: 't-1', anyway: true }],
    );
    assert.equal(await panel.page.locator('.delivery-refused').count(), 0);
    const [said] = new Story().user(99, 'Once more, please', { taskId: 't-1', delivery: 'refused' }).entries;
    await panel.update({ type: 'put', entry: { ...said!, seq: 99 } });
    assert.equal(await panel.page.locator('.delivery-refused').count(), 1);
  });
});
