import * as assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import type { Frame } from '../../../src/protocol/exchange.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { salvage } from '../../../src/store/transfer/salvage.ts';
import { append, artifact, at, day, exchangeOf, History, is, owner } from './support/history.ts';

const exchange = exchangeOf('x');
/** In any script. */
const texts = ['tall ship\n', '京🙂é "', '\0x\\'].map((word, index) => word.repeat(2_000 + index));
const parts: readonly Part[] = texts.map(text => ({ text }));
const frame = (text: string, seq: number): Frame => ({
  seq,
  at: at + seq,
  data: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text }] }, append: true } },
  }),
});
/** Behind a first one, which makes the artifact. */
const frames = texts.map((text, index) => frame(text, index + 1));

suite('parts of artifacts that are only in the frames that brought them', () => {
  const history = History.ofEachTest();
  let key: string;
  setup(() => {
    key = history.context();
  });

  /** As histories have it whose text of a stream was stored once: a row of the artifact that refers to frames. */
  function stream(): void {
    history.store.record(key, [artifact('t', 'a', 'first', false)], {
      at,
      owner,
      exchangeId: 'x',
      wire: { exchanges: [exchange], frames: new Map([['x', [frame('first', 0), ...frames]]]) },
    });
    const database = new DatabaseSync(history.path);
    database.exec(`INSERT INTO artifact_chunks (artifact, parts, exchange, first, last)
      SELECT artifacts.id, '[]', exchanges.id, 1, ${frames.length} FROM artifacts, exchanges`);
    database.close();
  }
  const end = (): void => void history.store.record(key, [is('t', 'COMPLETED')], { at, owner, exchangeId: 'x' });
  const written = (store = history.store): readonly Part[] | undefined => store.taskDocument(key, 't')?.task.artifacts?.[0]?.parts;
  const whole: readonly Part[] = [{ text: 'first' }, ...parts];
  /** How many rows the artifact has, and how many of them say where their parts are. */
  function rows(path = history.path): readonly unknown[] {
    const database = new DatabaseSync(path, { readOnly: true });
    const row = database.prepare('SELECT count(*) AS all_, count(exchange) AS held FROM artifact_chunks').get() as {
      all_: number;
      held: number;
    };
    database.close();
    return [row.all_, row.held];
  }

  test('come back as they came, after a restart and in another window, and are found', () => {
    stream();
    end();
    assert.deepEqual(rows(), [2, 1]);
    const other = openStore(history.path);
    history.reopen();
    for (const store of [history.store, other]) {
      assert.deepEqual(written(store), whole);
      assert.deepEqual(store.artifacts.parts(key, 't', 'a'), whole);
      assert.deepEqual(store.exchange('x')?.frames, [frame('first', 0), ...frames]);
      const entry = store.transcript.entries({ context: key, limit: 9 }).find(({ kind }) => kind === 'artifact');
      assert.deepEqual(entry?.kind === 'artifact' && entry.artifact.parts, [{ text: `first${texts.join('')}` }]);
    }
    other.close();
    while (history.store.indexing.step());
    assert.equal(history.store.search.find({ text: '京🙂é' }).hits.length, 1);
  });

  test('whose frames are lost or are something else show what is there', () => {
    history.store.record(key, [artifact('t', 'a', 'first', false)], {
      at,
      owner,
      exchangeId: 'x',
      wire: { exchanges: [exchange], frames: new Map([['x', [frame('one', 1), { seq: 2, at, data: '{oops' }]]]) },
    });
    const database = new DatabaseSync(history.path);
    database.exec(`INSERT INTO artifact_chunks (artifact, parts, exchange, first, last)
      SELECT artifacts.id, '[]', exchanges.id, 1, 3 FROM artifacts, exchanges`);
    database.close();
    assert.deepEqual(written(), [{ text: 'first' }, { text: 'one' }, { text: '\uFFFD' }]);
  });

  test('are not made any more: what comes is written as what it is', () => {
    stream();
    history.store.record(
      key,
      texts.map(text => append('t', 'a', text)),
      { at, owner, exchangeId: 'x', wire: { exchanges: [], frames: new Map([['x', texts.map((text, index) => frame(text, index + 4))]]) } },
    );
    assert.deepEqual(rows(), [3, 1]);
    assert.deepEqual(written(), [...whole, ...parts]);
  });

  test('stay when the wire goes by retention, in their order', async () => {
    stream();
    history.store.record(key, [append('t', 'a', 'last')], { at, owner });
    end();
    assert.deepEqual(rows(), [3, 1]);
    await history.store.retention.apply({ wireDays: 1 }, at + 100 * day);
    assert.equal(history.store.exchange('x'), undefined);
    assert.deepEqual(rows(), [3, 0]);
    assert.deepEqual(written(), [...whole, { text: 'last' }]);
    history.reopen();
    assert.deepEqual(written(), [...whole, { text: 'last' }]);
  });

  test('go with their task, and with their context', () => {
    stream();
    end();
    history.store.edits.delete([{ context: key, taskId: 't' }], at);
    while (history.store.edits.purge(at));
    assert.deepEqual([rows(), history.store.exchange('x')], [[0, 0], undefined]);
    key = history.context();
    stream();
    history.store.deleteContext(key);
    history.store.sweep(0);
    assert.deepEqual([rows(), history.store.exchange('x')], [[0, 0], undefined]);
  });

  test('of one task stay when another goes that has the same exchange', () => {
    stream();
    history.store.record(key, [is('u', 'COMPLETED')], { at, owner, exchangeId: 'x' });
    const database = new DatabaseSync(history.path);
    // As if the artifact had begun in an exchange of before.
    database.exec(`UPDATE entries SET exchange = NULL WHERE kind = 'artifact'`);
    database.close();
    history.store.edits.delete([{ context: key, taskId: 'u' }], at);
    while (history.store.edits.purge(at));
    assert.equal(history.store.exchange('x'), undefined);
    assert.deepEqual(written(), whole);
  });

  test('an exchange does not go before them', () => {
    stream();
    const database = new DatabaseSync(history.path);
    database.exec('PRAGMA foreign_keys = ON');
    assert.throws(() => database.exec('DELETE FROM exchanges'), /FOREIGN KEY/);
    database.close();
  });

  test('are replaced with the artifact, whose frames stay', () => {
    stream();
    history.record(key, [artifact('t', 'a', 'anew')]);
    assert.deepEqual([rows(), written()], [[1, 0], [{ text: 'anew' }]]);
    assert.equal(history.store.exchange('x')?.frames.length, 4);
  });

  test('are exported and imported, with the wire and without', async () => {
    stream();
    end();
    for (const wire of [true, false]) {
      const lines = [...history.store.export.lines(undefined, { wire })];
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
      assert.deepEqual(written(other.store), whole);
      assert.deepEqual(rows(other.path)[1], 0);
      other.close();
    }
  });

  test('of a damaged history are brought over', async () => {
    stream();
    end();
    const other = new History();
    history.store.close();
    assert.deepEqual(await salvage(history.path, other.store.import, at), { tasks: 1, unreadable: 0 });
    assert.deepEqual(written(other.store), whole);
    other.close();
    history.reopen();
  });
});
