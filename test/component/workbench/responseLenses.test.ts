import * as assert from 'node:assert/strict';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { responseLenses } = await import('../../../src/workbench/requests/response/lenses.ts');

suite('lenses of a response', () => {
  const undo: (() => void)[] = [];
  teardown(() => {
    for (const each of undo.splice(0)) each();
  });

  function lensesOf(problem: Problem): readonly (readonly [string | undefined, unknown])[] {
    undo.push(
      inPlaceOf('workspace', {
        getConfiguration: () => ({ inspect: () => ({ globalValue: { Ann: { url: 'http://ann.example' } } }), get: () => undefined }),
      }),
    );
    const text = `{\n  "agent": "Ann",\n  "problem": {}\n}`;
    const document = {
      uri: { query: 'file:///w/a.a2a' },
      getText: () => text,
      positionAt: (offset: number) => ({ line: text.slice(0, offset).split('\n').length - 1, character: 0 }),
    };
    const run = { entry: { key: 'r' }, agent: { name: 'Ann' }, outcome: { problem }, running: false };
    const session = { uri: 'file:///w/a.a2a', shown: 'r', runs: { get: () => run } };
    return responseLenses(document as never, { peek: () => session } as never, () => false)
      .filter(({ range }) => Number(range.start) === 2)
      .map(({ command }) => [command?.command, command?.arguments]);
  }

  test('read the card again where an outdated card may be the cause, and sign in where the agent asks for it', () => {
    const status = (code: number): Problem => new Problem('http-error', sentence('The agent answered HTTP {0}.', code));
    assert.deepEqual(lensesOf(status(404)), [['a2a.refresh', ['Ann']]]);
    assert.deepEqual(lensesOf(status(500)), []);
    assert.deepEqual(lensesOf(new Problem('unauthorized', sentence('x'))), [['a2a.signIn', ['Ann']]]);
  });
});
