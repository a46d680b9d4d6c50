import * as assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { english, type Problem } from '../../../src/protocol/problem.ts';
import { openFolder } from '../../../src/store/openFolder.ts';
import { at, is, owner } from './support/history.ts';

suite('a history whose folder cannot be written', () => {
  let parent: string;
  let folder: string;
  setup(() => {
    parent = mkdtempSync(join(tmpdir(), 'a2a-folder-'));
    folder = join(parent, 'storage');
  });
  teardown(() => rmSync(parent, { recursive: true, force: true }));

  for (const [what, prevent] of [
    ['is a file', () => writeFileSync(folder, '')],
    [
      'is below a file',
      () => {
        writeFileSync(join(parent, 'file'), '');
        folder = join(parent, 'file', 'storage');
      },
    ],
    ['has a folder in the place of the history', () => mkdirSync(join(folder, 'history.db'), { recursive: true })],
    [
      'has a folder in the place of the log',
      () => {
        openFolder(folder, {}).close();
        mkdirSync(join(folder, 'history.db-wal'));
      },
    ],
  ] as const) {
    test(`because it ${what}, is named, and agents are asked without one`, () => {
      prevent();
      const opened = openFolder(folder, {});
      try {
        assert.equal(opened.temporary?.code, 'history-unopened');
        assert.ok(english(opened.temporary.sentence).includes(folder), english(opened.temporary.sentence));
        assert.notEqual(opened.temporary.nextStep, undefined);
        opened.store.putContext({ key: 'k', agent: 'Ann', at });
        opened.store.record('k', [is('t', 'COMPLETED')], { at, owner });
        assert.equal(opened.store.listTasks().length, 1);
        mkdirSync(join(opened.folder, 'drafts'));
      } finally {
        opened.close();
      }
      assert.ok(!existsSync(opened.folder), 'nothing of it stays');
    });
  }

  test('of which there is no temporary one either is told as it is', () => {
    writeFileSync(folder, '');
    const before = { ...process.env };
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = join(folder, 'none');
    try {
      assert.throws(
        () => openFolder(folder, {}),
        (error: Problem) => error.code === 'history-unopened' && english(error.sentence).includes(folder),
      );
    } finally {
      for (const name of ['TMPDIR', 'TEMP', 'TMP']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });

  test('is made where it is not there, and stays', () => {
    const opened = openFolder(join(folder, 'deep'), {});
    assert.deepEqual([opened.temporary, opened.folder], [undefined, join(folder, 'deep')]);
    opened.close();
    assert.deepEqual(readdirSync(opened.folder), ['history.db']);
  });

  test('is not given up because a newer version wrote the history', () => {
    mkdirSync(folder);
    const raw = new DatabaseSync(join(folder, 'history.db'));
    raw.exec('PRAGMA user_version = 9999');
    raw.close();
    assert.throws(() => openFolder(folder, {}), { code: 'history-newer' });
  });
});
