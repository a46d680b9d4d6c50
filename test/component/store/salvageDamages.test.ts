import * as assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../../src/protocol/problem.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { salvage } from '../../../src/store/transfer/salvage.ts';
import { caught, figure, full, sampleOf, seed } from '../../support/figure.ts';
import { Random } from '../../support/protocol/random.ts';
import { append, artifact, at, History, is, said } from './support/history.ts';
import { RowPages, valuesOf } from './support/rowPages.ts';

const tasks = full ? 20_000 : 500;
const tasksOfContext = 5;
const block = 4_096;

interface TaskLine {
  readonly task?: { readonly task: { readonly id: string } };
  readonly entries: readonly object[];
}

suite('what a damaged history gives back', function () {
  this.timeout(full ? 4 * 60 * 60_000 : 300_000);
  const history = new History({ opens: false });
  let whole: Buffer;
  let pages: RowPages;
  /** What is exported of each task, by its id; that is `t` and its row id. */
  let expected: ReadonlyMap<string, string>;
  let path: string;

  suiteSetup(() => {
    const made = new History();
    for (let from = 1; from <= tasks; from += tasksOfContext) {
      // With keys of chance, each run's file would have its rows on other pages.
      const key = `context ${from}`;
      made.store.putContext({ key, agent: 'Ann', at });
      for (let id = from; id < from + tasksOfContext; id++) {
        // Some do not fit into a page.
        const text = `picture ${id} ${'x'.repeat(id % 50 === 0 ? 40_000 : 300)}`;
        made.record(key, [is(`t${id}`, 'WORKING'), artifact(`t${id}`, 'a', text, false)]);
        made.record(key, [append(`t${id}`, 'a', `, and more of ${id}`, true), is(`t${id}`, 'COMPLETED', said(`m${id}`, 'done'))]);
      }
    }
    if (!full) while (made.store.indexing.step());
    expected = new Map([...made.store.export.lines(undefined)].map(line => contentOf(line)));
    made.store.close();
    Object.assign(history, { folder: made.folder, path: made.path });
    whole = readFileSync(made.path);
    pages = new RowPages(made.path);
    path = join(made.folder, 'damaged.db');
  });
  suiteTeardown(() => rmSync(history.folder, { recursive: true, force: true }));

  /** A task's id and what is known of it: numbers of entries differ in each history. */
  function contentOf(line: string): readonly [id: string, content: string] {
    const { task, entries } = JSON.parse(line) as TaskLine;
    return [task?.task.id ?? '', JSON.stringify([task, entries.map(entry => ({ ...entry, seq: 0 }))])];
  }

  async function saved(bytes: Uint8Array): Promise<{ readonly found: ReadonlyMap<string, string>; readonly unreadable: number }> {
    writeFileSync(path, bytes);
    const found = new Map<string, string>();
    const lines = async (chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => {
      let added = 0;
      for await (const chunk of chunks) {
        const [id, content] = contentOf(Buffer.from(chunk).toString());
        if (id !== '') added++;
        assert.ok(!found.has(id), `${id} twice`);
        found.set(id, content);
      }
      return { added, known: 0, entries: 0, failed: 0, problems: [] };
    };
    const { unreadable } = await salvage(path, { lines }, at);
    assert.ok(readFileSync(path).equals(bytes), 'the damaged file is as it was');
    return { found, unreadable };
  }

  const isWhole = (own: ReadonlySet<number>, spoilt: ReadonlySet<number>): boolean => [...own].every(page => !spoilt.has(page));
  const wholeTasks = (spoilt: ReadonlySet<number>): string[] =>
    [...pages.ofTask].filter(([, own]) => isWhole(own, spoilt)).map(([id]) => `t${id}`);

  const spoiltContexts = (spoilt: ReadonlySet<number>): number => [...pages.ofContext.values()].filter(own => !isWhole(own, spoilt)).length;

  interface Damage {
    readonly name: string;
    /** Returns what is there afterwards, and the pages that are not as they were. */
    readonly how: (random: Random) => { readonly bytes: Uint8Array; readonly spoilt: Set<number> };
  }

  const rubbish = (random: Random, length: number): Buffer =>
    random.next() < 0.5 ? Buffer.alloc(length) : Buffer.from(Array.from({ length }, () => Math.floor(random.next() * 256)));

  function overwritten(random: Random, offsets: readonly number[], length = block): ReturnType<Damage['how']> {
    const bytes = Buffer.from(whole);
    const spoilt = new Set<number>();
    for (const offset of offsets) {
      rubbish(random, Math.min(length, bytes.length - offset)).copy(bytes, offset);
      spoilt.add(Math.floor(offset / pages.pageSize) + 1);
    }
    return { bytes, spoilt };
  }
  const times = (random: Random, most: number): undefined[] => Array.from({ length: 1 + Math.floor(random.next() * most) });
  const oneOf = (random: Random, length: number): number => Math.floor(random.next() * length);

  const kinds: Readonly<Record<string, Damage['how']>> = {
    'index pages': random => {
      const blocks = pages.pageSize / block;
      const offsets = times(random, 20).map(
        () => (pages.indexPages[oneOf(random, pages.indexPages.length)]! - 1) * pages.pageSize + oneOf(random, blocks) * block,
      );
      return overwritten(random, offsets);
    },
    'random blocks': random => {
      const all = Math.floor(whole.length / block);
      const most = full ? 165 : 20;
      return overwritten(
        random,
        times(random, most).map(() => oneOf(random, all) * block),
      );
    },
    header: random => overwritten(random, [0], [100, block, pages.pageSize][oneOf(random, 3)]),
    'truncated file': random => {
      const length = Math.floor(whole.length * (0.1 + 0.9 * random.next()));
      const spoilt = new Set<number>();
      for (let page = Math.floor(length / pages.pageSize) + 1; page <= whole.length / pages.pageSize; page++) spoilt.add(page);
      return { bytes: whole.subarray(0, length), spoilt };
    },
  };
  const damages: readonly Damage[] = Object.entries({ 'index pages': 50, 'random blocks': 100, header: 25, 'truncated file': 25 }).flatMap(
    ([kind, count]) => Array.from({ length: count }, (_, index) => ({ name: `${kind} ${index + 1}`, how: kinds[kind]! })),
  );

  test('is every task whose own pages are whole, as it was, and the count of what is not', async () => {
    const wrong: string[] = [];
    let missing = 0;
    let there = 0;
    let miscounted = 0;
    const chosen = sampleOf(damages, 0.05);
    for (const damage of chosen) {
      const { bytes, spoilt } = damage.how(new Random(seed * 1_000 + damages.indexOf(damage)));
      // The first page is the same in every history.
      spoilt.delete(1);
      const { found, unreadable } = await saved(bytes);
      const intact = wholeTasks(spoilt);
      const lost = intact.filter(id => found.get(id) !== expected.get(id));
      const most = tasks - intact.length + spoiltContexts(spoilt);
      there += intact.length;
      missing += lost.length;
      if (unreadable > most || (intact.length === tasks && (unreadable > 0 || found.size !== tasks))) miscounted++;
      if (lost.length > 0 || unreadable > most)
        wrong.push(`${damage.name}: ${lost.length} of ${intact.length} (${lost.slice(0, 3).join()}); ${unreadable} unreadable of ${most}`);
    }
    figure(
      'F40',
      { damages: chosen.length, 'whole tasks': there, missing, miscounted },
      `${chosen.length} damages of ${tasks} tasks: ${missing} of ${there} whole tasks missing, ${miscounted} counts wrong`,
    );
    assert.deepEqual(wrong, [], `seed ${seed}`);
  });

  for (const table of ['contexts', 'tasks', 'entries', 'artifacts', 'artifact_chunks']) {
    for (const which of [0, -1]) {
      test(`with the ${which === 0 ? 'first' : 'last'} page of ${table} spoilt: what was on it is counted, each task and context once`, async () => {
        const page = pages.leaves.get(table)!.at(which)!;
        const { found, unreadable } = await saved(Buffer.from(whole).fill(0, (page - 1) * pages.pageSize, page * pages.pageSize));
        const spoilt = new Set([page]);
        const intact = wholeTasks(spoilt);
        assert.equal(unreadable, tasks - intact.length + spoiltContexts(spoilt));
        assert.deepEqual(
          intact.filter(id => found.get(id) !== expected.get(id)),
          [],
        );
        // What else is known of a task is there, and says that it is not all.
        if (table !== 'tasks') assert.equal(found.size, tasks);
        if (table === 'entries' || table === 'artifact_chunks')
          assert.equal([...found.values()].filter(content => content.includes('"kind":"gap"')).length, tasks - intact.length);
      });
    }

    test(`is all of it when the page is spoilt that leads to the rows of ${table}`, async () => {
      const spoilt = pages.inside.get(table) ?? [];
      const bytes = Buffer.from(whole);
      for (const page of spoilt) bytes.fill(0x77, (page - 1) * pages.pageSize, page * pages.pageSize);
      const { found, unreadable } = await saved(bytes);
      assert.deepEqual([found.size, unreadable], [tasks, 0]);
    });
  }

  /** Each of its numbers is then that of another row: of task 1 or 257, of artifact 257, or of entry 257, which is of task 86. */
  for (const [table, row, task] of [
    ['entries', 1_300, 434],
    ['artifacts', 50, 50],
    ['artifacts', 400, 400],
    ['artifact_chunks', 801, 401],
  ] as const) {
    test(`without what row ${row} of ${table} says of others where its values are spoilt`, async () => {
      const bytes = Buffer.from(whole).fill(1, ...valuesOf(whole, pages.pageSize, pages.leaves.get(table)!, row));
      const { found, unreadable } = await saved(bytes);
      const others = [...expected].filter(([id, content]) => found.get(id) !== content).map(([id]) => id);
      assert.deepEqual([found.size, unreadable, others], [tasks, 1, [`t${task}`]]);
    });
  }

  /** Entries of the pointer map have 5 bytes, for the pages from the third. */
  const maps: Readonly<Record<string, (map: Buffer) => unknown>> = {
    'has lost half of its entries': map => map.fill(0, 0, map.length >> 1),
    'has entries of no meaning': map => map.fill(0x77, map.length >> 1),
    'says that all pages are children of one': map => {
      for (let entry = 0; entry < map.length; entry += 5) map.set([5, 0, 0, 0, pages.inside.get('tasks')![0]!], entry);
    },
  };
  for (const [what, spoil] of Object.entries(maps)) {
    test(`is all of it when the pointer map ${what}`, async () => {
      const bytes = Buffer.from(whole);
      const used = Math.floor(whole.length / pages.pageSize) - 2;
      spoil(bytes.subarray(pages.pageSize, pages.pageSize + 5 * used));
      const { found, unreadable } = await saved(bytes);
      assert.deepEqual([found.size, unreadable], [tasks, 0]);
    });
  }

  test('is brought over once, tasks of a lost context too', async () => {
    const page = pages.leaves.get('contexts')![0]!;
    writeFileSync(path, Buffer.from(whole).fill(0, (page - 1) * pages.pageSize, page * pages.pageSize));
    const other = new History();
    try {
      const first = await salvage(path, other.store.import, at);
      assert.equal(first.tasks, tasks);
      assert.equal((await salvage(path, other.store.import, at)).tasks, 0);
      assert.deepEqual(other.store.agentNames(), ['Ann']);
    } finally {
      other.close();
    }
  });

  test('a history whose tasks are looked up through its indexes is caught', async () => {
    const missing: number[] = [];
    for (const damage of damages.slice(0, 5)) {
      const { bytes } = damage.how(new Random(seed * 1_000 + damages.indexOf(damage)));
      writeFileSync(path, bytes);
      let found = 0;
      try {
        const store = openStore(path);
        try {
          for (const line of store.export.lines(undefined)) if (contentOf(line)[0] !== '') found++;
        } finally {
          store.close();
        }
      } catch (error) {
        assert.equal((error as Problem).code, 'history-damaged');
      }
      for (const ending of ['-wal', '-shm', '.suspect']) rmSync(path + ending, { force: true });
      missing.push(tasks - found);
    }
    assert.ok(
      missing.some(count => count > 0),
      missing.join(),
    );
    caught('F40', 'tasks that are looked up through spoilt indexes');
  });
});
