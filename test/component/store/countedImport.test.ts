import * as assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { holdsMoreValues } from '../../../src/protocol/json/valueCount.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { boundedLines } from '../../../src/store/texts/boundedLines.ts';
import type { ImportOutcome } from '../../../src/store/transfer/historyImport.ts';
import { salvage } from '../../../src/store/transfer/salvage.ts';
import { artifact, at, History, is } from './support/history.ts';
import { caught, figure } from '../../support/figure.ts';

const mebibyte = 2 ** 20;
const head = '{"format":"a2a-workbench-history",';

/** A line in chunks of 1 MiB, as a file comes: `first`, the same text over and over, and a line feed. */
function* long(first: string, text: string, mebibytes: number): Generator<Uint8Array> {
  yield Buffer.from(first);
  const chunk = Buffer.from(text.repeat(Math.ceil(mebibyte / text.length)));
  for (let made = 0; made < mebibytes; made++) yield chunk;
  yield Buffer.from('\n');
}

suite('lines of an import are counted before they are read', () => {
  const history = History.ofEachTest();
  let [products, early] = [0, 0];
  suiteTeardown(() =>
    figure(
      'F37',
      { products, 'made before they were counted': early },
      `${products} kinds of lines, ${early} of them read before they were counted`,
    ),
  );

  const tasks = (): string[] => history.store.listTasks({ limit: 200 }).map(({ taskId }) => taskId);
  const whole = (): string => [...history.store.export.lines(undefined, { wire: true })].join('');

  /** A task whose line is longer than 32 MiB. */
  function fill(): void {
    history.record(history.context(), [
      ...['one', 'two', 'three'].map(id => artifact('large', id, id[0]!.repeat(6 * mebibyte))),
      is('large', 'COMPLETED'),
    ]);
  }

  function begin(): string {
    history.store.close();
    const aside = `${history.path}.damaged-x`;
    renameSync(history.path, aside);
    history.store = openStore(history.path);
    return aside;
  }

  /** What is said of the first line; the one after it is imported all the same. */
  async function refused(lines: Iterable<Uint8Array>): Promise<string | undefined> {
    history.record(history.context(), [is('kept', 'COMPLETED')]);
    const good = whole();
    begin();
    const all = function* (): Generator<Uint8Array> {
      yield* lines;
      yield Buffer.from(good);
    };
    const { added, failed, problems }: ImportOutcome = await history.store.import.lines(all(), at, 'imported');
    assert.deepEqual([added, failed, problems.map(({ line }) => line)], [1, 1, [1]]);
    products++;
    return problems[0]?.problem.message;
  }

  test('a line of 200 MB of small values, of which no more is kept than may be read', async () => {
    let kept = 0;
    const watched = function* (): Generator<Uint8Array> {
      for (const chunk of long('[', '{},', 200)) {
        yield chunk;
        kept++;
      }
    };
    assert.match((await refused(watched())) ?? '', /^The line exceeds the limit of 32 MB/);
    assert.equal(kept, 202);
  });

  test('a line that says that it is an exported task, and is longer than any may be', async () => {
    assert.match((await refused(long(head, 'x', 257))) ?? '', /^The line exceeds the limit of 32 MB, or of 256 MB for an exported task/);
  });

  for (const [what, first] of [
    ['a line', '['],
    ['a line that says that it is an exported task', `${head}"x":[`],
  ] as const)
    test(`${what} with millions of values, before it is parsed`, async () => {
      // It is no JSON either, which only whoever parses it sees.
      const said = await refused(long(first, '{},', 14));
      if (said?.includes('values') !== true) early++;
      assert.equal(said, 'The line exceeds the limit of 4000000 values.');
    });

  test('that notices a line that is parsed first', () => {
    const text = `[${'{},'.repeat(4_000_000)}`;
    assert.equal(holdsMoreValues(text, 4_000_000), true);
    assert.throws(() => JSON.parse(text), SyntaxError);
    caught('F37', 'a line that is parsed before it is counted');
  });

  test('the rest of a refused line is no line, even where it begins like an exported task', async () => {
    const chunks = ['x'.repeat(50), head, 'y', '\n', 'ok'].map(text => Buffer.from(text));
    const bounds = { longest: 40, marked: { head, longest: 100 } };
    const lines = [];
    for await (const { text } of boundedLines(chunks, bounds)) lines.push(text);
    assert.deepEqual(lines, [undefined, 'ok']);
    const own = [];
    const task = `${head}${'y'.repeat(20)}`;
    for await (const { text } of boundedLines(
      [...`${task}\n${task.repeat(2)}\n`].map(text => Buffer.from(text)),
      bounds,
    ))
      own.push(text);
    assert.deepEqual(own, [task, undefined]);
  });

  test('a long task that was exported is imported again', async () => {
    fill();
    const text = whole();
    assert.ok(Buffer.byteLength(text) > 32 * mebibyte && text.startsWith(head));
    begin();
    const { added, problems } = await history.store.import.lines([Buffer.from(text)], at, 'imported');
    assert.deepEqual([added, problems], [1, []]);
    assert.deepEqual(tasks(), ['large']);
    products++;
  });

  test('a recovery brings over a task however long it is', async () => {
    fill();
    const aside = begin();
    assert.deepEqual(await salvage(aside, history.store.import, at), { tasks: 1, unreadable: 0 });
    assert.deepEqual(tasks(), ['large']);
    products++;
  });

  test('the own lines of a recovery have no bounds at all', async () => {
    const { problems } = await history.store.import.lines(long('[', '{},', 14), at);
    assert.match(problems[0]?.problem.message ?? '', /is not JSON/);
  });
});
