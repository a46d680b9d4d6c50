import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { follow } from '../../../src/protocol/rules/rule/streamed.ts';
import type { ProbeEvent, ProbeStream } from '../../../src/protocol/rules/rule/probe.ts';

suite('a stream that a probe listens to', () => {
  let now = 0;
  setup(() => {
    now = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now);
  });
  teardown(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  /** An event every so many milliseconds, without end; the last state is repeated. Resolves with how long it was listened to. */
  async function heard(
    everyMs: number,
    ...states: readonly string[]
  ): Promise<{ readonly ms: number; readonly events: number; readonly open: boolean }> {
    let isClosed = false;
    async function* events(): AsyncGenerator<ProbeEvent> {
      for (let seq = 0; !isClosed; seq++) {
        yield {
          frame: { seq, at: 0, data: '' },
          result: { statusUpdate: { status: { state: states[Math.min(seq, states.length - 1)] } } },
          error: undefined,
        } as never;
        await new Promise<void>(resolve => setTimeout(resolve, everyMs));
      }
    }
    const stream = {
      exchangeId: 'e',
      events: events(),
      answer: () => undefined,
      exchange: () => ({ id: 'e' }),
      close: () => (isClosed = true),
    };
    const following = follow(stream as never as ProbeStream);
    while (!isClosed && now < 200_000) {
      await setImmediate();
      now += 100;
      mock.timers.tick(100);
    }
    const ms = now;
    // The event that is waited for still comes.
    mock.timers.tick(everyMs);
    const { events: all, stayedOpen } = await following;
    return { ms, events: all.length, open: stayedOpen };
  }

  test('is left a while after the end of its task, however much comes after that, and what came is there', async () => {
    const { ms, events, open } = await heard(4_000, 'TASK_STATE_COMPLETED');
    assert.ok(ms >= 5_000 && ms <= 5_200, String(ms));
    assert.equal(events, 2);
    assert.equal(open, true);
  });

  test('is left also where the task begins again after its end', async () => {
    const { ms } = await heard(4_000, 'TASK_STATE_COMPLETED', 'TASK_STATE_WORKING');
    assert.ok(ms >= 5_000 && ms <= 5_200, String(ms));
  });

  test('is left where the task works on and on, before its request is over', async () => {
    const { ms, open } = await heard(20_000, 'TASK_STATE_WORKING');
    assert.ok(ms >= 50_000 && ms < 60_000, String(ms));
    assert.equal(open, false);
  });

  test('is watched for a moment while the task waits', async () => {
    const { ms, open } = await heard(10_000, 'TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED');
    assert.ok(ms >= 10_400 && ms <= 10_800, String(ms));
    assert.equal(open, true);
  });
});
