import * as assert from 'node:assert/strict';
import { askedForm, inputFormOf, type InputForm } from '../../../src/schema/forms/inputForm.ts';
import { sentAnswer } from '../../../src/schema/forms/sentAnswer.ts';

const form = inputFormOf({
  type: 'object',
  required: ['day'],
  properties: {
    day: { type: 'string', format: 'date', title: 'Day of the purchase' },
    cur: { oneOf: [{ const: 'EUR', title: 'Euro' }, { const: 'JPY' }], title: 'Currency' },
    paid: { type: 'boolean', title: 'Paid' },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, title: 'Tags' },
    pin: { type: 'string', writeOnly: true, title: 'PIN' },
    who: { type: 'object', title: 'Skipper', properties: { n: { type: 'string', title: 'Given name' } } },
    none: { type: 'string', title: 'Note' },
    pay: {
      title: 'Payment',
      oneOf: [
        { title: 'Card', type: 'object', properties: { number: { type: 'string', title: 'Card number' } } },
        { title: 'Bank', type: 'object', properties: { iban: { type: 'string', title: 'IBAN' } } },
      ],
    },
  },
}) as InputForm;

suite('what was answered to a form', () => {
  test('stands under the titles of its fields, in words for options, without passwords', () => {
    const rows = sentAnswer(form, {
      cur: 'EUR',
      paid: true,
      day: '2026-11-20',
      pin: 'geheim',
      who: { n: 'Ada' },
      pay: { iban: 'DE02' },
      tags: ['a', 'b'],
      more: [1],
    });
    assert.deepEqual(rows, [
      { title: 'Day of the purchase', value: '2026-11-20' },
      { title: 'Currency', value: 'Euro' },
      { title: 'Paid', value: 'yes' },
      { title: 'Tags', value: 'a, b' },
      { title: 'PIN', value: '••••••••' },
      { title: 'Skipper › Given name', value: 'Ada' },
      { title: 'Note' },
      { title: 'Payment › IBAN', value: 'DE02' },
      { title: 'more', value: '[1]' },
    ]);
  });

  test('nothing was sent: the titles alone; a button: what it says', () => {
    assert.deepEqual(sentAnswer(form, undefined).slice(0, 2), [{ title: 'Day of the purchase' }, { title: 'Currency' }]);
    const choice = askedForm([
      {
        data: {
          type: 'object',
          required: ['ok'],
          properties: {
            ok: {
              oneOf: [
                { const: 1, title: 'Go on' },
                { const: 2, title: 'Stop' },
              ],
              title: 'Go on?',
            },
          },
        },
      },
    ])!.form;
    assert.deepEqual(sentAnswer(choice, { ok: 2 }), [{ title: 'Go on?', value: 'Stop' }]);
  });
});
