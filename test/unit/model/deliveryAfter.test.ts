import * as assert from 'node:assert/strict';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import { deliveryAfter } from '../../../src/model/run/deliveryAfter.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';

const problem = (code: string): Problem => new Problem(code, sentence('x'));
const connection = (reached: 'yes' | 'no' | 'unknown'): Problem => new ConnectionProblem('connection-lost', sentence('x'), reached);

suite('how far a message got whose exchange brought no event', () => {
  const rows: readonly (readonly [what: string, fault: unknown, delivery: string])[] = [
    ['the answer came to its end', undefined, 'sent'],
    ['the connection was never made', connection('no'), 'refused'],
    ['the connection broke before the answer began', connection('unknown'), 'unknown'],
    ['the connection broke in the answer', connection('yes'), 'sent'],
    ...['empty-answer', 'not-json', 'unreadable-answer'].map(code => [`there was an answer: ${code}`, problem(code), 'sent'] as const),
    ['the agent answered an error', new A2AError(-32603, 'x'), 'refused'],
    ['nothing was sent', problem('foreign-origin'), 'refused'],
    ['something else was thrown', new Error('x'), 'unknown'],
  ];
  for (const [what, fault, delivery] of rows) test(`${what}: ${delivery}`, () => assert.equal(deliveryAfter(fault), delivery));
});
