import * as assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../src/store/openStore.ts';
import type { TaskStore } from '../../src/store/taskStore.ts';
import { full, seed } from '../support/figure.ts';
import { Random } from '../support/protocol/random.ts';

const kills = full ? 30 : 5;
const writer = join(import.meta.dirname, 'support/writerProcess.ts');

suite('several processes', () => {
  let folder: string;
  let path: string;
  let store: TaskStore;

  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-processes-'));
    path = join(folder, 'history.db');
    store = openStore(path);
    store.putContext({ key: 'k', agent: 'Ann', at: Date.now() });
  });
  teardown(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });

  const write = (taskId: string, count: number): ChildProcess =>
    spawn(process.execPath, [writer, path, 'k', taskId, String(count)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const numbers = (taskId: string): unknown[] =>
    store.taskDocument('k', taskId)?.task.artifacts?.[0]?.parts.map(part => ('data' in part ? part.data : undefined)) ?? [];
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

  test('four that write at once lose nothing and fail nothing', async () => {
    const each = 150;
    const writers = ['t1', 't2', 't3', 't4'].map(taskId => write(taskId, each));
    await Promise.all(writers.map(child => once(child.stdout!, 'data')));
    const codes = await Promise.all(
      writers.map(async child => {
        child.stdout?.resume();
        child.stdin?.end('!');
        const [code] = (await once(child, 'exit')) as [number];
        return code;
      }),
    );
    assert.deepEqual(codes, [0, 0, 0, 0]);
    for (const taskId of ['t1', 't2', 't3', 't4']) assert.deepEqual(numbers(taskId), upTo(each));
    assert.equal(new Set(store.transcript.entries({ context: 'k', limit: 200 }).map(entry => entry.seq)).size, 4);
  });

  test(`what was committed survives kill -9 at ${kills} moments (seed ${seed})`, async () => {
    const random = new Random(seed);
    let committed = 0;
    for (let kill = 0; kill < kills; kill++) {
      const child = write('t', 1e6);
      let told = '';
      child.stdout?.setEncoding('latin1').on('data', (data: string) => {
        told += data;
      });
      await once(child.stdout!, 'data');
      child.stdin?.end('!');
      await once(child.stdout!, 'data');
      await new Promise(resolve => setTimeout(resolve, random.next() * 20));
      child.kill('SIGKILL');
      await once(child, 'close');
      const last = Number(told.slice(0, told.lastIndexOf('\n')).split('\n').at(-1));
      const found = numbers('t');
      assert.deepEqual(found, upTo(found.length), 'no hole and nothing twice');
      assert.ok(found.length > last, `number ${last} was told as committed; ${found.length} are there`);
      assert.ok(found.length > committed);
      committed = found.length;
    }
    const raw = new DatabaseSync(path);
    assert.deepEqual({ ...raw.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
    raw.close();
  });
});
