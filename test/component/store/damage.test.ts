import * as assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../../src/store/openStore.ts';
import { salvage } from '../../../src/store/transfer/salvage.ts';
import { artifact, at, History, is, said } from './support/history.ts';

const contexts = 280;
const tasks = 4;

suite('a damaged history', () => {
  let history: History;
  let whole: Buffer;

  suiteSetup(() => {
    history = new History();
    for (let context = 0; context < contexts; context++) {
      history.record(
        history.context(),
        Array.from({ length: tasks }, (_, index) => [
          is(`t${index}`, 'WORKING'),
          artifact(`t${index}`, 'a', `picture ${context} ${'x'.repeat(300)}`),
          is(`t${index}`, 'COMPLETED', said(`m${index}`, 'done')),
        ]).flat(),
      );
    }
    while (history.store.indexing.step());
    history.store.close();
    whole = readFileSync(history.path);
    history.close();
  });
  setup(() => {
    history = new History();
    history.store.close();
    writeFileSync(history.path, whole);
  });
  teardown(() => history.close());

  /** Wipes the nth leaf page of a table. */
  function wipe(table: string, nth: number): void {
    const raw = new DatabaseSync(history.path);
    raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const page = raw
      .prepare(`SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno LIMIT 1 OFFSET ?`)
      .get(table, nth)?.['pageno'];
    const size = Number(raw.prepare('PRAGMA page_size').get()?.['page_size']);
    raw.close();
    const bytes = readFileSync(history.path);
    bytes.fill(0, (Number(page) - 1) * size, Number(page) * size);
    writeFileSync(history.path, bytes);
  }
  const aside = (): string[] => readdirSync(history.folder).filter(name => /damaged-[^.]*$/.test(name));

  for (const [table, least] of [
    ['entries', 0.9],
    ['artifact_chunks', 0.9],
    ['tasks', 0.7],
    ['contexts', 0.2],
    ['entry_words_data', 0.99],
  ] as const) {
    test(`a page of ${table} is found broken, told, set aside, and the rest brought over`, async () => {
      wipe(table, 1);
      history.store = openStore(history.path);
      assert.throws(
        () => {
          for (const context of history.store.contexts({ limit: 200 }))
            history.store.transcript.entries({ context: context.key, limit: 200 });
          history.store.listTasks({ limit: 200 });
          while (history.store.indexing.step());
          [...history.store.export.lines(undefined)].join('');
          history.store.search.find({ text: 'picture 7' });
          history.store.edits.rename({ context: history.store.contexts()[0]?.key ?? '' }, 'x');
        },
        { code: 'history-damaged' },
      );
      history.store.close();
      let told = '';
      history.store = openStore(history.path, {
        onDamaged: set => {
          told = set;
        },
      });
      assert.deepEqual(
        aside().map(name => `${history.folder}/${name}`),
        [told],
      );
      const before = readFileSync(told);
      const { tasks: saved } = await salvage(told, history.store.import, at);
      assert.ok(saved >= contexts * tasks * least, `${saved} of ${contexts * tasks} tasks`);
      assert.equal(history.store.listTasks({ limit: 201 }).length, Math.min(saved, 201));
      assert.deepEqual(readFileSync(told), before, 'what was set aside is as it was');
      assert.ok(!readdirSync(history.folder).some(name => name.includes('salvage')));
      history.reopen();
      assert.equal(aside().length, 1);
    });
  }

  test('a suspicion that proves wrong is forgotten', () => {
    writeFileSync(`${history.path}.suspect`, '');
    history.store = openStore(history.path, { onDamaged: () => assert.fail() });
    assert.ok(!existsSync(`${history.path}.suspect`));
    assert.equal(history.store.listTasks().length, 50);
  });

  test('of rubbish nothing is brought over, and nothing breaks', async () => {
    writeFileSync(history.path, 'not a database, by any means whatsoever'.repeat(500));
    let told = '';
    history.store = openStore(history.path, {
      onDamaged: set => {
        told = set;
      },
    });
    assert.deepEqual(await salvage(told, history.store.import, at), { tasks: 0, unreadable: 0 });
  });
});
