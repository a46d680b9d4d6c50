import * as assert from 'node:assert/strict';
import { isActive, isInterrupted, isTerminal, readTaskState, TaskState, taskStates } from '../../../src/protocol/message/taskState.ts';

const spellings: readonly (readonly [written: unknown, read: TaskState | undefined])[] = [
  ['TASK_STATE_COMPLETED', 'TASK_STATE_COMPLETED'],
  ['completed', 'TASK_STATE_COMPLETED'],
  ['COMPLETED', 'TASK_STATE_COMPLETED'],
  ['Completed', 'TASK_STATE_COMPLETED'],
  ['input-required', 'TASK_STATE_INPUT_REQUIRED'],
  ['input_required', 'TASK_STATE_INPUT_REQUIRED'],
  ['Input Required', 'TASK_STATE_INPUT_REQUIRED'],
  ['auth-required', 'TASK_STATE_AUTH_REQUIRED'],
  ['canceled', 'TASK_STATE_CANCELED'],
  ['cancelled', 'TASK_STATE_CANCELED'],
  ['TASK_STATE_CANCELLED', 'TASK_STATE_CANCELED'],
  ['unknown', 'TASK_STATE_UNSPECIFIED'],
  ['TASK_STATE_UNSPECIFIED', 'TASK_STATE_UNSPECIFIED'],
  ['unspecified', 'TASK_STATE_UNSPECIFIED'],
  [0, 'TASK_STATE_UNSPECIFIED'],
  [3, 'TASK_STATE_COMPLETED'],
  [5, 'TASK_STATE_CANCELED'],
  [8, 'TASK_STATE_AUTH_REQUIRED'],
  [9, undefined],
  [-1, undefined],
  ['finished', undefined],
  ['', undefined],
  [undefined, undefined],
  [null, undefined],
  [{}, undefined],
];

suite('task state', () => {
  for (const [written, read] of spellings) {
    test(`${JSON.stringify(written)} is ${read ?? 'none'}`, () => assert.equal(readTaskState(written), read));
  }

  for (const state of TaskState.options) {
    test(`${state} is read back from its name, its label and its number, and is of one class`, () => {
      assert.equal(readTaskState(state), state);
      assert.equal(readTaskState(taskStates[state].label), state);
      assert.equal(readTaskState(TaskState.options.indexOf(state)), state);
      assert.equal([isActive, isInterrupted, isTerminal].filter(is => is(state)).length, 1);
    });
  }
});
