import * as assert from 'node:assert/strict';
import { ExchangeRecord } from '../../../src/client/wireLog/exchangeRecord.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { hint, Problem, sentence } from '../../../src/protocol/problem.ts';

suite('why an exchange ended early', () => {
  const ended = (failure: unknown): Pick<Exchange, 'failure' | 'failureSentence'> => {
    let last: Exchange | undefined;
    const record = new ExchangeRecord(
      { exchange: exchange => void (last = exchange), frames: () => {} },
      { operation: 'SendMessage', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      {
        method: 'POST',
        url: new URL('http://127.0.0.1/'),
        headers: [['authorization', 'Bearer tall-ship-4711']],
        secret: new Set(['authorization']),
        body: '',
      },
    );
    record.end(failure);
    return { failure: last?.failure ?? '', ...(last?.failureSentence !== undefined && { failureSentence: last.failureSentence }) };
  };

  test('is a text, and a sentence to translate', () => {
    const what = sentence('No answer within {0} seconds.', 5);
    assert.deepEqual(ended(new Problem('x', what)), { failure: 'No answer within 5 seconds.', failureSentence: what });
    assert.deepEqual(ended(new Error('socket hang up')), { failure: 'socket hang up' });
  });

  test('is the masked text alone where the sentence has a credential, shown or not', () => {
    for (const what of [
      sentence('The agent answered {0}.', 'tall-ship-4711'),
      sentence('The agent answered.', 'tall-ship-4711'),
      hint(sentence('The agent answered.'), 'Not tall-ship-4711.'),
    ]) {
      const { failure, ...rest } = ended(new Problem('x', what));
      assert.match(failure ?? '', /^The agent answered/);
      assert.doesNotMatch(failure ?? '', /4711/);
      assert.deepEqual(rest, {});
    }
  });

  test('is a cut text alone where it is long', () => {
    const { failure = '', ...rest } = ended(new Problem('x', sentence('{0}', 'word '.repeat(2_000))));
    assert.ok(failure.endsWith('…') && failure.length < 5_000);
    assert.deepEqual(rest, {});
  });
});
