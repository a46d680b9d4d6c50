import * as assert from 'node:assert/strict';
import { ExactNumber } from '../../../../src/protocol/exactNumber.ts';
import { english } from '../../../../src/protocol/problem.ts';
import { schemaFaults } from '../../../../src/schema/forms/schemaFaults.ts';
import { cpuTime } from '../../../support/cpuTime.ts';

const card = {
  title: 'Card',
  properties: { kind: { const: 'card' }, number: { type: 'string', minLength: 4 } },
  required: ['kind', 'number'],
};
const bank = { title: 'Bank', properties: { kind: { const: 'bank' }, iban: { type: 'string' } }, required: ['kind', 'iban'] };

suite('protocol: what of a value breaks a schema', () => {
  const rows: readonly (readonly [
    schema: unknown,
    fits: readonly unknown[],
    breaks: readonly (readonly [value: unknown, fault: string])[],
  ])[] = [
    [
      { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 5 }] },
      [1, 5.5],
      [
        [7, ' matches 2 forms instead of one'],
        ['a', ' matches none of the 2 forms that the agent accepts'],
      ],
    ],
    [{ not: { const: 'none' } }, ['some'], [['none', ' is not accepted by the agent']]],
    [{ not: {} }, [], [[1, ' is not accepted by the agent']]],
    [
      { uniqueItems: true },
      [
        [1, '1'],
        [
          { a: 1, b: 2 },
          { a: 2, b: 1 },
        ],
      ],
      [
        [[1, 2, 1], '/2 occurs twice'],
        [
          [
            { a: 1, b: 2 },
            { b: 2, a: 1 },
          ],
          '/1 occurs twice',
        ],
      ],
    ],
    [{ multipleOf: 0.01 }, [19.99, 4], [[0.001, ' should be a multiple of 0.01']]],
    [
      { minProperties: 1, maxProperties: 2 },
      [{ a: 1 }],
      [
        [{}, ' should have at least 1 members'],
        [{ a: 1, b: 2, c: 3 }, ' should have at most 2 members'],
      ],
    ],
    [{ propertyNames: { maxLength: 1 } }, [{ a: 1 }], [[{ ab: 1 }, '/ab should not have this name']]],
    [
      { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
      [{ 'x-a': 's' }],
      [
        [{ 'x-a': 1 }, '/x-a should be string, not 1'],
        [{ y: 1 }, '/y is not a member that the agent accepts'],
      ],
    ],
    [{ dependentRequired: { a: ['b'] } }, [{}, { a: 1, b: 1 }], [[{ a: 1 }, '/b is missing']]],
    [{ dependencies: { a: ['b'], c: { required: ['d'] } } }, [{ c: 1, d: 1 }], [[{ a: 1, c: 1 }, '/b is missing']]],
    [
      { if: { properties: { a: { const: 1 } }, required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } },
      [{ a: 1, b: 1 }, { c: 1 }],
      [
        [{ a: 1 }, '/b is missing'],
        [{}, '/c is missing'],
      ],
    ],
    [{ items: [{ type: 'string' }], additionalItems: { type: 'number' } }, [['a', 1]], [[['a', 'b'], '/1 should be number, not "b"']]],
    [
      { prefixItems: [{ type: 'string' }], items: false },
      [['a']],
      [
        [['a', 'b'], '/1 is not allowed'],
        [[1], '/0 should be string, not 1'],
      ],
    ],
    [{ contains: { const: 1 } }, [[2, 1]], [[[2], ' has too few items that match "contains"']]],
    [
      { contains: { const: 1 }, minContains: 2, maxContains: 2 },
      [[1, 1]],
      [
        [[1], ' has too few items that match "contains"'],
        [[1, 1, 1], ' has too many items that match "contains"'],
      ],
    ],
    [{ pattern: '^[A-Z]{3}$' }, ['EUR', 7], [['euro', ' should match /^[A-Z]{3}$/']]],
    [{ format: 'date' }, ['2026-11-22', 7], [['2026-02-30', ' should be a date such as 2026-11-22']]],
    [
      { format: 'date-time' },
      ['2026-11-22T10:00:00Z', '2026-11-22T10:00:00.123456+02:00'],
      [['2026-11-22', ' should be a date with a time such as 2026-11-22T10:30:00Z']],
    ],
    [
      { format: 'date-time' },
      ['2026-11-22T23:59:60Z'],
      [
        ['2026-11-22T25:00:00Z', ' should be a date with a time such as 2026-11-22T10:30:00Z'],
        ['2026-11-22T10:61:00Z', ' should be a date with a time such as 2026-11-22T10:30:00Z'],
      ],
    ],
    [
      { format: 'time' },
      ['10:30', '10:30:00', '23:59:60.5Z', '00:00:00+02:00', 7],
      ['24:00', '10', '10:60', 'half past ten', '10:30:00+25:00', ''].map((text): [string, string] => [
        text,
        ' should be a time such as 10:30:00',
      ]),
    ],
    [
      { format: 'duration' },
      ['P3DT4H', 'PT1.5S', 'P2W', '-P1D', 'P1Y2M'],
      ['P', 'PT', 'P1DT', '90 min', '1H', 'P2W1D'].map((text): [string, string] => [text, ' should be a duration such as PT1H30M']),
    ],
    [
      { format: 'ipv4' },
      ['127.0.0.1'],
      ['256.0.0.1', '1.2.3', '01.2.3.4'].map((text): [string, string] => [text, ' should be an IPv4 address']),
    ],
    [
      { format: 'ipv6' },
      ['::1', '2001:db8::8a2e:370:7334'],
      ['1', '::1::', 'fe80::1%eth0'].map((text): [string, string] => [text, ' should be an IPv6 address']),
    ],
    [
      { format: 'hostname' },
      ['localhost', 'agents.example'],
      ['-a', 'a b', 'a..b', ''].map((text): [string, string] => [text, ' should be the name of a host']),
    ],
    [{ format: 'email' }, ['a@b'], [['a b', ' should be an email address']]],
    [{ format: 'uri' }, ['urn:x'], [['x', ' should be a URI']]],
    [{ format: 'uuid' }, ['5a4e1f0c-1f7b-4c0e-9b0a-0e2d6f1c9a11'], [['5a4e', ' should be a UUID']]],
    // The branch that is meant says what is wrong, where it can be told which one that is.
    [
      { oneOf: [card, bank] },
      [{ kind: 'card', number: '1234' }],
      [
        [{ kind: 'bank' }, '/iban is missing'],
        [{ kind: 'card', number: '1' }, '/number should be at least 4 characters long'],
      ],
    ],
    [{ anyOf: [{ type: 'number', minimum: 5 }, { type: 'null' }] }, [null, 5], [[4, ' should be at least 5']]],
    [
      { type: 'integer', minimum: 1 },
      [new ExactNumber('9007199254740993')],
      [[new ExactNumber('-9007199254740993'), ' should be at least 1']],
    ],
    [
      { required: 'a', properties: [], enum: 7, oneOf: 'x', items: 3, uniqueItems: 'yes', minimum: '1', pattern: 5, not: 5, format: {} },
      [{}, [1, 1], 0, 'x'],
      [],
    ],
  ];
  const found = (schema: unknown, value: unknown): readonly string[] =>
    schemaFaults(schema, value, (pattern, text) => new RegExp(pattern, 'u').test(text)).map(
      ({ pointer, what }) => `${pointer} ${english(what)}`,
    );
  for (const [schema, fits, breaks] of rows) {
    test(JSON.stringify(schema).slice(0, 100), () => {
      for (const value of fits) assert.deepEqual(found(schema, value), [], JSON.stringify(value));
      for (const [value, fault] of breaks) assert.equal(found(schema, value)[0], fault, JSON.stringify(value));
    });
  }

  test('a pattern that nobody can search with is not held against the value', () => {
    assert.deepEqual(schemaFaults({ pattern: '^a$' }, 'b'), []);
    assert.deepEqual(
      schemaFaults({ pattern: '(', patternProperties: { '(': false } }, 'b', () => undefined),
      [],
    );
  });

  test('schemas that double with each reference end', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `s${index}`,
        { oneOf: [{ $ref: `#/$defs/s${index + 1}` }, { not: { $ref: `#/$defs/s${index + 1}` } }] },
      ]),
    );
    assert.ok(cpuTime(() => schemaFaults({ $ref: '#/$defs/s0', $defs }, {})) < 500);
  });

  test('many equal items are found in time', () => {
    const items = Array.from({ length: 20_000 }, (_, index) => ({ index }));
    assert.ok(cpuTime(() => assert.deepEqual(schemaFaults({ uniqueItems: true }, items), [])) < 500);
  });
});
