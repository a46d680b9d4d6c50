import * as assert from 'node:assert/strict';
import type { ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { snapshotOf, Story, task } from '../../support/chatHarness/story.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { shownText, shownTexts } from '../../support/chatHarness/shownText.ts';

const working: TaskState = 'TASK_STATE_WORKING';
const tokens = [
  'Here',
  ' is',
  ' what',
  ' I',
  ' found',
  ':\n',
  '\n',
  '-',
  ' **',
  'Helsinki',
  '**',
  ',',
  ' 3',
  ' °C',
  '\n',
  '-',
  ' Tam',
  'pere',
  ',',
  ' 1',
  ' °C',
];

/** An answer that comes token by token, after a line of progress. */
function answering(count = tokens.length): Story {
  const story = new Story()
    .user(0, 'How cold is it?', { taskId: 't-1' })
    .status(0.1, 't-1', 'TASK_STATE_SUBMITTED')
    .status(0.2, 't-1', working, 'Asking the stations…')
    .status(0.3, 't-1', working, 'Reading 2 answers…');
  tokens.slice(0, count).forEach((token, index) => story.status(1 + index / 10, 't-1', working, token));
  return story;
}

suite('chat panel: texts of statuses', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await openPanel(options);
    return panel;
  };
  const state = (of: TaskState, running: boolean): object => ({
    running,
    contextId: 'c',
    tasks: [task('t-1', of, 'How cold is it?', 0)],
    ...(of === 'TASK_STATE_INPUT_REQUIRED' && { waitingTaskId: 't-1' }),
  });
  const words = async (): Promise<string> => (await shownText(panel.page.locator('.scroller'))).replace(/\s+/g, ' ');

  test('an answer token by token is one text that grows, read as Markdown; lines of progress stay lines', async () => {
    await open({ snapshot: snapshotOf(answering(9).entries, state(working, true)) });
    for (const [index, entry] of answering().entries.entries()) if (index >= 13) await panel.update({ type: 'put', entry });
    const row = panel.page.locator('.progress');
    assert.equal(await row.count(), 1);
    assert.deepEqual(await shownTexts(row.locator('.markdown li')), ['Helsinki, 3 °C', 'Tampere, 1 °C']);
    assert.equal(await shownText(row.locator('strong')), 'Helsinki');
    assert.equal(await row.getByText('2 Earlier').count(), 1, 'the lines before it');
    assert.match(await shownText(row.locator('.state').last()), /^\s*Working/i);
    await panel.state(snapshotOf([], state(working, false)).state);
    assert.equal(await row.locator('.state').count(), 1, 'nothing goes on any more');
  });

  test('what comes within one batch is there at once, and a text told again longer is one', async () => {
    await open({ snapshot: snapshotOf(new Story().user(0, 'Go', { taskId: 't-1' }).entries, state(working, true)) });
    const story = new Story().user(0, 'Go', { taskId: 't-1' });
    for (const text of ['I', 'I am', 'I am **here**', 'I am **here** now']) story.status(1, 't-1', working, text);
    await panel.update(...story.entries.slice(1).map(entry => ({ type: 'put', entry }) as const));
    assert.equal(await shownText(panel.page.locator('.progress .markdown')), 'I am here now');
    assert.equal(await panel.page.getByText('earlier').count(), 0);
  });

  test('when the task waits, its last text is the question and stands in full, once', async () => {
    const question = [
      'Which',
      ' of',
      ' the',
      ' two',
      ' stations',
      ' do you',
      ' mean',
      ',',
      ' the',
      ' harbor',
      ' or',
      ' the',
      ' airport',
      '?',
    ];
    const story = new Story().user(0, 'How cold is it?', { taskId: 't-1' }).status(0.1, 't-1', working, 'Asking the stations…');
    question.forEach((token, index) => story.status(1 + index / 10, 't-1', working, token));
    await open({ snapshot: snapshotOf(story.entries, state(working, true)) });
    const waiting = story.status(4, 't-1', 'TASK_STATE_INPUT_REQUIRED').entries.at(-1)!;
    await panel.update({ type: 'put', entry: waiting });
    await panel.state(snapshotOf([], state('TASK_STATE_INPUT_REQUIRED', false)).state);
    assert.match(await shownText(panel.page.locator('.callout-ask')), /Which of the two stations do you mean, the harbor or the airport\?/);
    assert.equal((await words()).split('Which of').length, 2, 'it is said once');
    assert.match(await words(), /Asking the stations…/);
    assert.match(await shownText(panel.page.locator('.target-text')), /Which of the two stations do you mean, the harbor or the airport\?/);
  });

  test('a last status that tells the whole text again, or its last piece, is read with it', async () => {
    for (const [last, expected] of [
      ['One two three', 'One two three'],
      [' four.', 'One two three four.'],
      ['One two three four', 'One two three four'],
    ] as const) {
      const story = new Story().user(0, 'Count', { taskId: 't-1' });
      for (const token of ['One', ' two', ' three']) story.status(1, 't-1', working, token);
      await open({
        snapshot: snapshotOf(story.status(2, 't-1', 'TASK_STATE_COMPLETED', last).entries, state('TASK_STATE_COMPLETED', false)),
      });
      assert.match(await words(), new RegExp(`${expected.replace('.', '\\.')} Completed`, 'i'));
      assert.equal((await words()).split('One').length, 2, last);
      await panel.page.locator('.row-status').hover();
      await panel.page.evaluate(() =>
        Object.defineProperty(navigator, 'clipboard', {
          value: {
            writeText: async (text: string) => {
              (window as { copied?: string }).copied = text;
            },
          },
        }),
      );
      await panel.page.locator('.row-status').getByRole('button', { name: 'Copy Text' }).click();
      assert.equal(await panel.page.evaluate(() => (window as { copied?: string }).copied), expected);
      await panel.close();
    }
  });

  test('different last words stand beside the text', async () => {
    const story = answering().status(9, 't-1', 'TASK_STATE_COMPLETED', 'Two stations answered.');
    await open({ snapshot: snapshotOf(story.entries, state('TASK_STATE_COMPLETED', false)) });
    assert.match(await words(), /Tampere, 1 °C Two stations answered\. Completed/i);
  });

  test('a failure that the problem beside it tells is one box', async () => {
    const story = new Story()
      .user(0, 'Go', { taskId: 't-1' })
      .status(1, 't-1', 'TASK_STATE_FAILED', 'The tool broke.')
      .problem(2, 'The agent answered with an error: The tool  broke.', 'Look at its log.', '', 't-1');
    await open({ snapshot: snapshotOf(story.entries, state('TASK_STATE_FAILED', false)) });
    assert.equal(await panel.page.locator('.callout').count(), 1);
    assert.equal((await words()).split('The tool broke').length, 2);
    assert.match(await words(), /Failed 1\.0 s/i);
    await panel.close();
    const other = new Story()
      .user(0, 'Go', { taskId: 't-1' })
      .problem(1, 'The connection broke.', 'Wait.', '', 't-1')
      .status(2, 't-1', 'TASK_STATE_FAILED', 'The tool broke.');
    await open({ snapshot: snapshotOf(other.entries, state('TASK_STATE_FAILED', false)) });
    assert.equal(await panel.page.locator('.callout').count(), 2);
  });

  test('one notice says that something may be missing, and goes when the agent has told the whole task', async () => {
    const story = new Story()
      .user(0, 'Go', { taskId: 't-1' })
      .status(1, 't-1', working, 'One')
      .gap(2, 't-1')
      .status(3, 't-1', working, ' two')
      .gap(4, 't-1');
    await open({ snapshot: snapshotOf(story.entries, state(working, true)) });
    assert.equal(await panel.page.locator('.gap').count(), 1);
    await panel.update(
      ...story.entries.flatMap(entry => (entry.kind === 'gap' ? [{ type: 'put', entry: { ...entry, filled: true } } as const] : [])),
    );
    assert.equal(await panel.page.locator('.gap').count(), 0);
    assert.equal(await shownText(panel.page.locator('.progress .markdown')), 'One two');
    assert.equal(await shownText(panel.page.getByRole('status')), '');
  });
});
