import * as assert from 'node:assert/strict';
import type { ChatState } from '../../../src/chat/host/chatState.ts';
import { axeSaysInEveryTheme } from '../../support/chatHarness/axe.ts';
import type { ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { snapshotOf, Story, task } from '../../support/chatHarness/story.ts';
import { eventually } from '../../support/eventually.ts';
import { shownText } from '../../support/chatHarness/shownText.ts';

suite('chat panel: the connection', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await openPanel(options);
    return panel;
  };
  const story = new Story()
    .user(0, 'Write', { taskId: 't-1' })
    .status(1, 't-1', 'TASK_STATE_WORKING', 'Writing…')
    .artifact(2, 't-1', [{ text: 'It was a' }], { name: 'novel.md', complete: false, chunks: 3 });
  const working = (connections: ChatState['connections'] | undefined, more: Partial<ChatState> = {}): Partial<ChatState> => ({
    running: true,
    contextId: 'c',
    tasks: [task('t-1', 'TASK_STATE_WORKING', 'Write', 0)],
    ...(connections !== undefined && { connections }),
    ...more,
  });
  const line = (): ReturnType<ChatHarness['page']['locator']> => panel.page.locator('.header .connection');

  test('an artifact is streaming only while a stream is open', async () => {
    const connection = { taskId: 't-1', kind: 'open', lasts: 0, silent: 0 } as const;
    await open({ snapshot: snapshotOf(story.entries, working([connection])) });
    const words = panel.page.locator('.card :is(.streaming, .cut-off)');
    assert.equal(await shownText(words), 'streaming…');
    await panel.state(snapshotOf(story.entries, working([{ ...connection, polled: true }])).state);
    await eventually(async () => assert.equal(await words.count(), 0));
  });

  test('a task that is only polled since its stream ended says so, and nothing spins', async () => {
    const reason = 'The agent ended the stream before the task finished. Polling every few seconds; not finished yet.';
    const polled = { taskId: 't-1', kind: 'open', lasts: 0, silent: 0, polled: true } as const;
    await open({ snapshot: snapshotOf(story.entries, working([polled])) });
    assert.equal(await line().count(), 0);
    assert.equal(await panel.page.locator('.progress .codicon-modifier-spin').count(), 1);
    await panel.state(snapshotOf(story.entries, working([{ ...polled, reason }])).state);
    assert.equal(await shownText(line()), reason);
    assert.equal(await panel.page.locator('.progress .codicon-modifier-spin').count(), 0);
  });

  test('a lost connection is told while it is lost, counts down, and is tried again at once', async () => {
    await open({ snapshot: snapshotOf(story.entries, working(undefined)) });
    assert.equal(await line().count(), 0);
    assert.equal(await panel.page.locator('.card .streaming').count(), 1);
    assert.equal(await panel.page.locator('.progress .codicon-modifier-spin').count(), 1);
    const lost = {
      taskId: 't-1',
      kind: 'lost',
      lasts: 0,
      silent: 10_000,
      attempt: 3,
      retryIn: 59_000,
      reason: 'Connection refused: no server is listening at 127.0.0.1:1.',
    } as const;
    await panel.state(snapshotOf(story.entries, working([lost])).state);
    assert.match(
      await shownText(line()),
      /Connection lost, trying again in 5\d s \(3rd attempt\)\s+Connection refused: no server is listening at 127\.0\.0\.1:1\.\s+Try Now/,
    );
    const left = async (): Promise<number> => Number(/in (\d+) s/.exec(await shownText(line()))?.[1]);
    const before = await left();
    await eventually(async () => assert.ok((await left()) < before));
    assert.match(await shownText(panel.page.locator('.progress')), /Last activity 1\d s ago/);
    assert.equal(await panel.page.locator('.codicon-modifier-spin').count(), 0, 'nothing turns on');
    assert.equal(await panel.page.locator('.card .streaming').count(), 0);
    assert.equal(await shownText(panel.page.locator('.card .cut-off')), 'cut off');
    await line().getByRole('button', { name: 'Try Now' }).click();
    assert.equal((await panel.sent('tryNow')).length, 1);
    await panel.state(snapshotOf(story.entries, working([{ ...lost, attempt: 1, retryIn: undefined }])).state);
    assert.match(await shownText(line()), /Connection lost, trying again now \(1st attempt\)/);
    await panel.state(snapshotOf(story.entries, working(undefined)).state);
    assert.equal(await line().count(), 0);
    assert.equal(await panel.page.locator('.card .streaming').count(), 1);
  });

  test('silence is told with its time, another window as what it is, and nobody as nobody', async () => {
    await open({ snapshot: snapshotOf(story.entries, working([{ taskId: 't-1', kind: 'quiet', lasts: 20_000, silent: 10_000 }])) });
    assert.match(await shownText(line()), /Last activity 1\d s ago/);
    assert.equal(await line().getByRole('button').count(), 0);
    assert.equal(await panel.page.locator('.card .streaming').count(), 1);
    await panel.state(snapshotOf(story.entries, working([{ taskId: 't-1', kind: 'elsewhere' }])).state);
    assert.match(await shownText(line()), /Followed in another window/);
    await panel.state(snapshotOf(story.entries, working([{ taskId: 't-1', kind: 'none' }], { running: false })).state);
    assert.match(await shownText(line()), /Not following this task; what is shown may be out of date\s+Try Now/);
    assert.equal(await panel.page.locator('.card .cut-off').count(), 1);
  });

  test('an artifact of a task that is over is cut off where its end never came', async () => {
    await open({
      snapshot: snapshotOf(story.status(9, 't-1', 'TASK_STATE_FAILED').entries, { tasks: [task('t-1', 'TASK_STATE_FAILED', 'Write', 0)] }),
    });
    assert.equal(await panel.page.locator('.card .cut-off').count(), 1);
    assert.equal(await panel.page.locator('.card').getAttribute('aria-busy'), 'false');
  });

  test('an agent that is down is told at once with its reason, once, and can be tried again', async () => {
    const problem = {
      message: 'Connection refused: no server is listening at 127.0.0.1:41241.',
      nextStep: 'Start the agent, or correct its address.',
    };
    await open({ snapshot: snapshotOf([], { reachability: 'unreachable', problem }) });
    assert.match(
      await shownText(line()),
      /Connection refused: no server is listening at 127\.0\.0\.1:41241\.\s+Start the agent, or correct its address\.\s+Try Again/,
    );
    await line().getByRole('button', { name: 'Try Again' }).click();
    assert.equal((await panel.sent('tryNow')).length, 1);
    const said = new Story().user(0, 'Hi', { delivery: 'refused' }).problem(1, problem.message, problem.nextStep, '');
    await panel.change(snapshotOf(said.entries, { reachability: 'unreachable', problem }));
    assert.equal(await line().count(), 0, 'the transcript says it');
    await panel.state(snapshotOf([], { reachability: 'reachable' }).state);
    assert.equal(await line().count(), 0);
  });

  test('the header says how long ago the agent was seen to be reachable', async () => {
    await open({ snapshot: snapshotOf([]) });
    const shown = panel.page.locator('.header .reachability');
    assert.equal(await shownText(shown), 'reachable');
    await panel.state(snapshotOf([], { checked: 'checked 3m ago' }).state);
    assert.equal(await shownText(shown), 'reachable · checked 3m ago');
  });

  test('a lost connection in every theme: nothing for axe to say', async () => {
    await open({
      snapshot: snapshotOf(
        story.entries,
        working([
          {
            taskId: 't-1',
            kind: 'lost',
            silent: 13_000,
            attempt: 2,
            retryIn: 400_000,
            reason: 'Connection refused: no server is listening at 127.0.0.1:1.',
          },
        ]),
      ),
    });
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
  });
});
