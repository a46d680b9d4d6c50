import * as assert from 'node:assert/strict';
import { schemaFaults } from '../../../src/schema/forms/schemaFaults.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { faultOf } from '../../../src/request/expect/schemaFault.ts';
import { matches } from '../../../src/request/expect/pattern.ts';
import { cpuTime } from '../../support/cpuTime.ts';
import { yardstick } from '../../support/longestTurn.ts';

suite('JSON Schema: hostile schemas end', () => {
  const many = <T>(count: number, make: (index: number) => T): readonly T[] => Array.from({ length: count }, (_, index) => make(index));
  const doubling = (keyword: string): object => ({
    $ref: '#/$defs/s0',
    $defs: Object.fromEntries(
      many(40, index => [`s${index}`, { [keyword]: [{ $ref: `#/$defs/s${index + 1}` }, { $ref: `#/$defs/s${index + 1}` }] }]).concat([
        ['s40', {}],
      ] as never),
    ),
  });
  const chain = (levels: number, wrap: (inner: unknown) => unknown): unknown => many(levels, () => 0).reduce<unknown>(wrap, true);
  const nested = (levels: number): unknown => many(levels, () => 0).reduce<unknown>(inner => [inner], 'x');

  const rows: readonly (readonly [name: string, schema: unknown, value: unknown])[] = [
    ['all of doubling references', doubling('allOf'), {}],
    ['one of doubling references', doubling('oneOf'), {}],
    ['a circle of references', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, 1],
    ['a circle with alternatives', { anyOf: many(50, () => ({ $ref: '#' })) }, 1],
    ['a circle of opposites', { not: { $ref: '#' } }, 1],
    ['deep nesting', chain(5_000, inner => ({ allOf: [inner] })), 1],
    ['unevaluated members in a circle', { $ref: '#', unevaluatedProperties: false }, { a: 1 }],
    [
      'a long list of equal constants',
      { items: { enum: many(5_000, index => ({ index, list: many(5, String) })) } },
      many(5_000, () => ({ index: 4_999, list: many(5, String) })),
    ],
    ['a long text that is measured often', { allOf: many(5_000, () => ({ minLength: 1 })) }, 'x'.repeat(1_000_000)],
    [
      'many names for many patterns',
      { patternProperties: Object.fromEntries(many(2_000, index => [`^a${index}$`, {}])) },
      Object.fromEntries(many(2_000, index => [`b${index}`, 1])),
    ],
  ];
  for (const [name, schema, value] of rows) {
    test(name, () => {
      const took = cpuTime(() => {
        schemaFaults(schema, value, matches);
        assert.throws(
          () => assert.equal(faultOf(value, schema), undefined, 'nobody may take it for a fit'),
          (error: unknown) => error instanceof Problem && error.code === 'bad-schema',
        );
      });
      const most = 50 * yardstick();
      assert.ok(took < most, `${took} of ${most} ms`);
    });
  }

  test('schemas in one another for values in one another leave the stack whole', () => {
    const schema = { allOf: [chain(30, inner => ({ allOf: [inner] })), { items: { $ref: '#' } }] };
    assert.equal(faultOf(nested(200), schema), undefined);
    assert.deepEqual(schemaFaults(schema, nested(200)), []);
    const deeper = { ...(chain(60, inner => ({ allOf: [inner, { items: { $ref: '#' } }] })) as object) };
    assert.throws(() => faultOf(nested(250), deeper), { code: 'bad-schema' });
    assert.deepEqual(schemaFaults(deeper, nested(250)), []);
  });

  test('a hundred thousand items that must differ are compared', () => {
    const items = many(100_000, index => ({ index }));
    assert.equal(faultOf(items, { uniqueItems: true }), undefined);
    assert.deepEqual(schemaFaults({ uniqueItems: true }, items), []);
    assert.equal(faultOf([...items, { index: 0 }], { uniqueItems: true })?.place, '$');
    assert.deepEqual(
      schemaFaults({ uniqueItems: true }, [...items, { index: 0 }]).map(({ pointer }) => pointer),
      ['/100000'],
    );
  });

  test('a pattern that takes for ever is given up', () => {
    const value = `${'a'.repeat(60)}!`;
    assert.throws(() => faultOf(value, { pattern: '^(a|a)*$' }), { code: 'slow-pattern' });
    assert.deepEqual(
      schemaFaults({ pattern: '^(a|a)*$' }, value, () => undefined),
      [],
    );
  });

  test('what cannot be told decides nothing for forms, and is refused by expectations', () => {
    for (const unclear of [{ pattern: '(' }, { $ref: 'http://schemas.example/x' }, { $dynamicRef: '#x' }]) {
      for (const schema of [
        unclear,
        { not: unclear },
        { oneOf: [unclear, true] },
        { if: unclear, then: false, else: false },
        { not: { anyOf: [false, unclear] } },
      ]) {
        assert.deepEqual(
          schemaFaults(schema, 'x', () => undefined),
          [],
          JSON.stringify(schema),
        );
        assert.throws(() => faultOf('x', schema), Problem, JSON.stringify(schema));
      }
    }
  });

  test('a keyword that says what it cannot say is refused', () => {
    for (const schema of [{ minimum: '1' }, { required: 'a' }, { type: 'shape' }, { items: 3 }, { not: 5 }, { anyOf: [] }]) {
      assert.throws(() => faultOf(1, schema), { code: 'bad-schema' }, JSON.stringify(schema));
      assert.deepEqual(schemaFaults(schema, 1), [], JSON.stringify(schema));
    }
  });
});
