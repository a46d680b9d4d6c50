import * as assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import type { RetentionOptions } from '../../../src/store/changes/retention.ts';
import { artifact, at, day, exchangeOf, History, is, owner, said } from './support/history.ts';

const now = at + 100 * day;

suite('retention', () => {
  const history = History.ofEachTest();
  let key: string;
  setup(() => {
    key = history.context();
  });

  /** A finished task of 1,000 and some bytes that last changed so many days ago, with what went over the wire for it. */
  function task(taskId: string, daysAgo: number, { word = 'COMPLETED', context = key } = {}): void {
    const when = now - daysAgo * day;
    history.store.record(context, [is(taskId, 'WORKING'), artifact(taskId, 'a', 'x'.repeat(1000)), is(taskId, word)], {
      at: when,
      owner,
      exchangeId: taskId,
      wire: { exchanges: [exchange(taskId, when)], frames: new Map([[taskId, [{ seq: 0, at: when, data: 'f'.repeat(500) }]]]) },
    });
  }
  const left = (): string[] =>
    history.store
      .listTasks({ limit: 200 })
      .map(one => one.taskId)
      .sort();
  /** What goes is what was said before, and what was said to be freed is freed. */
  async function apply(options: RetentionOptions): Promise<readonly [tasks: number, contexts: number, exchanges: number]> {
    const expected = await history.store.retention.whatWouldGo(options, now);
    const gone = await history.store.retention.apply(options, now);
    assert.deepEqual(gone, expected);
    return [gone.tasks.count, gone.contexts.count, gone.exchanges.count];
  }

  test('without limits nothing goes', async () => {
    task('t', 99);
    assert.deepEqual(await apply({}), [0, 0, 0]);
    assert.deepEqual(left(), ['t']);
  });

  /** Hides what was said before, and returns that. */
  async function hide(options: RetentionOptions): Promise<readonly [tasks: number, contexts: number]> {
    const { tasks, contexts } = await history.store.retention.whatWouldGo(options, now);
    await history.store.retention.hide(options, now);
    return [tasks.count, contexts.count];
  }

  test('of one agent alone, or hidden until it is restored', async () => {
    const { edits } = history.store;
    const bens = history.context('Ben');
    task('ann', 2);
    task('ben', 2, { context: bens });
    task('young', 0.5, { context: bens });
    assert.deepEqual(await hide({ days: 1, agent: 'Ben' }), [1, 0]);
    assert.deepEqual(left(), ['ann', 'young']);
    edits.restore(edits.deletedAt(now));
    assert.deepEqual(await hide({ days: 1 }), [2, 1]);
    assert.deepEqual([left(), history.store.context(key)], [['young'], undefined]);
    edits.restore(edits.lastDeleted());
    assert.deepEqual([left(), history.store.context(key)?.tasks], [['ann', 'ben', 'young'], 1]);
  });

  test('everything has what is pinned, not over or only a message, and what was deleted before stays deleted', async () => {
    const { edits, own } = history.store;
    const [pinned, message, bens] = [history.context(), history.context(), history.context('Ben')];
    task('waits', 0, { word: 'INPUT_REQUIRED' });
    task('pinned', 1, { context: pinned });
    task('gone', 1, { context: pinned });
    task('ben', 1, { context: bens });
    edits.pin([{ context: pinned }], true);
    edits.delete([{ context: pinned, taskId: 'gone' }], now - day);
    own.putMessage(message, { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hello' }] }, { at: now, owner });
    assert.deepEqual(await hide({ everything: true, agent: 'Ann' }), [2, 3]);
    assert.deepEqual([left(), history.store.agentNames()], [['ben'], ['Ben']]);
    edits.restore(edits.deletedAt(now));
    assert.deepEqual([left(), history.store.contexts().length], [['ben', 'pinned', 'waits'], 4]);
  });

  test('old tasks go with what went over the wire for them, and the context with its last one', async () => {
    const other = history.context();
    task('old', 31);
    task('older', 60);
    task('young', 29);
    task('alone', 50, { context: other });
    assert.deepEqual(await apply({ days: 30 }), [3, 1, 0]);
    assert.deepEqual(left(), ['young']);
    assert.deepEqual(
      ['old', 'young', 'alone'].map(id => history.store.exchange(id) !== undefined),
      [false, true, false],
    );
    assert.equal(history.store.context(other), undefined);
  });

  const kept: readonly (readonly [what: string, prepare: () => void])[] = [
    [
      'a pinned task',
      () => {
        task('t', 99);
        history.store.edits.pin([{ context: key, taskId: 't' }], true);
      },
    ],
    [
      'a task of a pinned context',
      () => {
        task('t', 99);
        history.store.edits.pin([{ context: key }], true);
      },
    ],
    ['a task at work', () => task('t', 99, { word: 'WORKING' })],
    ['a task that waits', () => task('t', 99, { word: 'INPUT_REQUIRED' })],
    ['a task of unknown state', () => task('t', 99, { word: 'UNSPECIFIED' })],
    ['a task of this minute', () => task('t', 0)],
  ];
  for (const [what, prepare] of kept) {
    test(`${what} stays, whatever the limits`, async () => {
      prepare();
      assert.deepEqual(await apply({ days: 0, tasks: 0, bytes: 0 }), [0, 0, 0]);
      assert.deepEqual(left(), ['t']);
      assert.equal(history.store.exchange('t')?.frames.length, 1);
    });
  }

  test('what tests made goes after its own time, also where it waits for an answer that nobody gives', async () => {
    const test = history.context('Ann', undefined, true);
    const pinned = history.context('Ann', undefined, true);
    task('mine', 20);
    task('waits', 20, { word: 'INPUT_REQUIRED' });
    task('test', 20, { context: test });
    task('test waits', 20, { context: test, word: 'INPUT_REQUIRED' });
    task('young test', 3, { context: test });
    task('pinned test', 20, { context: pinned });
    history.store.edits.pin([{ context: pinned }], true);
    assert.deepEqual(await apply({ testDays: 7 }), [2, 0, 0]);
    assert.deepEqual(left(), ['mine', 'pinned test', 'waits', 'young test']);
    assert.deepEqual(await apply({ testDays: 0, days: 30 }), [1, 1, 0]);
    assert.deepEqual(left(), ['mine', 'pinned test', 'waits']);
  });

  test('a task of a test that somebody listens to stays', async () => {
    const test = history.context('Ann', undefined, true);
    for (const [taskId, follow] of [
      ['followed', true],
      ['left', false],
    ] as const) {
      history.store.record(test, [is(taskId, 'WORKING')], { at: now - 20 * day, owner, follow });
    }
    assert.deepEqual(await apply({ testDays: 7, bytes: 0 }), [1, 0, 0]);
    assert.deepEqual(left(), ['followed']);
  });

  test('a task of a test that waits stays as long as others do where tests have no time of their own', async () => {
    const test = history.context('Ann', undefined, true);
    task('test waits', 99, { context: test, word: 'INPUT_REQUIRED' });
    assert.deepEqual(await apply({ days: 0, tasks: 0, bytes: 0 }), [0, 0, 0]);
  });

  test('the last changed stay, so many of them', async () => {
    for (let index = 1; index <= 10; index++) task(`t${index}`, index);
    history.store.edits.pin([{ context: key, taskId: 't10' }], true);
    assert.deepEqual(await apply({ tasks: 4 }), [6, 0, 0]);
    assert.deepEqual(left(), ['t1', 't10', 't2', 't3']);
  });

  test('the last changed stay, so much of them', async () => {
    for (let index = 1; index <= 10; index++) task(`t${index}`, index);
    const {
      tasks: { bytes },
    } = await history.store.retention.whatWouldGo({ tasks: 0 }, now);
    assert.ok(bytes > 10 * 1500 && bytes < 10 * 2500, `${bytes}`);
    await apply({ bytes: bytes / 2 });
    assert.ok(left().length === 5 || left().length === 4, left().join());
    assert.ok(left().includes('t1'));
    assert.deepEqual(await apply({ bytes: bytes / 2 }), [0, 0, 0]);
  });

  test('contexts of messages alone go by their age', async () => {
    history.record(key, [{ kind: 'message', message: said('m') }], now - 50 * day);
    const young = history.context();
    history.record(young, [{ kind: 'message', message: said('m') }], now - day);
    assert.deepEqual(await apply({ days: 30, tasks: 0 }), [0, 1, 0]);
    assert.deepEqual(
      history.store.contexts().map(context => context.key),
      [young],
    );
  });

  test('a message of no task keeps its context when the tasks go', async () => {
    history.record(key, [{ kind: 'message', message: said('m') }], now - 50 * day);
    task('t', 40);
    assert.deepEqual(await apply({ days: 30 }), [1, 0, 0]);
    assert.notEqual(history.store.context(key), undefined);
    assert.deepEqual(await apply({ days: 30 }), [0, 1, 0]);
  });

  test('what went over the wire goes earlier than messages', async () => {
    task('old', 20);
    task('young', 2);
    task('gone', 40);
    history.store.putWire(key, { exchanges: [{ ...exchange('running', now - 6 * day), endedAt: undefined }], frames: new Map() });
    assert.deepEqual(await apply({ days: 30, wireDays: 5 }), [1, 0, 1]);
    assert.deepEqual(left(), ['old', 'young']);
    assert.deepEqual(
      ['old', 'young', 'running'].map(id => history.store.exchange(id) !== undefined),
      [false, true, true],
    );
    assert.equal(history.store.transcript.entries({ context: key }).length, 6);
    assert.deepEqual(await apply({ wireBytes: 0 }), [0, 0, 1]);
    assert.equal(history.store.exchange('young'), undefined);
  });

  test('a poll that brought nothing new goes with its task', async () => {
    task('t', 40);
    const poll = exchange('poll', now - 40 * day);
    history.store.putWire(key, { exchanges: [poll], frames: new Map(), tasks: { sizes: new Map(), exchanges: new Map([['poll', 't']]) } });
    const loose = history.context();
    history.record(loose, [is('other', 'WORKING')]);
    await apply({ days: 30 });
    assert.deepEqual(
      ['t', 'poll'].map(id => history.store.exchange(id)?.exchange.id),
      [undefined, undefined],
    );
  });

  test('where tasks that stay leave no other way, what went over the wire for no task goes, the oldest first', async () => {
    const rubbish = (id: string, began: number, context: string | undefined, ended = true): void =>
      history.store.putWire(context, {
        exchanges: [{ ...exchange(id, began), endedAt: ended ? began + 1 : undefined }],
        frames: new Map([[id, [{ seq: 0, at: began, data: 'r'.repeat(100_000) }]]]),
      });
    task('works', 20, { word: 'WORKING' });
    const pinned = history.context();
    task('pinned', 20, { context: pinned });
    history.store.edits.pin([{ context: pinned }], true);
    for (const index of [0, 1, 2, 3]) rubbish(`r${index}`, now - (9 - index) * day, key);
    rubbish('card', now - 5 * day - 1, undefined);
    rubbish('of the pinned', now - 9 * day, pinned);
    rubbish('runs', now - day, key, false);
    rubbish('new', now - 1, key);
    const there = (): string[] =>
      ['r0', 'r1', 'r2', 'r3', 'card', 'of the pinned', 'runs', 'new', 'works', 'pinned'].filter(
        id => history.store.exchange(id) !== undefined,
      );
    const all = await history.store.retention.content();
    assert.deepEqual(await apply({ bytes: all - 150_000 }), [0, 0, 2]);
    assert.deepEqual(there(), ['r2', 'r3', 'card', 'of the pinned', 'runs', 'new', 'works', 'pinned']);
    assert.deepEqual(await apply({ bytes: 0 }), [0, 0, 3]);
    assert.deepEqual(there(), ['of the pinned', 'runs', 'new', 'works', 'pinned']);
    assert.deepEqual(left(), ['pinned', 'works']);
  });

  test('what changed since it was looked at stays', async () => {
    task('t', 99);
    task('u', 98);
    const going = history.store.retention.apply({ days: 1 }, now);
    history.store.edits.pin([{ context: key, taskId: 't' }], true);
    assert.equal((await going).tasks.count, 1);
    assert.deepEqual(left(), ['t']);
  });

  test('what went on since it was looked at stays, however old it is', async () => {
    task('t', 99);
    task('u', 98);
    const going = history.store.retention.apply({ days: 1 }, now);
    history.record(key, [is('t', 'COMPLETED', said('more'))], now - 50 * day);
    assert.equal((await going).tasks.count, 1);
    assert.deepEqual(left(), ['t']);
  });

  test('what went over the wire for two tasks stays until both are gone', async () => {
    const record = (taskId: string, daysAgo: number): void =>
      void history.store.record(key, [is(taskId, 'COMPLETED')], {
        at: now - daysAgo * day,
        owner,
        exchangeId: 'both',
        wire: { exchanges: [exchange('both', now - 99 * day)], frames: new Map() },
      });
    record('t', 40);
    record('u', 20);
    assert.deepEqual(await apply({ days: 30 }), [1, 0, 0]);
    assert.notEqual(history.store.exchange('both'), undefined);
    await apply({ days: 10 });
    assert.equal(history.store.exchange('both'), undefined);
  });

  test('gives the space back, and lets others write meanwhile', async () => {
    history.record(
      key,
      Array.from({ length: 600 }, (_, index) => [
        is(`t${index}`, 'WORKING'),
        artifact(`t${index}`, 'a', 'x'.repeat(16_000)),
        is(`t${index}`, 'COMPLETED'),
      ]).flat(),
    );
    checkpoint();
    const before = statSync(history.path).size;
    let turns = 0;
    const ticking = setInterval(() => {
      turns++;
    }, 0);
    await apply({ days: 1 });
    clearInterval(ticking);
    checkpoint();
    const after = statSync(history.path).size;
    assert.ok(after < before / 5, `${before} bytes, then ${after}`);
    assert.ok(turns > 5, `${turns} turns`);
  });

  function checkpoint(): void {
    const raw = new DatabaseSync(history.path);
    raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    raw.close();
  }
});

const exchange = (id: string, startedAt: number): Exchange => exchangeOf(id, { startedAt, endedAt: startedAt + 1 });
