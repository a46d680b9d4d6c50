import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { english } from '../../../src/protocol/problem.ts';
import { follow, notReported, type Streamed } from '../../../src/conformance/rules/rule/streamed.ts';
import type { ProbeEvent, ProbePort, ProbeStream } from '../../../src/conformance/rules/rule/probe.ts';

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

  type First = [everyMs: number, mediaType: string, ...states: string[]];
  const portOf = (): ProbePort => ({ card: {} }) as never;
  const heard = (everyMs: number, ...states: readonly string[]): ReturnType<typeof heardOver> =>
    heardOver(portOf(), everyMs, 'text/event-stream', ...states);

  /** An event every so many milliseconds, without end; the last state is repeated. Resolves with how long it was listened to. */
  async function heardOver(
    port: ProbePort,
    everyMs: number,
    mediaType: string,
    ...states: readonly string[]
  ): Promise<{ readonly ms: number; readonly events: number; readonly open: boolean; readonly streamed: Streamed }> {
    let isClosed = false;
    async function* events(): AsyncGenerator<ProbeEvent> {
      for (let seq = 0; !isClosed; seq++) {
        yield {
          frame: { seq, at: 0, data: '' },
          result: states.length === 0 ? undefined : { statusUpdate: { status: { state: states[Math.min(seq, states.length - 1)] } } },
          error: undefined,
        } as never;
        await new Promise<void>(resolve => setTimeout(resolve, everyMs));
      }
    }
    const stream = {
      exchangeId: 'e',
      events: events(),
      // What is no stream is an answer, too.
      answer: () => (mediaType === 'text/plain' ? { status: 200, binding: 'JSONRPC' } : undefined),
      exchange: () => ({ id: 'e', response: { headers: [['Content-Type', mediaType]] } }),
      close: () => (isClosed = true),
    };
    const following = follow(port, stream as never as ProbeStream);
    while (!isClosed && now < 200_000) {
      await setImmediate();
      now += 100;
      mock.timers.tick(100);
    }
    const ms = now;
    // The event that is waited for still comes.
    mock.timers.tick(everyMs);
    const streamed = await following;
    return { ms, events: streamed.events.length, open: streamed.stayedOpen, streamed };
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

  for (const [what, first, shortMs] of [
    ['was silent', [60_000, 'text/event-stream', 'TASK_STATE_WORKING'], 1_000],
    ['had no event that can be read', [60_000, 'text/event-stream'], 1_000],
    ['had events none of which can be read', [4_000, 'text/event-stream'], 5_000],
    ['came as something else', [4_000, 'text/plain', 'TASK_STATE_COMPLETED'], 5_000],
  ] as [string, First, number][])
    test(`is left after a short silence where one before ${what}`, async () => {
      const port = portOf();
      await heardOver(port, ...first);
      now = 0;
      const { ms } = await heardOver(port, 60_000, 'text/event-stream', 'TASK_STATE_WORKING');
      assert.ok(ms >= shortMs && ms <= shortMs + 200, String(ms));
    });

  for (const [what, states, why] of [
    ['told a state', ['TASK_STATE_WORKING'], 'No event came after TASK_STATE_WORKING; the stream stayed open and was closed here.'],
    ['told none', [], 'No readable answer or event had the state of the task.'],
  ] as const)
    test(`is told as left where it ${what} and fell silent`, async () => {
      const { streamed } = await heard(60_000, ...states);
      const { verdict, why: said } = notReported(streamed);
      assert.deepEqual([verdict, english(said)], ['inconclusive', why]);
    });

  for (const [what, first] of [
    ['worked on and on', [4_000, 'text/event-stream', 'TASK_STATE_WORKING']],
    ['came to its end', [4_000, 'text/event-stream; charset=utf-8', 'TASK_STATE_COMPLETED']],
    ['waited', [4_000, 'text/event-stream', 'TASK_STATE_INPUT_REQUIRED']],
  ] as [string, First][])
    test(`is listened to as long as ever where one before ${what}`, async () => {
      const port = portOf();
      await heardOver(port, ...first);
      now = 0;
      const { ms } = await heardOver(port, 60_000, 'text/event-stream', 'TASK_STATE_WORKING');
      assert.ok(ms >= 50_000 && ms < 60_000, String(ms));
    });
});
