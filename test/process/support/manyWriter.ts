import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../../src/store/openStore.ts';

/** What a writer found out. */
export interface ManyWritten {
  /** Transactions that were refused. */
  readonly errors: number;
  /** How long each took from when it was asked for until it was committed, in milliseconds. */
  readonly times: readonly number[];
}

/**
 * One of many windows that write as fast as they can, a transaction after the other that reads what it then writes. Arguments: history, the context
 * that all share, its task, how many, and `escapeIcons` for one whose transactions begin without the lock.
 */
const [path = '', context = '', taskId = '', count = '', plain] = process.argv.slice(2);
const store = openStore(path, plain === undefined ? {} : { busyTimeoutMs: 5_000 });
if (plain !== undefined) {
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    exec.call(this, sql === 'BEGIN IMMEDIATE' ? 'BEGIN' : sql);
  };
}
const owner = `writer of ${taskId}`;
const errors: string[] = [];
const times: number[] = [];
const write = (next: number): void =>
  void store.record(context, [{ kind: 'append', taskId, artifactId: 'a', parts: [{ data: next }], complete: false }], {
    at: Date.now(),
    owner,
  });

process.once('message', () => void writeAll());
process.send?.('ready');

async function writeAll(): Promise<void> {
  for (let next = 0; next < Number(count); next++) {
    const begin = performance.now();
    try {
      if (plain === undefined) await store.writes.patiently(() => write(next));
      else write(next);
    } catch (error) {
      errors.push(String(error));
    }
    times.push(performance.now() - begin);
  }
  store.close();
  process.send?.({ errors: errors.length, times } satisfies ManyWritten, () => process.disconnect());
}
