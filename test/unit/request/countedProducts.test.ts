import * as assert from 'node:assert/strict';
import { refuseTooMany } from '../../../src/cli/run/runPlan.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { matrixAgents, matrixCount, matrixInterfaces, matrixTargets } from '../../../src/request/file/matrix.ts';
import { mayBeSentSeveralTimes } from '../../../src/request/file/references.ts';
import type { RequestEntry } from '../../../src/request/file/requestEntry.ts';
import type { RequestFile } from '../../../src/request/file/requestFile.ts';
import { maxRows, repeated, writtenCount, writtenRows } from '../../../src/request/file/writtenRows.ts';
import { rowsOf } from '../../../src/request/resolve/rows.ts';
import { fileValue } from '../../../src/request/template/fileValue.ts';
import { systemHost } from '../../../src/request/template/functions.ts';
import { readCsv } from '../../../src/request/text/csv.ts';
import type { JsonNode } from '../../../src/request/text/jsonNode.ts';
import { caught, figure } from '../../support/figure.ts';

const numbered = (count: number, text: string): string[] => Array.from({ length: count }, (_, index) => `${text}${index}`);
const fileOf = (request: object): RequestFile => readRequestFile(JSON.stringify({ requests: [{ agent: 'A', message: 'x', ...request }] }));

/** Every node that something is made of is asked for its place: counts how often that is. */
function asked(nodes: readonly JsonNode[]): () => number {
  let count = 0;
  for (const node of nodes) {
    const { offset } = node;
    Object.defineProperty(node, 'offset', { get: () => (count++, offset) });
  }
  return () => count;
}

const valueIn = (entry: RequestEntry, key: string): JsonNode => entry.members.get(key as 'each')!.value!;
const unset = async (): Promise<undefined> => undefined;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Rows of an entry whose data is in a file of this text. */
const rows = (file: RequestFile, data = '', name = 'data.csv') =>
  rowsOf(file.requests[0]!, {
    file,
    result: () => undefined,
    functions: {
      ...systemHost,
      sources: { env: () => undefined, secret: unset, prompt: unset, file: async () => ({ name, bytes: bytes(data) }) },
    },
  });

suite('products are counted before they are made', () => {
  let products = 0;
  let early = 0;
  /** Notes how much was made of a product. */
  const made = (count: number, most: number = maxRows): number => {
    products++;
    if (count > most) early++;
    return count;
  };
  suiteTeardown(() =>
    figure(
      'F37',
      { products, 'made before they were counted': early },
      `${products} products, ${early} of them made before they were counted`,
    ),
  );

  /** 6,250,000 combinations in 75 KB. */
  const large = (more: object = {}): RequestFile =>
    fileOf({ matrix: { agent: numbered(2500, 'a'), interface: numbered(2500, '0.') }, ...more });

  test('of agents and interfaces no more targets than may be sent', () => {
    const [entry] = large().requests;
    const count = asked(matrixInterfaces(entry!));
    assert.equal(matrixCount(entry!), 6_250_000);
    assert.equal(made(count()), 0);
    assert.equal(writtenRows(entry!)?.length, maxRows);
    assert.ok(made(count()) <= maxRows + 1, `${count()} were made`);
    const before = count();
    // What each reference to the request asks.
    for (let time = 0; time < 1000; time++) assert.equal(mayBeSentSeveralTimes(entry!), true);
    assert.equal(made(count() - before), 0);
  });

  test('that notices a matrix that is made as a whole', () => {
    const [entry] = large({ matrix: { agent: numbered(50, 'a'), interface: numbered(50, '0.') } }).requests;
    const count = asked(matrixInterfaces(entry!));
    const all = matrixAgents(entry!).flatMap(agent => matrixInterfaces(entry!).map(({ offset }) => ({ agent, offset })));
    assert.equal(all.slice(0, maxRows).length, maxRows);
    assert.throws(() => assert.ok(count() <= maxRows + 1));
    caught('F37', 'a matrix that is made before it is counted');
  });

  test('and the editor and whoever sends it say how many there are', async () => {
    const file = large({ repeat: 2 });
    const said = 'The request would be sent 12500000 times, more than the limit of 1000.';
    assert.deepEqual(
      file.problems.filter(({ severity }) => severity === 'error').map(({ code, sentence: { args } }) => [code, ...args]),
      [['too-many-times', 12_500_000, 1000]],
    );
    const count = asked(matrixInterfaces(file.requests[0]!));
    await assert.rejects(rows(file), { code: 'bad-data', message: said });
    assert.equal(made(count()), 0);
  });

  test('a name that is long is not in the label of each combination', () => {
    const [entry] = fileOf({ matrix: { agent: ['a'.repeat(1_000_000)], interface: numbered(900, '0.') } }).requests;
    const length = [...matrixTargets(entry!)].reduce((sum, { label }) => sum + label.length, 0);
    assert.ok(made(length, 900 * 500) <= 900 * 500, `${length} characters`);
  });

  test('of rows and repeats no more than may be sent', async () => {
    let labels = 0;
    const counted = Array.from({ length: 1000 }, () => ({
      get label() {
        labels++;
        return '';
      },
    }));
    assert.equal(repeated(counted, 1000).length, maxRows);
    // Each row is copied as well.
    assert.ok(made(labels, 2 * maxRows) <= 2 * maxRows, `${labels} were made`);

    const file = fileOf({ each: Array.from({ length: 20_000 }, () => ({ n: 1 })), repeat: 1000 });
    const [entry] = file.requests;
    assert.equal(writtenCount(entry!), 20_000_000);
    const count = asked(valueIn(entry!, 'each').children!);
    assert.equal(writtenRows(entry!)?.length, maxRows);
    assert.ok(made(count()) <= maxRows + 1, `${count()} were made`);
    const values = asked(valueIn(entry!, 'each').children!.flatMap(row => row.children!));
    await assert.rejects(rows(file), { message: 'The request would be sent 20000000 times, more than the limit of 1000.' });
    assert.equal(made(values()), 0);
  });

  test('a number of repeats is refused before the data is read', async () => {
    const file = fileOf({ each: '{{$file data.csv}}', repeat: 1e15 });
    await assert.rejects(rows(file, '"never closed'), { message: /^The request would be sent 1000000000000000 times/ });
    made(0);
  });

  test('of millions of lines of CSV no more rows than may be sent', async () => {
    // Whoever reads on comes to a quote that is never closed.
    const text = `a\n${'1\n'.repeat(2_000_000)}"`;
    assert.equal(made(readCsv(text, undefined, maxRows).length), maxRows);
    await assert.rejects(rows(fileOf({ each: '{{$file data.csv}}' }), text), {
      code: 'bad-data',
      message: 'The data of the request exceeds the limit of 1000 rows.',
    });
    assert.throws(() => readCsv('a\n1\n"'), { message: /unclosed quote/ });
    const exactly = await rows(fileOf({ each: '{{$file data.csv}}' }), `a\n${'1\n'.repeat(1000)}`);
    assert.equal(exactly.length, maxRows);
  });

  test('columns and rows of CSV are a product, too', () => {
    const wide = (columns: number): string => `${numbered(columns, 'c').join(',')}\n${'1\n'.repeat(900)}`;
    const refused = (columns: number, message: string): void =>
      assert.throws(() => readCsv(wide(columns), 'wide.csv', maxRows), { code: 'bad-data', message });
    refused(2_000, 'wide.csv: The rows of the data have 1800000 fields in all, more than the limit of 1000000.');
    refused(200_000, 'wide.csv: The data has 200000 columns, more than the limit of 2000.');
    made(0);
  });

  test('lines of a text are counted before they are rows, and so are those of each target', async () => {
    const given = { each: '{{$lines $file data.txt}}', matrix: { agent: ['A', 'B', 'C'] } };
    await assert.rejects(rows(fileOf(given), 'x\n'.repeat(400), 'data.txt'), {
      message: 'The request would be sent 1200 times, more than the limit of 1000.',
    });
    assert.equal(made((await rows(fileOf(given), 'x\n'.repeat(300), 'data.txt')).length), 900);
    const text = `x${'\n'.repeat(3_000_000)}x\r\n\n`;
    await assert.rejects(rows(fileOf(given), text, 'data.txt'), { message: 'The text has 3000001 lines, more than the limit of 100000.' });
    made(0);
    assert.equal((await rows(fileOf(given), 'x\r\ny\n\r\n\n', 'data.txt')).length, 6);
  });

  test('a JSON file of many values is refused before it is parsed', () => {
    const many = (count: number): string => `[${'{},'.repeat(count)}`;
    assert.throws(() => fileValue({ name: 'a.json', bytes: bytes(many(200_000)) }), {
      code: 'bad-file',
      message: 'The file a.json exceeds the limit of 200000 JSON values.',
    });
    made(0);
    assert.throws(() => fileValue({ name: 'a.json', bytes: bytes(many(99_000)) }), { message: /is not JSON/ });
    assert.deepEqual(fileValue({ name: 'a.json', bytes: bytes(`["${'[,{'.repeat(100_000)}\\"[,"]`) }), [`${'[,{'.repeat(100_000)}"[,`]);
  });

  test('a run that repeats its requests counts them with their rows', () => {
    const { requests } = fileOf({ matrix: { agent: numbered(30, 'a'), interface: numbered(30, '0.') } });
    const chosen = requests.map(entry => ({ entry }));
    assert.throws(() => refuseTooMany({ repeat: 1112 }, chosen), {
      message: '--repeat 1112 would send requests 1000800 times in all, more than 1000000.',
    });
    refuseTooMany({ repeat: 1111 }, chosen);
    made(0);
  });
});
