import * as assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Problem } from '../../../src/protocol/problem.ts';
import { openStore } from '../../../src/store/openStore.ts';
import type { TaskStore } from '../../../src/store/taskStore.ts';
import { caught, figure, full } from '../../support/figure.ts';
import { at, is, owner } from './support/history.ts';
import { type Aftermath, WornHistory } from './support/wornHistory.ts';

/** So many damages at random places there are. */
const damages = full ? 5_000 : 4;
const year = 365 * 24 * 60 * 60_000;
const pageSize = 4_096;

suite('misfortunes of the history', function () {
  this.timeout(full ? 4 * 60 * 60_000 : 120_000);
  let worn: WornHistory;
  suiteSetup(() => {
    worn = new WornHistory();
  });
  suiteTeardown(() => worn.close());
  setup(() => worn.restore());

  const change = (suffix: string, how: (bytes: Buffer) => Uint8Array | undefined): void => {
    const bytes = worn.bytes(suffix);
    worn.put(suffix, how(bytes) ?? bytes);
  };
  const isSaved = ({ tasks, readable }: Aftermath): boolean => tasks >= readable * 0.95;

  const files: readonly (readonly [what: string, happens: () => void, ends: 'opens' | 'aside' | 'either'])[] = [
    ['nothing', () => {}, 'opens'],
    ['the log is missing', () => rmSync(`${worn.path}-wal`), 'opens'],
    ['the log is cut in the middle of a page', () => change('-wal', bytes => bytes.subarray(0, (bytes.length / 2) | 0)), 'opens'],
    [
      'the log is rubbish',
      () =>
        change('-wal', bytes => {
          bytes.fill(0x55);
          return undefined;
        }),
      'opens',
    ],
    ['the log is empty', () => change('-wal', () => Buffer.alloc(0)), 'opens'],
    ['the index of the log is missing', () => rmSync(`${worn.path}-shm`), 'opens'],
    [
      'the index of the log is rubbish',
      () =>
        change('-shm', bytes => {
          bytes.fill(0xaa);
          return undefined;
        }),
      'opens',
    ],
    ['the index of the log is empty', () => change('-shm', () => Buffer.alloc(0)), 'opens'],
    [
      'the file is empty',
      () => {
        for (const suffix of ['-wal', '-shm']) rmSync(worn.path + suffix);
        worn.put('', Buffer.alloc(0));
        utimesSync(worn.path, new Date(0), new Date(0));
      },
      'aside',
    ],
    [
      'the file is no database',
      () => {
        for (const suffix of ['-wal', '-shm']) rmSync(worn.path + suffix);
        worn.put('', Buffer.from('not a database, by any means whatsoever'.repeat(500)));
      },
      'aside',
    ],
    [
      "the file's header is gone",
      () =>
        change('', bytes => {
          bytes.fill(0, 0, 100);
          return undefined;
        }),
      'either',
    ],
    [
      'the file is cut in the middle',
      () => change('', bytes => bytes.subarray(0, Math.floor(bytes.length / pageSize / 2) * pageSize)),
      'either',
    ],
    ['the file ends within a page', () => change('', bytes => bytes.subarray(0, bytes.length - 1_000)), 'either'],
    [
      'pages are written over',
      () =>
        change('', bytes => {
          bytes.fill(0x77, 20 * pageSize, 26 * pageSize);
          return undefined;
        }),
      'either',
    ],
    [
      'the index of words says another version',
      () => {
        const other = new DatabaseSync(worn.path) as DatabaseSync & { enableDefensive?(on: boolean): void };
        other.enableDefensive?.(false);
        other.exec("UPDATE entry_words_config SET v = 0 WHERE k = 'version'");
        other.close();
      },
      'either',
    ],
    [
      'two pages have changed places',
      () =>
        change('', bytes => {
          const one = Buffer.from(bytes.subarray(10 * pageSize, 11 * pageSize));
          bytes.copy(bytes, 10 * pageSize, 30 * pageSize, 31 * pageSize);
          one.copy(bytes, 30 * pageSize);
          return undefined;
        }),
      'either',
    ],
  ];
  for (const [what, happens, ends] of files) {
    test(`${what}: it opens or is set aside, and what can be read is there`, async () => {
      happens();
      const before = readFileSync(worn.path);
      const after = await worn.open();
      if (ends !== 'either') assert.equal(after.setAside !== undefined, ends === 'aside');
      if (after.setAside !== undefined && ends === 'aside')
        assert.ok(readFileSync(after.setAside).equals(before), 'what was set aside is as it was');
      assert.ok(isSaved(after), JSON.stringify(after));
      if (what === 'nothing') assert.deepEqual([after.tasks, after.readable], [worn.tasks, worn.tasks]);
    });
  }

  /** The store's own connection, to make its disk fail. */
  function openWith(): { readonly store: TaskStore; readonly connection: DatabaseSync } {
    const { exec } = DatabaseSync.prototype;
    let connection: DatabaseSync | undefined;
    DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
      connection ??= this;
      exec.call(this, sql);
    };
    try {
      const store = openStore(worn.path);
      return { store, connection: connection! };
    } finally {
      DatabaseSync.prototype.exec = exec;
    }
  }
  const write = (store: TaskStore, id: string): void =>
    void store.record('k1', [is(id, 'COMPLETED', { messageId: id, role: 'ROLE_AGENT', parts: [{ text: 'y'.repeat(20_000) }] })], {
      at,
      owner,
    });

  test('a full disk is told at each write, costs no row that was there, and is forgotten when there is room', () => {
    const { store, connection } = openWith();
    const pages = Number(connection.prepare('PRAGMA page_count').get()?.['page_count']);
    let failed = 0;
    for (let room = 0; room < 24; room++) {
      connection.exec(`PRAGMA max_page_count = ${pages + room}`);
      try {
        write(store, `full ${room}`);
      } catch (error) {
        assert.equal((error as Problem).code, 'history-full');
        assert.equal(store.task('k1', `full ${room}`), undefined);
        failed++;
      }
    }
    assert.ok(failed > 0);
    connection.exec('PRAGMA max_page_count = 1000000');
    write(store, 'room');
    assert.ok(store.task('k1', 'room') !== undefined);
    store.close();
  });

  test('what cannot be written is told, read all the same, and written when it can be', () => {
    const { store, connection } = openWith();
    connection.exec('PRAGMA query_only = ON');
    assert.throws(() => write(store, 'never'), { code: 'history-read-only' });
    assert.equal(store.listTasks({ limit: 200 }).length, worn.tasks);
    connection.exec('PRAGMA query_only = OFF');
    write(store, 'now');
    store.close();
  });

  test('a history of a newer version is told and left alone', () => {
    const raw = new DatabaseSync(worn.path);
    raw.exec('PRAGMA user_version = 9999');
    raw.close();
    assert.throws(() => openStore(worn.path, { onDamaged: () => assert.fail() }), { code: 'history-newer' });
    const after = new DatabaseSync(worn.path);
    assert.deepEqual(
      [after.prepare('PRAGMA user_version').get()?.['user_version'], after.prepare('SELECT count(*) AS count FROM tasks').get()?.['count']],
      [9999, worn.tasks],
    );
    after.close();
  });

  test('a folder in the place of the file is told', () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(worn.path + suffix);
    mkdirSync(worn.path);
    assert.throws(() => openStore(worn.path), { code: 'history-unopened' });
    assert.ok(existsSync(worn.path));
  });

  test('of four windows that find it damaged one sets it aside, and all go on', () => {
    change('', bytes => {
      bytes.fill(0, 0, 100);
      return undefined;
    });
    rmSync(`${worn.path}-wal`);
    const asides: string[] = [];
    const stores = Array.from({ length: 4 }, () =>
      openStore(worn.path, {
        onDamaged: where => {
          asides.push(where);
        },
      }),
    );
    assert.equal(asides.length, 1);
    for (const [index, store] of stores.entries()) store.putContext({ key: `window ${index}`, agent: 'Ann', at });
    for (const store of stores)
      assert.deepEqual(
        [0, 1, 2, 3].map(index => store.context(`window ${index}`) !== undefined),
        [true, true, true, true],
      );
    for (const store of stores) store.close();
  });

  for (const [what, days] of [
    ['400 days late', -400],
    ['400 days early', 400],
  ] as const) {
    test(`a clock that is ${what} loses nothing and keeps the order`, () => {
      const off = Date.now() + (days / 365) * year;
      const store = openStore(worn.path);
      store.leases.enter('off', { at: off });
      store.putContext({ key: 'off', agent: 'Ann', at: off });
      for (const [index, when] of [off, Date.now(), off].entries()) {
        store.record('off', [is(`t${index}`, 'COMPLETED', { messageId: `o${index}`, role: 'ROLE_AGENT', parts: [{ text: `${index}` }] })], {
          at: when,
          owner: 'off',
          follow: true,
        });
      }
      store.sweep(off - 7 * 24 * 60 * 60_000);
      store.edits.purge(off - 60 * 60_000);
      assert.equal(store.listTasks({ limit: 201 }).length, worn.tasks + 3);
      assert.deepEqual(
        store.transcript.entries({ context: 'off' }).map(entry => (entry.kind === 'status' ? entry.message?.messageId : '')),
        ['o0', 'o1', 'o2'],
      );
      assert.deepEqual(store.leases.unfinished('other', { at: Date.now(), all: true }), []);
      store.close();
    });
  }

  /** Bytes that a small generator of numbers makes; the same ones each time. */
  function randomly(seed: number): (below: number) => number {
    let state = seed;
    return below => {
      state = (state + 0x6d2b79f5) | 0;
      let next = Math.imul(state ^ (state >>> 15), state | 1);
      next ^= next + Math.imul(next ^ (next >>> 7), next | 61);
      return ((next ^ (next >>> 14)) >>> 0) % below;
    };
  }
  const spoil = (seed: number): string => {
    const below = randomly(seed);
    const suffix = ['', '', '', '-wal', '-wal', '-shm'][below(6)]!;
    const kind = ['flipped', 'cut', 'zeroed'][below(3)]!;
    change(suffix, bytes => {
      const offset = below(bytes.length);
      if (kind === 'cut') return bytes.subarray(0, offset);
      if (kind === 'zeroed') bytes.fill(0, offset, Math.min(bytes.length, offset + 1 + below(3 * pageSize)));
      else
        for (let count = 1 + below(16), place = offset; count > 0 && place < bytes.length; count--, place++)
          bytes[place] = bytes[place]! ^ (1 + below(255));
      return undefined;
    });
    return `${kind} in history.db${suffix}, seed ${seed}`;
  };

  test(`${damages} times at random places: no crash, and what can be read is saved`, async () => {
    let [tasks, readable, aside, crashes, touched] = [0, 0, 0, 0, 0];
    for (let seed = 1; seed <= damages; seed++) {
      worn.restore();
      const what = spoil(seed);
      const before = readFileSync(worn.path);
      try {
        const after = await worn.open();
        tasks += Math.min(after.tasks, after.readable);
        readable += after.readable;
        if (after.setAside === undefined) continue;
        aside++;
        // SQLite may have brought the log into the file before it found the fault.
        if (!existsSync(after.setAside) || readFileSync(after.setAside).length < Math.min(before.length, 1)) touched++;
      } catch (error) {
        crashes++;
        console.log(`      ${what}: ${String(error)}`);
      }
    }
    figure(
      'F14',
      { damages, crashes, 'originals lost': touched, 'percent saved': Math.floor((1000 * tasks) / readable) / 10 },
      `${damages} damages: ${aside} histories set aside, ${tasks} of ${readable} readable tasks saved, ${crashes} crashes`,
    );
    assert.deepEqual([crashes, touched], [0, 0]);
    assert.ok(tasks >= readable * 0.95, `${tasks} of ${readable}`);
  });

  test('a history that is begun anew without what could be read is caught', async () => {
    let after: Aftermath = { setAside: undefined, tasks: 0, readable: 0 };
    for (let page = 10; page < 40 && (after.setAside === undefined || after.readable === 0); page++) {
      worn.restore();
      rmSync(`${worn.path}-wal`);
      change('', bytes => {
        bytes.fill(0, page * pageSize, (page + 1) * pageSize);
        return undefined;
      });
      after = await worn.open({ brings: false });
    }
    assert.ok(after.setAside !== undefined && after.readable > 0, JSON.stringify(after));
    assert.equal(isSaved(after), false);
    caught('F14', 'a history that is begun anew without what could be read');
  });
});
