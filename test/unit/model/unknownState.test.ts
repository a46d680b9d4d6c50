import * as assert from 'node:assert/strict';
import { collect, foreignStateIn, type Finding } from '../../../src/protocol/finding.ts';
import { formOf } from '../../../src/protocol/versions/index.ts';

suite('the state that an agent tells and A2A does not have', () => {
  const found = (version: string, result: unknown): string | undefined => {
    const { note, findings } = collect();
    formOf(version)!.readResult('GetTask', result, note);
    return foreignStateIn(findings);
  };

  test('is known by what was found, in every way to write it', () => {
    assert.equal(found('1.0', { id: 't', contextId: 'c', status: { state: 'TASK_STATE_NAPPING' } }), '"TASK_STATE_NAPPING"');
    assert.equal(found('task-rest', { task_id: 't', status: 'napping' }), '"napping"');
    assert.equal(found('task-rest', { task_id: 't', status: { state: 'napping' } }), '"napping"');
    assert.equal(found('1.0', { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } }), undefined);
  });

  test('is not read from the words of another finding, which quote the agent', () => {
    const finding: Finding = {
      rule: 'STRM-11',
      pointer: '',
      message: 'The agent sent an error after its task had ended: napping is not a task state.',
    };
    assert.equal(foreignStateIn([finding]), undefined);
  });
});
