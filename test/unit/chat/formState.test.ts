import * as assert from 'node:assert/strict';
import { emptyState, formData, stateOf, withSecrets } from '../../../src/chat/forms/formState.ts';
import { withoutSecrets } from '../../../src/chat/forms/secretFields.ts';
import type { FormState } from '../../../src/chat/host/keptState.ts';
import { ExactNumber } from '../../../src/protocol/exactNumber.ts';
import { parseExactly, writeExactly } from '../../../src/protocol/json/exactJson.ts';
import { inputFormOf, type InputForm } from '../../../src/schema/forms/inputForm.ts';

const schema = {
  type: 'object',
  required: ['id', 'when', 'address', 'secret'],
  properties: {
    id: { type: 'integer' },
    when: { type: 'string', format: 'date-time', default: '2026-11-22T10:30:15.123456+02:00' },
    note: { type: 'string' },
    paid: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    unit: { enum: ['km', 'mi'] },
    version: { const: 2 },
    secret: { type: 'string', format: 'password' },
    any: {},
    address: { type: 'object', required: ['city'], properties: { city: { type: 'string' }, country: { type: 'string', default: 'DE' } } },
    billing: {
      type: 'object',
      required: ['kind'],
      properties: {
        kind: { const: 'b' },
        city: { type: 'string' },
        country: { type: 'string', default: 'DE' },
        urgent: { type: 'boolean' },
      },
    },
    how: {
      oneOf: [
        {
          title: 'Card',
          type: 'object',
          required: ['kind', 'number'],
          properties: { kind: { const: 'card' }, number: { type: 'string' } },
        },
        { type: 'string', title: 'Voucher' },
      ],
    },
  },
};

suite('chat: the state of a form', () => {
  const form = (values?: Record<string, unknown>): InputForm => inputFormOf(schema, values)!;
  const typedOnly = (typed: FormState['typed']): FormState => ({ ...emptyState, typed });

  test('what nobody touched is sent as it came; an object that may be missing is, until something is written into it', () => {
    assert.deepEqual(formData(form(), emptyState).data, {
      when: '2026-11-22T10:30:15.123456+02:00',
      address: { country: 'DE' },
      paid: false,
      version: 2,
    });
    assert.deepEqual(formData(form({ id: 7, other: [1], billing: { city: 'Kiel', zip: 'x' } }), emptyState).data, {
      id: 7,
      other: [1],
      when: '2026-11-22T10:30:15.123456+02:00',
      address: { country: 'DE' },
      paid: false,
      version: 2,
      billing: { zip: 'x', kind: 'b', city: 'Kiel', country: 'DE', urgent: false },
    });
    assert.deepEqual(formData(form(), typedOnly({ '/billing/city': 'Kiel' })).data['billing'], {
      kind: 'b',
      city: 'Kiel',
      country: 'DE',
      urgent: false,
    });
  });

  test('long integers keep their digits', () => {
    const { data } = formData(form(), typedOnly({ '/id': '9007199254740993' }));
    assert.deepEqual(data['id'], new ExactNumber('9007199254740993'));
    assert.equal(writeExactly({ id: data['id'] }, 0), '{"id":9007199254740993}');
  });

  test('what is wrong is known by its field, and stands in the data as it was typed', () => {
    const { data, faults, places } = formData(form(), typedOnly({ '/id': '1,000', '/how': '0', '/how?0/number': '4' }));
    assert.deepEqual([data['id'], [...faults]], ['1,000', [['/id', { fault: 'This can be read in two ways.', readings: ['1000', '1'] }]]]);
    assert.deepEqual([places.get('/how/number'), places.get('/address/city')], ['/how?0/number', '/address/city']);
  });

  test('a variant keeps what was written while another is looked at', () => {
    const typed = { '/how': '0', '/how?0/number': '42', '/how?1': 'V' };
    assert.deepEqual(formData(form(), typedOnly(typed)).data['how'], { kind: 'card', number: '42' });
    assert.deepEqual(formData(form(), typedOnly({ ...typed, '/how': '1' })).data['how'], 'V');
    assert.equal('how' in formData(form(), typedOnly({ ...typed, '/how': '' })).data, false);
  });

  const datas: readonly string[] = [
    '{}',
    '{"id":1}',
    '{"id":9007199254740993,"when":"2026-11-22T10:30:15.123456+02:00"}',
    '{"id":"1,000","when":"later","note":"","paid":null,"tags":[1],"unit":"m"}',
    '{"paid":true,"tags":["a","b"],"unit":"mi","version":3,"any":[{"x":1e400}]}',
    '{"address":{}}',
    '{"address":{"country":"FR","zip":1}}',
    '{"address":null,"billing":7}',
    '{"billing":{}}',
    '{"billing":{"country":"DE"}}',
    '{"billing":{"kind":"c","urgent":false}}',
    '{"how":{"kind":"card","number":"1"}}',
    '{"how":"V"}',
    '{"how":7}',
    '{"how":{"other":1}}',
    '{"__proto__":1,"new":{"a":[null]},"note":" x "}',
    '{"note":"a\\nb","secret":"s"}',
  ];
  for (const values of [undefined, { id: 7, other: [1], billing: { city: 'Kiel', zip: 'x' } }]) {
    for (const json of datas) {
      test(`nothing of ${json} is lost between the fields and JSON${values === undefined ? '' : ', whatever came with the form'}`, () => {
        const data = parseExactly(json) as Record<string, unknown>;
        const back = formData(form(values), stateOf(form(values), data, emptyState)).data;
        assert.deepEqual(parseExactly(writeExactly(back)), data);
      });
    }
  }

  test('after JSON without an object it can be filled in again, its constants too', () => {
    const state = stateOf(form(), {}, emptyState);
    assert.deepEqual(formData(form(), typedOnly({ ...state.typed, '/billing/city': 'Kiel' })).data, {
      billing: { kind: 'b', city: 'Kiel', country: 'DE', urgent: false },
    });
  });

  test('passwords are no part of the JSON and go along all the same; they are not kept', () => {
    const state = typedOnly({ '/secret': 'geheim', '/note': 'x' });
    assert.deepEqual(withSecrets(form(), { id: 1 }, state), { id: 1, secret: 'geheim' });
    assert.deepEqual(withSecrets(form(), { id: 1, secret: 'new' }, state), { id: 1, secret: 'new' });
    assert.deepEqual(withoutSecrets(form().fields, state), typedOnly({ '/note': 'x' }));
    // Written as JSON, finished or not.
    for (const [json, kept] of [
      ['{"secret": "a\\"b", "note": "x"}', '{"secret": "", "note": "x"}'],
      ['{"secret" : "half', '{"secret" : ""'],
      ['{"secret":1234,"a":[1]}', '{"secret":"","a":[1]}'],
    ] as const) {
      assert.deepEqual(withoutSecrets(form().fields, { ...emptyState, json, typed: { '/any': { json } } }), {
        ...emptyState,
        json: kept,
        typed: { '/any': { json: kept } },
      });
    }
  });

  suite('what is written and never read is not kept', () => {
    const written: Readonly<Record<string, readonly [schema: object, key: string, typed: unknown]>> = {
      'a number': [{ type: 'number', writeOnly: true }, '/s', '4711'],
      'a choice': [{ enum: ['a', 'b'], writeOnly: true }, '/s', 'a'],
      'a list of passwords': [{ type: 'array', items: { type: 'string', format: 'password' } }, '/s', ['geheim', 'other']],
      'a list that is writeOnly': [{ type: 'array', writeOnly: true, items: { type: 'string' } }, '/s', ['geheim']],
      'a member of a group': [{ type: 'object', properties: { pin: { type: 'integer', writeOnly: true } } }, '/s/pin', '1234'],
      'a group': [{ type: 'object', writeOnly: true, properties: { pin: { type: 'integer' } } }, '/s/pin', '1234'],
      'data with a password in it': [
        { type: 'array', items: { type: 'object', properties: { p: { type: 'string', format: 'password' } } } },
        '/s',
        { json: '[{ "p": "geheim" }]' },
      ],
    };
    for (const [what, [schema, key, typed]] of Object.entries(written))
      test(what, () => {
        const { fields } = inputFormOf({ type: 'object', properties: { s: schema, note: { type: 'string' } } })!;
        const state = { ...emptyState, typed: { [key]: typed, '/note': 'x' } } as FormState;
        assert.deepEqual(withoutSecrets(fields, state).typed, { '/note': 'x' });
      });

    for (const [json, kept] of [
      ['{"s": ["a", "b"], "note": "x"}', '{"s": "", "note": "x"}'],
      ['{"s": [["a", {"b": "]"}], "c"', '{"s": ""'],
      ['{"s": {"a": {"b": "}"}}, "note": 1}', '{"s": "", "note": 1}'],
      ['{"note": "s", "\\u0073": "a"}', '{"note": "s", "\\u0073": ""}'],
      ['{"s": ', '{"s": '],
      ['{"s": }', '{"s": }'],
      ['{"s"', '{"s"'],
    ] as const)
      test(`in JSON that was typed: ${json}`, () => {
        const { fields } = inputFormOf({
          type: 'object',
          properties: { s: { type: 'array', writeOnly: true, items: { type: 'string' } } },
        })!;
        assert.equal(withoutSecrets(fields, { ...emptyState, json }).json, kept);
      });
  });
});
