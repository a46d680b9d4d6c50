import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { AfterEnd } from '../../../src/client/transport/streamEnd.ts';
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
      const { client, agent, log } = await open.spoken({ SendStreamingMessage: () => forever(then) });
      const { items, error } = await drain(client.stream('SendStreamingMessage', send, { log }));
      assert.equal(error, undefined);
      const events = items.flatMap(batch => batch.events);
      assert.ok(events.length >= 2 && events.length < 10_000, String(events.length));
      while (!agent.requests[0]!.signal.aborted) await new Promise(resolve => setTimeout(resolve, 5));
      assert.equal(log.last.failure, 'Closed by the client.');
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
      /HTTP 200, code 500 in the body: the pipe is gone/,
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

  test('of 0.3 without final: true, which is a finding of the answer', async () => {
    const end = { kind: 'status-update', taskId: 't-1', contextId: 'c-1', status: { state: 'completed' }, final: false };
    const raw = { raw: `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: end })}\n\n` };
    const { client, log } = await open.spoken({ SendStreamingMessage: [status('TASK_STATE_WORKING'), raw] }, '0.3');
    const { items, error } = await drain(client.stream('SendStreamingMessage', send, { log }));
    assert.equal(error, undefined);
    const found = [items.flatMap(({ findings }) => findings), log.exchanges[0]?.findings ?? []];
    assert.deepEqual(
      found.map(each => each.filter(({ rule }) => rule === 'STRM-12').map(({ frame }) => frame)),
      [[1], [1]],
    );
  });

  test("a raw body's too", async () => {
    const { client } = await open.spoken({ SendStreamingMessage: () => forever(status('TASK_STATE_COMPLETED')) });
    const { error } = await drain(client.sendRaw(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: send })));
    assert.equal(error, undefined);
  });

  /** How many events are read until that is enough. */
  const readOf = (after: AfterEnd, states: readonly TaskState[]): number => {
    const last = states.findIndex(state => after.take([status(state).event]));
    return last === -1 ? states.length : last + 1;
  };

  test('so many events are read, and no longer than so', async () => {
    const over = Array.from({ length: 9 }, () => 'TASK_STATE_COMPLETED' as const);
    const many = new AfterEnd(undefined, { events: 3, ms: 60_000 });
    assert.equal(readOf(many, ['TASK_STATE_WORKING', ...over]), 5);
    many.stop();
    const silent = new AfterEnd(undefined, { events: 3, ms: 1 });
    assert.equal(readOf(silent, ['TASK_STATE_FAILED']), 1);
    await once(silent.signal, 'abort');
    assert.ok(silent.isOver);
  });

  test('a task that the stream takes up again is read to its end', () => {
    const works = Array.from({ length: 20 }, () => 'TASK_STATE_WORKING' as const);
    assert.equal(readOf(new AfterEnd(undefined, { events: 3, ms: 60_000 }), ['TASK_STATE_COMPLETED', ...works]), 21);
  });

  test('whoever cancels hears so', async () => {
    const { client } = await open.spoken({ SendStreamingMessage: [status('TASK_STATE_COMPLETED'), { delay: 60_000 }] });
    const cancel = new AbortController();
    const reading = (async () => {
      for await (const _ of client.stream('SendStreamingMessage', send, { signal: cancel.signal })) setImmediate(() => cancel.abort());
    })();
    await assert.rejects(reading, { code: 'cancelled' });
  });
});
