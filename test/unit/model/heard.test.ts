import * as assert from 'node:assert/strict';
import { RunObservations } from '../../../src/model/run/runObservations.ts';
import { maxFindings } from '../../../src/protocol/finding.ts';
import type { TaskChange } from '../../../src/protocol/message/taskChange.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';

suite('what an answer showed while it came', () => {
  const status = (state: TaskState, timestamp?: string): TaskChange => ({ kind: 'status', taskId: 't', status: { state, timestamp } });
  const finding = { rule: 'DATA-04', pointer: '', message: 'x' } as const;

  test('states in order, one that is told again once, one that comes back twice', () => {
    const heard = new RunObservations();
    heard.take([status('TASK_STATE_WORKING', '1'), status('TASK_STATE_WORKING', '2')]);
    heard.take([status('TASK_STATE_INPUT_REQUIRED'), status('TASK_STATE_WORKING')]);
    assert.deepEqual(heard.states, ['TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_WORKING']);
  });

  test('findings of the transport and of the fold', () => {
    const heard = new RunObservations();
    heard.take([{ kind: 'finding', taskId: 't', finding }], [{ ...finding, rule: 'RPC-02' }]);
    assert.deepEqual(
      heard.findings.map(({ rule }) => rule),
      ['DATA-04', 'RPC-02'],
    );
  });

  test('a finding that is noted again is one', () => {
    const heard = new RunObservations();
    heard.take([], [finding]);
    heard.take([], [finding, { ...finding, pointer: '/x' }]);
    assert.equal(heard.findings.length, 2);
  });

  test('a hostile answer grows neither', () => {
    const heard = new RunObservations();
    for (let index = 0; index < 5_000; index += 1)
      heard.take([status(index % 2 === 0 ? 'TASK_STATE_WORKING' : 'TASK_STATE_SUBMITTED')], [{ ...finding, message: String(index) }]);
    assert.deepEqual([heard.states.length, heard.findings.length], [1_000, maxFindings]);
  });
});
