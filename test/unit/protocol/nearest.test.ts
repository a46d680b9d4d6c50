import assert from 'node:assert/strict';
import { closestMatch } from '../../../src/protocol/closestMatch.ts';

suite('the name most like a mistyped one', () => {
  for (const [written, names, wanted] of [
    ['expcet', ['message', 'expect'], 'expect'],
    ['agnet', ['agent', 'after'], 'agent'],
    ['abc', ['abd'], 'abd'],
    ['AB', ['ab'], 'ab'],
    ['x', ['a', 'b'], undefined],
    ['ab', ['ac'], undefined],
    ['message', ['params'], undefined],
    ['same', ['same'], undefined],
    ['n'.repeat(101), ['n'.repeat(100)], undefined],
  ] as const) {
    test(`${written.slice(0, 12)} among ${names.join(', ').slice(0, 20)}: ${wanted ?? 'none'}`, () =>
      assert.equal(closestMatch(written, names), wanted));
  }
});
