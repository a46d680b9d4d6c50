import * as assert from 'node:assert/strict';
import { cancelled, ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import { CardDoubt } from '../../../src/model/agents/cardDoubt.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';

suite('doubt about a card', () => {
  const notFound = new Problem('http-error', sentence('HTTP {0}.', '404'));
  const refused = new ConnectionProblem('unreachable', sentence('Connection refused.'), 'no');
  const lost = new ConnectionProblem('connection-lost', sentence('It broke.'), 'unknown');

  test('an agent that answers has its card read at once, and once a minute at most', () => {
    let now = 0;
    const doubt = new CardDoubt(() => now);
    assert.deepEqual([doubt.failed(notFound), doubt.settle(), doubt.settle()], ['at-once', true, false]);
    now = 59_999;
    assert.deepEqual([doubt.failed(notFound), doubt.settle()], [undefined, true]);
    now = 60_000;
    assert.equal(doubt.failed(notFound), 'at-once');
  });

  test('one that did not answer has it read with each request', () => {
    const doubt = new CardDoubt(() => 0);
    assert.deepEqual(
      [refused, lost, refused].map(problem => doubt.failed(problem)),
      ['next', 'next', 'next'],
    );
    assert.equal(doubt.settle(), true);
  });

  test('what no card explains leaves it alone', () => {
    const doubt = new CardDoubt(() => 0);
    const broken = new ConnectionProblem('connection-lost', sentence('It broke.'), 'yes');
    const others = [cancelled('unknown'), broken, new Problem('http-error', sentence('HTTP {0}.', '500'))];
    assert.deepEqual(
      others.map(problem => doubt.failed(problem)),
      [undefined, undefined, undefined],
    );
    assert.equal(doubt.settle(), false);
  });
});
