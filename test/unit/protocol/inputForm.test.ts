import * as assert from 'node:assert/strict';
import { askedForm, formOf } from '../../../src/protocol/inputForm.ts';
import type { Part } from '../../../src/protocol/part.ts';

const schema = { type: 'object', properties: { amount: { type: 'number', minimum: 0 }, note: { type: 'string' } }, required: ['amount'] };

suite('protocol: forms', () => {
  const asked: readonly (readonly [what: string, parts: readonly Part[], found: unknown])[] = [
    ['a schema itself', [{ text: 'Fill this in' }, { data: schema }], { part: 1, names: ['amount', 'note'] }],
    ['a form with what is known', [{ data: { type: 'form', form: schema, form_data: { amount: 5, id: 'r-1' }, instructions: 'All of it.' } }],
      { part: 0, names: ['amount', 'note'], instructions: 'All of it.', kept: { id: 'r-1' }, value: 5 }],
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
      assert.deepEqual(form && {
        part: form.part, names: form.form.fields.map(({ name }) => name), ...(form.form.instructions !== undefined && { instructions: form.form.instructions }),
        ...(Object.keys(form.form.kept).length > 0 && { kept: form.form.kept }), ...(form.form.fields[0]?.value !== undefined && { value: form.form.fields[0].value }),
      }, found);
    });
  }

  const fields: readonly (readonly [member: object, field: object])[] = [
    [{ type: 'string' }, { kind: 'text' }],
    [{ type: 'string', title: 'Who', description: 'You', default: 'me' }, { kind: 'text', title: 'Who', description: 'You', value: 'me' }],
    [{ type: 'string', maxLength: 2000 }, { kind: 'multiline', most: 2000 }],
    [{ type: 'string', format: 'date' }, { kind: 'date' }],
    [{ type: 'string', format: 'date-time' }, { kind: 'datetime' }],
    [{ type: ['integer', 'null'], minimum: 1, exclusiveMaximum: 9 }, { kind: 'integer', least: 1, below: 9 }],
    [{ type: 'boolean', default: true }, { kind: 'boolean', value: true }],
    [{ enum: ['a', 2] }, { kind: 'choice', options: [{ value: 'a', label: 'a' }, { value: 2, label: '2' }] }],
    [{ oneOf: [{ const: 'eur', title: 'Euro' }] }, { kind: 'choice', options: [{ value: 'eur', label: 'Euro' }] }],
    [{ type: 'array', items: { type: 'string' }, minItems: 1 }, { kind: 'list', least: 1 }],
    [{ type: 'array', items: { type: 'integer' } }, { kind: 'list', items: 'integer' }],
    [{ type: 'array', items: { enum: ['a'] } }, { kind: 'choices', options: [{ value: 'a', label: 'a' }] }],
    [{ type: 'array', items: { type: 'object' } }, { kind: 'json' }],
    [{ anyOf: [{ type: 'number' }, { type: 'null' }], title: 'Maybe' }, { kind: 'number', title: 'Maybe' }],
    [{ $ref: '#/$defs/colour' }, { kind: 'choice', options: [{ value: 'red', label: 'red' }] }],
    [{ $ref: '#/$defs/circle' }, { kind: 'json' }],
    [{ $ref: '#/nowhere' }, { kind: 'json' }],
    [{}, { kind: 'json' }],
  ];
  for (const [member, field] of fields) {
    test(JSON.stringify(member), () => {
      const form = formOf({ properties: { x: member }, $defs: { colour: { enum: ['red'] }, circle: { $ref: '#/$defs/circle' } } });
      assert.deepEqual(form?.fields, [{ name: 'x', title: 'x', required: false, ...field }]);
    });
  }

  test('an agent cannot ask for more than anybody would fill in', () => {
    assert.equal(formOf({ properties: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, { type: 'string' }])) })?.fields.length, 60);
  });
});
