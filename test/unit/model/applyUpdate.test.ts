import * as assert from 'node:assert/strict';
import type { Message } from '../../../src/protocol/message/message.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Artifact, Task } from '../../../src/protocol/message/task.ts';
import type { TaskChange } from '../../../src/protocol/message/taskChange.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { MemoryTask } from '../../../src/model/memory/memoryTask.ts';
import { applyUpdates } from '../../../src/model/fold/applyUpdate.ts';
import { ArtifactReducer } from '../../../src/model/fold/artifactReducer.ts';
import { findingSentence } from '../../../src/protocol/finding.ts';
import { english } from '../../../src/protocol/problem.ts';
import { TaskReducer } from '../../../src/model/fold/taskReducer.ts';
import { StreamReducer } from '../../../src/model/fold/streamReducer.ts';
import { growsInProportion } from '../../support/cpuTime.ts';

type State = 'SUBMITTED' | 'WORKING' | 'COMPLETED' | 'FAILED' | 'CANCELED' | 'INPUT_REQUIRED' | 'UNSPECIFIED';
const state = (word: State): TaskState => `TASK_STATE_${word}`;
const parts = (...texts: readonly string[]): Part[] => texts.map(text => ({ text }));
const says = (messageId: string, text = messageId): Message => ({ messageId, role: 'ROLE_AGENT', parts: parts(text) });
const asks = (messageId: string, text = messageId): Message => ({ messageId, role: 'ROLE_USER', parts: parts(text) });
const art = (artifactId: string, ...texts: readonly string[]): Artifact => ({ artifactId, parts: parts(...texts) });

const status = (word: State, message?: Message, timestamp?: string): StreamResponse => ({
  statusUpdate: {
    taskId: 't',
    contextId: 'c',
    status: { state: state(word), ...(message && { message }), ...(timestamp && { timestamp }) },
  },
});
const progress = (percent: number | undefined, word: State = 'WORKING'): StreamResponse => ({
  statusUpdate: { taskId: 't', status: { state: state(word) }, ...(percent !== undefined && { metadata: { progress: percent } }) },
});
const chunk = (artifact: Artifact, flags: { append?: boolean; lastChunk?: boolean } = {}): StreamResponse => ({
  artifactUpdate: { taskId: 't', contextId: 'c', artifact, ...flags },
});
const task = (word: State, rest: Partial<Task> = {}, message?: Message): StreamResponse => ({
  task: { id: 't', contextId: 'c', status: { state: state(word), ...(message && { message }) }, ...rest },
});
const more = { append: true };
const last = { append: true, lastChunk: true };

const harbour = 'The harbour lies in the north, behind the customs house.';

/** A change in one word or two, as the table below has it. */
function word(change: TaskChange): string {
  switch (change.kind) {
    case 'task':
      return 'task';
    case 'status': {
      const told = change.metadata?.['progress'];
      return `${change.status.state.slice('TASK_STATE_'.length).toLowerCase()}${told === undefined ? '' : `:${String(told)}`}`;
    }
    case 'message':
      return `says ${change.message.messageId}`;
    case 'artifact':
      return `${change.artifact.artifactId}=${change.artifact.parts.map(part => ('text' in part ? part.text : '?')).join('|')}${change.complete ? '.' : ''}`;
    case 'append':
      return `${change.artifactId}+${change.parts.map(part => ('text' in part ? part.text : '?')).join('|')}${change.complete ? '.' : ''}`;
    case 'finding':
      return change.finding.rule;
  }
}

/** Events, the changes they make, and what the task then holds: artifacts, history, current message. */
const table: readonly (readonly [name: string, events: readonly StreamResponse[], changes: string, holds: string])[] = [
  ['a task and its end', [task('SUBMITTED'), status('WORKING'), status('COMPLETED')], 'task submitted working completed', ''],
  ['an update before any task makes one', [status('WORKING')], 'task working', ''],
  ['an artifact before any task makes one', [chunk(art('a', 'x'))], 'task a=x', 'a=x'],
  [
    "an update without a task id belongs to the stream's task",
    [{ statusUpdate: { taskId: '', status: { state: state('WORKING') } } }],
    'task working',
    '',
  ],
  ['a chunk without append replaces', [chunk(art('a', 'x')), chunk(art('a', 'y'))], 'task a=x a=y', 'a=y'],
  ['a chunk that appends extends', [chunk(art('a', 'x')), chunk(art('a', 'y'), more)], 'task a=x a+y', 'a=x|y'],
  ['chunks are kept apart', [chunk(art('a', 'x', 'y')), chunk(art('a', 'z'), last)], 'task a=x|y a+z.', 'a=x|y|z'],
  ['an unknown artifact that appends is made, and noted', [chunk(art('a', 'x'), more)], 'task STRM-04 a=x', 'a=x'],
  [
    'a chunk after the last is taken, and noted',
    [chunk(art('a', 'x'), { lastChunk: true }), chunk(art('a', 'y'), more)],
    'task a=x. STRM-04 a+y.',
    'a=x|y',
  ],
  [
    'a chunk that appends all there was once more is taken, and noted',
    [
      chunk(art('a', 'The harbour lies in the north, ')),
      chunk(art('a', 'behind the customs house.'), more),
      chunk(art('a', harbour), last),
    ],
    `task a=The harbour lies in the north,  a+behind the customs house. STRM-13 a+${harbour}.`,
    `a=The harbour lies in the north, |behind the customs house.|${harbour}`,
  ],
  [
    'a chunk without append that leaves less is taken, and noted',
    [chunk(art('a', 'xyz')), chunk(art('a', 'y'))],
    'task a=xyz STRM-08 a=y',
    'a=y',
  ],
  [
    'a chunk without append that wipes all is taken, and noted',
    [chunk(art('a', 'x')), chunk(art('a', 'y'), more), chunk(art('a'))],
    'task a=x a+y STRM-08 a=',
    'a=',
  ],
  [
    'a chunk without append that has all there was, and more',
    [chunk(art('a', 'x')), chunk(art('a', 'y'), more), chunk(art('a', 'x', 'y', 'z'))],
    'task a=x a+y a+z',
    'a=x|y|z',
  ],
  [
    "a snapshot that has less is the agent's word",
    [chunk(art('a', 'xyz')), task('WORKING', { artifacts: [art('a', 'x')] })],
    'task a=xyz working a=x',
    'a=x',
  ],
  ['two artifacts do not mix', [chunk(art('a', 'x')), chunk(art('b', 'y')), chunk(art('a', 'z'), more)], 'task a=x b=y a+z', 'a=x|z b=y'],
  [
    'a name that comes with a later chunk is taken',
    [chunk(art('a', 'x')), chunk({ ...art('a', 'y'), name: 'n' }, more)],
    'task a=x a=x|y',
    'a=x|y',
  ],
  ['the end completes what was open', [chunk(art('a', 'x')), status('COMPLETED')], 'task a=x a+. completed', 'a=x'],
  ['the same artifact again is nothing new', [chunk(art('a', 'x')), chunk(art('a', 'x'))], 'task a=x', 'a=x'],

  [
    'a text that comes again under another id is two artifacts',
    [chunk(art('a', 'x')), chunk(art('a', 'y'), last), chunk(art('b', 'xy'), { lastChunk: true })],
    'task a=x a+y. b=xy.',
    'a=x|y b=xy',
  ],

  ['a chunk after the end is noted and left out', [status('COMPLETED'), chunk(art('a', 'x'))], 'task completed STRM-03', ''],
  ['a state after the end is noted and left out', [status('COMPLETED'), status('WORKING')], 'task completed STRM-03', ''],
  ['another end after the end is noted and left out', [status('COMPLETED'), status('FAILED')], 'task completed STRM-11', ''],
  [
    'another end after the end, in a snapshot of the stream, is noted and left out',
    [task('FAILED'), task('COMPLETED')],
    'task failed STRM-11',
    '',
  ],
  [
    'a message after the end is noted and left out',
    [status('FAILED'), { message: { ...says('m'), taskId: 't' } }],
    'task failed STRM-03',
    '',
  ],
  ['the same end twice is no fault', [status('COMPLETED'), status('COMPLETED')], 'task completed', ''],
  ['the end with its words after the bare end', [status('COMPLETED'), status('COMPLETED', says('m'))], 'task completed completed', '(m)'],
  [
    'the end with other words after the end is noted and left out',
    [status('COMPLETED', says('m', '42')), status('COMPLETED', says('n', '43'))],
    'task completed STRM-11',
    '(m)',
  ],
  [
    'the same words of the end under another id are no fault',
    [status('COMPLETED', says('m', '42')), status('COMPLETED', says('n', '42'))],
    'task completed completed',
    'm (n)',
  ],
  [
    'a snapshot of the stream with another artifact after the end is noted and left out',
    [chunk(art('a', 'x'), { lastChunk: true }), status('COMPLETED'), task('COMPLETED', { artifacts: [art('a', 'y')] })],
    'task a=x. completed STRM-11',
    'a=x',
  ],
  [
    'a snapshot of the stream with other words after the end is noted and left out',
    [task('COMPLETED', {}, says('m', '42')), task('COMPLETED', {}, says('n', '43'))],
    'task completed STRM-11',
    '(m)',
  ],
  [
    'a snapshot after the end settles chunks out of order',
    [chunk(art('a', 'x'), more), status('COMPLETED'), task('COMPLETED', { artifacts: [art('a', 'wx')] })],
    'task STRM-04 a=x a+. completed a=wx.',
    'a=wx',
  ],
  [
    'a last snapshot after the end is welcome',
    [status('COMPLETED'), task('COMPLETED', { artifacts: [art('a', 'x')] })],
    'task completed a=x.',
    'a=x',
  ],
  ['a snapshot does not bring a task back to work', [status('COMPLETED'), task('WORKING')], 'task completed STRM-03', ''],
  [
    'an event of another task is noted and left out',
    [status('WORKING'), { statusUpdate: { taskId: 'u', status: { state: state('COMPLETED') } } }],
    'task working DATA-06',
    '',
  ],

  [
    'a snapshot that says nothing new changes nothing',
    [task('WORKING', { artifacts: [art('a', 'x')] }), task('WORKING', { artifacts: [art('a', 'x')] })],
    'task working a=x',
    'a=x',
  ],
  [
    'a snapshot brings only what was missed',
    [chunk(art('a', 'x')), task('WORKING', { artifacts: [art('a', 'x', 'y')] })],
    'task a=x working a+y',
    'a=x|y',
  ],
  [
    'a snapshot with joined chunks replaces them',
    [chunk(art('a', 'x')), chunk(art('a', 'y'), more), task('WORKING', { artifacts: [art('a', 'xy')] })],
    'task a=x a+y working a=xy',
    'a=xy',
  ],
  [
    'a snapshot, then chunks that go on',
    [task('WORKING', { artifacts: [art('a', 'x')] }), chunk(art('a', 'y'), more)],
    'task working a=x a+y',
    'a=x|y',
  ],
  ['a snapshot without an artifact leaves it', [chunk(art('a', 'x')), task('WORKING', { artifacts: [] })], 'task a=x working', 'a=x'],
  ['a snapshot without artifacts at all says nothing of them', [chunk(art('a', 'x')), task('WORKING')], 'task a=x working', 'a=x'],
  [
    'a snapshot of a task that is over completes its artifacts',
    [chunk(art('a', 'x')), task('COMPLETED', { artifacts: [art('a', 'x')] })],
    'task a=x a+. completed',
    'a=x',
  ],
  ['new metadata is told', [task('WORKING'), task('WORKING', { metadata: { k: 1 } })], 'task working task', ''],

  [
    'progress is told as it grows',
    [progress(10), progress(10), progress(90), progress(undefined), progress(undefined, 'COMPLETED')],
    'task working:10 working:90 completed',
    '',
  ],
  [
    'progress of a task that is asked for',
    [
      task('WORKING', { metadata: { progress: 10 } }),
      task('WORKING', { metadata: { progress: 90 } }),
      task('COMPLETED', { metadata: { progress: 100 } }),
    ],
    'task working:10 task working:90 task completed',
    '',
  ],

  ['status words move into the history', [status('WORKING', says('m')), status('WORKING', says('n'))], 'task working working', 'm (n)'],
  [
    'the history of a snapshot is told once',
    [task('WORKING', { history: [asks('u'), says('m')] }), task('WORKING', { history: [asks('u'), says('m')] })],
    'task says u says m working',
    'u m',
  ],
  [
    'a history does not repeat what a status said',
    [status('WORKING', says('m')), task('COMPLETED', { history: [says('m')] })],
    'task working completed',
    'm',
  ],
  [
    'a history that ends with the status message tells it once',
    [task('INPUT_REQUIRED', { history: [asks('u'), says('m')] }, says('m'))],
    'task says u input_required',
    'u (m)',
  ],
  [
    'a message without an id is told apart by its words',
    [task('WORKING', { history: [says('no-id:1', 'x')] }), task('WORKING', { history: [says('no-id:1', 'x'), says('no-id:2', 'y')] })],
    'task says no-id:1 working says no-id:2',
    'no-id:1 no-id:2',
  ],
  [
    'the same words without an id again are the same status, later',
    [status('WORKING', says('no-id:1', 'x'), '1'), status('WORKING', says('no-id:1', 'x'), '2')],
    'task working working',
    '(no-id:1)',
  ],
  [
    "the person's message under another id is the same message",
    [task('WORKING', { history: [asks('u', 'hi')] }), task('WORKING', { history: [asks('v', 'hi')] })],
    'task says u working',
    'u',
  ],
  [
    'what the history has before a known message was said before it',
    [
      task('WORKING', { history: [asks('u'), says('m')] }),
      task('WORKING', { history: [says('a'), says('b'), asks('u'), says('c'), says('m'), says('z')] }),
    ],
    'task says u says m working says a says b says c says z',
    'a b u c m z',
  ],
  [
    "also before the person's message under another id",
    [task('WORKING', { history: [asks('u', 'hi')] }), task('WORKING', { history: [says('a'), asks('v', 'hi'), says('z')] })],
    'task says u working says a says z',
    'a u z',
  ],
  [
    'messages of one id in a history are told apart by what they say, and are not news when it comes again',
    [
      task('WORKING', { history: [says('m', 'x'), asks('u'), says('m', 'y')] }),
      task('WORKING', { history: [says('m', 'x'), asks('u'), says('m', 'y'), says('m', 'z')] }),
    ],
    'task says m says u says m working says m',
    'm u m m',
  ],
  ['the same message twice in a history is one', [task('WORKING', { history: [says('m'), says('m')] })], 'task says m working', 'm'],
  ['a message in a stream', [status('WORKING'), { message: says('m') }], 'task working says m', 'm'],
  [
    'a message of the stream that the snapshot has too',
    [{ message: { ...says('m'), taskId: 't' } }, task('COMPLETED', { history: [says('m')] })],
    'task says m task completed',
    'm',
  ],
  [
    'words without ids that come back are said again',
    [status('WORKING', says('no-id:1', 'x')), status('WORKING', says('no-id:2', 'y')), status('WORKING', says('no-id:1', 'x'))],
    'task working working working',
    'no-id:1 no-id:2 (no-id:1)',
  ],
];

function holdings({ artifacts = [], history = [], status: { message } }: Task): string {
  return [
    ...artifacts.map(artifact => `${artifact.artifactId}=${artifact.parts.map(part => ('text' in part ? part.text : '?')).join('|')}`),
    ...history.map(said => said.messageId),
    ...(message === undefined ? [] : [`(${message.messageId})`]),
  ].join(' ');
}

suite('applyUpdates', () => {
  for (const [name, events, changes, holds] of table) {
    test(name, () => {
      const result = applyUpdates(undefined, events, { taskId: 't' });
      assert.equal(result.changes.map(word).join(' '), changes);
      assert.equal(holdings(result.task), holds);
    });
  }

  test('what is kept in memory of the changes is the same, where messages have ids', () => {
    for (const [name, events] of table.filter(([, , , holds]) => !holds.includes('no-id'))) {
      const { task: folded, changes } = applyUpdates(undefined, events, { taskId: 't' });
      const memory = new MemoryTask('t');
      for (const change of changes) memory.apply(change);
      assert.equal(holdings(memory.document.task), holdings(folded), name);
    }
  });

  test('event by event gives the same as all at once', () => {
    for (const [name, events] of table) {
      let task: Task | undefined;
      let complete: ReadonlySet<string> = new Set();
      for (const event of events) {
        const folded = new TaskReducer('t', task && { task, complete });
        folded.apply(event);
        task = folded.task;
        complete = folded.completeArtifacts;
      }
      // Only the stream itself can tell that something came after its end; who comes later has but the task.
      if (/after the end|another task|has too/.test(name)) continue;
      assert.deepEqual(task, applyUpdates(undefined, events, { taskId: 't' }).task, name);
    }
  });

  test('a finding quotes no more than the beginning of a long id', () => {
    const long = 'a'.repeat(1_000_000);
    const { changes } = applyUpdates(
      undefined,
      [
        chunk(art(long, 'xyz'), more),
        chunk(art(long, 'y'), { lastChunk: true }),
        chunk(art(long, 'z'), more),
        { statusUpdate: { taskId: long, status: { state: state('WORKING') } } },
      ],
      { taskId: 't' },
    );
    const findings = changes.flatMap(change => (change.kind === 'finding' ? [change.finding] : []));
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      ['STRM-04', 'STRM-08', 'STRM-04', 'DATA-06'],
    );
    for (const { message } of findings) assert.ok(message.length < 500, `${message.length}`);
  });

  test('text that comes again where listening begins anew is no repetition of the agent', () => {
    const folded = new TaskReducer('t');
    for (const event of [chunk(art('a', harbour.slice(0, 20))), chunk(art('a', harbour.slice(20)), more)]) folded.apply(event);
    folded.joinMidway();
    assert.deepEqual(folded.apply(chunk(art('a', harbour), more)).map(word), [`a+${harbour}`]);
  });

  test('the input is left alone', () => {
    const before: Task = { id: 't', status: { state: state('WORKING') }, artifacts: [art('a', 'x')] };
    const copy = structuredClone(before);
    applyUpdates(before, [chunk(art('a', 'y'), more), status('COMPLETED')], { taskId: 't' });
    assert.deepEqual(before, copy);
  });

  test('GetTask after the end replaces it; that a task that failed is completed after all is noted', () => {
    const folded = new TaskReducer('t');
    folded.apply(status('FAILED'));
    assert.deepEqual(folded.merge({ id: 't', status: { state: state('COMPLETED') } }).map(word), ['STRM-11', 'completed']);
    assert.deepEqual(folded.merge({ id: 't', status: { state: state('COMPLETED') } }).map(word), []);
  });

  test('GetTask after a cancellation replaces it, and after an end a cancellation: both are noted', () => {
    const folded = new TaskReducer('t');
    folded.apply(status('CANCELED'));
    assert.deepEqual(folded.merge({ id: 't', status: { state: state('COMPLETED') } }).map(word), ['STRM-11', 'completed']);
    assert.deepEqual(folded.merge({ id: 't', status: { state: state('CANCELED') } }).map(word), ['STRM-11', 'canceled']);
  });

  test('another end on the stream after the answer to CancelTask replaces it, and what follows that is noted alone', () => {
    const folded = new TaskReducer('t');
    folded.apply(status('WORKING'));
    folded.merge({ id: 't', status: { state: state('CANCELED') } });
    assert.deepEqual(folded.apply(status('WORKING')).map(word), [], 'on its way when the answer came');
    assert.equal(folded.endedByStream, false);
    assert.deepEqual(folded.apply(status('COMPLETED')).map(word), ['STRM-11', 'completed']);
    assert.equal(folded.endedByStream, true);
    assert.deepEqual(folded.apply(status('FAILED')).map(word), ['STRM-11']);
    assert.equal(folded.state, state('COMPLETED'));
  });

  test('a status that is newer than the answer to CancelTask by more than clocks differ is noted', () => {
    const at = (second: string): string => `2026-01-05T10:00:${second}Z`;
    const folded = new TaskReducer('t');
    folded.apply(status('WORKING', undefined, at('01')));
    folded.merge({ id: 't', status: { state: state('CANCELED'), timestamp: at('02') } });
    assert.deepEqual(folded.apply(status('WORKING', says('w'), at('03'))).map(word), [], 'on its way when the answer came');
    assert.deepEqual(folded.apply(status('WORKING', says('x'), at('04'))).map(word), ['STRM-03']);
    assert.equal(folded.state, state('CANCELED'));
  });

  test('the text of an event after the end stays with its finding, as far as it is short', () => {
    const folded = new TaskReducer('t');
    folded.apply(status('COMPLETED'));
    const textOf = (event: StreamResponse): (string | undefined)[] =>
      folded.apply(event).flatMap(change => (change.kind === 'finding' ? [change.finding.ignoredText] : []));
    assert.deepEqual(textOf(status('WORKING', says('m', 'one moment'))), ['one moment']);
    assert.deepEqual(textOf(status('FAILED', says('n', 'after all'))), ['after all']);
    assert.deepEqual(textOf(task('FAILED', {}, says('n', 'after all'))), ['after all']);
    assert.deepEqual(textOf(task('COMPLETED', { artifacts: [art('a', 'x')] })), []);
    assert.deepEqual(textOf(task('COMPLETED', { artifacts: [art('a', 'y')] })), ['y']);
    assert.deepEqual(textOf(status('WORKING')), [undefined]);
    assert.deepEqual(textOf({ message: { ...says('o', 'bye'), taskId: 't' } }), ['bye']);
    assert.deepEqual(textOf({ message: { ...says('p'), parts: parts('one', 'two'), taskId: 't' } }), ['one | two']);
    assert.deepEqual(textOf(chunk(art('b', 'x'.repeat(3_000)))), [`${'x'.repeat(2_000)}…`]);
    assert.equal(folded.state, state('COMPLETED'));
    assert.deepEqual(folded.task.artifacts, [art('a', 'x')]);
  });

  test('a task that is asked for ends once, and a status without its message is the same', () => {
    const folded = new TaskReducer('t');
    const at = '2026-01-01T00:00:00Z';
    const merge = (name: State, message?: Message, timestamp = at): string[] =>
      folded.merge({ id: 't', status: { state: state(name), timestamp, ...(message && { message }) } }).map(word);
    folded.apply(status('INPUT_REQUIRED', says('q'), at));
    assert.deepEqual(merge('INPUT_REQUIRED'), []);
    assert.deepEqual(merge('INPUT_REQUIRED', undefined, '2026-01-01T00:00:09Z'), ['input_required']);
    assert.deepEqual(merge('FAILED'), ['failed']);
    assert.deepEqual(merge('FAILED', says('m')), ['failed'], 'the message that was missing');
    assert.deepEqual([merge('FAILED', says('n'), '2026-01-01T00:01:00Z'), merge('FAILED')], [[], []]);
    assert.deepEqual(folded.status, { state: state('FAILED'), timestamp: at, message: says('m') });
  });

  test('what the stream still brings after CancelTask has told the end is neither applied nor a fault', () => {
    const folded = new TaskReducer('t');
    folded.apply(chunk(art('a', 'x')));
    folded.merge({ id: 't', status: { state: state('CANCELED') }, artifacts: [art('a', 'x', 'y')] });
    assert.deepEqual(folded.apply(chunk(art('a', 'y'), more)).map(word), []);
    assert.equal(holdings(folded.task), 'a=x|y');
    assert.equal(folded.hasSkippedEvents, true);
  });

  test('chunks twice or out of order are doubted until a snapshot has told how it is', () => {
    const streams: readonly (readonly [StreamResponse[], boolean])[] = [
      [[chunk(art('a', 'x')), chunk(art('a', 'y'), more), chunk(art('a', 'z'), more)], false],
      [[chunk(art('a', 'x')), chunk(art('a', 'y'), more), chunk(art('a', 'y'), more)], true],
      [[chunk(art('a', 'y'), more), chunk(art('a', 'x'))], true],
      [[chunk(art('a', 'xy')), chunk(art('a', 'x'))], true],
      [[chunk(art('a', 'x')), chunk(art('a', 'z'), { ...more, lastChunk: true }), chunk(art('a', 'y'), more)], true],
    ];
    for (const [events, doubtful] of streams) {
      const folded = new TaskReducer('t');
      for (const event of events) folded.apply(event);
      assert.equal(folded.doubtful, doubtful);
      folded.merge(folded.task);
      assert.equal(folded.doubtful, false);
    }
  });

  test('a chunk costs the same however many came before', () => {
    const perChunk = (count: number): number => {
      const folded = new TaskReducer('t');
      folded.apply(chunk(art('a', 'x')));
      let touched = 0;
      // Each part counts how often anybody looks at it.
      const counted = (): Part =>
        new Proxy(
          { text: 'y' },
          {
            get: (target, key) => {
              touched++;
              return Reflect.get(target, key);
            },
            has: (target, key) => {
              touched++;
              return key in target;
            },
          },
        );
      for (let index = 0; index < count; index++) folded.apply(chunk({ artifactId: 'a', parts: [counted()] }, more));
      assert.equal(folded.task.artifacts?.[0]?.parts.length, count + 1);
      return touched;
    };
    assert.equal(perChunk(3000) - perChunk(2000), perChunk(2000) - perChunk(1000));
  });
});

suite('a flood of tiny events costs what it brings', function () {
  this.timeout(120_000);
  const floods: readonly (readonly [what: string, small: number, event: (index: number) => StreamResponse])[] = [
    ['statuses', 2_000, index => status('WORKING', says(`m${index}`, `word ${index}`))],
    ['statuses whose messages have one id', 500, index => status('WORKING', says('m', `word ${index}`))],
    ['messages of one id', 500, index => ({ message: { ...says('m', `word ${index}`), taskId: 't' } })],
    ['snapshots with another message each', 1_000, index => task('WORKING', { history: [says(`m${index}`)] })],
    ['whole artifacts of one length', 250, index => chunk(art(`a${index}`, String(100_000 + index)), { lastChunk: true })],
    ['whole artifacts of one text', 250, index => chunk(art(`a${index}`, 'x'), { lastChunk: true })],
    [
      'artifacts that tell the one before again',
      1_000,
      index => chunk(art(`a${index}`, 'x'.repeat(1 + (index >> 1))), { lastChunk: true }),
    ],
    ['artifacts that are not whole', 1_000, index => chunk(art(`a${index}`, 'x'))],
    ['other contexts', 1_000, index => ({ statusUpdate: { taskId: 't', contextId: `c${index}`, status: { state: state('WORKING') } } })],
  ];
  for (const [what, small, event] of floods) {
    test(what, async () => {
      const { holds, figures } = await growsInProportion(size => {
        const folded = new TaskReducer('t');
        for (let index = 0; index < size; index++) folded.apply(event(index));
        assert.ok(folded.isKnown);
      }, small);
      assert.ok(holds, figures);
    });
  }

  test('of another task that has ended', async () => {
    const { holds, figures } = await growsInProportion(size => {
      const fold = new StreamReducer(id => new TaskReducer(id));
      const other = (word: State, index: number): StreamResponse => ({
        statusUpdate: { taskId: 'u', contextId: 'c', status: { state: state(word), message: says(`m${index}`) } },
      });
      fold.apply([task('WORKING')], true);
      for (let index = 0; index < size; index++) fold.apply([other('WORKING', index)]);
      for (let index = 0; index < size; index++) fold.apply([other('COMPLETED', size)]);
      assert.equal(fold.ending?.history?.length, size);
    }, 250);
    assert.ok(holds, figures);
  });

  test('a snapshot whose messages of the person have other ids than those that were sent', async () => {
    const { holds, figures } = await growsInProportion(size => {
      const history = (id: string, last: boolean): Message[] =>
        Array.from({ length: size }, (_, index) => asks(`${id}${index}`, `word ${last ? size - index : index + 1}`));
      const folded = new TaskReducer('t');
      folded.merge({ id: 't', status: { state: state('WORKING') }, history: history('m', false) });
      assert.deepEqual(folded.merge({ id: 't', status: { state: state('WORKING') }, history: history('n', true) }), []);
    }, 500);
    assert.ok(holds, figures);
  });
});

suite('another contextId in the middle of a task', () => {
  const inOther = (event: StreamResponse, contextId = 'other'): StreamResponse => {
    if ('task' in event) return { task: { ...event.task, contextId } };
    if ('message' in event) return { message: { ...event.message, taskId: 't', contextId } };
    return 'statusUpdate' in event
      ? { statusUpdate: { ...event.statusUpdate, contextId } }
      : { artifactUpdate: { ...event.artifactUpdate, contextId } };
  };
  const told: readonly (readonly [by: string, event: StreamResponse, changes: string])[] = [
    ['a status', status('COMPLETED'), 'DATA-06 completed'],
    ['a chunk', chunk(art('a', 'x')), 'DATA-06 a=x'],
    ['a message', { message: says('m') }, 'DATA-06 says m'],
    ['a snapshot', task('COMPLETED', { artifacts: [art('a', 'x')] }), 'DATA-06 a=x. completed'],
    ['a snapshot with other metadata', task('WORKING', { metadata: { k: 1 } }, says('m')), 'task DATA-06 working'],
  ];
  for (const [by, event, changes] of told) {
    for (const way of ['a stream', 'GetTask'] as const) {
      if (way === 'GetTask' && !('task' in event)) continue;
      test(`told by ${by} in ${way} is a finding, once, and is not taken over`, () => {
        const folded = new TaskReducer('t');
        folded.apply(task('WORKING'));
        const other = inOther(event);
        const made = way === 'a stream' || !('task' in other) ? folded.apply(other) : folded.merge(other.task);
        assert.equal(made.map(word).join(' '), changes);
        assert.deepEqual(
          made.flatMap(change => (change.kind === 'task' ? [change.contextId] : [])),
          'metadata' in (('task' in event && event.task) || {}) ? [undefined] : [],
        );
        assert.deepEqual(
          made.flatMap(change => (change.kind === 'finding' ? [change.finding.message] : [])),
          ['The task belongs to context "c" and was reported in "other"; the other context was ignored.'],
        );
        assert.equal(
          folded.apply(inOther(status('WORKING'))).filter(change => change.kind === 'finding' && change.finding.rule === 'DATA-06').length,
          0,
        );
        assert.equal(folded.task.contextId, 'c');
      });
    }
  }

  test('each other one is said, twenty at most, and no more than a hundred characters of it', () => {
    const folded = new TaskReducer('t');
    folded.apply(task('WORKING'));
    const findings = Array.from({ length: 100 }, (_, index) => folded.apply(inOther(status('WORKING'), `${index}${'x'.repeat(100_000)}`)))
      .flat()
      .filter(({ kind }) => kind === 'finding');
    assert.equal(findings.length, 20);
    assert.ok(findings.every(change => change.kind === 'finding' && change.finding.message.length < 400));
    assert.equal(folded.contextId, 'c');
  });

  test('is none where the task had none, or an empty one is told', () => {
    const folded = new TaskReducer('t');
    folded.apply({ statusUpdate: { taskId: 't', status: { state: state('WORKING') } } });
    assert.deepEqual([...folded.apply(inOther(status('WORKING'), 'c')), ...folded.apply(inOther(status('WORKING'), ''))].map(word), [
      'task',
    ]);
    assert.equal(folded.contextId, 'c');
  });
});

suite('a message to a task that waits', () => {
  test('stands behind the question that it answers, and before what follows', () => {
    // As the history has it: the message is written before it is sent, and the question is in the status.
    const known: Task = {
      id: 't',
      contextId: 'c',
      status: { state: state('INPUT_REQUIRED'), message: says('which city?') },
      history: [asks('weather?'), says('looking'), asks('Berlin')],
    };
    const folded = new TaskReducer('t', { task: known, complete: new Set() });
    folded.addKnownMessage(asks('Berlin'));
    folded.beginTurn(asks('Berlin'));
    folded.apply(status('WORKING', says('looking again')));
    folded.apply(status('COMPLETED'));
    assert.deepEqual(
      folded.task.history?.map(({ messageId }) => messageId),
      ['weather?', 'looking', 'which city?', 'Berlin', 'looking again'],
    );
  });
});

suite('a message to a task that is over', () => {
  const answers: readonly (readonly [what: string, before: State, event: StreamResponse, changes: string, after: State])[] = [
    ['is answered with the task at work', 'COMPLETED', task('WORKING'), 'CORE-02 working', 'WORKING'],
    ['is answered with a state', 'FAILED', status('INPUT_REQUIRED'), 'CORE-02 input_required', 'INPUT_REQUIRED'],
    ['is answered with the same end', 'COMPLETED', task('COMPLETED'), 'CORE-02', 'COMPLETED'],
    ['is answered with a message', 'CANCELED', { message: { ...says('m'), taskId: 't' } }, 'CORE-02', 'CANCELED'],
    ['is no matter where the task is not over', 'INPUT_REQUIRED', status('WORKING'), 'working', 'WORKING'],
  ];
  for (const [what, before, event, changes, after] of answers) {
    test(what, () => {
      const folded = new TaskReducer('t', { task: { id: 't', contextId: 'c', status: { state: state(before) } }, complete: new Set() });
      folded.beginTurn();
      const made = folded
        .apply(event)
        .filter(({ kind }) => kind !== 'task')
        .map(word)
        .join(' ');
      assert.equal(made.split(' ').slice(0, 2).join(' '), changes);
      assert.equal(folded.state, state(after));
    });
  }

  test('is answered with other words of the same end, which no stream repeats', () => {
    const folded = new TaskReducer('t');
    folded.apply(status('COMPLETED', says('m')));
    folded.beginTurn();
    assert.deepEqual(folded.apply(status('COMPLETED', says('n'))).map(word), ['CORE-02', 'completed']);
    assert.deepEqual(folded.apply(status('COMPLETED', says('o'))).map(word), ['STRM-11']);
  });

  test('is said once, and the task that began again comes to an end', () => {
    const folded = new TaskReducer('t', { task: { id: 't', contextId: 'c', status: { state: state('COMPLETED') } }, complete: new Set() });
    folded.beginTurn();
    assert.deepEqual(
      [status('WORKING'), chunk(art('a', 'x'), last), status('COMPLETED')]
        .flatMap(event => folded.apply(event))
        .filter(({ kind }) => kind === 'finding')
        .map(word),
      ['CORE-02', 'STRM-04'],
    );
    assert.equal(folded.state, state('COMPLETED'));
  });

  for (const [append, words] of [
    [undefined, 'An update of artifact "a" without append replaced 3 characters with 1.'],
    [false, 'An update of artifact "a" with "append": false replaced 3 characters with 1.'],
  ] as const)
    test(`what is said of an artifact that shrinks, append ${append}`, () => {
      const reducer = new ArtifactReducer('t');
      reducer.update({ taskId: 't', contextId: 'c', artifact: art('a', 'xyz') }, false);
      const update = { taskId: 't', contextId: 'c', artifact: art('a', 'y'), ...(append !== undefined && { append }) };
      const said = reducer.update(update, false).flatMap(one => (one.kind === 'finding' ? [english(findingSentence(one.finding))] : []));
      assert.deepEqual(said, [words]);
    });
});
