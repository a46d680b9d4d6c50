import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { TaskChange } from '../../src/protocol/message/taskChange.ts';
import { openStore } from '../../src/store/openStore.ts';
import { tell } from './measure.ts';

// Duration of a write to the history while others write: "node scripts/bench/writers.ts [--writers N] [--seconds N]". Each writer is like a
// window with a stream: a transaction every 40 ms with a batch of chunks and their frames, sometimes a message and the end of a task, and
// steps of indexing. "flat out" writes without pauses.

const { values } = parseArgs({
  options: {
    writers: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '10' },
    path: { type: 'string' },
    name: { type: 'string' },
    pause: { type: 'string' },
    json: { type: 'boolean' },
  },
});

if (values.path === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-writers-'));
  try {
    for (const [what, pause] of [
      ['a stream each', '40'],
      ['flat out', '0'],
    ] as const) {
      const path = join(folder, `${pause}.db`);
      openStore(path).close();
      const times = await Promise.all(
        Array.from({ length: Number(values.writers) }, async (_, index) => {
          const child = fork(import.meta.filename, ['--path', path, '--name', `w${index}`, '--pause', pause, '--seconds', values.seconds]);
          const [found] = (await once(child, 'message')) as [Record<string, number[]>];
          return found;
        }),
      );
      for (const kind of ['record', 'message', 'index'])
        print(
          `${what}, ${values.writers} writers: ${kind}`,
          times.flatMap(one => one[kind] ?? []),
        );
    }
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
  }
} else {
  process.send?.(await write(values.path, values.name ?? '', Number(values.pause), Number(values.seconds) * 1000));
}

async function write(path: string, name: string, pause: number, duration: number): Promise<Record<string, number[]>> {
  const store = openStore(path, { busyTimeoutMs: 5_000 });
  const times: Record<string, number[]> = { record: [], message: [], index: [] };
  const timed = (kind: string, work: () => unknown): void => {
    const begin = performance.now();
    work();
    times[kind]?.push(performance.now() - begin);
  };
  store.putContext({ key: name, agent: name, at: Date.now() });
  store.leases.enter(name, { at: Date.now() });
  for (let round = 0, end = Date.now() + duration; Date.now() < end; round++) {
    const at = Date.now();
    const taskId = `t${Math.floor(round / 50)}`;
    if (round % 50 === 0)
      timed('message', () =>
        store.own.putMessage(name, { messageId: `m${round}`, role: 'ROLE_USER', parts: [{ text: 'Go on, please.' }] }, { at, owner: name }),
      );
    const changes = Array.from(
      { length: 20 },
      (_, index): TaskChange => ({
        kind: 'append',
        taskId,
        artifactId: 'a',
        parts: [{ text: `word ${round * 20 + index} ` }],
        complete: false,
      }),
    );
    if (round % 50 === 49) changes.push({ kind: 'status', taskId, status: { state: 'TASK_STATE_COMPLETED' } });
    const frames = changes.map((change, index) => ({ seq: (round % 50) * 30 + index, at, data: JSON.stringify(change) }));
    timed('record', () =>
      store.record(name, changes, {
        at,
        owner: name,
        follow: true,
        exchangeId: `${name}-${taskId}`,
        wire: { exchanges: round % 50 === 0 ? [exchange(`${name}-${taskId}`, at)] : [], frames: new Map([[`${name}-${taskId}`, frames]]) },
      }),
    );
    if (round % 25 === 24) timed('index', () => store.indexing.step({ settled: true }));
    if (pause > 0) await new Promise(resolve => setTimeout(resolve, pause));
  }
  store.close();
  return times;
}

function print(name: string, times: number[]): void {
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  for (const [what, share] of [
    ['p50', 0.5],
    ['p95', 0.95],
    ['p99', 0.99],
    ['longest', 1],
  ] as const)
    tell({ name: `${name}, ${what}`, value: at(share), unit: 'ms' });
  tell({ name: `${name}, over 50 ms`, value: times.filter(time => time > 50).length / times.length, unit: 'of all writes' });
}

function exchange(id: string, startedAt: number) {
  return {
    id,
    operation: 'SendStreamingMessage',
    protocolBinding: 'JSONRPC',
    protocolVersion: '1.0',
    request: { method: 'POST', url: 'http://127.0.0.1/', headers: [], body: '{}' },
    startedAt,
    findings: [],
  };
}
