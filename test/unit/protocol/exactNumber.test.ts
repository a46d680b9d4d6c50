import * as assert from 'node:assert/strict';
import { compareNumbers, ExactNumber, hasExactNumbers, isInteger, isMultipleOf, toExactNumber } from '../../../src/protocol/exactNumber.ts';
import { exactJson, parseExactly, posted, received, writeExactly } from '../../../src/protocol/json/exactJson.ts';
import { growsInProportion } from '../../support/cpuTime.ts';

suite('protocol: numbers that a double cannot hold', () => {
  test('are told from those that it can', () => {
    for (const digits of ['1', '-0', '0.1', '1.50', '1e3', '12300', '9007199254740992', '1e21', '100000000000000000000000'])
      assert.equal(toExactNumber(digits), Number(digits), digits);
    for (const digits of ['9007199254740993', '-9007199254740993', '0.12345678901234567890', '1e400', '1.0000000000000000001'])
      assert.deepEqual(toExactNumber(digits), new ExactNumber(digits), digits);
  });

  const text = '{"id":9007199254740993,"list":[1,-12345678901234567890],"words":"9007199254740993 \\" 12345678901234567890"}';
  test('come through JSON digit for digit, whoever writes it', () => {
    const value = parseExactly(text);
    assert.equal(writeExactly(value, 0), text);
    assert.equal(JSON.stringify(value), text);
    assert.equal(writeExactly({ a: [new ExactNumber('9007199254740993')] }), '{\n  "a": [\n    9007199254740993\n  ]\n}');
    assert.deepEqual([hasExactNumbers(value), hasExactNumbers({ a: [1] })], [true, false]);
  });

  test('engines know what they are read and written with', () => {
    assert.equal(typeof (JSON as { rawJSON?: unknown }).rawJSON, 'function');
    assert.equal(JSON.stringify([exactJson(' 9007199254740993 '), exactJson('[1e400]')]), '[9007199254740993,[1e400]]');
  });

  test('are found among numbers of every length, and no other value is made one', () => {
    for (const digits of ['12345678.123456789', '-0.12345678901234567890', '1e400', '1E-400', '9007199254740993', '1.0000000000000000001'])
      for (const text of [digits, `[${digits}]`, `{"a":\n  ${digits}}`, `[1, ${digits},2]`])
        assert.ok(hasExactNumbers(exactJson(text)), text);
    for (const text of ['[1.50,1e22,-0.0,100000000000000000000000]', '"9007199254740993"', '{"a":":9007199254740993, 1e400"}'])
      assert.deepEqual(exactJson(text), JSON.parse(text));
    const deep = '['.repeat(5_000) + '9007199254740993' + ']'.repeat(5_000);
    assert.equal((exactJson(deep) as readonly unknown[]).length, 1);
  });

  test('are compared and divided by all of their digits', () => {
    const numbers = ['-1e400', '-9007199254740993', '-1', '0', '1e-400', '0.5', '9007199254740991', '9007199254740993', '1e400', '2e400'];
    const values = numbers.map(toExactNumber);
    for (const [index, one] of values.entries())
      for (const [place, other] of values.entries())
        assert.equal(Math.sign(compareNumbers(one, other)) + 0, Math.sign(index - place), `${numbers[index]} ${numbers[place]}`);
    assert.equal(compareNumbers(new ExactNumber('10e399'), new ExactNumber('1e400')), 0);
    assert.deepEqual(
      ['1e400', '9007199254740993.5', '1.5', '2'].map(digits => isInteger(toExactNumber(digits))),
      [true, false, false, true],
    );
    assert.ok(isMultipleOf(new ExactNumber('9007199254740993'), 3) && !isMultipleOf(new ExactNumber('9007199254740994'), 4));
    assert.ok(isMultipleOf(19.99, 0.01) && isMultipleOf(1, 0) && !isMultipleOf(new ExactNumber('1e999999999'), 7));
  });

  test('come to a page of VS Code, which is posted doubles', () => {
    const vsCode = (message: unknown): unknown => JSON.parse(JSON.stringify(message));
    assert.equal(JSON.stringify(received(vsCode(posted(parseExactly(text) as object)))), text);
    assert.deepEqual(received(vsCode(posted({ a: [1, '9007199254740993'] }))), { a: [1, '9007199254740993'] });
  });

  test('are no wrong JSON made right', () => {
    for (const wrong of ['{', '[1,]', '01', '{"a":9007199254740993', '']) assert.throws(() => parseExactly(wrong), SyntaxError);
  });

  test('long runs of zeros take no more than their length', async () => {
    const { holds, figures } = await growsInProportion(size => void toExactNumber(`1${'0'.repeat(size)}1`), 25_000);
    assert.ok(holds, figures);
  });
});
