import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../../src/store/database/database.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { migrate, migrations } from '../../../src/store/schema/migrations.ts';

const at = 1_700_000_000_000;
/** A step as a later version may have it: it changes what is there, and fills it in. */
const made = `
  ALTER TABLE contexts ADD COLUMN color TEXT;
  UPDATE contexts SET color = 'of ' || key;
`;
const later = [...migrations, made];

suite('steps to the newest schema', () => {
  let folder: string;
  let path: string;
  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-migrations-'));
    path = join(folder, 'history.db');
    const store = openStore(path);
    store.putContext({ key: 'k', agent: 'Ann', at });
    store.own.putMessage('k', { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'tall ship' }] }, { at, owner: 'me' });
    store.close();
  });
  teardown(() => rmSync(folder, { recursive: true }));

  const withDatabase = <T>(work: (database: Database) => T): T => {
    const database = new Database(path);
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  const version = (): unknown =>
    withDatabase(database => database.prepare<{ user_version: number }>('PRAGMA user_version').get()?.user_version);

  test('a history of 0.1.0 has taken one', () => assert.deepEqual([migrations.length, version()], [1, 1]));

  test('a step that a later version adds is taken once, over what is there', () => {
    withDatabase(database => {
      for (let times = 0; times < 2; times++) migrate(database, later);
      const rows = database.prepare<{ key: string; color: string; title: string }>('SELECT key, color, title FROM contexts').all();
      assert.deepEqual(
        rows.map(row => ({ ...row })),
        [{ key: 'k', color: 'of k', title: '"tall ship"' }],
      );
    });
    assert.equal(version(), 2);
    assert.throws(() => openStore(path), { name: 'Problem', code: 'history-newer' }, 'this version does not know it');
  });

  test('a new history takes all of them', () => {
    const database = new Database(':memory:');
    migrate(database, later);
    assert.deepEqual(database.prepare('SELECT color FROM contexts').all(), []);
    database.close();
  });

  test('one that fails half way leaves the history as it was', () => {
    withDatabase(database => assert.throws(() => migrate(database, [...migrations, `${made} INSERT INTO nowhere VALUES (1);`])));
    assert.equal(version(), 1);
    const store = openStore(path);
    assert.deepEqual(
      store.contexts().map(({ title }) => title),
      ['tall ship'],
    );
    store.close();
  });

  test('two windows that take it at the same moment take it once', () => {
    withDatabase(other =>
      withDatabase(database => {
        const steps: string[] = [];
        const exec = (sql: string): void => {
          steps.push(sql);
          database.exec(sql);
        };
        // The other one is done before this one has the lock.
        const write = <T>(work: () => T): T => {
          migrate(other, later);
          return database.write(work);
        };
        migrate(Object.assign(Object.create(database) as Database, { prepare: database.prepare.bind(database), exec, write }), later);
        assert.deepEqual(
          steps.filter(sql => !sql.startsWith('PRAGMA user_version')),
          [],
        );
      }),
    );
  });
});
