import * as assert from 'node:assert/strict';
import { lineDiff } from '../../../src/recording/compare/lineDiff.ts';

const lines = (...words: readonly string[]): string => words.join('\n');

suite('lines that differ', () => {
  test('a line that differs stands between those around it', () => {
    assert.deepEqual(lineDiff(lines('{', '  "a": 1,', '  "b": 2', '}'), lines('{', '  "a": 1,', '  "b": 3', '}')), [
      '= {',
      '=   "a": 1,',
      '-   "b": 2',
      '+   "b": 3',
      '= }',
    ]);
  });

  test('lines that only one has are told as that', () => {
    assert.deepEqual(lineDiff(lines('submitted', 'completed'), lines('submitted', 'working', 'completed')), [
      '= submitted',
      '+ working',
      '= completed',
    ]);
    assert.deepEqual(lineDiff(lines('a', 'b', 'c'), lines('a', 'c')), ['= a', '- b', '= c']);
    assert.deepEqual(lineDiff('x', 'y'), ['- x', '+ y']);
    assert.deepEqual(lineDiff('x', '–'), ['- x', '+ –']);
  });

  test('equal lines far away are left out, in one run', () => {
    const many = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    assert.deepEqual(lineDiff(lines(...many), lines(...many.with(50, 'other'))), [
      '  …',
      '= line 48',
      '= line 49',
      '- line 50',
      '+ other',
      '= line 51',
      '= line 52',
      '  …',
    ]);
  });

  test('long texts are not compared line by line', () => {
    const long = Array.from({ length: 401 }, (_, index) => `line ${index}`);
    const shown = lineDiff(lines(...long), lines('first', ...long, 'more'));
    assert.equal(shown.length, 401 + 403);
    assert.deepEqual([shown[0], shown[401]], ['- line 0', '+ first']);
    assert.equal(lineDiff('line 200', lines(...long)).length, 1 + 401);
    assert.equal(lineDiff(lines(...long), 'line 200').length, 401 + 1);
  });

  test('what differs in a long text is shown where its beginning and its end are the same', () => {
    const long = Array.from({ length: 3_000 }, (_, index) => `line ${index}`);
    assert.deepEqual(lineDiff(lines(...long), lines(...long.toSpliced(1500, 1))), [
      '  …',
      '= line 1498',
      '= line 1499',
      '- line 1500',
      '= line 1501',
      '= line 1502',
      '  …',
    ]);
    assert.deepEqual(lineDiff(lines('a', 'a'), lines('a', 'a', 'a')), ['= a', '= a', '+ a']);
  });
});
