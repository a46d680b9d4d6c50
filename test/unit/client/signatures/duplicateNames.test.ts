import * as assert from 'node:assert/strict';
import { duplicateName } from '../../../../src/client/card/signatures/duplicateNames.ts';
import { growsInProportion } from '../../../support/cpuTime.ts';

suite('names that one object has twice', () => {
  const rows: readonly (readonly [text: string, name: string | undefined])[] = [
    ['{"a":1,"b":2}', undefined],
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"A":2}', undefined],
    ['{"a":{"a":{"a":1}}}', undefined],
    ['{"a":{"x":1},"b":{"x":1},"x":1}', undefined],
    ['{"a":{"x":1,"x":2},"b":1}', 'x'],
    ['{"a":{"b":1},"b":1,"b":2}', 'b'],
    ['{"a":[1,[2]],"b":1,"b":2}', 'b'],
    ['{"a":["b",{"b":1}],"b":1}', undefined],
    ['[{"a":1},{"a":2}]', undefined],
    ['[{"a":1},{"b":2,"b":3}]', 'b'],
    ['["a","a"]', undefined],
    ['{"a":"a","b":"a"}', undefined],
    ['{"a" \t\r\n : 1,"a":2}', 'a'],
    [String.raw`{"a\"":1,"a\\":2,"a":"{\"a\":[","b":"}\\"}`, undefined],
    [String.raw`{"a\\":1,"b":"\\","a\\":2}`, String.raw`a\ `.trim()],
    [String.raw`{"\u0061":1,"a":2}`, 'a'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['"a"', undefined],
    ['1', undefined],
  ];
  for (const [text, name] of rows) test(`${text}: ${String(name)}`, () => assert.equal(duplicateName(text), name));

  test('a long text takes its length', async () => {
    const { holds, figures } = await growsInProportion(size => {
      const members = Array.from({ length: size }, (_, index) => `"${index}":"${'"{['.replaceAll('"', '\\"')}"`);
      assert.equal(duplicateName(`{${members.join()}}`), undefined);
      assert.equal(duplicateName(`{${members.join()},"${size - 1}":1}`), String(size - 1));
    }, 2_000);
    assert.ok(holds, figures);
  });
});
