import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { untilTaskEnds } from '../../../src/client/transport/untilTaskEnds.ts';
import type { Step } from '../../../src/mock/script.ts';
import type { SendMessageParams } from '../../../src/protocol/message/operations.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';

const status = (state: TaskState): { readonly event: StreamResponse } => ({
  event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state } } },
});
const send: SendMessageParams = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } };

suite('a stream after the end of its task', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  /** Says that the task is over, and then the same for ever. */
  async function* forever(then: Step): AsyncGenerator<Step> {
    yield status('TASK_STATE_WORKING');
    yield status('TASK_STATE_COMPLETED');
    for (;;) {
      yield then;
      yield { delay: 1 };
    }
  }

  for (const [name, then] of [
    ['statuses', status('TASK_STATE_COMPLETED')],
    ['comments', { raw: ': still here\n\n' }],
  ] as const) {
    test(`${name} without end: the stream is closed`, async () => {
      const { client, agent } = await open.spoken({ SendStreamingMessage: () => forever(then) });
      const { items, error } = await drain(client.stream('SendStreamingMessage', send));
      assert.equal(error, undefined);
      const events = items.flatMap(batch => batch.events);
      assert.ok(events.length >= 2 && events.length < 10_000, String(events.length));
      while (!agent.requests[0]!.signal.aborted) await new Promise(resolve => setTimeout(resolve, 5));
    });
  }

  const late: Readonly<Record<string, readonly [binding: 'JSONRPC' | 'HTTP+JSON', raw: string, said: RegExp]>> = {
    'an error of JSON-RPC': [
      'JSONRPC',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"the pipe is gone"}}',
      /InternalError \(-32603\): the pipe is gone/,
    ],
    'an error without its envelope': ['JSONRPC', '{"code":-32603,"message":"the pipe is gone"}', /the pipe is gone/],
    'an error of HTTP': [
      'HTTP+JSON',
      '{"error":{"code":500,"status":"INTERNAL","message":"the pipe is gone"}}',
      /HTTP 500: the pipe is gone/,
    ],
    'an event that is called an error': ['HTTP+JSON', 'the pipe is gone', /the pipe is gone/],
  };
  for (const [name, [binding, data, said]] of Object.entries(late)) {
    test(`${name} after the end is a finding, and the answer stands`, async () => {
      const raw = { raw: `${name.includes('called') ? 'event: error\n' : ''}data: ${data}\n\n` };
      const { client, log } = await open.spoken(
        { SendStreamingMessage: [status('TASK_STATE_WORKING'), status('TASK_STATE_COMPLETED'), raw] },
        '1.0',
        { binding },
      );
      const { items, error } = await drain(client.stream('SendStreamingMessage', send, { log }));
      assert.equal(error, undefined);
      assert.deepEqual(items.flatMap(({ events }) => events).length, 2);
      const findings = items.flatMap(batch => batch.findings).filter(({ rule }) => rule === 'STRM-11');
      assert.equal(findings.length, 1, JSON.stringify(items.flatMap(batch => batch.findings)));
      assert.match(findings[0]!.message, said);
      const [exchange] = log.exchanges;
      assert.deepEqual([exchange?.failure, exchange?.findings.some(({ rule }) => rule === 'STRM-11')], [undefined, true]);
    });

    test(`${name} before the end fails the answer`, async () => {
      const raw = { raw: `${name.includes('called') ? 'event: error\n' : ''}data: ${data}\n\n` };
      const { client } = await open.spoken({ SendStreamingMessage: [status('TASK_STATE_WORKING'), raw] }, '1.0', { binding });
      assert.match(String((await drain(client.stream('SendStreamingMessage', send))).error), said);
    });
  }

  test("a raw body's too", async () => {
    const { client } = await open.spoken({ SendStreamingMessage: () => forever(status('TASK_STATE_COMPLETED')) });
    const { error } = await drain(client.sendRaw(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: send })));
    assert.equal(error, undefined);
  });

  /** Resolved once all batches before a wait have been read. */
  let waits = Promise.withResolvers<void>();
  const batches = (...states: readonly (TaskState | 'waits')[]) =>
    async function* (signal: AbortSignal): AsyncGenerator<{ events: readonly StreamResponse[] }> {
      for (const state of states) {
        if (state !== 'waits') yield { events: [status(state).event] };
        else {
          waits.resolve();
          await once(signal, 'abort');
          throw new Error('aborted');
        }
      }
    };
  const told = async (longest: { events: number; ms: number }, ...states: readonly (TaskState | 'waits')[]): Promise<[number, unknown]> => {
    const { items, error } = await drain(untilTaskEnds(batches(...states), {}, longest));
    return [items.length, error];
  };

  test('so many events are read, and no longer than so', async () => {
    const over = Array.from({ length: 9 }, () => 'TASK_STATE_COMPLETED' as const);
    assert.deepEqual(await told({ events: 3, ms: 60_000 }, 'TASK_STATE_WORKING', ...over), [5, undefined]);
    assert.deepEqual(await told({ events: 3, ms: 1 }, 'TASK_STATE_FAILED', 'waits'), [1, undefined]);
  });

  test('a task that the stream takes up again is read to its end', async () => {
    const works = Array.from({ length: 20 }, () => 'TASK_STATE_WORKING' as const);
    assert.deepEqual(await told({ events: 3, ms: 60_000 }, 'TASK_STATE_COMPLETED', ...works), [21, undefined]);
  });

  test('whoever cancels hears so', async () => {
    const cancel = new AbortController();
    waits = Promise.withResolvers();
    const reading = drain(untilTaskEnds(batches('TASK_STATE_COMPLETED', 'waits'), { signal: cancel.signal }));
    await waits.promise;
    cancel.abort();
    assert.equal(String((await reading).error), 'Error: aborted');
  });
});
