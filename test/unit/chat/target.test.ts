import * as assert from 'node:assert/strict';
import { finishedTasks, mentionAt, referenceOffers, referencesOf, withReference } from '../../../src/chat/transcript/references.ts';
import { placeOf, targetLine, targetOffers } from '../../../src/chat/host/target.ts';
import type { Target, Reference } from '../../../src/chat/host/draft.ts';
import type { ShownVersion } from '../../../src/chat/host/chatState.ts';
import { isTerminal, ShownState, type TaskState } from '../../../src/protocol/message/taskState.ts';
import { task } from '../../support/chatHarness/story.ts';

const tasks = (...words: readonly string[]) =>
  words.map((word, index) => task(`t${index}`, `TASK_STATE_${word}` as TaskState, `Title ${index}`, -index));

suite('chat: where a message goes', () => {
  const waiting = {
    waitingTaskId: 't0',
    contextId: 'c',
    running: false,
    tasks: tasks('INPUT_REQUIRED', 'COMPLETED', 'WORKING', 'AUTH_REQUIRED'),
  };
  const idle = { contextId: 'c', running: false, tasks: tasks('COMPLETED', 'FAILED') };
  const rows: readonly (readonly [
    what: string,
    state: Parameters<typeof targetLine>[0],
    chosen: Target | undefined,
    target: Target,
    text: RegExp,
  ])[] = [
    ['the task that waits, with its question', waiting, undefined, { taskId: 't0' }, /^Replying to: “Which\?”$/],
    ['the task that waits, chosen', waiting, { taskId: 't0' }, { taskId: 't0' }, /^Replying to: “Which\?”$/],
    ['a new task where the person said so', waiting, 'new-task', 'new-task', /keeps waiting/],
    ['a new context where the person said so', waiting, 'new-context', 'new-context', /New conversation/],
    ['another task that waits', waiting, { taskId: 't3' }, { taskId: 't3' }, /another waiting task/],
    ['a task that runs', waiting, { taskId: 't2' }, { taskId: 't2' }, /running/],
    ['a task that is over, on purpose only', waiting, { taskId: 't1' }, { taskId: 't1' }, /should refuse/],
    ['nothing waits', idle, undefined, 'new-task', /^New task$/],
    ['what was chosen is gone', idle, { taskId: 'gone' }, 'new-task', /^New task$/],
    ['something runs', { ...idle, running: true }, undefined, 'new-task', /runs in parallel/],
    ['nothing was said yet', { running: false, tasks: [] }, undefined, 'new-task', /^New conversation$/],
  ];
  for (const [what, state, chosen, target, text] of rows) {
    test(what, () => {
      const line = targetLine(state, chosen, 'Which?');
      assert.deepEqual(line.target, target);
      assert.match(line.text, text);
    });
  }

  test('a task takes messages until it is over, and one that is lost is over', () => {
    assert.deepEqual(
      ShownState.options.filter(state => placeOf(state) === 'over'),
      ShownState.options.filter(isTerminal),
    );
    assert.deepEqual(
      ShownState.options.filter(state => placeOf(state) === 'waits'),
      ['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'],
    );
  });

  test('a new task may refer to what is over, newest first, and to nothing that the agent does not know', () => {
    const all = tasks('WORKING', 'COMPLETED', 'INPUT_REQUIRED', 'FAILED', 'REJECTED', 'CANCELED');
    const lost = { ...task('lost', 'TASK_STATE_WORKING', 'Lost', 0), state: 'LOST' as const };
    assert.deepEqual(
      finishedTasks({ tasks: [lost, ...all] }).map(({ taskId }) => taskId),
      ['t1', 't3', 't4', 't5'],
    );
    assert.equal(finishedTasks({ tasks: tasks(...Array<string>(50).fill('COMPLETED')) }).length, 12);
  });

  test('what is over is offered last, and said to be so', () => {
    assert.deepEqual(
      targetOffers(waiting).map(({ target, place }) => [typeof target === 'object' ? target.taskId : target, place]),
      [
        ['t0', 'waits'],
        ['t3', 'waits'],
        ['t2', 'works'],
        ['new-task', undefined],
        ['new-context', undefined],
        ['t1', 'over'],
      ],
    );
    assert.deepEqual(
      targetOffers({ tasks: [] }).map(({ target }) => target),
      ['new-context'],
    );
    assert.equal(targetOffers({ tasks: tasks(...Array<string>(50).fill('COMPLETED')), contextId: 'c' }).length, 10);
  });
});

suite('chat: what a message refers to', () => {
  const mentions: readonly (readonly [draft: string, mention: readonly [number, string] | undefined])[] = [
    ['@', [0, '']],
    ['@boat', [0, 'boat']],
    ['make @boat v1', [5, 'boat v1']],
    ['a@b.org', undefined],
    ['', undefined],
    ['@boat\n', undefined],
    ['@ boat', undefined],
    ['@a @', [3, '']],
    [`@${'x'.repeat(100)}`, undefined],
    ['画 @船', [2, '船']],
  ];
  for (const [draft, mention] of mentions) {
    test(JSON.stringify(draft.slice(0, 20)), () => {
      const found = mentionAt(draft, draft.length);
      assert.deepEqual(found === undefined ? undefined : [found.at, found.words], mention);
    });
  }

  const version = (seq: number, name: string, facts: Partial<ShownVersion> = {}): ShownVersion => ({
    seq,
    taskId: `t${seq}`,
    artifactId: `a${seq}`,
    name,
    history: 0,
    version: seq,
    of: 3,
    ...facts,
  });
  const state = {
    tasks: tasks('COMPLETED', 'WORKING'),
    artifacts: [version(1, 'boat.png'), version(2, 'boat.png', { latest: true }), version(3, 'Boat.png')],
  };
  const offered = (words: string): string[] =>
    referenceOffers(state, words).map(({ reference }) => reference.artifactId ?? reference.taskId);

  test('offers the version to go on from first, then newer before older, then tasks', () => {
    assert.deepEqual(offered(''), ['a2', 'a3', 'a1', 't0', 't1']);
    assert.deepEqual(offered('BOAT'), ['a2', 'a3', 'a1']);
    assert.deepEqual(offered('title 1'), ['t1']);
    assert.deepEqual(offered('nothing'), []);
  });

  test('is referred to once, and by not more than twenty references', () => {
    const one: Reference = { taskId: 't', artifactId: 'a' };
    assert.deepEqual(withReference([one], { ...one }), [one]);
    assert.deepEqual(withReference([one], { taskId: 't' }), [one, { taskId: 't' }]);
    const many = Array.from({ length: 30 }, (_, index): Reference => ({ taskId: `${index}` })).reduce<readonly Reference[]>(
      withReference,
      [],
    );
    assert.equal(many.length, 20);
  });

  test('is read of a message, whatever stands in its metadata', () => {
    const part = { text: 'x', metadata: { referenceArtifacts: [{ artifactId: 'a', taskId: 't' }, null, { artifactId: 1 }, 'x'] } };
    assert.deepEqual(referencesOf({ parts: [part], referenceTaskIds: ['t', 'u'] }), [{ artifactId: 'a', taskId: 't' }, { taskId: 'u' }]);
    assert.deepEqual(referencesOf({ parts: [{ text: 'x', metadata: { referenceArtifacts: 'a' } }] }), []);
  });
});
