import * as assert from 'node:assert/strict';
import { A2AError } from '../../../src/protocol/errors.ts';
import { mendedByCard } from '../../../src/protocol/mendedByCard.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';

suite('problems that may come of a wrong card', () => {
  const http = (status: number): Problem => new Problem('http-error', sentence('The agent answered HTTP {0}.', status));
  const cases: readonly (readonly [name: string, problem: Problem, may: boolean])[] = [
    ['HTTP 404', http(404), true],
    ['HTTP 405', http(405), true],
    ['HTTP 500', http(500), false],
    ['nobody there', new Problem('unreachable', sentence('x')), true],
    ['a web page', new Problem('not-json', sentence('x')), true],
    ['a method that is missing', new A2AError(-32601, 'no'), true],
    ['a task that is unknown', new A2AError(-32001, 'no'), false],
    ['credentials', new Problem('unauthorized', sentence('x')), false],
  ];
  for (const [name, problem, may] of cases) test(name, () => assert.equal(mendedByCard(problem), may));
});
