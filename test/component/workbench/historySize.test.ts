import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SizeBound } from '../../../src/model/run/sizeBound.ts';
import { TaskHistory } from '../../../src/model/contexts/taskHistory.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';
import { eventually } from '../../support/eventually.ts';
import { artifact, History, is, owner } from '../store/support/history.ts';

const { enforceSizeLimit } = await import('../../../src/workbench/history/sizeLimit.ts');

const MB = 2 ** 20;
const hour = 60 * 60_000;

suite('the bound of the history', () => {
  let history: History;
  let bounds: SizeBound[];
  let told: string[];
  let most: number;
  /** How often the setting was read: with each look at the history. */
  let reads = 0;
  let restore: (() => void)[];
  let state: Map<string, unknown>;
  setup(() => {
    history = new History();
    [bounds, told, most, state] = [[], [], 2, new Map()];
    restore = [
      inPlaceOf('workspace', {
        getConfiguration: () => ({
          get: (name: string) => {
            if (name !== 'a2a.history.maxSizeMB') return undefined;
            reads++;
            return most;
          },
        }),
      }),
      inPlaceOf('window', {
        showInformationMessage: async (text: string) => {
          told.push(text);
        },
      }),
    ];
  });
  teardown(() => {
    for (const bound of bounds) bound.dispose();
    for (const each of restore) each();
    history.close();
  });

  const open = (): void => {
    bounds.push(
      enforceSizeLimit(
        new TaskHistory(history.store, () => {}),
        {
          keys: () => [],
          get: (key: string) => state.get(key),
          update: async (key: string, value: unknown) => {
            state.set(key, value);
          },
        } as unknown as Parameters<typeof enforceSizeLimit>[1],
        { tick: 1, again: 50 },
      ),
    );
  };
  let tasks = 0;
  /** A task of 100 KB and some, in a context of its own; texts of this length are in files. */
  function write({ word = 'COMPLETED', at = Date.now() - hour + tasks * 1000 } = {}): string {
    const key = history.context();
    history.store.record(
      key,
      [is(`t${tasks}`, 'WORKING'), artifact(`t${tasks}`, 'a', randomUUID() + 'x'.repeat(100_000)), is(`t${tasks}`, word)],
      { at, owner },
    );
    tasks++;
    return key;
  }
  const there = (key: string): boolean => history.store.context(key) !== undefined;
  const onDisk = (): number =>
    readdirSync(history.folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

  test('is held while agents write, the oldest go first, and it is told once, with the setting', async () => {
    open();
    open();
    const pinned = write();
    history.store.edits.pin([{ context: pinned }], true);
    const works = write({ word: 'WORKING' });
    const keys: string[] = [];
    for (let index = 0; index < 100; index++) {
      keys.push(write());
      await setTimeout(2);
    }
    await eventually(async () => assert.ok((await history.store.retention.content()) <= most * MB));
    assert.ok((await history.store.retention.content()) > (most * MB) / 2);
    const left = keys.map(there);
    assert.ok(!left.slice(left.indexOf(true)).includes(false), 'the oldest are gone');
    assert.deepEqual([left.includes(true), there(pinned), there(works)], [true, true, true]);
    await eventually(() => assert.ok(onDisk() < 4 * most * MB + 4000 * 4096, `${onDisk()} bytes`));
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /\b2 MB\b.*a2a\.history\.maxSizeMB/);
  });

  test('is held when a window opens on a history that has more, and when it is made smaller', async () => {
    for (let index = 0; index < 40; index++) write();
    open();
    await eventually(async () => assert.ok((await history.store.retention.content()) <= 2 * MB));
    most = 1;
    await eventually(async () => assert.ok((await history.store.retention.content()) <= MB));
    assert.equal(told.length, 1);
  });

  test('what it cannot hold is told once, and goes when it is no longer held', async () => {
    const keys = Array.from({ length: 30 }, () => write({ word: 'WORKING' }));
    open();
    await eventually(() => assert.equal(told.length, 1));
    assert.match(told[0] ?? '', /\b2\.9 MB.*a2a\.history\.maxSizeMB.*pinned/);
    assert.ok(keys.every(there));
    for (const [index, key] of keys.entries())
      history.store.record(key, [is(`t${tasks - 30 + index}`, 'COMPLETED')], { at: Date.now() - hour, owner });
    write();
    await eventually(async () => assert.ok((await history.store.retention.content()) <= 2 * MB));
  });

  test('without a bound everything is kept', async () => {
    most = 0;
    open();
    const keys = Array.from({ length: 30 }, () => write());
    const begun = reads;
    await eventually(() => assert.ok(reads > begun + 5));
    assert.ok(keys.every(there));
    assert.deepEqual(told, []);
  });
});
