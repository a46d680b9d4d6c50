import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { RequestLimit, type SignsOfLife } from '../../../src/model/requests/requestLimit.ts';

const never = new Promise<never>(() => {});
const silent: SignsOfLife = { lastReceivedAt: () => undefined };
const code = 'time-limit';
const patience = { first: 40, later: 160 };

suite('how long a request may take', () => {
  /** Milliseconds by the test's own clock: what passes in the test depends on no machine. */
  let time: number;
  const limitOf = (timeoutMs: number | undefined): RequestLimit => new RequestLimit(timeoutMs, undefined, patience, () => time);
  const passes = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed++) {
      time++;
      mock.timers.tick(1);
      await Promise.resolve();
    }
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  /** Work that is done after so long. */
  const after = async (ms: number): Promise<void> => new Promise(resolve => void setTimeout(resolve, ms));
  const outcomeOf = (work: Promise<unknown>): { over: boolean; problem?: unknown } => {
    const outcome: { over: boolean; problem?: unknown } = { over: false };
    work.then(
      () => {
        outcome.over = true;
      },
      (problem: unknown) => Object.assign(outcome, { over: true, problem }),
    );
    return outcome;
  };
  setup(() => {
    time = 1_000;
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  teardown(() => mock.timers.reset());

  test('the result of what is done in time', async () => {
    const limit = limitOf(5_000);
    assert.equal(await limit.within(Promise.resolve(7), silent), 7);
    assert.equal(limit.problem, undefined);
    assert.equal(limit.signal.aborted, false);
  });

  test('what is not done in time, the agent silent or not', async () => {
    const limit = limitOf(20);
    const rejected = assert.rejects(limit.within(never, silent), { code, message: 'The agent gave no sign of life within 20 ms.' });
    await passes(19);
    assert.equal(limit.signal.aborted, false);
    await passes(1);
    await rejected;
    assert.equal(limit.signal.aborted, true);
    const lastReceivedAt = time;
    const heard = assert.rejects(limitOf(20).within(never, { lastReceivedAt: () => lastReceivedAt }), {
      code,
      message: 'The request did not finish within 20 ms.',
    });
    await passes(20);
    await heard;
  });

  test('time in which a debugger may hold the agent does not count', async () => {
    let held = true;
    const limit = new RequestLimit(
      20,
      () => held,
      patience,
      () => time,
    );
    const outcome = outcomeOf(limit.within(never, silent));
    await passes(5_000);
    assert.equal(outcome.over, false);
    held = false;
    await passes(1_000 + 19);
    assert.equal(outcome.over, false);
    await passes(1);
    assert.equal((outcome.problem as { code: string }).code, code);
  });

  test('several steps share one limit; what is between them does not count', async () => {
    const limit = limitOf(300);
    const first = outcomeOf(limit.within(after(200), silent));
    await passes(200);
    assert.deepEqual(first, { over: true });
    await passes(150);
    const second = outcomeOf(limit.within(never, silent));
    await passes(99);
    assert.equal(second.over, false);
    await passes(1);
    assert.equal((second.problem as { code: string }).code, code);
  });

  test('without a limit the agent has to give signs of life, the first sooner than those after it', async () => {
    const mute = outcomeOf(limitOf(undefined).within(never, silent));
    await passes(39);
    assert.equal(mute.over, false);
    await passes(1);
    assert.match(String(mute.problem), /gave no sign of life within 40 ms/);
    let heard = time;
    const beating = outcomeOf(limitOf(undefined).within(after(300), { lastReceivedAt: () => heard }));
    for (let beat = 0; beat < 30; beat++) {
      assert.equal(beating.over, false);
      await passes(10);
      heard = time;
    }
    assert.deepEqual(beating, { over: true });
    heard = time;
    const silenced = outcomeOf(limitOf(undefined).within(never, { lastReceivedAt: () => heard }));
    await passes(159);
    assert.equal(silenced.over, false);
    await passes(1);
    assert.match(String(silenced.problem), /160 ms/);
  });
});
