import * as assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { at, History, owner, said } from './support/history.ts';

suite('writes while another program holds the history', () => {
  let history: History;
  let other: DatabaseSync;
  let key: string;
  setup(() => {
    history = new History();
    key = history.context();
    other = new DatabaseSync(history.path, { timeout: 0 });
  });
  teardown(() => {
    if (other.isOpen) other.close();
    history.close();
  });

  const fail = (error: unknown): void => {
    throw error;
  };
  const say = (id: string): void => history.record(key, [{ kind: 'message', message: said(id) }]);
  const spoken = (): string[] =>
    history.store.transcript.entries({ context: key }).flatMap(entry => (entry.kind === 'message' ? [entry.message.messageId] : []));
  const inTurn = (id: string): boolean => history.store.writes.inTurn(() => say(id), fail);

  test('are made at once where nobody does, and otherwise in their order when it is free again', async () => {
    const heard: boolean[] = [];
    history.store.writes.onDidChange(busy => {
      heard.push(busy);
    });
    assert.equal(inTurn('one'), true);
    other.exec('BEGIN EXCLUSIVE');
    assert.equal(inTurn('two'), false);
    assert.equal(inTurn('three'), false);
    const four = history.store.writes.patiently(() => say('four'));
    assert.deepEqual(spoken(), ['one']);
    other.exec('ROLLBACK');
    assert.throws(() => say('overtakes'), { code: 'history-busy' });
    await four;
    await history.store.writes.settled;
    assert.deepEqual(spoken(), ['one', 'two', 'three', 'four']);
    assert.deepEqual(heard, [true, false]);
    say('five');
    assert.equal(spoken().at(-1), 'five');
  });

  test('stay in their order where one asks for others', async () => {
    other.exec('BEGIN EXCLUSIVE');
    history.store.writes.inTurn(() => {
      inTurn('one');
      inTurn('two');
    }, fail);
    history.store.writes.inTurn(() => {
      inTurn('three');
      inTurn('four');
    }, fail);
    inTurn('five');
    other.exec('ROLLBACK');
    await history.store.writes.settled;
    assert.deepEqual(spoken(), ['one', 'two', 'three', 'four', 'five']);
  });

  test('that one asks for in its turn come right behind it, before those that wait already', async () => {
    const asked = Promise.withResolvers<void>();
    other.exec('BEGIN EXCLUSIVE');
    history.store.writes.inTurn(() => {
      say('one');
      other.exec('BEGIN EXCLUSIVE');
      inTurn('two');
      inTurn('three');
      asked.resolve();
    }, fail);
    inTurn('four');
    other.exec('ROLLBACK');
    await asked.promise;
    other.exec('ROLLBACK');
    await history.store.writes.settled;
    assert.deepEqual(spoken(), ['one', 'two', 'three', 'four']);
  });

  test('that somebody waits for are given up after a minute, and others are not', async () => {
    const { now } = performance;
    other.exec('BEGIN EXCLUSIVE');
    const given = history.store.writes.patiently(() => say('waited for'));
    inTurn('one');
    performance.now = () => now.call(performance) + 61_000;
    try {
      await assert.rejects(given, { code: 'history-busy' });
    } finally {
      performance.now = now;
    }
    other.exec('ROLLBACK');
    await history.store.writes.settled;
    assert.deepEqual(spoken(), ['one']);
  });

  test('that fail for another reason tell their own, and keep nobody else out', async () => {
    other.exec('BEGIN EXCLUSIVE');
    const failed = history.store.writes.patiently(() => history.record('no such context', []));
    const late: unknown[] = [];
    history.store.writes.inTurn(
      () => history.record('nor this one', []),
      error => {
        late.push(error);
      },
    );
    inTurn('one');
    other.exec('ROLLBACK');
    await assert.rejects(failed, { code: 'no-context' });
    await history.store.writes.settled;
    assert.deepEqual(
      late.map(error => (error as { code?: string }).code),
      ['no-context'],
    );
    assert.deepEqual(spoken(), ['one']);
  });

  test('have a bound', () => {
    other.exec('BEGIN EXCLUSIVE');
    let count = 0;
    assert.throws(
      () => {
        for (; count < 10_000; count++) inTurn(String(count));
      },
      { code: 'history-busy' },
    );
    assert.equal(count, 2_000);
    other.exec('ROLLBACK');
  });

  test('are all made when the history is closed', () => {
    other.exec('BEGIN EXCLUSIVE');
    inTurn('one');
    inTurn('two');
    other.exec('ROLLBACK');
    history.reopen();
    assert.deepEqual(spoken(), ['one', 'two']);
  });

  test('hold the thread up once, not each anew', () => {
    other.exec('BEGIN EXCLUSIVE');
    const before = process.resourceUsage().voluntaryContextSwitches;
    for (let count = 0; count < 100; count++) {
      assert.throws(() => history.store.leases.beat(owner, at), { code: 'history-busy' });
      assert.throws(() => history.store.putContext({ key: `k${count}`, agent: 'Ann', at }), { code: 'history-busy' });
    }
    // Each wait for the lock would be several sleeps.
    assert.ok(process.resourceUsage().voluntaryContextSwitches - before < 400);
    other.exec('ROLLBACK');
  });
});
