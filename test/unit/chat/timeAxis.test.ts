import * as assert from 'node:assert/strict';
import { spansOf, workOf } from '../../../src/chat/tasks/taskSpans.ts';
import { axisOf, momentsOf, placeOn } from '../../../src/chat/tasks/timeAxis.ts';

suite('chat: the axis of time', () => {
  const rounded = (numbers: readonly number[]): number[] => numbers.map(number => Math.round(number * 100) / 100);

  test('work that overlaps or nearly follows is one piece, in proportion to time', () => {
    const axis = axisOf([
      { from: 1_000, to: 5_000 },
      { from: 0, to: 2_000 },
      { from: 6_000, to: 10_000 },
    ]);
    assert.deepEqual(axis, [{ from: 0, to: 10_000, folded: false, start: 0, width: 100 }]);
    assert.deepEqual(rounded([-5, 0, 2_500, 10_000, 20_000].map(at => placeOn(axis, at))), [0, 0, 25, 100, 100]);
  });

  test('times of day stand at the beginning of a piece and at round seconds, each with room for its words', () => {
    const moments = (from: number, to: number, apart = 25): unknown => momentsOf({ from, to, start: 0, width: 100, folded: false }, apart);
    assert.deepEqual(moments(12_345, 32_345), [12_345, 20_000, 25_000]);
    assert.deepEqual(moments(0, 400), [0]);
    assert.deepEqual(moments(0, 40_000, 10), [0, 5_000, 10_000, 15_000, 20_000, 25_000, 30_000, 35_000]);
    assert.deepEqual(momentsOf({ from: 0, to: 40_000, start: 0, width: 10, folded: false }, 25), []);
    assert.deepEqual(momentsOf({ from: 0, to: 40_000, start: 0, width: 100, folded: true }, 25), []);
  });

  test('a long time in which nothing worked is folded, whatever its length', () => {
    const axis = axisOf([
      { from: 0, to: 4_000 },
      { from: 3_604_000, to: 3_608_000 },
    ]);
    assert.deepEqual(
      axis.map(({ folded, start, width }) => [folded, start, width]),
      [
        [false, 0, 48],
        [true, 48, 4],
        [false, 52, 48],
      ],
    );
    assert.deepEqual(rounded([2_000, 4_000, 1_804_000, 3_606_000].map(at => placeOn(axis, at))), [24, 48, 50, 76]);
  });

  test('a thousand pauses leave half of the width for the work, and moments without length have a place', () => {
    const axis = axisOf(Array.from({ length: 1_001 }, (_, index) => ({ from: index * 100_000, to: index * 100_000 + 1 })));
    const worked = axis.filter(({ folded }) => !folded).reduce((sum, { width }) => sum + width, 0);
    assert.equal(Math.round(worked), 50);
    const moments = axisOf([
      { from: 5, to: 5 },
      { from: 50_000, to: 50_000 },
    ]);
    assert.deepEqual(
      moments.map(({ width }) => width),
      [48, 4, 48],
    );
    assert.deepEqual(axisOf([]), []);
  });

  test('a task is in its states from its message on, until its end or now', () => {
    const states = [
      { state: 'TASK_STATE_WORKING' as const, at: 1_000 },
      { state: 'TASK_STATE_INPUT_REQUIRED' as const, at: 3_000 },
    ];
    const spans = spansOf({ createdAt: 500, states, state: 'TASK_STATE_INPUT_REQUIRED' }, 10_000);
    assert.deepEqual(spans, [
      { state: 'TASK_STATE_SUBMITTED', from: 500, to: 1_000 },
      { state: 'TASK_STATE_WORKING', from: 1_000, to: 3_000 },
      { state: 'TASK_STATE_INPUT_REQUIRED', from: 3_000, to: 10_000 },
    ]);
    assert.deepEqual(workOf(spans).length, 2, 'waiting for the person is no work');
    const over = spansOf({ createdAt: 500, states: [{ state: 'TASK_STATE_COMPLETED', at: 700 }], state: 'TASK_STATE_COMPLETED' }, 10_000);
    assert.deepEqual(over, [{ state: 'TASK_STATE_SUBMITTED', from: 500, to: 700 }]);
    assert.deepEqual(spansOf({ createdAt: 5, state: 'TASK_STATE_WORKING' }, 10), [], 'unknown times are not drawn');
    const listed = spansOf({ states: [{ state: 'TASK_STATE_COMPLETED', at: 700 }], state: 'TASK_STATE_COMPLETED' }, 10_000);
    assert.deepEqual(
      listed,
      [{ state: 'TASK_STATE_COMPLETED', from: 700, to: 700 }],
      'without a start nothing is known of the time before',
    );
    const atOnce = spansOf({ createdAt: 700, states: [{ state: 'TASK_STATE_COMPLETED', at: 700 }], state: 'TASK_STATE_COMPLETED' }, 10_000);
    assert.deepEqual(atOnce, [{ state: 'TASK_STATE_COMPLETED', from: 700, to: 700 }]);
  });
});
