import * as assert from 'node:assert/strict';
import { arrangeLike } from '../../../src/card/arrangeLike.ts';

suite('a card arranged like another', () => {
  test('members come in the order of the other, its own last; nothing is lost', () => {
    const value = {
      z: 1,
      skills: [
        { id: 'a', name: 'A' },
        { b: 1, a: 2 },
      ],
      name: 'N',
      ['__proto__x']: {},
    };
    const arranged = arrangeLike(value, { name: '', skills: [{ name: '', id: '' }], gone: 1 });
    assert.equal(JSON.stringify(arranged), '{"name":"N","skills":[{"name":"A","id":"a"},{"b":1,"a":2}],"z":1,"__proto__x":{}}');
    assert.deepEqual(arranged, value);
  });

  test('a member called __proto__ is a member like any other', () => {
    const arranged = arrangeLike(JSON.parse('{"__proto__":{"x":1},"a":2}'), { a: 0 });
    assert.equal(JSON.stringify(arranged), '{"a":2,"__proto__":{"x":1}}');
    assert.equal(Object.getPrototypeOf(arranged), Object.prototype);
  });
});
