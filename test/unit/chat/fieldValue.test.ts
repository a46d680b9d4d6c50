import * as assert from 'node:assert/strict';
import { meantBy, meantByForm, typedForm, typedOf, type Typed } from '../../../src/chat/forms/fieldValue.ts';
import type { FormField } from '../../../src/protocol/inputForm.ts';

const field = (more: Partial<FormField>): FormField => ({ name: 'x', title: 'x', kind: 'text', required: false, ...more });
const options = [{ label: 'A', value: 'a' }, { label: 'Two', value: 2 }];

suite('chat: what is typed into a form', () => {
  const cases: readonly (readonly [what: string, field: Partial<FormField>, typed: Typed, meant: unknown])[] = [
    ['text', {}, ' a b ', { value: ' a b ' }],
    ['empty and not needed', {}, '  ', undefined],
    ['empty and needed', { required: true }, '', { fault: 'This is needed.' }],
    ['too short, in characters', { least: 2 }, '😀', { fault: 'At least 2 characters, not 1.' }],
    ['too long', { most: 2 }, 'abc', { fault: 'At most 2 characters, not 3.' }],
    ['number', { kind: 'number' }, '1.5', { value: 1.5 }],
    ['number with a comma', { kind: 'number' }, '1,5', { value: 1.5 }],
    ['no number', { kind: 'number' }, '1x', { fault: 'This is no number.' }],
    ['no whole number', { kind: 'integer' }, '1.5', { fault: 'A whole number is needed.' }],
    ['too little', { kind: 'number', least: 0 }, '-1', { fault: 'At least 0.' }],
    ['too much', { kind: 'number', most: 3 }, '4', { fault: 'At most 3.' }],
    ['at the edge', { kind: 'number', above: 0, below: 3 }, '0', { fault: 'More than 0.' }],
    ['at the other edge', { kind: 'number', above: 0, below: 3 }, '3', { fault: 'Less than 3.' }],
    ['ticked', { kind: 'boolean' }, true, { value: true }],
    ['not ticked, and needed', { kind: 'boolean', required: true }, false, { value: false }],
    ['choice', { kind: 'choice', options }, '1', { value: 2 }],
    ['choices', { kind: 'choices', options }, '0,1', { value: ['a', 2] }],
    ['too few choices', { kind: 'choices', options, least: 2 }, '0', { fault: 'At least 2 items, not 1.' }],
    ['list', { kind: 'list' }, 'a\n\n b ', { value: ['a', 'b'] }],
    ['list of numbers', { kind: 'list', items: 'number' }, '1\n2.5', { value: [1, 2.5] }],
    ['a list that has no number', { kind: 'list', items: 'integer' }, '1\n2.5', { fault: 'Line 2 is no whole number.' }],
    ['json', { kind: 'json' }, '{"a":[1]}', { value: { a: [1] } }],
    ['date', { kind: 'date' }, '2026-11-21', { value: '2026-11-21' }],
  ];
  for (const [what, more, typed, meant] of cases) {
    test(what, () => assert.deepEqual(meantBy(field(more), typed), meant));
  }

  test('json that is none says why', () => {
    const meant = meantBy(field({ kind: 'json' }), '{');
    assert.match(meant !== undefined && 'fault' in meant ? meant.fault : '', /^This is no JSON: ./);
  });

  test('what was filled in comes back as it was', () => {
    const moment = '2026-11-21T10:30:00.000Z';
    const values: readonly (readonly [Partial<FormField>, unknown])[] = [
      [{}, 'a'], [{ kind: 'number' }, 1.5], [{ kind: 'boolean' }, true], [{ kind: 'choice', options }, 2], [{ kind: 'choices', options }, [2]],
      [{ kind: 'list' }, ['a', 'b']], [{ kind: 'list', items: 'number' }, [1]], [{ kind: 'json' }, { a: 1 }], [{ kind: 'datetime' }, moment],
    ];
    for (const [more, value] of values) {
      const one = field({ ...more, value });
      assert.deepEqual(meantBy(one, typedOf(one)), { value });
    }
  });

  test('a date that is none stands for nothing', () => {
    for (const value of ['yesterday', '2026-11-20T00:00', 7]) assert.equal(typedOf(field({ kind: 'date', value })), '');
  });

  test('a form makes its data of what is right, and names what is wrong', () => {
    const form = { fields: [field({ name: '__proto__', value: 'p' }), field({ name: 'n', kind: 'number' }), field({ name: 'left' })], kept: { id: 7 } };
    const { data, faults } = meantByForm(form, { ...typedForm(form), n: 'x' });
    assert.deepEqual([JSON.stringify(data), [...faults]], ['{"id":7,"__proto__":"p"}', [['n', 'This is no number.']]]);
  });
});
