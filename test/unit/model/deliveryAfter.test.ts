import * as assert from 'node:assert/strict';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import { deliveryAfter, outcomeAfter } from '../../../src/model/run/messageDelivery.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import { english, Problem, sentence } from '../../../src/protocol/problem.ts';

const problem = (code: string): Problem => new Problem(code, sentence('x'));
const came = (found: Problem, ...statuses: readonly (number | string)[]): Problem => {
  found.cameAboutIn('exchange');
  if (statuses.length > 0) found.cameWith(...statuses);
  return found;
};
const unreachable = (code: string): Problem =>
  new ConnectionProblem('unreachable', sentence('x'), 'no', { cause: Object.assign(new Error('x'), { code }) });
const broken = (code: string, reached: 'no' | 'unknown'): Problem => new ConnectionProblem(code, sentence('x'), reached);
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

suite('why a message brought no event, in a few words', () => {
  const rows: readonly (readonly [fault: unknown, outcome: string | undefined])[] = [
    [came(problem('http-error'), 404), 'Failed · HTTP 404'],
    [came(problem('grpc-error'), 13, 'INTERNAL'), 'Failed · gRPC INTERNAL'],
    [came(new A2AError(-32602, 'x')), 'Failed · error -32602'],
    [came(new A2AError(-32001, 'x', undefined, undefined, sentence('HTTP {0}', 200))), 'Failed · HTTP 200'],
    [came(problem('too-large')), 'Failed'],
    [problem('foreign-origin'), 'Not sent'],
    [unreachable('ECONNREFUSED'), 'Not sent · connection refused'],
    [unreachable('ENOTFOUND'), 'Not sent · host not found'],
    [unreachable('EHOSTUNREACH'), 'Not sent'],
    [came(broken('tls', 'no')), 'Not sent · TLS failed'],
    [broken('cancelled', 'no'), 'Not sent · stopped'],
    [broken('cancelled', 'unknown'), 'Stopped before a reply'],
    [broken('timeout', 'unknown'), 'No reply in time; it may have arrived'],
    [broken('connection-lost', 'unknown'), undefined],
    [new Error('x'), undefined],
  ];
  for (const [fault, outcome] of rows)
    test(`${fault instanceof Problem ? fault.code : 'a defect'}: ${outcome}`, () => {
      const found = outcomeAfter(fault);
      assert.equal(found && english(found), outcome);
    });
});
