import * as assert from 'node:assert/strict';
import { askedForm, inputFormOf } from '../../../../src/schema/forms/inputForm.ts';
import type { Part } from '../../../../src/protocol/message/part.ts';
import { secretPointers } from '../../../../src/schema/forms/secretPointers.ts';

const schema = { type: 'object', properties: { amount: { type: 'number', minimum: 0 }, note: { type: 'string' } }, required: ['amount'] };

suite('protocol: forms', () => {
  const asked: readonly (readonly [what: string, parts: readonly Part[], found: unknown])[] = [
    ['a schema itself', [{ text: 'Fill this in' }, { data: schema }], { part: 1, names: ['amount', 'note'] }],
    [
      'a form with what is known',
      [{ data: { type: 'form', form: schema, form_data: { amount: 5, id: 'r-1' }, instructions: 'All of it.' } }],
      { part: 0, names: ['amount', 'note'], instructions: 'All of it.', kept: { id: 'r-1' }, value: 5 },
    ],
    ['a schema in a member', [{ data: { schema } }], { part: 0, names: ['amount', 'note'] }],
    ['what MCP calls it', [{ data: { requestedSchema: schema } }], { part: 0, names: ['amount', 'note'] }],
    ['data that has properties of its own', [{ data: { properties: { colour: 'red' } } }], undefined],
    ['a schema of a list', [{ data: { type: 'array', items: schema } }], undefined],
    ['nothing to fill in', [{ data: { type: 'object', properties: {} } }], undefined],
    ['only words', [{ text: 'How much?' }], undefined],
  ];
  for (const [what, parts, found] of asked) {
    test(what, () => {
      const form = askedForm(parts);
      assert.deepEqual(
        form && {
          part: form.part,
          names: form.form.fields.map(({ name }) => name),
          ...(form.form.instructions !== undefined && { instructions: form.form.instructions }),
          ...(Object.keys(form.form.kept).length > 0 && { kept: form.form.kept }),
          ...(form.form.fields[0]?.value !== undefined && { value: form.form.fields[0].value }),
        },
        found,
      );
    });
  }

  const fields: readonly (readonly [member: object, field: object])[] = [
    [{ type: 'string' }, { kind: 'text' }],
    [
      { type: 'string', title: 'Who', description: 'You', default: 'me' },
      { kind: 'text', title: 'Who', description: 'You', value: 'me' },
    ],
    [
      { type: 'string', maxLength: 2000 },
      { kind: 'multiline', most: 2000 },
    ],
    [{ type: 'string', format: 'date' }, { kind: 'date' }],
    [{ type: 'string', format: 'date-time' }, { kind: 'datetime' }],
    [
      { type: ['integer', 'null'], minimum: 1, exclusiveMaximum: 9 },
      { kind: 'integer', least: 1, below: 9 },
    ],
    [
      { type: 'boolean', default: true },
      { kind: 'boolean', value: true },
    ],
    [
      { enum: ['a', 2] },
      {
        kind: 'choice',
        options: [
          { value: 'a', label: 'a' },
          { value: 2, label: '2' },
        ],
      },
    ],
    [{ oneOf: [{ const: 'eur', title: 'Euro' }] }, { kind: 'choice', options: [{ value: 'eur', label: 'Euro' }] }],
    [
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      { kind: 'list', least: 1 },
    ],
    [
      { type: 'array', items: { type: 'integer' } },
      { kind: 'list', items: 'integer' },
    ],
    [
      { type: 'array', items: { enum: ['a'] } },
      { kind: 'choices', options: [{ value: 'a', label: 'a' }] },
    ],
    [{ type: 'array', items: { type: 'object' } }, { kind: 'json' }],
    [
      { anyOf: [{ type: 'number' }, { type: 'null' }], title: 'Maybe' },
      { kind: 'number', title: 'Maybe' },
    ],
    [{ $ref: '#/$defs/colour' }, { kind: 'choice', options: [{ value: 'red', label: 'red' }] }],
    [{ $ref: '#/$defs/circle' }, { kind: 'json' }],
    [{ $ref: '#/nowhere' }, { kind: 'json' }],
    [{}, { kind: 'json' }],
    [{ type: 'string', format: 'password' }, { kind: 'password' }],
    [
      { type: 'string', pattern: '^[A-Z]{3}$', format: 'email' },
      { kind: 'text', pattern: '^[A-Z]{3}$', format: 'email' },
    ],
    [
      { type: 'number', multipleOf: 0.5 },
      { kind: 'number', step: 0.5 },
    ],
    [{ const: 'v1' }, { kind: 'fixed', value: 'v1' }],
    // A default that the control for its kind could not show as it is stands there in one that can.
    [
      { type: 'string', format: 'date', default: 'today' },
      { kind: 'text', value: 'today' },
    ],
    [
      { type: 'string', format: 'date-time', default: '2026-11-22T10:30:15.123456+02:00' },
      { kind: 'datetime', value: '2026-11-22T10:30:15.123456+02:00' },
    ],
    [
      { type: 'string', default: 'a\nb' },
      { kind: 'multiline', value: 'a\nb' },
    ],
    [
      { type: 'integer', default: '7' },
      { kind: 'json', value: '7' },
    ],
    [
      { enum: ['a'], default: 'b' },
      {
        kind: 'choice',
        value: 'b',
        options: [
          { value: 'a', label: 'a' },
          { value: 'b', label: 'b' },
        ],
      },
    ],
    [
      { type: 'array', items: { type: 'string' }, default: [' a'] },
      { kind: 'json', value: [' a'] },
    ],
    [
      { type: 'object', properties: { b: { type: 'string' }, a: { type: 'integer' } }, required: ['a'], default: { a: 1, c: 2 } },
      {
        kind: 'group',
        kept: { c: 2 },
        fields: [
          { name: 'a', title: 'a', required: true, kind: 'integer', value: 1, given: true },
          { name: 'b', title: 'b', required: false, kind: 'text' },
        ],
      },
    ],
    [
      { allOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'string' } }, required: ['b'] }] },
      {
        kind: 'group',
        kept: {},
        fields: [
          { name: 'b', title: 'b', required: true, kind: 'text' },
          { name: 'a', title: 'a', required: false, kind: 'text' },
        ],
      },
    ],
    [
      {
        oneOf: [
          { type: 'string', title: 'Name' },
          { type: 'integer', description: 'Its number' },
        ],
      },
      {
        kind: 'variants',
        variants: [
          { label: 'Name', field: { name: 'x', title: 'x', required: true, kind: 'text' } },
          { label: 'integer', field: { name: 'x', title: 'x', required: true, kind: 'integer', description: 'Its number' } },
        ],
      },
    ],
    [
      { anyOf: [{ type: 'string' }, { type: 'integer' }], default: 7 },
      {
        kind: 'variants',
        value: 7,
        chosen: 1,
        variants: [
          { label: 'string', field: { name: 'x', title: 'x', required: true, kind: 'text' } },
          { label: 'integer', field: { name: 'x', title: 'x', required: true, kind: 'integer', value: 7, given: true } },
        ],
      },
    ],
    [
      { anyOf: [{ type: 'string' }, { type: 'integer' }], default: true },
      { kind: 'json', value: true },
    ],
  ];
  for (const [member, field] of fields) {
    test(JSON.stringify(member), () => {
      const form = inputFormOf({ properties: { x: member }, $defs: { colour: { enum: ['red'] }, circle: { $ref: '#/$defs/circle' } } });
      assert.deepEqual(form?.fields, [{ name: 'x', title: 'x', required: false, ...field }]);
    });
  }

  test('an agent cannot ask for more than anybody would fill in, and what is left out is told; what is needed is not', () => {
    const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, { type: 'string' }]));
    const form = inputFormOf({ properties, required: ['f4999'] });
    assert.deepEqual([form?.fields.length, form?.left, form?.fields[0]?.name], [400, 4600, 'f4999']);
  });

  test('an object that has one of several forms has a chooser beside its own members; the one that its values have is chosen', () => {
    const card = { properties: { kind: { const: 'card' }, number: { type: 'string' } }, required: ['kind', 'number'] };
    const bank = { properties: { kind: { const: 'bank' }, iban: { type: 'string' } }, required: ['kind', 'iban'] };
    const form = inputFormOf({ properties: { note: { type: 'string' } }, oneOf: [card, bank] }, { kind: 'bank', iban: 'DE', other: 1 });
    assert.deepEqual(
      form?.fields.map(({ name, kind, chosen }) => [name, kind, chosen]),
      [
        ['note', 'text', undefined],
        ['', 'variants', 1],
      ],
    );
    assert.deepEqual(
      form?.fields[1]?.variants?.map(({ label, field }) => [label, field.fields?.map(({ name }) => name)]),
      [
        ['card', ['kind', 'number']],
        ['bank', ['kind', 'iban']],
      ],
    );
    assert.deepEqual(form?.kept, { other: 1 });
    assert.equal(inputFormOf({ oneOf: [card, bank] })?.fields[0]?.chosen, 0);
  });

  test('a schema behind a reference is the same form', () => {
    assert.deepEqual(
      inputFormOf({ $ref: '#/$defs/a', $defs: { a: schema } })?.fields.map(({ name }) => name),
      ['amount', 'note'],
    );
  });

  test('passwords are known by their pointers', () => {
    const secret = { type: 'string', format: 'password' };
    const of = (properties: object, more: object = {}): readonly string[] => secretPointers({ properties, ...more });
    assert.deepEqual(
      of({
        'a/b': secret,
        user: { type: 'object', properties: { pin: { type: 'string', writeOnly: true } } },
        how: { oneOf: [secret, { type: 'integer' }] },
      }),
      ['/a~1b', '/user/pin', '/how'],
    );
    assert.deepEqual(
      of(
        {
          users: { type: 'array', items: { $ref: '#/$defs/user' } },
          codes: { type: 'array', items: secret },
          pair: { prefixItems: [{ type: 'string' }, { properties: { pin: secret } }] },
          number: { type: 'integer', writeOnly: true },
          choice: { enum: [1, 2], writeOnly: true },
          all: { type: 'object', writeOnly: true, properties: { a: { type: 'string' } } },
          none: { type: 'string' },
        },
        { $defs: { user: { properties: { name: { type: 'string' }, keys: { items: { properties: { key: secret } } } } } } },
      ),
      ['/number', '/choice', '/all', '/codes/-', '/pair/-/pin', '/users/-/keys/-/key'],
    );
    assert.deepEqual(
      of(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`m${index}`, index === 499 ? secret : { type: 'string' }]))),
      ['/m499'],
      'also of members that have no field',
    );
  });

  test('passwords of a schema that has itself are found as far as they are looked for', () => {
    const found = secretPointers({
      properties: { pin: { format: 'password' }, inner: { $ref: '#' }, more: { type: 'array', items: { $ref: '#' } } },
    });
    assert.deepEqual(found.slice(0, 4), ['/pin', '/inner/pin', '/inner/inner/pin', '/more/-/pin']);
    assert.ok(found.length < 2000);
  });

  test('a schema that is too intricate gives no form, and all that is answered is secret', () => {
    const intricate = { type: 'object', properties: { a: { type: 'string' } }, allOf: Array.from({ length: 60 }, () => ({ $ref: '#' })) };
    assert.ok(askedForm([{ data: intricate }]) === undefined);
    assert.deepEqual(secretPointers(intricate), ['']);
    const large = { type: 'object', properties: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, {}])) };
    const inner = { type: 'object', properties: { a: { type: 'string' }, b: { allOf: Array.from({ length: 60 }, () => large) } } };
    assert.ok(askedForm([{ data: inner }]) === undefined, 'not a part of a form either');
  });

  test('more chosen values than a list has options are JSON', () => {
    const kindOf = (count: number): unknown =>
      inputFormOf(
        { type: 'object', properties: { t: { type: 'array', items: { enum: ['a', 'b'] } } } },
        { t: Array.from({ length: count }, (_, index) => `v${index}`) },
      )?.fields[0]?.kind;
    assert.deepEqual([kindOf(200), kindOf(201)], ['choices', 'json']);
  });
});
