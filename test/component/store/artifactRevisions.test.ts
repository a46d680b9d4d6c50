import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { TaskReducer } from '../../../src/model/fold/taskReducer.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Artifact, Task } from '../../../src/protocol/message/task.ts';
import { type ArtifactRevision, maxRevisionBytes, maxRevisions } from '../../../src/store/rows/artifactRevisions.ts';
import type { TaskStore } from '../../../src/store/taskStore.ts';
import { at, History, is, owner } from './support/history.ts';

const textOf = (parts: readonly Part[]): string => parts.map(part => ('text' in part ? part.text : JSON.stringify(part))).join('');

type Told = string | readonly Part[];
const partsOf = (told: Told): readonly Part[] => (typeof told === 'string' ? [{ text: told }] : told);
const put = (told: Told, lastChunk?: true): StreamResponse => ({
  artifactUpdate: {
    taskId: 't',
    contextId: 'c',
    artifact: { artifactId: 'a', parts: [...partsOf(told)] },
    append: false,
    ...(lastChunk && { lastChunk }),
  },
});
const more = (told: Told, lastChunk?: true): StreamResponse => ({
  artifactUpdate: {
    taskId: 't',
    contextId: 'c',
    artifact: { artifactId: 'a', parts: [...partsOf(told)] },
    append: true,
    ...(lastChunk && { lastChunk }),
  },
});
/** A chunk with the artifact's name. */
const named = (text: string): StreamResponse => ({
  artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', name: 'n', parts: [{ text }] }, append: true },
});
/** What GetTask answers. */
const asked = (told: Told, word: 'WORKING' | 'COMPLETED' = 'COMPLETED'): Task => ({
  id: 't',
  contextId: 'c',
  status: { state: `TASK_STATE_${word}` },
  artifacts: [{ artifactId: 'a', parts: [...partsOf(told)] } satisfies Artifact],
});
const working: StreamResponse = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } };

suite('revisions of an artifact', () => {
  const history = History.ofEachTest();
  let key: string;
  setup(() => {
    key = history.context();
  });

  function tell(...events: readonly (StreamResponse | Task)[]): void {
    const folded = new TaskReducer('t');
    for (const [index, event] of [working, ...events].entries()) {
      history.record(key, 'id' in event ? folded.merge(event) : folded.apply(event), at + index);
    }
  }
  const kept = (store = history.store): readonly ArtifactRevision[] =>
    store.artifacts.ofContext(key).flatMap(({ seq }) => store.artifacts.revisions(key, seq));
  /** The numbers and texts of what was there before, and the number and text of what is there. */
  function shown(store = history.store): string {
    const [made] = store.artifacts.ofContext(key);
    const earlier = kept(store);
    assert.equal(made?.earlier ?? 0, earlier.length);
    return [
      ...earlier.map(({ number, artifact }) => `${number}=${textOf(artifact.parts)}`),
      `[${made?.revision ?? 1}=${textOf(store.artifacts.parts(key, 't', 'a'))}]`,
    ].join(' ');
  }

  const rows: readonly (readonly [what: string, events: readonly (StreamResponse | Task)[], expected: string])[] = [
    ['three contents in one task', [put('draft one'), put('draft two'), put('final')], '1=draft one 2=draft two [3=final]'],
    ['each of chunks', [put('draft'), more(' one', true), put('dr. '), more('two', true)], '1=draft one [2=dr. two]'],
    ['one that was not said to be finished', [put('draft'), more(' one'), put('another')], '1=draft one [2=another]'],
    ['chunks of one that grows are none', [put('a'), more('b'), more('c', true)], '[1=abc]'],
    ['identical content told again is none', [put('a', true), put('a', true), put('a')], '[1=a]'],
    ['the same in other parts is none', [put('a'), more('b', true), put('ab', true)], '[1=ab]'],
    ['all of it so far, each time a little more, is none', [put('a'), put('ab'), put('abc')], '[1=abc]'],
    ['a finished one that is told anew with more', [put('plan', true), put('plan, revised', true)], '1=plan [2=plan, revised]'],
    ['nothing is none', [put([]), put('a'), put([]), put('b')], '1=a [2=b]'],
    ['told from its beginning again, and on', [put('a'), more('b'), put('a'), more('b'), more('c', true)], '[1=abc]'],
    ['a finished one told from its beginning again', [put('a'), more('b', true), put('a'), more('b', true)], '[1=ab]'],
    ['back to the first', [put('one', true), put('two', true), put('one', true)], '1=one 2=two [3=one]'],
    ['data', [put([{ data: { a: 1 } }]), put([{ data: { a: 2 } }])], '1={"data":{"a":1}} [2={"data":{"a":2}}]'],
    [
      'other words about the same content are none',
      [put([{ text: 'a', metadata: { x: 1 } }], true), put([{ text: 'a', mediaType: 'text/markdown' }], true)],
      '[1=a]',
    ],
    ['a snapshot that has all chunks in one part is none', [put('a'), more('b', true), asked('ab')], '[1=ab]'],
    ['a snapshot that has what the stream lost', [put('a'), more('c'), asked('abc')], '1=ac [2=abc]'],
    ['a snapshot that goes on where the stream ended is none', [put('a'), more('b'), asked('abc')], '[1=abc]'],
    ['a snapshot with other content than the stream, which did not finish it', [put('a'), more('b'), asked('x')], '1=ab [2=x]'],
    ['a snapshot with other content than a stream in disorder', [put('a', true), more('b'), asked('x')], '1=ab [2=x]'],
    ['a snapshot that sets right what came out of order is none', [more('b'), put('a'), asked('ab')], '[1=ab]'],
    [
      'what polling saw one after the other',
      [asked('draft', 'WORKING'), asked('other', 'WORKING'), asked('final')],
      '1=draft 2=other [3=final]',
    ],
    ['what polling saw grow is none', [asked('dr', 'WORKING'), asked('draft', 'WORKING'), asked('draft!')], '[1=draft!]'],
  ];
  for (const [what, events, expected] of rows) {
    test(what, () => {
      tell(...events);
      assert.equal(shown(), expected);
      history.reopen();
      assert.equal(shown(), expected);
    });
  }

  const chunks: readonly (readonly [what: string, events: readonly (StreamResponse | Task)[], expected: number])[] = [
    ['each update is one', [put('a'), more('b'), more('c', true)], 3],
    ['what GetTask has is none', [asked('a', 'WORKING'), asked('ab')], 0],
    ['what a streamed task has is none', [{ task: asked('a', 'WORKING') }, more('b'), { task: asked('abc', 'WORKING') }], 1],
    ['what GetTask adds is none, and later chunks go on', [put('a'), more('b'), asked('abc', 'WORKING'), more('d')], 3],
    ['content that GetTask replaces had its own', [put('a'), more('b'), asked('x')], 0],
    ['content that an update replaces had its own', [put('a'), more('b'), put('x'), more('y')], 2],
    ['a name that comes later takes none away', [put('a'), more('b'), named('c')], 3],
  ];
  for (const [what, events, expected] of chunks) {
    test(`chunks: ${what}`, () => {
      tell(...events);
      const entries = history.store.transcript.entries({ context: key });
      assert.deepEqual(
        entries.flatMap(entry => (entry.kind === 'artifact' ? [entry.chunks] : [])),
        [expected],
      );
    });
  }

  test('chunks: the end of the task is none, also where it is written together with the last chunk', () => {
    const folded = new TaskReducer('t');
    history.record(
      key,
      [working, put('a')].flatMap(event => folded.apply(event)),
    );
    const end: StreamResponse = { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } };
    history.record(
      key,
      [more('b'), end].flatMap(event => folded.apply(event)),
    );
    const entries = history.store.transcript.entries({ context: key });
    assert.deepEqual(
      entries.flatMap(entry => (entry.kind === 'artifact' ? [[entry.chunks, entry.complete]] : [])),
      [[2, true]],
    );
  });

  test('content that was not streamed is marked, and so is what it replaced', () => {
    tell(put('a'), put('b'), asked('c', 'WORKING'));
    const marks = (): unknown => [
      ...kept().map(({ apart = false }) => apart),
      history.store.artifacts.ofContext(key).map(({ apart = false }) => apart),
    ];
    assert.deepEqual(marks(), [false, true, [true]]);
    const folded = new TaskReducer('t', { task: asked('c', 'WORKING'), complete: new Set() });
    history.record(key, folded.apply(put('d')), at + 10);
    assert.deepEqual(marks(), [false, true, false, [false]]);
  });

  test('of the newest twenty, with the numbers they had', () => {
    tell(...Array.from({ length: maxRevisions + 5 }, (_, index) => put(`text ${index}`, true)));
    const numbers = kept().map(({ number }) => number);
    assert.deepEqual([numbers.length, numbers[0], numbers.at(-1)], [maxRevisions, 5, 24]);
    assert.equal(history.store.artifacts.ofContext(key)[0]?.revision, 25);
  });

  test('of so many bytes: the oldest go, and one that is too large by itself is not kept', () => {
    const third = maxRevisionBytes / 3;
    const long = (letter: string, length: number): StreamResponse => put(letter.repeat(length), true);
    tell(long('a', third), long('b', third), long('c', third), long('d', 5));
    assert.deepEqual(
      kept().map(({ number }) => number),
      [2, 3],
    );
    history.record(key, [
      {
        kind: 'artifact',
        taskId: 't',
        artifact: { artifactId: 'a', parts: [{ text: 'x'.repeat(maxRevisionBytes + 1) }] },
        complete: true,
        revises: true,
      },
    ]);
    history.record(key, [
      { kind: 'artifact', taskId: 't', artifact: { artifactId: 'a', parts: [{ text: 'y' }] }, complete: true, revises: true },
    ]);
    assert.equal(shown(), '[6=y]');
  });

  test('a task that goes takes them along, and retention counts them', async () => {
    tell(put('x'.repeat(10_000), true), put('y'.repeat(10), true));
    history.record(key, [is('t', 'COMPLETED')], at);
    const { tasks } = await history.store.retention.apply({ days: 1 }, at + 10 * 24 * 60 * 60_000);
    assert.equal(tasks.count, 1);
    assert.ok(tasks.bytes > 10_000, `${tasks.bytes}`);
    key = history.context();
    tell(put('new', true));
    assert.equal(shown(), '[1=new]');
  });

  test('a window that takes the task over goes on counting', () => {
    tell(put('one', true), put('two', true));
    history.reopen();
    const known = history.store.taskDocument(key, 't');
    const folded = new TaskReducer('t', known && { task: known.task, complete: known.complete });
    history.store.record(key, folded.apply(put('three', true)), { at, owner });
    assert.equal(shown(), '1=one 2=two [3=three]');
  });

  test('export and import keep them, numbers and times too', async () => {
    tell(...Array.from({ length: maxRevisions + 2 }, (_, index) => put(`text ${index}`, true)), asked('text of GetTask'));
    history.store.artifacts.judge(key, history.store.artifacts.ofContext(key)[0]!.seq, 'accepted');
    const text = [...history.store.export.lines(undefined)].join('');
    const other = new History();
    try {
      const { added, problems } = await other.store.import.lines([new TextEncoder().encode(text)], at);
      assert.deepEqual([added, problems], [1, []]);
      assert.equal(shown(other.store), shown());
      assert.deepEqual(kept(other.store), kept());
    } finally {
      other.close();
    }
  });
});

suite('an artifact in several turns of its task', () => {
  const history = History.ofEachTest();
  let key: string;
  let folded: TaskReducer;
  setup(() => {
    key = history.context();
    folded = new TaskReducer('t');
    tell(working, put('draft', true));
  });

  const tell = (...events: readonly (StreamResponse | Task)[]): void => {
    for (const event of events) history.record(key, 'id' in event ? folded.merge(event) : folded.apply(event));
  };
  /** The person's next message to the task. */
  function ask(delivery: 'sent' | 'refused' = 'sent'): void {
    const message = { messageId: randomUUID(), role: 'ROLE_USER' as const, parts: [{ text: 'Again' }] };
    const { seq } = history.store.own.putMessage(key, message, { at, owner, taskId: 't' });
    history.store.own.setDelivery(seq, delivery, { at });
    folded.beginTurn();
  }
  /** Texts of all artifacts in order of their entries, with what came in between. */
  const shown = (store = history.store): string =>
    store.transcript
      .entries({ context: key })
      .flatMap(entry =>
        entry.kind === 'artifact'
          ? [`${textOf(entry.artifact.parts)}/${entry.chunks}${entry.complete ? '' : '…'}`]
          : entry.kind === 'message'
            ? ['|']
            : [],
      )
      .join(' ');

  const rows: readonly (readonly [what: string, events: readonly (StreamResponse | Task)[], expected: string])[] = [
    ['other content', [put('final', true)], 'draft/1 | final/1'],
    ['the same content once more', [put('draft', true)], 'draft/1 | draft/1'],
    ['more behind what there is', [more(' and', true), more(' more')], 'draft/1 | draft and more/2'],
    ['what GetTask changes', [asked('final')], 'draft/1 | final/0'],
    ['what GetTask repeats stays where it is', [asked('draft')], 'draft/1 |'],
    ['what a streamed task repeats stays where it is', [{ task: asked('draft', 'WORKING') }, asked('draft')], 'draft/1 |'],
  ];
  for (const [what, events, expected] of rows) {
    test(what, () => {
      ask();
      tell(...events);
      assert.equal(shown(), expected);
      assert.equal(history.store.artifacts.ofTask(key, 't').length, 1);
    });
  }

  test('one that was not finished expects no more in its turn', () => {
    tell(put('a'), more('b'));
    ask();
    tell(more('c'));
    assert.equal(shown(), 'ab/2 | abc/1…');
  });

  test('a message that the agent refused begins no turn', () => {
    ask('refused');
    tell(put('final', true));
    assert.equal(shown(), 'final/1 |');
  });

  test('each turn has a version of its own, with its revisions and verdict, also in an export', async () => {
    tell(put('second draft', true));
    ask();
    tell(put('other', true), put('final', true), asked('final'));
    const [before, after] = history.store.artifacts.ofContext(key);
    history.store.artifacts.judge(key, before!.seq, 'rejected');
    history.store.artifacts.judge(key, after!.seq, 'accepted');
    const versions = (store: TaskStore): unknown =>
      store.artifacts
        .ofContext(key)
        .map(({ seq, verdict }) => [verdict, ...store.artifacts.revisions(key, seq).map(({ artifact: { parts } }) => textOf(parts))]);
    assert.deepEqual(versions(history.store), [
      ['rejected', 'draft'],
      ['accepted', 'other'],
    ]);
    const other = new History();
    try {
      const text = [...history.store.export.lines(undefined)].join('');
      await other.store.import.lines([new TextEncoder().encode(text)], at);
      assert.equal(shown(other.store), shown());
      assert.deepEqual(versions(other.store), versions(history.store));
      assert.equal(textOf(other.store.artifacts.parts(key, 't', 'a')), 'final');
    } finally {
      other.close();
    }
  });
});
