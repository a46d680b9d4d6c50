import * as assert from 'node:assert/strict';
import { memberRange } from '../../../src/request/text/memberRange.ts';

suite('the place of a member in a JSON text', () => {
  const text = '{\n  // mine\n  "a2a.agents": { "Ann": { "url": 7, }, "Bob": "x" },\n}';
  const at = (...path: string[]): readonly [string, number] | undefined => {
    const place = memberRange(text, path);
    return place && [text.slice(place.range.offset, place.range.offset + place.range.length), place.found];
  };

  test('is that of its name, or of the last one that is there', () => {
    assert.deepEqual(at('a2a.agents', 'Ann', 'url'), ['"url"', 3]);
    assert.deepEqual(at('a2a.agents', 'Bob'), ['"Bob"', 2]);
    assert.deepEqual(at('a2a.agents', 'Ann', 'headers', 'X'), ['"Ann"', 2]);
    assert.equal(at('other'), undefined);
    assert.equal(memberRange('', ['a']), undefined);
  });
});
