import * as assert from 'node:assert/strict';
import { A2AError, errorNames } from '../../../src/protocol/errors.ts';
import { english, filled, listOf, type LocalizedMessage, Problem, sentence } from '../../../src/protocol/problem.ts';

suite('problem', () => {
  test("a sentence takes its arguments, and an agent's braces are left alone", () => {
    assert.equal(english(sentence('{0} of {1}, {0}; {2}', 'a', 2)), 'a of 2, a; {2}');
    assert.equal(english(sentence('said: {0}', '{0} $& {1}')), 'said: {0} $& {1}');
  });

  test('a sentence inside a sentence is put in words too', () => {
    assert.equal(english(sentence('It broke: {0}', sentence('{0} is {1}', 'x', sentence('gone')))), 'It broke: x is gone');
  });

  test('a list is separated as its language does', () => {
    const chinese = ({ template, args }: LocalizedMessage): string => filled(template.replace('{0}, {1}', '{0}、{1}'), args, chinese);
    for (const [items, inEnglish, inChinese] of [
      [[], '', ''],
      [['a'], 'a', 'a'],
      [['a', 2, sentence('c')], 'a, 2, c', 'a、2、c'],
      [Array.from({ length: 5000 }, (_, index) => index), Array.from({ length: 5000 }, (_, index) => index).join(', '), undefined],
    ] as const) {
      assert.equal(english(listOf(items)), inEnglish);
      if (inChinese !== undefined) assert.equal(chinese(listOf(items)), inChinese);
    }
  });

  for (const [template, args, text] of [
    ['发给 {0} 的消息', ['行程助手'], '发给行程助手的消息'],
    ['发给 {0} 的消息', ['Currency'], '发给 Currency 的消息'],
    ['{0} 不能为 {1}。', ['"state"', '"a \\"b\\""'], '“state”不能为 "a \\"b\\""。'],
    ['使用 {0} {1}（{2}）', ['JSONRPC', '1.0', 'http://a'], '使用 JSONRPC 1.0（http://a）'],
    ['{0} 选择另一个接口', ['首选接口。'], '首选接口。选择另一个接口'],
    ['{0} {1}', ['首选接口。', '请重试。'], '首选接口。请重试。'],
    ['message to {0} of "{1}"', ['行程 助手', '"x"'], 'message to 行程 助手 of ""x""'],
  ] as const) {
    test(`spaces and quotation marks fit the language: ${text}`, () => assert.equal(filled(template, args, english), text));
  }

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
