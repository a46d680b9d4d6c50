import * as assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Frame } from '../../../src/protocol/exchange.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { salvage } from '../../../src/store/transfer/salvage.ts';
import { append, artifact, at, day, exchangeOf, History, is, owner } from './support/history.ts';

/** Each is more than a row is worth. */
const texts = ['tall ship ', '京🙂é ', 'x'].map(word => word.repeat(20_000));
const frames: readonly Frame[] = texts.map((text, seq) => ({ seq, at: at + seq, data: JSON.stringify({ text }) }));
const exchange = exchangeOf('x');

suite('texts in files beside the history', () => {
  const history = History.ofEachTest();
  let key: string;
  setup(() => {
    key = history.context();
  });

  const folder = (path = history.path): string => `${path}.texts`;
  const files = (): string[] => (existsSync(folder()) ? readdirSync(folder()) : []);
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

  test('come back as they came, after a restart and in another window', () => {
    stream();
    assert.equal(files().length, 2, 'one of the exchange and one of the artifact');
    const size = statSync(history.path).size + statSync(`${history.path}-wal`).size;
    assert.ok(size < 700_000, `${size} bytes in the database`);
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

  test('many that belong to nobody any more are deleted, some at a time', async () => {
    stream();
    const database = new DatabaseSync(history.path);
    const insert = database.prepare('INSERT INTO text_files (name) VALUES (?)');
    for (let index = 0; index < 450; index++) {
      writeFileSync(join(folder(), `gone-${index}`), 'x');
      insert.run(`gone-${index}`);
    }
    await history.store.retention.apply({}, at);
    assert.equal(files().length, 2);
    assert.equal(database.prepare('SELECT count(*) AS count FROM text_files').get()?.['count'], 2);
    database.close();
  });

  test('go on in the file that is there, a little at a time, and in another one from another window', () => {
    stream(history.store, key, false);
    const more = ['y'.repeat(5_000), 'z'.repeat(10)];
    for (const text of more) history.record(key, [append('t', 'a', text)]);
    assert.equal(files().length, 2);
    const other = openStore(history.path);
    other.record(key, [append('t', 'a', texts[1]!)], { at, owner });
    assert.equal(files().length, 3);
    history.record(key, [append('t', 'a', texts[2]!)]);
    assert.deepEqual(parts(other), [...whole, ...more.map(text => ({ text })), whole[1], whole[2]]);
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

  test('of a history in memory are in memory', () => {
    const store = openStore(':memory:');
    store.putContext({ key: 'm', agent: 'Ann', at });
    stream(store, 'm');
    assert.deepEqual(parts(store, 'm'), whole);
    assert.ok(!existsSync(folder(':memory:')));
    store.close();
  });

  test('are in the history where there can be no files', () => {
    writeFileSync(folder(), 'a file, and no folder');
    stream();
    assert.deepEqual(parts(), whole);
    assert.deepEqual(history.store.exchange('x')?.frames, frames);
    rmSync(folder());
  });

  test('of a task go with it', () => {
    stream();
    history.store.edits.delete([{ context: key, taskId: 't' }], at);
    assert.equal(files().length, 2, 'it can be brought back');
    while (history.store.edits.purge(at));
    assert.deepEqual(files(), []);
    assert.deepEqual(history.store.exchange('x'), undefined);
  });

  test('of the wire go by retention, and the artifact stays', async () => {
    stream();
    const now = at + 100 * day;
    const bytes = frames.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0);
    const would = await history.store.retention.whatWouldGo({ wireDays: 1 }, now);
    assert.ok(would.exchanges.bytes > bytes && would.exchanges.bytes < bytes + 2_000, `${would.exchanges.bytes} of ${bytes} bytes`);
    await history.store.retention.apply({ wireDays: 1 }, now);
    assert.equal(files().length, 1);
    assert.deepEqual(parts(), whole);
    assert.ok((await history.store.retention.whatWouldGo({ bytes: 1 }, now)).tasks.bytes > bytes - 10_000);
    await history.store.retention.apply({ days: 1 }, now);
    assert.deepEqual(files(), []);
  });

  test('that an artifact has no more go, and the new ones stay', () => {
    stream();
    history.record(key, [artifact('t', 'a', texts[1]!)]);
    assert.equal(files().length, 3);
    history.store.sweep(at);
    assert.equal(files().length, 2);
    assert.deepEqual(parts(), [whole[1]]);
  });

  test('of a transaction that was rolled back are not missed, and their files go after a while', async () => {
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
    const before = files().length;
    await history.store.retention.apply({}, Date.now());
    assert.equal(files().length, before, 'another window may be about to commit');
    for (const name of files()) utimesSync(join(folder(), name), 1, 1);
    await history.store.retention.apply({}, Date.now());
    assert.equal(files().length, before - 1);
    assert.equal(history.store.taskDocument(key, 't')?.task.artifacts?.length, 2);
    assert.deepEqual(parts(), [...whole, whole[1]]);
  });

  test('do not go on in a file that another window has given up', () => {
    stream(history.store, key, false);
    const other = openStore(history.path);
    other.record(key, [artifact('t', 'a', texts[1]!)], { at, owner });
    other.sweep(at);
    history.record(key, [append('t', 'a', texts[0]!)]);
    assert.deepEqual(parts(other), [whole[1], whole[0]]);
    other.close();
  });

  test('do not go on in a file that was never committed, whoever has its number now', () => {
    assert.throws(
      () =>
        history.store.together(() => {
          history.record(key, [artifact('t', 'a', texts[0]!)]);
          throw new Error('no');
        }),
      { message: 'no' },
    );
    const other = openStore(history.path);
    other.record(key, [artifact('t', 'a', texts[1]!)], { at, owner });
    history.record(key, [append('t', 'a', texts[0]!)]);
    assert.deepEqual(parts(other), [whole[1], whole[0]]);
    other.close();
  });

  for (const [what, spoil] of [
    ['cut short', (path: string) => truncateSync(path, 250_000)],
    ['gone', (path: string) => rmSync(path)],
  ] as const) {
    test(`of a file that is ${what} show what is left, and that something is missing`, () => {
      stream();
      const raw = new DatabaseSync(history.path);
      const name = raw.prepare('SELECT name FROM text_files WHERE artifact IS NOT NULL').get()?.['name'];
      raw.close();
      spoil(join(folder(), String(name)));
      const found = parts() ?? [];
      assert.deepEqual(
        found.map(part => 'text' in part && part.text.length),
        texts.map(text => text.length),
      );
      assert.equal(found[0] !== undefined && 'text' in found[0] && found[0].text === texts[0], what === 'cut short');
      assert.ok(found[2] !== undefined && 'text' in found[2] && /^\uFFFD+$/.test(found[2].text));
      assert.equal(history.store.transcript.entries({ context: key }).length, 2);
      assert.deepEqual(history.store.exchange('x')?.frames, frames);
    });
  }

  test('of a damaged history are set aside with it, and brought over', async () => {
    stream();
    history.store.close();
    writeFileSync(`${history.path}.suspect`, '');
    const raw = new DatabaseSync(history.path);
    raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const page = Number(raw.prepare(`SELECT pageno FROM dbstat WHERE name = 'owners' LIMIT 1`).get()?.['pageno']);
    raw.close();
    const bytes = readFileSync(history.path);
    bytes.fill(0xee, (page - 1) * 4096, page * 4096);
    writeFileSync(history.path, bytes);
    let aside = '';
    history.store = openStore(history.path, {
      onDamaged: path => {
        aside = path;
      },
    });
    assert.deepEqual([files(), readdirSync(folder(aside)).length], [[], 2]);
    assert.deepEqual(await salvage(aside, history.store.import, at), { tasks: 1, unreadable: 0 });
    assert.deepEqual(parts(), whole);
  });
});
