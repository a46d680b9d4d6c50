import * as assert from 'node:assert/strict';
import { announcements } from '../../../src/chat/text/announcements.ts';
import { reuseRows, rowsOf, type Shape, shapeOf } from '../../../src/chat/transcript/rows.ts';
import { TaskMarks } from '../../../src/chat/transcript/taskMarks.ts';
import type { MessageEntry } from '../../../src/protocol/message/transcript.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { Story, storyStart } from '../../support/chatHarness/story.ts';

const shapes = (story: Story): readonly Shape[] => story.entries.map(shapeOf);
const rows = (story: Story): string[] =>
  rowsOf(shapes(story)).map(row => `${row.kind} ${row.seqs.join(',')}${row.current ? ' current' : ''}`);

suite('chat: rows', () => {
  const working: TaskState = 'TASK_STATE_WORKING';

  test('progress of one task that follows upon itself is one row', () => {
    const story = new Story()
      .user(0, 'go')
      .status(1, 't', 'TASK_STATE_SUBMITTED')
      .status(2, 't', working, 'a')
      .status(3, 't', working, 'b')
      .status(4, 't', 'TASK_STATE_COMPLETED');
    assert.deepEqual(rows(story), ['message 1', 'progress 2,3,4', 'status 5 current']);
  });

  test('the agent is the speaker of the first row that is its own, also after a problem', () => {
    const story = new Story()
      .user(0, 'go')
      .problem(1, 'Connection refused.', '', '')
      .agent(2, [{ text: 'a' }])
      .problem(3, 'It broke.', '', '')
      .agent(4, [{ text: 'b' }]);
    assert.deepEqual(
      rowsOf(shapes(story)).map(({ kind, newSpeaker }) => [kind, newSpeaker]),
      [
        ['message', false],
        ['problem', true],
        ['message', true],
        ['problem', false],
        ['message', false],
      ],
    );
  });

  test('what ends progress is known to it, until the person speaks', () => {
    const story = new Story()
      .status(1, 't', working, 'a')
      .artifact(2, 't', [{ text: 'x' }])
      .status(3, 't', working, 'b')
      .status(3, 'u', working, 'c')
      .status(4, 't', 'TASK_STATE_INPUT_REQUIRED')
      .user(5, 'd', { taskId: 't' })
      .status(6, 'u', 'TASK_STATE_COMPLETED')
      .status(7, 't', working, 'e')
      .status(8, 't', 'TASK_STATE_COMPLETED');
    assert.deepEqual(
      rowsOf(shapes(story)).map(({ key, ends, endedBy }) => [key, ends, endedBy]),
      [
        [1, undefined, undefined],
        [2, undefined, undefined],
        [3, undefined, 5],
        [5, 3, undefined],
        [4, undefined, 7],
        [7, 4, undefined],
        [6, undefined, undefined],
        [8, undefined, 9],
        [9, 8, undefined],
      ],
    );
  });

  test('a second end has no progress of its own, and a problem stands beside the status of its own task', () => {
    const twice = new Story().status(1, 't', working, 'a').status(2, 't', 'TASK_STATE_COMPLETED').status(3, 't', 'TASK_STATE_FAILED', 'b');
    assert.deepEqual(
      rowsOf(shapes(twice)).map(({ key, ends, endedBy }) => [key, ends, endedBy]),
      [
        [1, undefined, 2],
        [2, 1, undefined],
        [3, undefined, undefined],
      ],
    );
    const beside = (story: Story): (number | undefined)[] =>
      rowsOf(shapes(story))
        .filter(({ kind }) => kind === 'status')
        .map(row => row.beside);
    assert.deepEqual(beside(new Story().problem(1, 'It broke.', '', '', 't').status(2, 't', 'TASK_STATE_FAILED')), [1]);
    assert.deepEqual(beside(new Story().status(1, 't', 'TASK_STATE_FAILED').problem(2, 'It broke.', '', '', 't')), [2]);
    assert.deepEqual(
      beside(new Story().problem(1, 'It broke.', '', '', 'u').status(2, 't', 'TASK_STATE_FAILED').problem(3, 'It broke.', '', '', 'u')),
      [undefined],
    );
  });

  test('in a stretch of the past nobody knows which status is the newest', () => {
    const story = shapes(new Story().user(0, 'go').status(1, 't', working).status(2, 't', 'TASK_STATE_COMPLETED'));
    assert.deepEqual(
      rowsOf(story).map(({ current }) => current),
      [false, false, true],
    );
    assert.deepEqual(
      rowsOf(story, true).map(({ current }) => current),
      [false, false, false],
    );
  });

  test('anything between them, or another task, begins a new one', () => {
    const story = new Story()
      .status(1, 't', working)
      .artifact(2, 't', [{ text: 'x' }])
      .status(3, 't', working)
      .status(4, 'u', working);
    assert.deepEqual(rows(story), ['progress 1', 'artifact 2', 'progress 3 current', 'progress 4 current']);
    assert.ok(rowsOf(shapes(story)).every(({ card }) => card === undefined));
  });

  test('tasks that run at the same time stand in a card each, in the order of arrival', () => {
    const story = new Story()
      .user(0, 'a', { taskId: 't' })
      .user(1, 'b', { taskId: 'u' })
      .status(2, 't', working, 'one')
      .status(2, 'u', working, 'two')
      .artifact(3, 't', [{ text: 'x' }])
      .status(3, 'u', working, 'three')
      .status(4, 't', 'TASK_STATE_COMPLETED')
      .user(5, 'c', { taskId: 't' })
      .status(6, 'u', 'TASK_STATE_FAILED')
      .status(7, 't', working, 'four')
      .status(8, 'v', working, 'five');
    assert.deepEqual(rows(story), [
      'message 1',
      'message 2',
      'progress 3',
      'artifact 5',
      'status 7',
      'progress 4,6',
      'status 9 current',
      'message 8',
      'progress 10 current',
      'progress 11 current',
    ]);
    assert.deepEqual(
      rowsOf(shapes(story)).map(({ card }) => card && [card.first, card.last, card.state, card.status]),
      [
        undefined,
        undefined,
        [true, false, 'TASK_STATE_COMPLETED', 7],
        [false, false, 'TASK_STATE_COMPLETED', 7],
        [false, true, 'TASK_STATE_COMPLETED', 7],
        [true, false, 'TASK_STATE_FAILED', 9],
        [false, true, 'TASK_STATE_FAILED', 9],
        undefined,
        undefined,
        undefined,
      ],
    );
  });

  test('a task that began while another one ran has a card too, however little was told of it', () => {
    const story = new Story().status(1, 't', working).status(2, 'u', working).status(3, 'v', working).status(4, 't', working);
    assert.deepEqual(
      rowsOf(shapes(story)).map(({ key, card }) => [key, card !== undefined]),
      [
        [1, true],
        [2, true],
        [3, true],
      ],
    );
  });

  test('what comes between the lines of the only task leaves them where they are', () => {
    const story = new Story()
      .user(0, 'a', { taskId: 't' })
      .status(1, 't', working)
      .user(2, 'b', { delivery: 'refused' })
      .status(3, 't', working);
    assert.deepEqual(rows(story), ['message 1', 'progress 2', 'message 3', 'progress 4 current']);
  });

  test('gathering takes time in proportion to what there is', () => {
    const story = new Story();
    for (let index = 0; index < 20_000; index++) story.status(index, `t-${index % 50}`, working, 'a');
    const all = shapes(story);
    const begun = performance.now();
    assert.equal(rowsOf(all).length, 50);
    assert.ok(performance.now() - begun < 2_000);
  });

  test('who speaks and which task are told where they change', () => {
    const story = new Story()
      .user(0, 'a', { taskId: 't' })
      .status(1, 't', working)
      .agent(2, [{ text: 'b' }], 't')
      .user(3, 'c', { taskId: 'u' })
      .status(4, 'u', working)
      .gap(5, 't');
    const told = rowsOf(shapes(story));
    assert.deepEqual(
      told.map(row => row.newTask),
      [true, false, false, false, true, false],
    );
    assert.deepEqual(
      told.map(row => row.newSpeaker),
      [false, true, false, false, false, true],
    );
  });

  test('time is counted from when the user last spoke', () => {
    const story = new Story()
      .status(0, 't', working)
      .user(1, 'a')
      .status(5, 't', 'TASK_STATE_INPUT_REQUIRED')
      .user(60, 'b')
      .status(61, 't', 'TASK_STATE_COMPLETED');
    assert.deepEqual(
      rowsOf(shapes(story)).map(({ since }) => (since === undefined ? undefined : (since - storyStart) / 1000)),
      [undefined, undefined, 1, 1, 60],
    );
  });

  test("a user message that only the agent's history has does not count", () => {
    const story = new Story().user(1, 'a', { taskId: 't' }).status(5, 't', working);
    const { delivery: _, ...foreign } = new Story().user(60, 'b', { taskId: 't' }).entries[0] as MessageEntry;
    story.entries.push({ ...foreign, seq: 3 });
    story.status(61, 't', 'TASK_STATE_COMPLETED');
    const all = shapes(story);
    assert.deepEqual(
      all.map(shape => shape.foreign === true),
      [false, false, true, false],
    );
    assert.equal(rowsOf(all).at(-1)?.since, storyStart + 1_000);
  });

  test('where tasks run in parallel, time is counted from the message to each', () => {
    const story = new Story()
      .user(0, 'a', { taskId: 't' })
      .status(1, 't', working)
      .user(10, 'b', { taskId: 'u' })
      .status(11, 'u', 'TASK_STATE_COMPLETED')
      .status(12, 't', 'TASK_STATE_INPUT_REQUIRED')
      .user(20, 'c', { taskId: 't' })
      .status(21, 't', 'TASK_STATE_COMPLETED');
    assert.deepEqual(
      rowsOf(shapes(story)).map(({ since }) => (since === undefined ? undefined : (since - storyStart) / 1000)),
      [undefined, 0, 0, 0, 10, 0, 20],
    );
  });

  test('a row that says the same as before is the same object, so that nothing but what changed is drawn again', () => {
    const story = new Story()
      .user(0, 'a', { taskId: 't' })
      .status(1, 't', working, 'x')
      .status(2, 't', working, 'y')
      .artifact(3, 't', [{ text: 'x' }]);
    const before = shapes(story);
    const kept = (...after: readonly Shape[]): boolean[] => {
      const drawn = rowsOf(before);
      return reuseRows(rowsOf(after), drawn).map(row => drawn.includes(row));
    };
    const more = (add: (story: Story) => Story): Shape[] => [
      ...before,
      ...shapes(add(new Story().user(0, '').user(0, '').user(0, '').user(0, ''))).slice(4),
    ];
    assert.deepEqual(kept(...before), [true, true, true], 'nothing came');
    assert.deepEqual(kept(...more(all => all.agent(4, [{ text: 'b' }]))), [true, true, true, false], 'an entry came');
    assert.deepEqual(
      kept(...more(all => all.status(4, 't', 'TASK_STATE_COMPLETED'))),
      [true, false, true, false],
      'what was the newest status no longer is',
    );
    assert.deepEqual(kept(...before.slice(1)), [false, false], 'nobody spoke before them any more');
    assert.deepEqual(
      kept(...before.map((shape, index) => (index === 2 ? { ...shape } : shape))),
      [true, false, true],
      'an entry was loaded anew',
    );
    const alone = rowsOf(before.slice(1));
    const older = rowsOf([...shapes(new Story().agent(0, [{ text: 'older' }])), ...before.slice(1)]);
    assert.deepEqual(
      reuseRows(older, alone).map(row => alone.includes(row)),
      [false, false, true],
      'the agent spoke before them already',
    );
  });

  test('tasks keep their number, and colors come round', () => {
    const marks = new TaskMarks();
    const named = (...ids: (string | undefined)[]): void => marks.add(ids.map(taskId => ({ taskId })));
    named('a', undefined, 'b', 'a');
    named('c', 'b', 'd', 'e', 'f', 'g');
    assert.deepEqual(
      ['a', 'b', 'c', 'g'].map(id => marks.get(id)),
      [
        { number: 1, color: 1 },
        { number: 2, color: 2 },
        { number: 3, color: 3 },
        { number: 7, color: 1 },
      ],
    );
    assert.equal(marks.get('x'), undefined);
  });

  test('a task has the number of its place in the context, not of when it was read', () => {
    const marks = new TaskMarks();
    marks.add([
      { taskId: 'newest', taskNumber: 1_000 },
      { taskId: 'oldest', taskNumber: 1 },
      { taskId: 'new' },
      { taskId: 'after one was deleted', taskNumber: 1_000 },
    ]);
    assert.deepEqual(
      ['newest', 'oldest', 'new', 'after one was deleted'].map(id => marks.get(id)?.number),
      [1_000, 1, 1_001, 1_002],
    );
  });
});

suite('chat: what a screen reader is told', () => {
  const told = (story: Story): readonly string[] =>
    announcements(
      story.entries.map(entry => ({ type: 'put', entry })),
      'Agent',
      () => undefined,
    );

  test('whole sentences for what is finished', () => {
    const story = new Story()
      .user(0, 'go')
      .agent(1, [{ text: 'Hello\nthere' }])
      .status(2, 't', 'TASK_STATE_INPUT_REQUIRED', 'Which?')
      .status(3, 't', 'TASK_STATE_COMPLETED')
      .artifact(4, 't', [{ text: 'x' }], { name: 'a\u202eb' })
      .problem(5, 'It broke.', 'Mend it.', '');
    assert.deepEqual(told(story), [
      'Agent says: Hello there',
      'Task input required: Which?',
      'Task completed',
      'Artifact received: a⟨U+202E⟩b',
      'Problem: It broke.',
    ]);
  });

  test('nothing for what is still coming', () => {
    assert.deepEqual(told(new Story().artifact(1, 't', [{ text: 'x' }], { complete: false })), []);
    assert.deepEqual(
      announcements([{ type: 'append', seq: 1, parts: [{ text: 'token' }], chunks: 2 }], 'Agent', () => undefined),
      [],
    );
  });

  test('a text that comes token by token once it is whole, and once', () => {
    const working: TaskState = 'TASK_STATE_WORKING';
    const pieces = new Story()
      .status(1, 't', working, 'Looking it up…')
      .status(2, 't', working, 'The')
      .status(3, 't', working, ' rate')
      .status(4, 't', working, ' is 0.92.');
    assert.deepEqual(told(pieces.status(5, 't', 'TASK_STATE_COMPLETED')), [
      'Task working: Looking it up…',
      'Task working: The',
      'Agent says: The rate is 0.92.',
      'Task completed',
    ]);
    const same = new Story()
      .status(1, 't', working, 'The')
      .status(2, 't', working, ' rate')
      .status(3, 't', 'TASK_STATE_COMPLETED', 'The rate');
    assert.deepEqual(told(same), ['Task working: The', 'Task completed: The rate']);
  });

  test('an artifact once it is whole, without its content again', () => {
    const [growing] = new Story().artifact(1, 't', [{ text: 'x' }], { complete: false, name: 'poem' }).entries;
    const end = { type: 'append', seq: 1, parts: [{ text: 'y' }], chunks: 2, complete: true } as const;
    assert.deepEqual(
      announcements([end], 'Agent', () => growing),
      ['Artifact received: poem'],
    );
    assert.deepEqual(
      announcements([{ type: 'put', entry: growing! }, end], 'Agent', () => undefined),
      ['Artifact received: poem'],
    );
    assert.deepEqual(
      announcements([end], 'Agent', () => undefined),
      [],
    );
  });

  test('a state once, however often it is told with more progress', () => {
    const [working] = new Story().status(0, 't', 'TASK_STATE_WORKING').entries;
    const put = { type: 'put', entry: working! } as const;
    assert.deepEqual(
      announcements([put, put], 'Agent', () => undefined),
      ['Task working'],
    );
    assert.deepEqual(
      announcements([put], 'Agent', () => working),
      [],
    );
    const [done] = new Story().status(0, 't', 'TASK_STATE_COMPLETED').entries;
    assert.deepEqual(
      announcements([{ type: 'put', entry: done! }], 'Agent', () => working),
      ['Task completed'],
    );
  });

  test('what became of the own message only where it went wrong', () => {
    assert.deepEqual(told(new Story().user(0, 'a', { delivery: 'sending' }).user(1, 'a', { delivery: 'sent' })), []);
    assert.equal(told(new Story().user(0, 'a', { delivery: 'refused' }).user(1, 'a', { delivery: 'unknown' })).length, 2);
  });
});
