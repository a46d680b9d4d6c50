import * as assert from 'node:assert/strict';
import { delimitedTable, delimiterOf, readDelimited } from '../../../src/chat/parts/delimited.ts';
import { nextOrder, orderedRows, window } from '../../../src/chat/parts/tableOrder.ts';

suite('chat: CSV and TSV', () => {
  const read: readonly (readonly [what: string, text: string, rows: readonly (readonly string[])[] | undefined])[] = [
    [
      'lines',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'line ends of Windows, no end of the last line, a mark at the start',
      '\ufeffa,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'quoted cells',
      'a,b\n"1,\n""x""",2',
      [
        ['a', 'b'],
        ['1,\n"x"', '2'],
      ],
    ],
    ['empty cells and lines', 'a,b\n\n,\n1', [['a', 'b'], ['', ''], ['1']]],
    [
      'text after a closing quote',
      'a,b\n"1"x,2',
      [
        ['a', 'b'],
        ['1x', '2'],
      ],
    ],
    ['a quote without an end', 'a,b\n"1,2', undefined],
    ['one row', 'a,b\n', undefined],
    ['one column', 'a\nb\nc', undefined],
    ['nothing', '', undefined],
  ];
  for (const [what, text, rows] of read) test(what, () => assert.deepEqual(readDelimited(text, ','), rows));

  test('too long a text, and too many cells, stay text', () => {
    assert.equal(readDelimited(`a,b\n${'x'.repeat(4_000_000)},1`, ','), undefined);
    assert.equal(readDelimited(`a,b\n${'1,'.repeat(500_001)}`, ','), undefined);
  });

  test('numbers that read the same again are numbers; ids and codes stay text', () => {
    const { columns, count, cell } = delimitedTable([
      ['a', 'b'],
      ['1.5', '007', '-2'],
      ['1.50', '12345678901234567890', '1e5'],
    ]);
    assert.deepEqual(columns, ['a', 'b', '']);
    const rows = Array.from({ length: count }, (_, row) => columns.map((_name, column) => cell(row, column)).slice(0, 3));
    assert.deepEqual(rows, [
      [1.5, '007', -2],
      ['1.50', '12345678901234567890', '1e5'],
    ]);
  });

  test('by media type, or the name where that says nothing', () => {
    assert.deepEqual(
      [
        delimiterOf('text/csv; charset=utf-8', undefined),
        delimiterOf('text/tab-separated-values', undefined),
        delimiterOf(undefined, 'a.CSV'),
        delimiterOf('application/octet-stream', 'a.tsv'),
        delimiterOf('application/json', 'a.csv'),
        delimiterOf(undefined, 'a.txt'),
        delimiterOf('constructor', undefined),
      ],
      [',', '\t', ',', '\t', undefined, undefined, undefined],
    );
  });
});

suite('chat: rows of a table', () => {
  const cells: readonly unknown[] = [10, 9, undefined, 'x', '', 2, null, 'item 10', 'item 9'];
  const sorted = (descending: boolean): unknown[] =>
    orderedRows(cells.length, row => cells[row], { column: 0, descending }).map(row => cells[row]);

  test('in the order of a column: numbers by size, words with numbers in them, nothing last', () => {
    assert.deepEqual(sorted(false), [2, 9, 10, 'item 9', 'item 10', 'x', undefined, '', null]);
    assert.deepEqual(sorted(true), ['x', 'item 10', 'item 9', 10, 9, 2, undefined, '', null]);
    assert.deepEqual(
      orderedRows(3, () => 1, { column: 0, descending: true }),
      [0, 1, 2],
    );
    assert.deepEqual(
      orderedRows(2, row => -row, undefined),
      [0, 1],
    );
  });

  test('a header goes from up to down to as it came', () => {
    const up = nextOrder(undefined, 1);
    const down = nextOrder(up, 1);
    assert.deepEqual(
      [up, down, nextOrder(down, 1), nextOrder(down, 2)],
      [{ column: 1, descending: false }, { column: 1, descending: true }, undefined, { column: 2, descending: false }],
    );
  });

  test('what is in sight, and some around it', () => {
    const of = (position: number) => window({ position, room: 100, size: 10, count: 1_000 }, 5);
    assert.deepEqual(
      [of(0), of(500), of(9_900)],
      [
        { from: 0, to: 15 },
        { from: 45, to: 65 },
        { from: 985, to: 1_000 },
      ],
    );
    assert.deepEqual(window({ position: 0, room: 0, size: 10, count: 0 }, 5), { from: 0, to: 0 });
  });
});
