import * as assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { ExactNumber } from '../../../src/protocol/exactNumber.ts';
import { english } from '../../../src/protocol/problem.ts';
import { Matcher, matcherNames, mayTurn, mismatches, strangersIn } from '../../../src/request/expect/matcher.ts';

type Written = Readonly<Record<string, unknown>>;

type Row = readonly [matcher: Written, holds: readonly unknown[], doesNot: readonly unknown[]];

/** `undefined` stands for a value that is not there. */
const rows: readonly Row[] = [
  [{ equals: { a: [1] } }, [{ a: [1] }], [{ a: [2] }, { a: [1], b: 1 }, '1', undefined]],
  [{ equals: 1 }, [1], ['1', true]],
  [{ not: 'x' }, ['y', 'xy', undefined], ['x']],
  [{ not: { contains: 'x' } }, ['y', 1], ['x', 'axb', ['x']]],
  [{ not: { not: 'x' } }, ['x'], ['y']],
  // All that is named must hold, so its opposite holds where one of them does not.
  [{ not: { min: 1, max: 3 } }, [0, 4], [1, 2, 3]],
  [{ not: { exists: true } }, [undefined], [null, 0]],
  [{ in: ['a', { b: 1 }] }, ['a', { b: 1 }], ['b', { b: 2 }, undefined]],
  [{ in: [] }, [], ['a', undefined]],
  [{ contains: 'a' }, ['a', 'bab', ['b', 'a']], ['b', ['ba'], [], { a: 1 }, undefined, null]],
  [{ contains: 1 }, ['a1', [0, 1]], [1, ['1'], 'a']],
  [{ contains: { n: 1 } }, [[{ n: 1 }]], [{ n: 1 }, [{ n: 1, m: 2 }]]],
  [{ matches: '^\\p{L}+$' }, ['é'], ['a1', 'é1', '', 1, ['a'], undefined]],
  [{ matches: '1' }, ['1'], [1]],
  [{ exists: true }, [0, '', null, false], [undefined]],
  [{ exists: false }, [undefined], [0, '', null, false]],
  [{ type: 'string' }, [''], [1, null, undefined]],
  [{ type: 'number' }, [1.5, 1], ['1']],
  [{ type: 'integer' }, [1, -2], [1.5, '1']],
  [{ type: 'boolean' }, [false], [0]],
  [{ type: 'object' }, [{}], [[], null, 'x']],
  [{ type: 'array' }, [[]], [{}, 'x']],
  [{ type: 'null' }, [null], [0, undefined]],
  [{ min: 5 }, [5, 6], [4, '5', '9', [9], null, undefined]],
  [{ max: 5 }, [5, -1], [6, '4', [4], null, undefined]],
  [{ min: 1, max: 2 }, [1, 2], [0, 3]],
  [{ length: 2 }, ['ab', [1, 2]], ['a', 'abc', [1], { length: 2 }, 2, undefined]],
  [{ length: 0 }, ['', []], ['a', [1], {}]],
  [{ minLength: 2 }, ['ab', 'abc', [1, 2]], ['a', '', [1], { length: 2 }, 2, undefined]],
  [{ maxLength: 2 }, ['ab', '', [1, 2], []], ['abc', [1, 2, 3], { length: 2 }, 2, undefined]],
  [{ minLength: 1, maxLength: 2 }, ['a', 'ab'], ['', 'abc']],
  [{ lt: 5 }, [4.9, -1], [5, 6, '4', undefined]],
  [{ lte: 5 }, [5, -1], [5.1, '4', undefined]],
  [{ gt: 5 }, [5.1], [5, 4, '6', undefined]],
  [{ gte: 5 }, [5, 6], [4.9, '6', undefined]],
  [{ closeTo: { value: 3, within: 0.5 } }, [2.5, 3, 3.5], [2.4, 3.6, '3', null, undefined]],
  [{ notContains: 'a' }, ['b', '', ['ba'], []], ['ab', ['a'], 1, { b: 1 }, null, undefined]],
  [{ some: 'a' }, [['b', 'a']], [['b'], [], 'a', { a: 'a' }, undefined]],
  [{ some: { matches: '^a', minLength: 2 } }, [['b', 'ab']], [['a', 'bab'], []]],
  [{ some: { name: 'x' } }, [[{ name: 'x' }]], [[{ name: 'x', more: 1 }], [{}]]],
  // An object that is no matcher is the value itself, even where it has a name that is like one.
  [{ some: { same: 1, home: 2 } }, [[{ same: 1, home: 2 }]], [[{ same: 1 }]]],
  [{ every: { min: 1 } }, [[1, 2]], [[1, 0], [], ['1'], 'a', undefined]],
  [{ every: 'a' }, [['a', 'a']], [['a', 'b']]],
  [{ every: { some: { gt: 1 } } }, [[[0, 2], [3]]], [[[0, 2], [1]]]],
  [{ not: { every: 'a' } }, [['a', 'b']], [['a']]],
  [{ schema: { type: 'object', required: ['n'] } }, [{ n: 1 }], [{}, 1, undefined]],
  [{ schema: {} }, [1, null], [undefined]],
];

/** True for a text or list that may become the other one while it arrives. */
const mayBecome = (value: unknown, later: unknown): boolean =>
  (typeof value === 'string' && typeof later === 'string' && later.startsWith(value)) ||
  (Array.isArray(value) && Array.isArray(later) && isDeepStrictEqual(later.slice(0, value.length), value));

const fails = (matcher: Written, value: unknown): readonly string[] => mismatches(matcher, value).map(({ name }) => name);

suite('matchers', () => {
  for (const [matcher, holds, doesNot] of rows) {
    test(JSON.stringify(matcher), () => {
      assert.ok(Matcher.safeParse(matcher).success);
      for (const value of holds) assert.deepEqual(fails(matcher, value), [], JSON.stringify(value));
      for (const value of doesNot) assert.notDeepEqual(fails(matcher, value), [], JSON.stringify(value));
    });
  }

  test('one that may no longer fit a value that has grown says so', () => {
    const grown = rows.filter(([, holds, doesNot]) => holds.some(value => doesNot.some(later => mayBecome(value, later))));
    assert.ok(grown.length > 5, `${grown.length} rows`);
    assert.deepEqual(
      grown.map(([matcher]) => matcher).filter(matcher => !mayTurn(matcher, true)),
      [],
    );
  });

  test('numbers of many digits are compared by all of them', () => {
    const [large, next] = ['9007199254740993', '9007199254740995'].map(digits => new ExactNumber(digits));
    const held: readonly (readonly [Written, unknown])[] = [
      [{ equals: large }, new ExactNumber('9007199254740993.0')],
      [{ equals: { a: [large] } }, { a: [large] }],
      [{ not: large }, next],
      [{ not: large }, 9_007_199_254_740_992],
      [{ in: [next, large] }, large],
      [{ contains: large }, [next, large]],
      [{ min: 9_007_199_254_740_992 }, large],
      [{ gt: 9_007_199_254_740_992, lt: 9_007_199_254_740_994 }, large],
      [{ closeTo: { value: 9_007_199_254_740_992, within: 2 } }, large],
      [{ type: 'integer' }, new ExactNumber('1e400')],
      [{ schema: { type: 'integer', const: large, multipleOf: 3 } }, large],
    ];
    for (const [matcher, value] of held) assert.deepEqual(fails(matcher, value), [], JSON.stringify(matcher));
    const missed: readonly (readonly [Written, unknown])[] = [
      [{ equals: large }, 9_007_199_254_740_992],
      [{ equals: { a: [large] } }, { a: [next] }],
      [{ not: large }, large],
      [{ in: [next] }, large],
      [{ lte: 9_007_199_254_740_992 }, large],
      [{ type: 'integer' }, new ExactNumber('9007199254740993.5')],
      [{ schema: { const: next } }, large],
      [{ schema: { maximum: 9_007_199_254_740_992 } }, large],
      [{ schema: { multipleOf: 2 } }, large],
    ];
    for (const [matcher, value] of missed) assert.equal(fails(matcher, value).length, 1, JSON.stringify(matcher));
  });

  test('every one is shown to hold and not to', () => {
    const without = (shown: (row: Row) => readonly unknown[]): readonly string[] =>
      matcherNames.filter(name => !rows.some(row => name in row[0] && shown(row).length > 0));
    assert.deepEqual([without(([, holds]) => holds), without(([, , doesNot]) => doesNot)], [[], []]);
  });

  test('what does not hold is said, each for itself', () => {
    const words: readonly (readonly [matcher: Written, value: unknown, words: readonly string[]])[] = [
      [{ exists: true }, undefined, ['does not exist']],
      [{ exists: false }, 1, ['exists']],
      [{ min: 5, max: 1 }, 3, ['is not at least 5', 'is not at most 1']],
      [{ not: { contains: 'x' } }, 'x', ['must not match: {"contains":"x"}']],
      [{ closeTo: { value: 3, within: 0.5 } }, 4, ['is 1 away from 3, more than 0.5']],
      [{ closeTo: { value: 3, within: 0.5 } }, 'x', ['is not close enough to {"value":3,"within":0.5}']],
      [{ every: { min: 1 } }, [2, 0], ['has an item [1] that is not at least 1']],
      [{ every: 1 }, [], ['has no items']],
      [{ schema: { properties: { n: { type: 'string' } } } }, { n: 1 }, ['does not match the schema: $.n is not of type "string"']],
    ];
    for (const [matcher, value, said] of words)
      assert.deepEqual(
        mismatches(matcher, value).map(({ what }) => english(what)),
        said,
      );
  });

  test('what must not be is told as that, with what it is', () => {
    assert.deepEqual(
      mismatches({ not: 'x' }, 'x').map(({ expected, actual }) => [expected, actual]),
      [['not x', 'x']],
    );
    assert.deepEqual(
      mismatches({ not: { contains: 'x' } }, 'axe').map(({ expected, actual }) => [expected, actual]),
      [['not {\n  "contains": "x"\n}', 'axe']],
    );
  });

  test('written wrongly it is none', () => {
    const wrong: readonly unknown[] = [
      {},
      { min: '1' },
      { length: -1 },
      { length: 1.5 },
      { matches: '' },
      { type: 'text' },
      { in: 'a' },
      { exists: 1 },
      { equal: 1 },
      { not: {} },
      { not: { contain: 'x' } },
      { not: { min: 1, other: 2 } },
      { some: { contain: 'x' } },
      { every: { min: 1, other: 2 } },
      { closeTo: 3 },
      { closeTo: { value: 3, within: -1 } },
      { schema: 'x' },
      { lt: '1' },
      { minLength: -1 },
    ];
    for (const one of wrong) assert.equal(Matcher.safeParse(one).success, false, JSON.stringify(one));
    assert.deepEqual(
      Matcher.safeParse({ not: { min: 1, other: 2 } }).error?.issues.map(({ path, message }) => [path, message]),
      [[['not', 'other'], 'it is not a matcher']],
    );
  });

  test('an object is meant as a matcher by a name, or by one that is like a name', () => {
    const literal: readonly (readonly [names: readonly string[], strangers: readonly string[]])[] = [
      [[], []],
      [['min'], []],
      [['a', 'b'], []],
      [['min', 'a'], ['a']],
      [['contain'], ['contain']],
      [['type', 'lenght'], ['lenght']],
      [['typ'], []],
      [['exist'], ['exist']],
      [['mins'], ['mins']],
    ];
    for (const [names, strangers] of literal) assert.deepEqual(strangersIn(names, true), strangers, names.join());
    assert.deepEqual(strangersIn(['a', 'b'], false), ['a', 'b']);
  });
});
