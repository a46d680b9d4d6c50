import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Message } from '../../src/protocol/message/message.ts';
import type { TaskChange } from '../../src/protocol/message/taskChange.ts';
import type { TaskState } from '../../src/protocol/message/taskState.ts';
import { Database } from '../../src/store/database/database.ts';
import { openStore } from '../../src/store/openStore.ts';
import type { TaskStore } from '../../src/store/taskStore.ts';
import { tell } from './measure.ts';

// Cost of a history of 100,000 tasks: "node scripts/bench/history.ts [--tasks N]". Prints one figure per line: name, value, unit. Times
// that a person waits are compared with a history of a hundredth of the tasks, measured in the same run.

const { values } = parseArgs({ options: { tasks: { type: 'string', default: '100000' }, json: { type: 'boolean' } } });
const tasks = Number(values.tasks);
const agents = Array.from({ length: 20 }, (_, index) => `Agent ${index}`);
const states: readonly TaskState[] = [
  ...Array<TaskState>(90).fill('TASK_STATE_COMPLETED'),
  ...Array<TaskState>(9).fill('TASK_STATE_FAILED'),
  'TASK_STATE_INPUT_REQUIRED',
];
const words = (
  'sailboat canoe weather Helsinki forecast currency exchange rate invoice approve travel booking image colour blue red bigger ' +
  'smaller 今天 赫尔辛基 天气 汇率 発注 予約 날씨 환율 погода курс report summary table chart error retry answer question draft'
).split(' ');

let seed = 20260101;
const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
const text = (length: number): string =>
  Array.from({ length }, () => (random(12) === 0 ? `w${random(20_000)}` : words[random(words.length)])).join(' ');
const message = (id: string, role: Message['role'], length: number): Message => ({ messageId: id, role, parts: [{ text: text(length) }] });

const folder = mkdtempSync(join(tmpdir(), 'a2a-bench-'));
const path = join(folder, 'history.db');
try {
  let store = openStore(path);
  say(
    'fill',
    once(() => fill(store, tasks)),
    's',
    1000,
  );
  const steps: number[] = [];
  say(
    'index',
    once(() => {
      for (let more = true; more; )
        steps.push(
          once(() => {
            more = store.indexing.step();
          }),
        );
    }),
    's',
    1000,
  );
  print('index: steps', steps);
  store.close();
  say('file', statSync(path).size / 2 ** 20, 'MiB');

  const small = openStore(join(folder, 'small.db'));
  fill(small, tasks / 100);
  while (small.indexing.step());
  const before = process.memoryUsage().rss;
  say(
    'open',
    once(() => {
      store = openStore(path);
    }),
    'ms',
  );
  const against = `with ${tasks / 100} tasks`;
  const compare = (name: string, rounds: number, work: (store: TaskStore, round: number) => unknown): void => {
    const p95 = (of: TaskStore): number =>
      shareOf(
        Array.from({ length: rounds }, (_, round) => once(() => work(of, round))),
        0.95,
      );
    const [value, other] = [p95(store), p95(small)];
    tell({ name, value, unit: 'ms', against, ratio: value / other });
  };
  // The queries of the tree when it opens: all agents, waiting tasks, and the first page of each.
  compare('tree: time to first page, p95', 20, of => {
    of.waiting();
    for (const agent of of.agentNames()) of.contexts({ agent, limit: 51 });
  });
  compare('tree by time: time to first page, p95', 20, of => of.listTasks({ limit: 51 }));
  compare('tree: a filter of text and state, p95', 40, (of, round) =>
    of.contexts({ agent: agents[round % agents.length], text: words[round % words.length], states: ['TASK_STATE_FAILED'], limit: 51 }),
  );
  say(
    'contexts of an agent: first page',
    once(() => store.contexts({ agent: 'Agent 7', limit: 51 })),
    'ms',
  );
  say(
    'tasks by time: first page',
    once(() => store.listTasks({ limit: 51 })),
    'ms',
  );
  say(
    'agents and what waits',
    once(() => [store.agentNames(), store.waiting()]),
    'ms',
  );
  for (const [what, ask] of [
    ['contexts', (filter: object) => store.contexts({ ...filter, limit: 51 }).length],
    ['tasks', (filter: object) => store.listTasks({ ...filter, limit: 51 }).length],
  ] as const) {
    for (const [name, filter] of [
      ['a state, few', { states: ['TASK_STATE_INPUT_REQUIRED'] }],
      ['a state, none', { states: ['TASK_STATE_REJECTED'] }],
      ['a state, many', { states: ['TASK_STATE_FAILED'] }],
      ['a word, many', { text: 'sailboat' }],
      ['a word, few', { text: 'w1234' }],
      ['a word, none', { text: 'submarine' }],
      ['two characters', { text: '天气' }],
      ['two letters', { text: 'w1' }],
      ['one letter', { text: 'x' }],
      ['a word and a state', { text: 'canoe', states: ['TASK_STATE_INPUT_REQUIRED'] }],
      ['a time', { since: 1_700_000_000_000 + tasks * 500, until: 1_700_000_000_000 + tasks * 501 }],
    ] as const)
      percentiles(`${what} by ${name}`, 20, () => ask(filter));
  }
  percentiles('tasks: every page of 200', 1, () => {
    for (
      let last = store.listTasks({ limit: 200 }).at(-1);
      last !== undefined;
      last = store.listTasks({ limit: 200, before: last }).at(-1)
    );
  });
  const queries = [
    ...Array.from({ length: 60 }, () => `w${random(20_000)}`),
    ...Array.from({ length: 60 }, () => `${words[random(words.length)]} ${words[random(words.length)]}`),
    ...words,
    'submarine',
    'a',
    'ai',
    '天',
    '气',
    'x',
    '"sailboat canoe"',
    'w1 w2 w3',
  ];
  compare('search, all kinds of queries, p95', queries.length, (of, round) => of.search.find({ text: queries[round] ?? '' }));
  let query = 0;
  percentiles('search', 200, () => store.search.find({ text: queries[query++ % queries.length] ?? '' }));
  percentiles('search of one agent and state', 100, () =>
    store.search.find({ text: queries[query++ % queries.length] ?? '', agent: 'Agent 3', states: ['TASK_STATE_INPUT_REQUIRED'] }),
  );
  say('memory: what opening, reading and searching it took', (process.memoryUsage().rss - before) / 2 ** 20, 'MiB');
  priceOfDisk();
  small.close();
  const keys = store.contexts({ limit: 200 }).map(context => ({ context: context.key }));
  say(
    'delete 200 contexts',
    once(() => store.edits.delete(keys, Date.now())),
    'ms',
  );
  let longest = 0;
  say(
    'purge them',
    once(() => {
      for (let more = true; more; )
        longest = Math.max(
          longest,
          once(() => {
            more = store.edits.purge(Date.now());
          }),
        );
    }),
    'ms',
  );
  say('purge: longest step', longest, 'ms');
  store.close();
} finally {
  rmSync(folder, { recursive: true });
}

/** What it costs to wait for the disk at a commit, in turns. */
function priceOfDisk(): void {
  const database = new Database(join(folder, 'commits.db'));
  database.exec('CREATE TABLE commits (bytes BLOB)');
  const insert = database.prepare('INSERT INTO commits VALUES (?)');
  const bytes = new Uint8Array(1000);
  const commit = (durable: boolean): number => once(() => database.write(() => insert.run(bytes), durable));
  const rounds = Array.from({ length: 400 }, () => [commit(true), commit(false)] as const);
  database.close();
  for (const [name, share] of [
    ['median', 0.5],
    ['p95', 0.95],
  ] as const) {
    const [value, other] = [0, 1].map(side =>
      shareOf(
        rounds.map(round => round[side]!),
        share,
      ),
    ) as [number, number];
    tell({ name: `commit that survives a power cut, ${name}`, value, unit: 'ms', against: 'one that may not', ratio: value / other });
  }
}

function fill(store: TaskStore, tasks: number): void {
  const perContext = 10;
  for (let context = 0; context * perContext < tasks; context++) {
    const key = `context-${context}`;
    const at = 1_700_000_000_000 + context * perContext * 1000;
    store.putContext({ key, agent: agents[random(agents.length)] ?? '', at });
    store.record(
      key,
      Array.from({ length: perContext }, (_, index): TaskChange[] => {
        const taskId = `task-${context}-${index}`;
        const state = states[random(states.length)] ?? 'TASK_STATE_COMPLETED';
        return [
          { kind: 'message', taskId, message: message(`${taskId}-u`, 'ROLE_USER', 8) },
          { kind: 'artifact', taskId, artifact: { artifactId: 'a', name: 'result', parts: [{ text: text(40) }] }, complete: true },
          { kind: 'status', taskId, status: { state, message: message(`${taskId}-a`, 'ROLE_AGENT', 10) } },
        ];
      }).flat(),
      { at, owner: 'bench' },
    );
  }
}

function once(work: () => unknown): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

function percentiles(name: string, rounds: number, work: () => unknown): void {
  print(
    name,
    Array.from({ length: rounds }, () => once(work)),
  );
}

function print(name: string, times: number[]): void {
  for (const [what, share] of [
    ['p50', 0.5],
    ['p95', 0.95],
    ['longest', 1],
  ] as const)
    tell({ name: `${name}, ${what}`, value: shareOf(times, share), unit: 'ms' });
}

function shareOf(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function say(name: string, value: number, unit: string, divisor = 1): void {
  tell({ name, value: value / divisor, unit });
}
