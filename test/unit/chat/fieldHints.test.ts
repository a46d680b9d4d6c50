import * as assert from 'node:assert/strict';
import { hintsOf } from '../../../src/chat/forms/fieldHints.ts';
import { inputFormOf } from '../../../src/schema/forms/inputForm.ts';

const hints = (schema: Readonly<Record<string, unknown>>): readonly string[] =>
  inputFormOf({ type: 'object', properties: { a: schema, b: {} } })!
    .fields.slice(0, 1)
    .flatMap(hintsOf);

suite('chat: hints for fields', () => {
  test('a format whose writing is not to be guessed has an example', () => {
    assert.deepEqual(hints({ type: 'string', format: 'time' }), ['Format: time, such as 14:30:00Z']);
    assert.deepEqual(hints({ type: 'string', format: 'duration' }), ['Format: duration, such as PT1H30M']);
    assert.deepEqual(hints({ type: 'string', format: 'email' }), ['Format: email']);
  });

  test('a list of objects has an example of what is written', () => {
    const leg = {
      type: 'object',
      required: ['from', 'knots'],
      properties: { from: { type: 'string' }, to: { type: 'string' }, knots: { type: 'integer' } },
    };
    assert.deepEqual(hints({ type: 'array', items: leg }), ['Written as JSON', 'Such as [{"from":"","knots":0}]']);
    assert.deepEqual(hints({ type: 'array', items: { type: 'object' } }), ['Written as JSON']);
  });
});
