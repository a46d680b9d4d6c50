import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Database, walIsSound } from '../../../src/store/database/database.ts';
import { openStore } from '../../../src/store/openStore.ts';

/** What `PRAGMA synchronous` answers. In WAL mode only FULL waits for the disk at every commit. */
const normal = 1;
const full = 2;

const synchronousOf = (connection: Pick<DatabaseSync, 'prepare'>): unknown =>
  connection.prepare('PRAGMA synchronous').get()?.['synchronous'];

suite('Database', () => {
  let folder: string;
  let path: string;
  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-database-'));
    path = join(folder, 'history.db');
  });
  teardown(() => rmSync(folder, { recursive: true, force: true }));

  test('a write has the lock from its beginning, before it has read or written anything', () => {
    const database = new Database(path);
    const other = new DatabaseSync(path, { timeout: 0 });
    try {
      database.exec('CREATE TABLE t (x INTEGER)');
      database.write(() => assert.throws(() => other.exec('BEGIN IMMEDIATE'), /database is locked/));
      other.exec('BEGIN IMMEDIATE; ROLLBACK');
    } finally {
      other.close();
      database.close();
    }
  });

  test('looking at the files takes no lock away: another program that closes the history leaves its log', () => {
    let lost = 0;
    const database = new Database(path, {
      onLost: () => {
        lost++;
      },
    });
    try {
      database.exec('CREATE TABLE t (x INTEGER)');
      for (let times = 0; times < 3; times++) {
        database.write(() => database.exec('INSERT INTO t VALUES (1)'));
        database.look();
        execFileSync(process.execPath, [
          '--input-type=module',
          '--eval',
          'const db = new (await import("node:sqlite")).DatabaseSync(process.argv[1]); db.exec("BEGIN EXCLUSIVE; COMMIT"); db.close();',
          path,
        ]);
        assert.ok(existsSync(`${path}-wal`));
        database.look();
      }
      assert.equal(lost, 0);
    } finally {
      database.close();
    }
  });

  for (const looksBefore of [0, 1]) {
    test(`a log that is deleted is noticed, after ${looksBefore} looks before`, () => {
      let lost = 0;
      const database = new Database(path, {
        onLost: () => {
          lost++;
        },
      });
      try {
        database.exec('CREATE TABLE t (x INTEGER)');
        for (let look = 0; look < looksBefore; look++) database.look();
        // As where another program has brought the log into the file: nothing is missing there, and what comes goes nowhere.
        database.exec('PRAGMA wal_checkpoint(PASSIVE)');
        rmSync(`${path}-wal`);
        for (let look = 0; look < 3 && lost === 0; look++) database.look();
        assert.equal(lost, 1);
      } finally {
        database.close();
      }
    });
  }

  test('a history is opened without compiling the statements that it may need later', () => {
    openStore(path).close();
    const { prepare } = DatabaseSync.prototype;
    let compiled = 0;
    DatabaseSync.prototype.prepare = function (...args) {
      compiled++;
      return prepare.apply(this, args);
    };
    try {
      openStore(path).close();
    } finally {
      DatabaseSync.prototype.prepare = prepare;
    }
    assert.ok(compiled > 0 && compiled < 10, String(compiled));
  });

  test('a write that reads first does not fail because another window wrote in between', () => {
    const database = new Database(path);
    const other = new DatabaseSync(path, { timeout: 0 });
    try {
      database.exec('CREATE TABLE t (x INTEGER); INSERT INTO t VALUES (1)');
      const count = database.prepare<{ count: number }>('SELECT count(*) AS count FROM t');
      database.write(() => {
        const before = count.get()!.count;
        try {
          other.exec('INSERT INTO t VALUES (2)');
        } catch {
          // It has to wait, which it does not do here.
        }
        database.exec(`INSERT INTO t VALUES (${before + 1})`);
      });
      assert.equal(count.get()!.count, 2);
    } finally {
      other.close();
      database.close();
    }
  });

  test('write-ahead logging is used where SQLite no longer loses what it commits', () => {
    const sound = ['3.44.6', '3.44.9', '3.50.7', '3.51.3', '3.51.10', '3.52.0', '4.0.0'];
    const unsound = ['3.44.5', '3.45.0', '3.49.9', '3.50.6', '3.51.0', '3.51.2', '3.7.0', '2.8.0', ''];
    assert.deepEqual([...sound, ...unsound].filter(walIsSound), sound);
  });

  test('a durable write is synchronous in full until it is committed, and only such a one', () => {
    const database = new Database(path);
    const now = (): unknown => database.prepare<{ synchronous: number }>('PRAGMA synchronous').get()?.synchronous;
    try {
      assert.equal(now(), normal);
      assert.equal(database.write(now, true), full);
      assert.equal(now(), normal);
      assert.equal(database.write(now), normal);
      assert.throws(
        () =>
          database.write(() => {
            throw new Error('rolled back');
          }, true),
        /rolled back/,
      );
      assert.equal(now(), normal);
    } finally {
      database.close();
    }
  });

  test('what the person does and ends of tasks wait for the disk when they are committed; what comes in between does not', () => {
    const exec = DatabaseSync.prototype.exec;
    const commits: unknown[] = [];
    const store = openStore(path);
    DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
      if (sql === 'COMMIT') commits.push(synchronousOf(this));
      exec.call(this, sql);
    };
    const during = (work: () => void): unknown[] => {
      commits.length = 0;
      work();
      return [...commits];
    };
    try {
      const own = { owner: 'me', at: 1_700_000_000_000 };
      const status = (state: 'TASK_STATE_WORKING' | 'TASK_STATE_COMPLETED'): void => {
        store.record('c', [{ kind: 'status', taskId: 't', status: { state } }], own);
      };
      store.putContext({ key: 'c', agent: 'Ann', at: own.at });
      assert.deepEqual(
        during(() => store.own.putMessage('c', { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] }, own)),
        [full],
      );
      assert.deepEqual(
        during(() => status('TASK_STATE_WORKING')),
        [normal],
      );
      assert.deepEqual(
        during(() => status('TASK_STATE_COMPLETED')),
        [full],
      );
      store.record('c', [{ kind: 'artifact', taskId: 't', artifact: { artifactId: 'a', parts: [{ text: 'x' }] }, complete: true }], own);
      const [{ seq } = { seq: 0 }] = store.artifacts.ofTask('c', 't');
      const items = [{ context: 'c', taskId: 't' }];
      for (const done of [
        () => store.edits.pin(items, true),
        () => store.edits.rename({ context: 'c' }, 'mine'),
        () => store.artifacts.judge('c', seq, 'accepted'),
        () => store.edits.delete(items, own.at),
        () => store.edits.restore(items),
        () => store.together(() => status('TASK_STATE_COMPLETED')),
      ])
        assert.deepEqual(during(done), [full], String(done));
    } finally {
      DatabaseSync.prototype.exec = exec;
      store.close();
    }
  });
});
