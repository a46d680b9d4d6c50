import * as assert from 'node:assert/strict';
import { duplicateIn, duplicateMember } from '../../../src/protocol/json/duplicateMember.ts';
import { cpuTime } from '../../support/cpuTime.ts';

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
  for (const [text, name] of rows)
    test(`${text}: ${String(name)}`, () => {
      assert.equal(duplicateMember(text)?.name, name);
      assert.equal(duplicateIn(text, JSON.parse(text))?.name, name);
    });

  test('the pointer leads to it', () => {
    const pointer = (text: string): string | undefined => duplicateMember(text)?.pointer;
    assert.equal(pointer('{"a":[1,{"x":"a,b"},{"b":1,"b":2}]}'), '/a/2/b');
    assert.equal(pointer('{"a":{},"c":[[],[0,1]],"a/b~":1,"a/b~":2}'), '/a~1b~0');
    assert.equal(pointer('[[{"x":{"y":1}},{"x":{"y":1,"y":2}}]]'), '/0/1/x/y');
  });

  test('a long text takes its length', () => {
    const members = Array.from({ length: 20_000 }, (_, index) => `"${index}":"${'"{['.replaceAll('"', '\\"')}"`).join();
    const parsing = cpuTime(() => void JSON.parse(`{${members}}`));
    const looking = cpuTime(() => {
      assert.equal(duplicateMember(`{${members}}`), undefined);
      assert.equal(duplicateMember(`{${members},"19999":1}`)?.name, '19999');
    });
    // With the square of the members it would be a thousand times as long.
    assert.ok(looking < 100 * Math.max(parsing, 1), `${looking} ms beside ${parsing} ms to parse it`);
  });
});
