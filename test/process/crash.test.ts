import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { build } from 'esbuild';
import { openStore } from '../../src/store/openStore.ts';
import type { TaskStore } from '../../src/store/taskStore.ts';
import { caught, figure, full, seed } from '../support/figure.ts';
import { Random } from '../support/protocol/random.ts';
import { storyOf } from './support/crashStory.ts';

const kills = full ? 10_000 : 50;
/** So many writers share a history at a time, and so many histories there are. */
const writersAtOnce = 2;
const histories = 2;
const killsBetweenChecks = full ? 100 : 25;

suite('kill -9 of those who write the history', function () {
  this.timeout(120_000 + kills * 400);
  let folder: string;
  let writer: string;

  suiteSetup(async () => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-crash-'));
    writer = join(folder, 'writer.mjs');
    // One file without types starts several times as fast.
    await build({
      entryPoints: [join(import.meta.dirname, 'support/crashWriter.ts')],
      outfile: writer,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
  });
  suiteTeardown(() => rmSync(folder, { recursive: true, maxRetries: 10 }));

  /** Lives until it has told so much and as many milliseconds more; returns what it told. */
  async function live(path: string, life: string, words: number, moreMs: number, ...more: string[]): Promise<string[]> {
    const child = spawn(process.execPath, ['--no-warnings', writer, path, life, ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
    let told = '';
    const enough = new Promise<void>(resolve => {
      child.stdout.setEncoding('latin1').on('data', (data: string) => {
        told += data;
        if (told.split('\n').length > words) resolve();
      });
    });
    const closed = once(child, 'close');
    await Promise.race([enough, closed]);
    await new Promise(resolve => setTimeout(resolve, moreMs));
    assert.equal(child.exitCode, null, 'the writer ended by itself');
    child.kill('SIGKILL');
    await closed;
    return told
      .slice(0, told.lastIndexOf('\n') + 1)
      .split('\n')
      .slice(0, -1);
  }

  /** What of that is not in the history; throws for a hole. */
  function lost(store: TaskStore, life: string, told: readonly string[]): string[] {
    const found = store.taskDocument(life, 't')?.task.artifacts?.[0]?.parts ?? [];
    assert.deepEqual(
      found,
      found.flatMap((_, index) => storyOf(index).parts),
      'no hole and nothing twice',
    );
    const events = store.exchange(life)?.frames ?? [];
    assert.deepEqual(
      events.map(({ data }) => data),
      events.map((_, index) => storyOf(index).frame),
      'every event as it came',
    );
    const message = store.transcript.entries({ context: life }).some(entry => entry.kind === 'message');
    return told.filter(word => (word === 'm' ? !message : Number(word) >= found.length));
  }

  /** What SQLite finds wrong with the file. */
  function faultsOf(path: string): string[] {
    const raw = new DatabaseSync(path, { timeout: 100_000 });
    const faults = [
      ...raw
        .prepare('PRAGMA integrity_check')
        .all()
        .filter(row => row['integrity_check'] !== 'ok'),
      ...raw.prepare('PRAGMA foreign_key_check').all(),
    ].map(row => JSON.stringify(row));
    for (const table of ['entry_words', 'name_words']) {
      try {
        raw.exec(`INSERT INTO ${table} (${table}) VALUES ('integrity-check')`);
      } catch (error) {
        faults.push(`${table}: ${String(error)}`);
      }
    }
    raw.close();
    return faults;
  }

  test(`${kills} times, nothing that was committed is lost`, async () => {
    let count = 0;
    let words = 0;
    const missing: string[] = [];
    const faults: string[] = [];
    await Promise.all(
      Array.from({ length: histories }, async (_, history) => {
        const path = join(folder, `history-${history}.db`);
        const store = openStore(path);
        await Promise.all(
          Array.from({ length: writersAtOnce }, async (_, lane) => {
            while (count < kills) {
              // Of its own: which of them comes next is chance.
              const random = new Random(seed + count);
              const life = `${history}-${lane}-${count++}`;
              const told = await live(path, life, 1 + random.below(12), random.next() * 8);
              words += told.length;
              missing.push(...lost(store, life, told).map(word => `${word} of ${life}`));
              if (count % killsBetweenChecks === 0) faults.push(...faultsOf(path));
            }
          }),
        );
        // What the dead left behind is taken over: their tasks, their messages, and what the search does not know yet.
        const heir = 'heir';
        assert.ok(store.leases.unfinished(heir, { at: Date.now(), all: false }).length > 0);
        assert.ok(store.leases.stranded(heir, Date.now()).length > 0);
        while (store.indexing.step());
        assert.ok(store.search.find({ text: '"message of life"' }).hits.length > 0);
        store.close();
        faults.push(...faultsOf(path));
      }),
    );
    figure(
      'F12',
      { kills: count, 'commits lost': missing.length, 'faults of the file': faults.length },
      `${count} kills (seeds ${seed} to ${seed + count - 1}), ${words} commits told, ${missing.length} of them lost`,
    );
    assert.deepEqual([missing, faults], [[], []]);
    assert.ok(words > kills, `${words} committed`);
  });

  test('a writer that tells before it commits is caught', async () => {
    const path = join(folder, 'early.db');
    const store = openStore(path);
    let missing = 0;
    for (let life = 0; life < 20 && missing === 0; life++)
      missing = lost(store, `early-${life}`, await live(path, `early-${life}`, 3, 0, 'early')).length;
    store.close();
    assert.ok(missing > 0);
    caught('F12', 'a writer that tells before it commits');
  });
});
