import * as assert from 'node:assert/strict';
import { TaskReducer } from '../../../src/model/fold/taskReducer.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';

const status = (contextId: string): StreamResponse => ({
  statusUpdate: { taskId: 't', contextId, status: { state: 'TASK_STATE_WORKING' } },
});

suite('the context of a task', () => {
  test('is what was told first; another one in mid-task is a finding, once each, and is not taken over', () => {
    const task = new TaskReducer('t');
    task.apply(status('c'));
    const told = ['evil', '', 'evil', 'c'].flatMap(contextId => task.apply(status(contextId)));
    const artifact = task.apply({
      artifactUpdate: { taskId: 't', contextId: 'worse', artifact: { artifactId: 'a', parts: [{ text: 'x' }] } },
    });
    const whole = task.merge({ id: 't', contextId: 'evil', status: { state: 'TASK_STATE_COMPLETED' } });
    assert.equal(task.contextId, 'c');
    assert.equal(task.task.contextId, 'c');
    for (const change of [...told, ...artifact, ...whole])
      assert.ok(!(change.kind === 'task' && change.contextId !== undefined), JSON.stringify(change));
    assert.deepEqual(
      [...told, ...artifact, ...whole].flatMap(change => (change.kind === 'finding' ? [change.finding.message] : [])),
      [
        'The task belongs to context "c" and was reported in "evil"; the other context was ignored.',
        'The task belongs to context "c" and was reported in "worse"; the other context was ignored.',
      ],
    );
    for (let index = 0; index < 1_000; index++) task.apply(status(`c${index}`));
    assert.equal(task.contextId, 'c');
  });
});
