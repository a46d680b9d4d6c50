import * as assert from 'node:assert/strict';
import { A2AError, errorNames } from '../../../src/protocol/errors.ts';
import { english, Problem, sentence } from '../../../src/protocol/problem.ts';

suite('problem', () => {
  test("a sentence takes its arguments, and an agent's braces are left alone", () => {
    assert.equal(english(sentence('{0} of {1}, {0}; {2}', 'a', 2)), 'a of 2, a; {2}');
    assert.equal(english(sentence('said: {0}', '{0} $& {1}')), 'said: {0} $& {1}');
  });

  test('a sentence inside a sentence is put in words too', () => {
    assert.equal(english(sentence('It broke: {0}', sentence('{0} is {1}', 'x', sentence('gone')))), 'It broke: x is gone');
  });

  test('its message is the sentence', () => {
    const cause = new Error('why');
    const problem = new Problem('some-code', sentence('{0} is wrong', 'It'), { nextStep: sentence('Do it again.'), details: 'x', cause });
    assert.deepEqual([problem.message, problem.code, problem.details, problem.cause], ['It is wrong', 'some-code', 'x', cause]);
  });

  for (const [code, name] of Object.entries(errorNames)) {
    test(`${code} is ${name}`, () => {
      const error = new A2AError(Number(code), 'words', { a: 1 });
      assert.deepEqual([error.code, error.errorName, error.rpcCode], ['agent-error', name, Number(code)]);
      assert.ok(error.message.includes(name) && error.message.includes(code) && error.message.includes('words'));
      assert.match(error.details ?? '', /"a": 1/);
    });
  }

  test('a code nobody named is told by its number', () => {
    assert.equal(new A2AError(-32050, 'words').message, 'The agent answered with error -32050: words');
  });
});
