import * as assert from 'node:assert/strict';
import { childrenOf, initiallyOpenPaths, childPointer, tableOf } from '../../../src/chat/parts/jsonShape.ts';

const people = [
  { name: 'Ada', age: 36 },
  { name: 'Alan', age: 41, city: 'London' },
];

suite('chat: data as a tree or a table', () => {
  const tables: readonly (readonly [what: string, value: unknown, columns: readonly string[] | undefined])[] = [
    ['objects that share members', people, ['name', 'age', 'city']],
    ['one object is read better as a tree', people.slice(0, 1), undefined],
    ['nothing in common', [{ a: 1 }, { b: 1 }, { c: 1 }], undefined],
    ['no members', [{}, {}], undefined],
    ['mostly nested', [{ a: { b: 1 } }, { a: { b: 2 } }], undefined],
    ['one nested member among four', people.map(person => ({ ...person, city: 'x', tags: ['y'] })), ['name', 'age', 'city', 'tags']],
    [
      'too many columns',
      [0, 1].map(() => Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`c${index}`, index]))),
      undefined,
    ],
    ['a column that begins late', [...Array.from({ length: 300 }, () => ({ a: 1 })), { a: 1, late: 2 }], ['a', 'late']],
    ['lists of lists', [[1], [2]], undefined],
    ['an object', { a: people }, undefined],
    ['with a null among them', [...people, null], undefined],
    [
      'members with names of the language',
      JSON.parse('[{"__proto__":1,"constructor":2},{"__proto__":3,"constructor":4}]'),
      ['__proto__', 'constructor'],
    ],
  ];
  for (const [what, value, columns] of tables) {
    test(what, () => assert.deepEqual(tableOf(value)?.columns, columns));
  }

  test('the outer branches are open first, as long as few lines are shown', () => {
    const wide = { small: { a: 1 }, wide: Array.from({ length: 100 }, (_, index) => index), last: { b: { c: 1 } } };
    assert.deepEqual([...initiallyOpenPaths(wide)], ['', '/small', '/last', '/last/b']);
    assert.deepEqual([...initiallyOpenPaths(Array.from({ length: 10_000 }, () => ({ a: 1 })))], ['']);
  });

  test('children are named and bounded, steps are escaped', () => {
    assert.deepEqual(childrenOf(['a', 'b', 'c'], 2), [
      ['0', 'a'],
      ['1', 'b'],
    ]);
    assert.deepEqual(childrenOf({ x: 1, y: 2 }, 1), [['x', 1]]);
    assert.equal(childPointer('/a', 'b/c~'), '/a/b~1c~0');
  });
});
