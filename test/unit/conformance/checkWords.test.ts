import * as assert from 'node:assert/strict';
import { verdictsWord } from '../../../src/conformance/reports/checkWords.ts';
import { english } from '../../../src/protocol/problem.ts';
import { verdictOrder } from '../../../src/conformance/rules/rule/verdict.ts';

test('verdicts read as words after each number', () => {
  const told = (count: number): string[] => verdictOrder.map(verdict => `${count} ${english(verdictsWord(verdict, count))}`);
  assert.deepEqual(told(1), ['1 failed', '1 warning', '1 disputed', '1 inconclusive', '1 passed', '1 not tested', '1 not applicable']);
  assert.deepEqual(
    [0, 2].map(count => told(count).filter(words => words.includes('warning'))),
    [['0 warnings'], ['2 warnings']],
  );
});
