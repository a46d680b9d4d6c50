import * as assert from 'node:assert/strict';
import { DailyRetention, type DailyRetentionOptions } from '../../../src/model/contexts/dailyRetention.ts';
import { TaskHistory } from '../../../src/model/contexts/taskHistory.ts';
import type { RetentionOptions, RetentionOutcome } from '../../../src/store/changes/retention.ts';
import { until } from '../../support/model/world.ts';
import { History, is } from '../store/support/history.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

suite('the daily deletion of what is not kept', () => {
  let history: History;
  let now = 0;
  let last = 0;
  let running = false;
  let wanted: RetentionOptions | undefined;
  let looks = 0;
  const gone: RetentionOutcome[] = [];
  const errors: unknown[] = [];
  const open: DailyRetention[] = [];
  setup(() => {
    history = new History();
    now = 100 * day;
    [last, running, wanted, looks] = [0, false, { days: 30 }, 0];
    gone.length = 0;
    errors.length = 0;
  });
  teardown(() => {
    for (const each of open.splice(0)) each.dispose();
    history.close();
  });

  /** `retain` in the place of the history's own. */
  function begin(more: Partial<DailyRetentionOptions> = {}, retain?: () => Promise<RetentionOutcome>): void {
    const kept = new TaskHistory(history.store, () => {});
    open.push(
      new DailyRetention({
        contexts: {
          get running() {
            return running;
          },
          history: { retain: retain ?? (options => kept.retain(options)) },
        },
        wanted: () => {
          looks++;
          return wanted;
        },
        last: {
          get: () => last,
          set: async at => {
            last = at;
          },
        },
        onDone: done => {
          gone.push(done);
        },
        onError: error => {
          errors.push(error);
        },
        timing: { first: 1, again: 2 },
        now: () => now,
        ...more,
      }),
    );
  }
  const looked = (times: number): Promise<void> => {
    const end = looks + times;
    return until(() => looks >= end);
  };

  test('what is too old goes, once a day', async () => {
    const old = history.context();
    history.record(old, [is('old', 'COMPLETED')], Date.now() - 31 * day);
    const young = history.context();
    history.record(young, [is('young', 'COMPLETED')], Date.now() - day);
    begin();
    await until(() => gone.length === 1);
    assert.equal(gone[0]?.tasks.count, 1);
    assert.deepEqual([history.store.context(old), history.store.tasks({ context: young }).length], [undefined, 1]);
    await looked(3);
    assert.equal(gone.length, 1);
    now += day;
    await until(() => gone.length === 2);
    assert.deepEqual([gone[1]?.tasks.count, last], [0, now]);
  });

  test('not while something runs, not without limits, and not where another window has done it', async () => {
    running = true;
    begin();
    await looked(2);
    running = false;
    wanted = undefined;
    await looked(2);
    last = now - day + hour;
    wanted = { days: 30 };
    await looked(2);
    assert.deepEqual(gone, []);
    last -= hour;
    await until(() => gone.length === 1);
  });

  test('of two windows one does it, and one that fails tries again tomorrow', async () => {
    let tries = 0;
    const failing = async (): Promise<RetentionOutcome> => {
      tries++;
      throw new Error('busy');
    };
    begin({}, failing);
    begin({}, failing);
    await looked(6);
    assert.deepEqual([tries, errors.length], [1, 1]);
    now += day;
    await until(() => tries === 2);
  });

  test('a window that is closed does nothing more', async () => {
    begin();
    await looked(1);
    open[0]!.dispose();
    // Another window goes on for many times as long as it takes this one to look again.
    const before = looks;
    let others = 0;
    begin({
      wanted: () => {
        others++;
        return wanted;
      },
    });
    await until(() => others > 10);
    assert.equal(looks, before);
  });
});
