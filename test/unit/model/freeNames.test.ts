import * as assert from 'node:assert/strict';
import { FreeNames, safeFileName } from '../../../src/model/fileNames.ts';

suite('names of files in one folder', () => {
  const taken = (names: readonly string[]): readonly string[] => {
    const free = new FreeNames();
    return names.map(name => free.take(name));
  };

  test('get a number where they are taken, also one that was given as a name', () => {
    assert.deepEqual(taken(['a.txt', 'a.txt', 'a-2.txt', 'a.txt', 'a-3.txt']), ['a.txt', 'a-2.txt', 'a-2-2.txt', 'a-3.txt', 'a-3-2.txt']);
    assert.deepEqual(taken(['x', 'X', '.y', '.Y']), ['x', 'X-2', '.y', '.Y-2']);
  });

  test('are told apart as file systems do that ignore case, and how accents are written', () => {
    for (const [one, other] of [
      ['caf\u00e9', 'cafe\u0301'],
      ['\u212a', 'k'],
      ['stra\u00dfe', 'STRASSE'],
      ['\u00c5', '\u212b'],
    ] as const)
      assert.deepEqual(taken([one, other]), [one, `${other}-2`]);
  });

  test('ten thousand equal ones are all different', () => {
    assert.equal(new Set(taken(Array<string>(10_000).fill('x.tar.gz'))).size, 10_000);
  });

  test('that are options or home folders show that they were others', () => {
    for (const name of ['-rf', '--checkpoint-action=exec', '-', '~', '~root', '../-x'.slice(3)])
      assert.equal(safeFileName(name, 'x'), `_${name}`);
    assert.equal(safeFileName('. -rf', 'x'), '_-rf');
    assert.equal(safeFileName('a-b~', 'x'), 'a-b~');
  });
});
