import * as assert from 'node:assert/strict';
import { answerView } from '../../../src/conformance/rules/rule/answerView.ts';
import type { RequestView } from '../../../src/conformance/rules/rule/passiveCheck.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';

suite('the answer that rules look at', () => {
  const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
  const asked = { version: '1.0', binding: 'HTTP+JSON', operation: 'SendMessage', params: {} } as unknown as RequestView;

  for (const [status, body, is] of [
    [404, { task }, 'result'],
    [500, task, 'result'],
    [200, { task, error: { code: 404, message: 'gone' } }, 'error'],
    [404, { message: 'Not Found' }, 'error'],
    [404, { status: 404, error: 'Not Found' }, 'error'],
  ] as const)
    test(`over HTTP+JSON, HTTP ${status} with ${Object.keys(body).join(', ')} is ${is === 'error' ? 'an error' : 'a result'}`, () => {
      const exchange = { response: { status, headers: [], body: JSON.stringify(body) } } as unknown as Exchange;
      const view = answerView(exchange, asked)!;
      assert.deepEqual([view.result !== undefined, view.error !== undefined], [is === 'result', is === 'error']);
    });
});
