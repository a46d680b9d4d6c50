import * as assert from 'node:assert/strict';
import { pointerSteps, valueAt } from '../../../src/protocol/json/pointer.ts';

suite('JSON pointers (RFC 6901)', () => {
  // The document of RFC 6901 §5.
  const document = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'e^f': 3, 'g|h': 4, 'i\\j': 5, 'k"l': 6, ' ': 7, 'm~n': 8 };
  const at = (pointer: string): unknown => valueAt(document, pointerSteps(pointer) ?? assert.fail(pointer));

  test('the examples of the RFC', () => {
    assert.equal(at(''), document);
    assert.equal(at('/foo'), document.foo);
    assert.deepEqual(['/foo/0', '/', '/a~1b', '/c%d', '/e^f', '/g|h', '/i\\j', '/k"l', '/ ', '/m~0n'].map(at), [
      'bar',
      0,
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      8,
    ]);
  });

  test('nothing is at what is not there, nor at what objects inherit', () => {
    for (const pointer of ['/nope', '/foo/2', '/foo/-', '/foo/00', '/foo/01', '/foo/length', '/constructor', '/foo/0/0'])
      assert.equal(at(pointer), undefined);
  });

  test('a text that is no pointer', () => {
    for (const text of ['foo', '#/foo', '/a~', '/a~2b']) assert.equal(pointerSteps(text), undefined);
  });
});
