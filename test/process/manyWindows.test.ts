import * as assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { build } from 'esbuild';
import { openStore } from '../../src/store/openStore.ts';
import { caught, figure, full } from '../support/figure.ts';
import type { ManyWritten } from './support/manyWriter.ts';

const windows = full ? 8 : 4;
const each = full ? 10_000 : 300;

suite('many windows that write at once', function () {
  this.timeout(full ? 60 * 60_000 : 120_000);
  let folder: string;
  let writer: string;

  suiteSetup(async () => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-windows-'));
    writer = join(folder, 'writer.mjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'support/manyWriter.ts')],
      outfile: writer,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
  });
  suiteTeardown(() => rmSync(folder, { recursive: true, maxRetries: 10 }));

  interface Outcome {
    readonly errors: number;
    readonly lost: number;
    readonly doubled: number;
    /** Writes to the context that all share which another one has undone. */
    readonly undone: number;
    /** In milliseconds, sorted. */
    readonly times: readonly number[];
  }

  async function run(count: number, transactions: number, ...how: string[]): Promise<Outcome> {
    const path = join(folder, `${how.join('') || 'history'}.db`);
    const store = openStore(path);
    store.putContext({ key: 'k', agent: 'Ann', at: Date.now() });
    const before = store.revision('k');
    const tasks = Array.from({ length: count }, (_, index) => `t${index}`);
    const children = tasks.map(taskId => fork(writer, [path, 'k', taskId, String(transactions), ...how], { execArgv: ['--no-warnings'] }));
    await Promise.all(children.map(child => once(child, 'message')));
    const written = await Promise.all(
      children.map(async child => {
        child.send('go');
        const [said] = (await once(child, 'message')) as [ManyWritten];
        return said;
      }),
    );
    let [lost, doubled] = [0, 0];
    for (const taskId of tasks) {
      const found =
        store.taskDocument('k', taskId)?.task.artifacts?.[0]?.parts.map(part => ('data' in part ? Number(part.data) : -1)) ?? [];
      const distinct = new Set(found);
      doubled += found.length - distinct.size;
      for (let next = 0; next < transactions; next++) if (!distinct.has(next)) lost++;
    }
    const errors = written.reduce((sum, one) => sum + one.errors, 0);
    const undone = count * transactions - errors - (store.revision('k') - before);
    store.close();
    const raw = new DatabaseSync(path);
    assert.deepEqual({ ...raw.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
    raw.close();
    return { errors, lost, doubled, undone, times: written.flatMap(({ times }) => times).sort((one, other) => one - other) };
  }

  test(`${windows} × ${each} transactions: no error, nothing lost, nothing twice`, async () => {
    const { errors, lost, doubled, undone, times } = await run(windows, each);
    const p99 = times[Math.floor(times.length * 0.99)] ?? Infinity;
    figure(
      'F15',
      { processes: windows, transactions: times.length, errors, lost, doubled, undone, ...(full && { 'p99 in ms': p99 }) },
      `${windows} processes with ${each} transactions each: ${errors} errors, ${lost} lost, ${doubled} twice; 99 of 100 within ${p99.toFixed(1)} ms, the longest ${times.at(-1)?.toFixed(1)} ms`,
    );
    assert.deepEqual({ errors, lost, doubled, undone }, { errors: 0, lost: 0, doubled: 0, undone: 0 });
  });

  test('transactions that begin without the lock are caught', async () => {
    const { errors, lost } = await run(4, 150, 'plain');
    assert.ok(errors > 0 && lost > 0, `${errors} errors, ${lost} lost`);
    caught('F15', 'transactions that begin without the lock');
  });
});
