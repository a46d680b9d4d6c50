import * as assert from 'node:assert/strict';
import { askedForm } from '../../../../src/schema/forms/inputForm.ts';
import { schemaFaults } from '../../../../src/schema/forms/schemaFaults.ts';
import { secretPointers } from '../../../../src/schema/forms/secretPointers.ts';
import { faultOf } from '../../../../src/request/expect/schemaFault.ts';
import { longestTurn } from '../../../support/longestTurn.ts';

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const named = <T>(count: number, make: (index: number) => T): Record<string, T> =>
  Object.fromEntries(many(count, index => [`p${index}`, make(index)]));
const text = { type: 'string' };

/** Schemas that refer to themselves widely, and wide values. */
const forms: Readonly<Record<string, object>> = {
  'itself many times': { type: 'object', properties: { a: text }, allOf: many(60, () => ({ $ref: '#' })) },
  'schemas that double each other': {
    type: 'object',
    properties: { a: { $ref: '#/$defs/d0' }, b: text },
    $defs: Object.fromEntries(many(20, index => [`d${index}`, { allOf: many(10, () => ({ $ref: `#/$defs/d${index + 1}` })) }])),
  },
  'large schemas merged many times': {
    type: 'object',
    properties: named(400, () => ({ $ref: '#/$defs/x' })),
    $defs: { x: { allOf: many(200, () => ({ $ref: '#/$defs/y' })) }, y: { type: 'object', properties: named(2_000, () => text) } },
  },
  'many small schemas merged into a large one': {
    type: 'object',
    properties: named(4_000, () => text),
    allOf: many(20_000, () => ({ title: 'a' })),
  },
  'variants in variants': {
    type: 'object',
    required: ['a'],
    properties: { a: { $ref: '#/$defs/x' } },
    $defs: { x: { oneOf: many(20, () => ({ $ref: '#/$defs/x' })) } },
  },
  'variants of the object in variants': {
    $ref: '#/$defs/x',
    $defs: { x: { type: 'object', properties: { a: text }, oneOf: many(20, () => ({ $ref: '#/$defs/x' })) } },
  },
  'many values that are chosen already': {
    form: { type: 'object', properties: { t: { type: 'array', items: { enum: ['a', 'b'] } }, u: text } },
    form_data: { t: many(20_000, index => `v${index}`) },
  },
  'a large value for many variants': {
    form: {
      type: 'object',
      properties: {
        a: {
          oneOf: many(20, index => ({
            type: 'object',
            properties: { z: { items: { allOf: many(8, () => ({ $ref: '#/$defs/e' })) } } },
            required: [`k${index}`],
          })),
        },
        b: text,
      },
      $defs: { e: { type: 'number' } },
    },
    form_data: { a: { z: many(50_000, index => index) } },
  },
  'many lists that may hold passwords': {
    type: 'object',
    properties: named(400, () => ({ $ref: '#/$defs/x' })),
    $defs: {
      x: { type: 'array', items: { type: 'array', prefixItems: many(2_000, () => ({ $ref: '#/$defs/y' })) } },
      y: { allOf: many(10, () => text) },
    },
  },
};

const long = 'x'.repeat(3_000_000);
const checks: Readonly<Record<string, readonly [schema: object, value: unknown]>> = {
  'a long list of types': [{ items: { type: [...many(20_000, () => 'string'), 'number'] } }, many(10_000, index => index)],
  'unevaluated members beside many keywords': [
    { items: { unevaluatedProperties: false, unevaluatedItems: false, ...named(10_000, () => 1) } },
    many(2_000, index => (index % 2 === 0 ? {} : [])),
  ],
  'a long constant many times': [{ allOf: many(20_000, () => ({ $ref: '#/$defs/c' })), $defs: { c: { const: long } } }, long],
  'a long choice many times': [{ allOf: many(20_000, () => ({ $ref: '#/$defs/c' })), $defs: { c: { enum: [long] } } }, `${long.slice(1)}y`],
};

suite('wide schemas keep nothing waiting', () => {
  const within = async (work: () => unknown): Promise<void> => {
    const { holds, figures } = await longestTurn(async () => work());
    assert.ok(holds, `${figures} of a processor at once`);
  };

  for (const [what, data] of Object.entries(forms)) {
    test(`a form: ${what}`, () => within(() => askedForm([{ data }])));
    test(`the passwords of a form: ${what}`, () => within(() => secretPointers(data as Record<string, unknown>)));
  }

  for (const [what, [schema, value]] of Object.entries(checks)) {
    test(`an answer to a form: ${what}`, () => within(() => schemaFaults(schema, value)));
    test(`an expectation: ${what}`, () =>
      within(() => {
        try {
          faultOf(value, schema as Record<string, unknown>);
        } catch (error) {
          assert.match(String(error), /schema/);
        }
      }));
  }
});
