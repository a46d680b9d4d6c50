import * as assert from 'node:assert/strict';
import { toExactNumber, ExactNumber, hasExactNumbers, parseExactly, writeExactly } from '../../../src/protocol/json/exactNumber.ts';
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

  test('are no wrong JSON made right', () => {
    for (const wrong of ['{', '[1,]', '01', '{"a":9007199254740993', '']) assert.throws(() => parseExactly(wrong), SyntaxError);
  });

  test('long runs of zeros take no more than their length', async () => {
    const { holds, figures } = await growsInProportion(size => void toExactNumber(`1${'0'.repeat(size)}1`), 25_000);
    assert.ok(holds, figures);
  });
});
