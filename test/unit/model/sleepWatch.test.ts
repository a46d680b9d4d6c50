import * as assert from 'node:assert/strict';
import { SleepWatch } from '../../../src/model/contexts/contextWatch.ts';

const second = 1_000;
const hour = 3_600 * second;

suite('SleepWatch', () => {
  const cases: readonly (readonly [what: string, looks: readonly number[], slept: readonly boolean[]])[] = [
    ['a clock that goes on', [1, 2, 3].map(each => each * second), [false, false, false]],
    ['a busy machine', [12 * second, 24 * second], [false, false]],
    ['a sleep', [second, second + hour, 2 * second + hour], [false, true, false]],
    ['two sleeps', [hour, 2 * hour], [true, true]],
    ['a clock that is put back, and what comes then', [second - hour, 2 * second - hour, 3 * second], [false, false, true]],
    ['just short of a sleep', [31 * second], [false]],
    ['just a sleep', [31 * second + 1], [true]],
  ];
  for (const [what, looks, slept] of cases) {
    test(what, () => {
      const watch = new SleepWatch(second, 10 * hour);
      assert.deepEqual(
        looks.map(at => watch.hasSlept(10 * hour + at)),
        slept,
      );
    });
  }
});
