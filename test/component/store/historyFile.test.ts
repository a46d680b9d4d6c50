import * as assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HistoryFile } from '../../../src/store/database/historyFile.ts';
import { openStore } from '../../../src/store/openStore.ts';
import type { TaskStore } from '../../../src/store/taskStore.ts';

suite('whether the files of a history are whole', () => {
  let folder: string;
  let path: string;
  let store: TaskStore;
  let file: HistoryFile;
  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-file-'));
    path = join(folder, 'history.db');
    openStore(path).close();
    store = openStore(path);
    for (let count = 0; count < 20; count++) store.putContext({ key: `k${count}`, agent: 'Ann', at: count + 1 });
    file = new HistoryFile(path);
    assert.ok(file.look());
  });
  teardown(() => {
    store.close();
    file.close();
    rmSync(folder, { recursive: true });
  });
  /** What a second look says, of a file that may be in the middle of being written at the first. */
  const looksTwice = (): readonly boolean[] => [file.look(), file.look()];

  test('they are, while they grow', () => {
    for (let count = 20; count < 40; count++) {
      store.putContext({ key: `k${count}`, agent: 'Ann', at: count + 1 });
      assert.ok(file.look());
    }
  });

  const cuts: readonly (readonly [what: string, ending: string, to: (length: number) => number])[] = [
    ['the log in the middle', '-wal', length => Math.floor(length / 2)],
    ['the log by its last byte', '-wal', length => length - 1],
    ['the log behind its header', '-wal', () => 32],
    ['the log as a whole', '-wal', () => 0],
    ['the history by its last page', '', length => length - 16_384],
    ['the history in its header', '', () => 99],
    ['the history as a whole', '', () => 0],
  ];
  for (const [what, ending, to] of cuts)
    test(`they are not, once somebody has cut ${what}`, () => {
      const length = statSync(path + ending).size;
      assert.ok(length > 4096, `${length}`);
      truncateSync(path + ending, to(length));
      assert.deepEqual(looksTwice(), [true, false]);
    });

  for (const [what, to] of [
    ['as a whole', 0],
    ['behind its header', 32],
  ] as const)
    test(`they are not, once somebody has cut the log ${what} and it was written to since`, () => {
      truncateSync(`${path}-wal`, to);
      store.putContext({ key: 'later', agent: 'Ann', at: 99 });
      assert.deepEqual(looksTwice(), [true, false]);
    });

  test('a file that is cut for a moment is whole', () => {
    const bytes = readFileSync(path);
    for (let time = 0; time < 3; time++) {
      truncateSync(path, 4096);
      assert.ok(file.look());
      writeFileSync(path, bytes);
      assert.ok(file.look());
    }
  });

  test('another log in the place of this one is noticed at once, and so is another history', () => {
    copyFileSync(`${path}-wal`, join(folder, 'other'));
    renameSync(join(folder, 'other'), `${path}-wal`);
    assert.equal(file.look(), false);
    assert.ok(file.isThere);
    copyFileSync(path, join(folder, 'other'));
    renameSync(join(folder, 'other'), path);
    assert.deepEqual([file.isThere, file.look()], [false, false]);
  });

  test('a log that is cut back to nothing by SQLite itself is whole', () => {
    store.close();
    store = openStore(path);
    file.close();
    file = new HistoryFile(path);
    assert.deepEqual(looksTwice(), [true, true]);
  });
});
