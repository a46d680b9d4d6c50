import * as assert from 'node:assert/strict';
import { parseField, valueToSend, contentFor, initialContent } from '../../../src/chat/forms/fieldValue.ts';
import type { FieldContent } from '../../../src/chat/host/keptState.ts';
import { ExactNumber } from '../../../src/protocol/exactNumber.ts';
import type { FormField } from '../../../src/schema/forms/inputForm.ts';

const field = (more: Partial<FormField>): FormField => ({ name: 'x', title: 'x', kind: 'text', required: false, ...more });
const options = [
  { label: 'A', value: 'a' },
  { label: 'Two', value: 2 },
];

suite('chat: what is typed into a form', () => {
  const cases: readonly (readonly [what: string, field: Partial<FormField>, typed: FieldContent, meant: unknown])[] = [
    ['text', {}, ' a b ', { value: ' a b ' }],
    ['empty and not needed', {}, '  ', undefined],
    ['number', { kind: 'number' }, '1.5', { value: 1.5 }],
    ['number with a comma', { kind: 'number' }, '1,5', { value: 1.5 }],
    ['number that may mean thousands', { kind: 'number' }, '1,000', { fault: 'This can be read in two ways.', readings: ['1000', '1'] }],
    [
      'fraction that may mean thousands',
      { kind: 'number' },
      '-2,125',
      { fault: 'This can be read in two ways.', readings: ['-2125', '-2.125'] },
    ],
    ['no thousands', { kind: 'number' }, '0,125', { value: 0.125 }],
    ['whole number with a point', { kind: 'integer' }, '1.000', { fault: 'This can be read in two ways.', readings: ['1000', '1'] }],
    ['number with a point', { kind: 'number' }, '1.125', { value: 1.125 }],
    [
      'groups of thousands',
      { kind: 'integer' },
      '1,000,000',
      { fault: 'Write the number without groups of digits.', readings: ['1000000'] },
    ],
    [
      'groups and a fraction',
      { kind: 'number' },
      '1.234.567,50',
      { fault: 'Write the number without groups of digits.', readings: ['1234567.5'] },
    ],
    ['groups with blanks', { kind: 'number' }, '12 000', { fault: 'Write the number without groups of digits.', readings: ['12000'] }],
    ['zeros in front', { kind: 'integer' }, '007', { value: 7 }],
    ['no zero in front', { kind: 'number' }, '-.5', { value: -0.5 }],
    ['signs', { kind: 'number' }, '+5', { value: 5 }],
    ['a minus of typographers', { kind: 'number' }, '−5', { value: -5 }],
    ['an exponent', { kind: 'number' }, '1.5e3', { value: 1500 }],
    ['an integer that no double is', { kind: 'integer' }, '9007199254740993', { value: new ExactNumber('9007199254740993') }],
    ['a fraction that no double is', { kind: 'number' }, '0.12345678901234567890', { value: new ExactNumber('0.12345678901234567890') }],
    ['digits of another base', { kind: 'number' }, '0x3', { fault: 'This is not a decimal number.' }],
    ['no number', { kind: 'number' }, '1x', { fault: 'This is not a decimal number.' }],
    ['infinity', { kind: 'number' }, 'Infinity', { fault: 'This is not a decimal number.' }],
    ['no whole number, which the schema says', { kind: 'integer' }, '1.5', { value: 1.5 }],
    ['left out', { kind: 'boolean', value: true }, '', undefined],
    [
      'what the control cannot show',
      { kind: 'number' },
      { json: '{"a":9007199254740993}' },
      { value: { a: new ExactNumber('9007199254740993') } },
    ],
    ['ticked', { kind: 'boolean' }, true, { value: true }],
    ['not ticked, and needed', { kind: 'boolean', required: true }, false, { value: false }],
    ['choice', { kind: 'choice', options }, '1', { value: 2 }],
    ['choices', { kind: 'choices', options }, '0,1', { value: ['a', 2] }],
    ['list', { kind: 'list' }, 'a\n\n b ', { value: ['a', 'b'] }],
    ['list of numbers', { kind: 'list', items: 'number' }, '1\n2.5', { value: [1, 2.5] }],
    ['a list that has no number', { kind: 'list', items: 'integer' }, '1\nx', { fault: 'Line 2: This is not a decimal number.' }],
    ['json', { kind: 'json' }, '{"a":[1]}', { value: { a: [1] } }],
    ['date', { kind: 'date' }, '2026-11-21', { value: '2026-11-21' }],
  ];
  for (const [what, more, typed, meant] of cases) {
    test(what, () => assert.deepEqual(parseField(field(more), typed), meant));
  }

  test('json that is none says why', () => {
    const meant = parseField(field({ kind: 'json' }), '{');
    assert.match(meant !== undefined && 'fault' in meant ? meant.fault : '', /^This is not JSON: ./);
  });

  test('what was filled in comes back as it was', () => {
    const moment = '2026-11-21T10:30:00.000Z';
    const values: readonly (readonly [Partial<FormField>, unknown])[] = [
      [{}, 'a'],
      [{ kind: 'number' }, 1.5],
      [{ kind: 'boolean' }, true],
      [{ kind: 'choice', options }, 2],
      [{ kind: 'choices', options }, [2]],
      [{ kind: 'list' }, ['a', 'b']],
      [{ kind: 'list', items: 'number' }, [1]],
      [{ kind: 'json' }, { a: 1 }],
      [{ kind: 'datetime' }, moment],
    ];
    for (const [more, value] of values) {
      const one = field({ ...more, value });
      assert.deepEqual(parseField(one, initialContent(one)), { value });
    }
  });

  test('an untouched field means the very value that came, whatever its control shows', () => {
    for (const value of ['2026-11-21T10:30:00.123456+02:00', '2026-11-21T10:30:00Z']) {
      const one = field({ kind: 'datetime', value });
      assert.deepEqual(parseField(one, initialContent(one)), { value });
    }
  });

  test('a value that the control of its field cannot show stands there as JSON', () => {
    const values: readonly (readonly [Partial<FormField>, unknown, FieldContent])[] = [
      [{}, 'a', 'a'],
      [{}, '', { json: '""' }],
      [{}, 7, { json: '7' }],
      [{ kind: 'number' }, '7', { json: '"7"' }],
      [{ kind: 'integer' }, new ExactNumber('9007199254740993'), '9007199254740993'],
      [{ kind: 'choice', options }, 'c', { json: '"c"' }],
      [{ kind: 'boolean' }, null, { json: 'null' }],
      [{ kind: 'list' }, [' a'], { json: '[\n  " a"\n]' }],
    ];
    for (const [more, value, typed] of values) assert.deepEqual(contentFor(field(more), value), typed);
  });

  test('what goes out otherwise than it stands there is told', () => {
    const sent = (more: Partial<FormField>, typed: string): string | undefined =>
      valueToSend(field(more), typed, parseField(field(more), typed));
    assert.deepEqual(
      ['7', '1,5', '1.50', '', 'x'].map(typed => sent({ kind: 'number' }, typed)),
      [undefined, '1.5', '1.5', undefined, undefined],
    );
    assert.match(sent({ kind: 'datetime' }, '2026-11-21T10:30:00') ?? '', /^2026-11-2\dT\d\d:\d\d:00Z$/);
    assert.equal(sent({}, '7'), undefined);
  });
});
