import * as assert from 'node:assert/strict';
import type { Shape } from '../../../src/chat/transcript/rows.ts';
import { stateTimes } from '../../../src/chat/transcript/turn.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';

const mine = (seq: number, at: number, taskId = 't'): Shape => ({
  seq,
  at,
  kind: 'message',
  taskId,
  exchangeId: undefined,
  state: undefined,
  mine: true,
});
const status = (seq: number, at: number, state: TaskState, taskId = 't'): Shape => ({
  ...mine(seq, at, taskId),
  kind: 'status',
  state,
  mine: false,
});

suite('chat: times of a task', () => {
  test('the first event and every state of one turn; what it came back to counts once', () => {
    const shapes = [
      mine(1, 0),
      status(2, 100, 'TASK_STATE_SUBMITTED'),
      status(3, 150, 'TASK_STATE_WORKING', 'other'),
      status(4, 300, 'TASK_STATE_WORKING'),
      status(5, 400, 'TASK_STATE_SUBMITTED'),
      status(6, 450, 'TASK_STATE_WORKING'),
      status(7, 1450, 'TASK_STATE_COMPLETED'),
    ];
    assert.deepEqual(stateTimes(shapes, 7), {
      first: 100,
      states: [
        { state: 'TASK_STATE_SUBMITTED', ms: 250 },
        { state: 'TASK_STATE_WORKING', ms: 1100 },
      ],
    });
  });

  test('a turn begins with the newest message', () => {
    const shapes = [mine(1, 0), status(2, 10, 'TASK_STATE_INPUT_REQUIRED'), mine(3, 5000), status(4, 5020, 'TASK_STATE_COMPLETED')];
    assert.deepEqual(stateTimes(shapes, 4), { first: 20, states: [] });
  });

  test('a status of an unknown time takes the time of no other state but its neighbours', () => {
    const shapes: Shape[] = [
      mine(1, 0),
      status(2, 100, 'TASK_STATE_SUBMITTED'),
      status(3, 150, 'TASK_STATE_WORKING'),
      { ...status(4, 9_000, 'TASK_STATE_COMPLETED'), untimed: true },
    ];
    assert.deepEqual(stateTimes(shapes, 4), {
      first: 100,
      states: [
        { state: 'TASK_STATE_SUBMITTED', ms: 50 },
        { state: 'TASK_STATE_WORKING', ms: undefined },
      ],
    });
  });

  test("a user message that only the agent's history has begins no turn", () => {
    const shapes = [
      mine(1, 0),
      { ...mine(2, 400), foreign: true as const },
      status(3, 500, 'TASK_STATE_WORKING'),
      status(4, 900, 'TASK_STATE_COMPLETED'),
    ];
    assert.equal(stateTimes(shapes, 4).states[0]?.ms, 400);
    assert.notEqual(stateTimes(shapes, 4).first, 100);
  });

  test('without the message nothing is said of the first event; without the status nothing at all', () => {
    const shapes = [status(2, 10, 'TASK_STATE_WORKING'), status(4, 30, 'TASK_STATE_COMPLETED')];
    assert.deepEqual(stateTimes(shapes, 4), { states: [{ state: 'TASK_STATE_WORKING', ms: 20 }] });
    assert.deepEqual(stateTimes(shapes, 9), { states: [] });
  });
});
