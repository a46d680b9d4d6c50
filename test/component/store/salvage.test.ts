import * as assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../../src/store/openStore.ts';
import { salvage } from '../../../src/store/transfer/salvage.ts';
import { artifact, at, History, is } from './support/history.ts';

suite('what is brought over from a damaged history', () => {
  const history = History.ofEachTest();

  const tasks = (key: string, ...ids: readonly string[]): void =>
    history.record(
      key,
      ids.flatMap(id => [artifact(id, 'a', 'x'.repeat(300)), is(id, 'COMPLETED')]),
    );
  const found = (): string[] =>
    history.store
      .listTasks({ limit: 200 })
      .map(({ taskId }) => taskId)
      .sort();

  /** Changes rows behind the history's back, sets it aside and begins a new one. Returns where the old one is. */
  function setAside(sql: string): string {
    history.store.close();
    const raw = new DatabaseSync(history.path);
    raw.exec(sql);
    raw.close();
    const aside = `${history.path}.damaged-x`;
    renameSync(history.path, aside);
    history.store = openStore(history.path);
    return aside;
  }

  test('of a context with a task of whose entries none can be read the others, what else is known of it, and that it is not whole', async () => {
    const key = history.context();
    tasks(key, 'one', 'broken', 'three');
    tasks(history.context(), 'four');
    const aside = setAside(`UPDATE entries SET body = '{' WHERE task = (SELECT id FROM tasks WHERE task_id = '"broken"')`);
    assert.deepEqual(await salvage(aside, history.store.import, at), { tasks: 4, unreadable: 1 });
    assert.deepEqual(found(), ['broken', 'four', 'one', 'three']);
    const [gap] = history.store.transcript.entries({ context: key }).filter(({ kind }) => kind === 'gap');
    assert.equal(gap?.taskId, 'broken');
  });

  test('of a context with a task whose id cannot be read the others', async () => {
    tasks(history.context(), 'one', 'broken', 'three');
    tasks(history.context(), 'four');
    const aside = setAside(`UPDATE tasks SET task_id = '    ' WHERE task_id = '"broken"'`);
    assert.deepEqual(await salvage(aside, history.store.import, at), { tasks: 3, unreadable: 1 });
    assert.deepEqual(found(), ['four', 'one', 'three']);
  });

  test('nothing that was deleted', async () => {
    const [gone, key] = [history.context(), history.context()];
    tasks(gone, 'of a deleted context');
    tasks(key, 'kept', 'deleted');
    history.store.edits.delete([{ context: gone }, { context: key, taskId: 'deleted' }], at);
    assert.deepEqual(await salvage(setAside(''), history.store.import, at), { tasks: 1, unreadable: 0 });
    assert.deepEqual(found(), ['kept']);
  });

  test('what was written last, though it is in the log alone while another window has the history open', async () => {
    for (let context = 0; context < 300; context++) tasks(history.context(), `t${context}`, `u${context}`);
    history.store.close();
    const raw = new DatabaseSync(history.path);
    const page = Number(
      raw.prepare(`SELECT pageno FROM dbstat WHERE name = 'entries' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1`).get()?.['pageno'],
    );
    const size = Number(raw.prepare('PRAGMA page_size').get()?.['page_size']);
    raw.close();
    history.store = openStore(history.path);
    tasks(history.context(), 'newest');
    const bytes = readFileSync(history.path);
    writeFileSync(history.path, bytes.fill(0, (page - 1) * size, page * size));
    writeFileSync(`${history.path}.suspect`, '');
    let aside = '';
    const other = openStore(history.path, {
      onDamaged: where => {
        aside = where;
      },
    });
    try {
      assert.notEqual(aside, '');
      await salvage(aside, other.import, at);
      assert.ok(other.listTasks({ limit: 200 }).some(({ taskId }) => taskId === 'newest'));
      assert.ok(other.listTasks({ limit: 200 }).length > 20);
    } finally {
      other.close();
    }
  });

  test('a file that another window has just made and not filled yet is no damage', () => {
    history.store.close();
    const path = `${history.path}-new`;
    writeFileSync(path, '');
    const store = openStore(path, { onDamaged: () => assert.fail() });
    store.close();
    history.store = openStore(history.path);
  });
});
