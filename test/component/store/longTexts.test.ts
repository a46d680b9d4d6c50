import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Frame } from '../../../src/protocol/exchange.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { salvage } from '../../../src/store/transfer/salvage.ts';
import { append, artifact, at, day, exchangeOf, History, is, owner } from './support/history.ts';

/** Each is many pages of the file. */
const texts = ['tall ship ', '京🙂é ', 'x'].map(word => word.repeat(20_000));
const frames: readonly Frame[] = texts.map((text, seq) => ({ seq, at: at + seq, data: JSON.stringify({ text }) }));
const exchange = exchangeOf('x');

suite('long texts', () => {
  const history = History.ofEachTest();
  let key: string;
  setup(() => {
    key = history.context();
  });

  /** A stream that brought all of them, in as many transactions. */
  function stream(store = history.store, context = key, last = true): void {
    store.putWire(context, { exchanges: [exchange], frames: new Map() });
    texts.forEach((text, index) =>
      store.record(context, [index === 0 ? artifact('t', 'a', text, false) : append('t', 'a', text)], {
        at,
        owner,
        exchangeId: 'x',
        wire: { exchanges: [], frames: new Map([['x', [frames[index]!]]]) },
      }),
    );
    if (last) store.record(context, [is('t', 'COMPLETED')], { at, owner, exchangeId: 'x' });
  }
  const parts = (store = history.store, context = key): readonly Part[] | undefined =>
    store.taskDocument(context, 't')?.task.artifacts?.[0]?.parts;
  const whole = texts.map(text => ({ text }));

  /** Rows of texts of artifacts, and of events. */
  function counted(): readonly unknown[] {
    const raw = new DatabaseSync(history.path, { readOnly: true });
    const row = raw.prepare('SELECT (SELECT count(*) FROM artifact_chunks) AS chunks, (SELECT count(*) FROM frames) AS frames').get();
    raw.close();
    return Object.values(row ?? {});
  }

  test('come back as they came, after a restart and in another window', () => {
    stream();
    assert.deepEqual(
      readdirSync(dirname(history.path)).sort(),
      ['', '-shm', '-wal'].map(suffix => `${basename(history.path)}${suffix}`),
    );
    const other = openStore(history.path);
    history.reopen();
    for (const store of [history.store, other]) {
      assert.deepEqual(parts(store), whole);
      assert.deepEqual(store.exchange('x')?.frames, frames);
      assert.deepEqual(store.frames(key, 'x', { after: 0, limit: 1 }), [frames[1]]);
    }
    while (other.indexing.step());
    assert.equal(other.search.find({ text: '京🙂é' }).hits.length, 1);
    other.close();
  });
  test('are exported and imported', async () => {
    stream();
    const lines = [...history.store.export.lines(undefined, { wire: true })];
    const other = new History();
    assert.equal(
      (
        await other.store.import.lines(
          lines.map(line => Buffer.from(line)),
          at,
        )
      ).added,
      1,
    );
    assert.deepEqual([...other.store.export.lines(undefined, { wire: true })], lines);
    assert.deepEqual(other.store.exchange('x')?.frames, frames);
    other.close();
  });
  test('of a history in memory come back as well', () => {
    const store = openStore(':memory:');
    store.putContext({ key: 'm', agent: 'Ann', at });
    stream(store, 'm');
    assert.deepEqual(parts(store, 'm'), whole);
    store.close();
  });
  test('of a task go with it', () => {
    stream();
    history.store.edits.delete([{ context: key, taskId: 't' }], at);
    const before = history.store.disk.now;
    assert.deepEqual(counted(), [3, 3], 'they can be brought back');
    while (history.store.edits.purge(at));
    assert.ok(history.store.disk.now < before - 300_000, 'their space is free');
    assert.deepEqual(history.store.exchange('x'), undefined);
  });
  test('of the wire go by retention, and the artifact stays', async () => {
    /** Of the file, with what is in its log. */
    const size = (): number => {
      const raw = new DatabaseSync(history.path);
      raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      raw.close();
      return statSync(history.path).size;
    };
    stream();
    const grown = size();
    const now = at + 100 * day;
    const bytes = frames.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0);
    const would = await history.store.retention.whatWouldGo({ wireDays: 1 }, now);
    assert.ok(would.exchanges.bytes > bytes && would.exchanges.bytes < bytes + 2_000, `${would.exchanges.bytes} of ${bytes} bytes`);
    await history.store.retention.apply({ wireDays: 1 }, now);
    assert.deepEqual(counted(), [3, 0]);
    assert.deepEqual(parts(), whole);
    assert.ok((await history.store.retention.whatWouldGo({ bytes: 1 }, now)).tasks.bytes > bytes - 10_000);
    await history.store.retention.apply({ days: 1 }, now);
    assert.deepEqual(counted(), [0, 0]);
    assert.ok(size() < grown - bytes, `the disk has its space back: ${size()} of ${grown} bytes`);
  });
  test('that an artifact has no more go with it', () => {
    stream();
    history.record(key, [artifact('t', 'a', texts[1]!)]);
    assert.deepEqual([parts(), counted()], [[whole[1]], [1, 3]]);
  });

  test('that are appended leave the rows before them as they are', () => {
    stream(history.store, key, false);
    const log = `${history.path}-wal`;
    const raw = new DatabaseSync(history.path);
    raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    raw.close();
    history.record(key, [append('t', 'a', 'x'.repeat(10))]);
    // A page for each table and index that is touched: rewriting what is there would take 300,000 bytes.
    assert.ok(statSync(log).size < 150_000, `${statSync(log).size} bytes written`);
    assert.deepEqual(parts(), [...whole, { text: 'x'.repeat(10) }]);
  });

  test('of a transaction that was rolled back are nowhere', () => {
    stream(history.store, key, false);
    assert.throws(
      () =>
        history.store.together(() => {
          history.record(key, [artifact('t', 'b', texts[0]!), append('t', 'a', texts[1]!)]);
          throw new Error('no');
        }),
      { message: 'no' },
    );
    history.record(key, [append('t', 'a', texts[1]!), artifact('t', 'b', texts[2]!)]);
    assert.deepEqual(
      history.store.taskDocument(key, 't')?.task.artifacts?.map(one => one.parts),
      [[...whole, whole[1]], [whole[2]]],
    );
  });

  test('of a damaged history are set aside with it, and brought over', async () => {
    stream();
    history.store.close();
    writeFileSync(`${history.path}.suspect`, '');
    const raw = new DatabaseSync(history.path);
    raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const page = Number(raw.prepare(`SELECT pageno FROM dbstat WHERE name = 'owners' LIMIT 1`).get()?.['pageno']);
    const size = Number(raw.prepare('PRAGMA page_size').get()?.['page_size']);
    raw.close();
    const bytes = readFileSync(history.path);
    bytes.fill(0xee, (page - 1) * size, page * size);
    writeFileSync(history.path, bytes);
    let aside = '';
    history.store = openStore(history.path, {
      onDamaged: path => {
        aside = path;
      },
    });
    assert.deepEqual(counted(), [0, 0]);
    assert.deepEqual(await salvage(aside, history.store.import, at), { tasks: 1, unreadable: 0 });
    assert.deepEqual(parts(), whole);
  });
});
