import * as assert from 'node:assert/strict';
import { schemaFaults } from '../../../src/schema/forms/schemaFaults.ts';
import { isObject } from '../../../src/protocol/json.ts';
import { faultOf } from '../../../src/request/expect/schemaFault.ts';
import { matches } from '../../../src/request/expect/pattern.ts';
import { schemaCases } from '../../support/schemaCases.ts';

const names = { '2020-12': 'https://json-schema.org/draft/2020-12/schema', 'draft-07': 'http://json-schema.org/draft-07/schema#' };

const cases = schemaCases.flatMap(({ drafts, schema, fits, breaks }) =>
  drafts.flatMap(draft =>
    [...fits.map(value => ({ value, fits: true })), ...breaks.map(value => ({ value, fits: false }))].map(one => ({
      ...one,
      draft,
      schema: isObject(schema) ? { ...schema, $schema: names[draft] } : schema,
      name: `${draft}: ${JSON.stringify(schema).slice(0, 80)} ${one.fits ? 'takes' : 'refuses'} ${JSON.stringify(one.value)}`,
    })),
  ),
);

suite('JSON Schema: forms and expectations say the same', () => {
  for (const { name, schema, value, fits } of cases) {
    test(name, () => {
      assert.equal(schemaFaults(schema, value, matches).length === 0, fits, 'forms');
      assert.equal(faultOf(value, schema) === undefined, fits, 'expectations');
    });
  }

  test('each keyword is tried in both drafts', () => {
    for (const draft of ['2020-12', 'draft-07'] as const) assert.ok(cases.filter(one => one.draft === draft).length >= 150, draft);
  });

  test('places are the same', () => {
    const schema = { properties: { list: { items: { oneOf: [{ type: 'integer' }] } } } };
    assert.equal(schemaFaults(schema, { list: [1, 'x'] })[0]?.pointer, '/list/1');
    assert.deepEqual(faultOf({ list: [1, 'x'] }, schema)?.place, '$.list[1]');
    assert.deepEqual(faultOf({ list: [1, 'x'] }, schema)?.schemaPath, ['properties', 'list', 'items', 'oneOf']);
  });
});
