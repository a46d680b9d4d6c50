import * as assert from 'node:assert/strict';
import { A2AError } from '../../../src/protocol/errors.ts';
import { english } from '../../../src/protocol/problem.ts';

const stepAfter = (code: number, message: string): string => english(new A2AError(code, message).nextStep ?? { template: '', args: [] });

/** Errors that say no more than that something went wrong, and whose words say more. */
const meant: Readonly<Record<string, { readonly message: string; readonly code?: number; readonly means: string }>> = {
  'a task that is not found': { message: 'Task 4711 not found', means: 'TaskNotFoundError' },
  'nothing but not found': { message: 'Not found', means: 'TaskNotFoundError' },
  'an internal error, then not found': { message: 'Internal error: task not found: 4711', means: 'TaskNotFoundError' },
  'a task that does not exist': { message: 'The task does not exist', means: 'TaskNotFoundError' },
  'an exception in words': { message: 'TaskNotFoundException: 4711', means: 'TaskNotFoundError' },
  unauthorized: { message: 'Unauthorized', means: 'AuthenticationRequiredError' },
  'unauthorised in a sentence': { message: '401 Client Error: Unauthorised for url', means: 'AuthenticationRequiredError' },
  'a token that is refused': { message: 'invalid token', means: 'AuthenticationRequiredError' },
  'a missing method': { message: 'Method not found: tasks/get', means: 'MethodNotFoundError' },
  'a server error': { message: 'Task not found', code: -32000, means: 'TaskNotFoundError' },
  'something else that is not found': { message: 'File prices.csv not found', means: 'InternalError' },
  'a model that is not found': { message: 'The model "x" was not found while the task was at work', means: 'InternalError' },
  'anything else': { message: 'division by zero', means: 'InternalError' },
};

suite('errors of agents', () => {
  test('a refused cancel does not mean that the task has ended', () => {
    assert.match(stepAfter(-32002, 'no'), /^The agent answers that the task cannot be canceled\. Refresh the task to see its state\.$/);
  });

  for (const [name, { message, code = -32603, means }] of Object.entries(meant)) {
    test(`${name}: the next step is that of ${means}`, () => {
      const named: Readonly<Record<string, number>> = { TaskNotFoundError: -32001, MethodNotFoundError: -32601, InternalError: -32603 };
      const expected =
        means === 'AuthenticationRequiredError'
          ? /credentials/
          : new RegExp(`^${stepAfter(named[means]!, '').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
      assert.match(stepAfter(code, message), expected);
      assert.equal(new A2AError(code, message).meaning, means);
      assert.equal(new A2AError(code, message).rpcCode, code);
    });
  }

  test('an error that has a name of its own means that, whatever its words are', () => {
    assert.equal(new A2AError(-32602, 'Task not found').meaning, 'InvalidParamsError');
  });
});
