import * as assert from 'node:assert/strict';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import type { Step } from '../../../src/mock/script.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import type { SendMessageParams } from '../../../src/protocol/message/operations.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';

const send: SendMessageParams = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } };
const head = (type: string): Step => ({ status: 200, headers: { 'content-type': type } });
const result = (more: string, state = 'TASK_STATE_WORKING'): string =>
  `{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","contextId":"c","status":{"state":"${state}"}${more}}}}`;
const keys = (count: number): string => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');
const huge = result(`,"metadata":{${keys(210_000)}}`);

/** What one takes for many values without looking at strings. */
const long = result(`,"metadata":{"a":${JSON.stringify('{"x":[1,2,3],"y":"\\"},'.repeat(20_000))}}`);

suite('a message of more than 200,000 values', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  test('in a stream is kept as it came and passed over; the stream goes on', async () => {
    const { client, log } = await open.spoken({
      SendStreamingMessage: [
        head('text/event-stream'),
        { raw: `data: ${result('')}\n\n` },
        { raw: `data: ${huge}\n\n` },
        { raw: `data: ${result('', 'TASK_STATE_COMPLETED')}\n\n` },
      ],
    });
    const { items, error } = await drain(client.stream('SendStreamingMessage', send, { log }));
    assert.equal(error, undefined);
    assert.deepEqual(
      items.flatMap(({ events }) => events).map(event => ('task' in event ? event.task.status.state : event)),
      ['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'],
    );
    assert.deepEqual(
      items
        .flatMap(({ findings }) => findings)
        .filter(({ rule }) => rule === 'DATA-01')
        .map(({ message }) => message),
      ['A message exceeds the limit of 200000 values.'],
    );
    assert.equal(items.flatMap(({ frames }) => frames)[1]?.data, huge);
  });

  for (const [name, raw] of [
    ['an event', `data: ${huge}\n\n`],
    ['the last event, without its blank line', `data: ${huge}`],
    ['an event over many lines', `data: ${huge.replaceAll(',', ',\ndata: ')}\n\n`],
  ] as const) {
    test(`${name} that is all: the error says the limit`, async () => {
      const { client } = await open.spoken({
        SendStreamingMessage: [head('text/event-stream'), { raw }],
        SendMessage: [head('text/event-stream'), { raw }],
      });
      const { error } = await drain(client.stream('SendStreamingMessage', send));
      assert.ok(error instanceof Problem && error.code === 'too-large', String(error));
      await assert.rejects(client.call('SendMessage', send), { code: 'too-large' });
    });
  }

  test('as an answer is an error that says so, and stays in the exchange', async () => {
    const { client, log } = await open.spoken({ SendMessage: [head('application/json'), { raw: huge }] });
    await assert.rejects(client.call('SendMessage', send, { log }), { code: 'too-large', message: /200000 values/ });
    assert.equal(log.exchanges.at(-1)?.response?.body, huge);
  });

  test('as a card is no card, and the error says why', async () => {
    const url = await open.web((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"name":"a","url":"http://127.0.0.1:1","skills":[],"x":{${keys(210_000)}}}`),
    );
    await assert.rejects(resolveAgentCard(url, { http: open.http() }), { code: 'not-a-card', message: /200000 values/ });
  });

  for (const [what, most] of [
    ['artifacts', Array.from({ length: 10_001 }, (_, index) => ({ artifactId: `a${index}`, parts: [] }))],
    ['messages', Array.from({ length: 10_001 }, (_, index) => ({ messageId: `m${index}`, role: 'ROLE_AGENT', parts: [] }))],
  ] as const) {
    test(`a task of many tiny ${what} is passed over with the name of the bound, and one of as many as are read is read`, async () => {
      const member = what === 'artifacts' ? 'artifacts' : 'history';
      const told = (list: readonly object[]): string => result(`,"${member}":${JSON.stringify(list)}`);
      const { client } = await open.spoken({
        SendStreamingMessage: [
          head('text/event-stream'),
          ...[told(most), told(most.slice(1)), result('', 'TASK_STATE_COMPLETED')].map(json => ({ raw: `data: ${json}\n\n` })),
        ],
      });
      const { items, error } = await drain(client.stream('SendStreamingMessage', send));
      assert.equal(error, undefined);
      assert.deepEqual(
        items.flatMap(({ events }) => events).map(event => ('task' in event ? (event.task[member]?.length ?? 0) : event)),
        [10_000, 0],
      );
      assert.deepEqual(
        items
          .flatMap(({ findings }) => findings)
          .filter(({ rule }) => rule === 'DATA-01')
          .map(({ message }) => message),
        ['A task exceeds the limit of 10000 artifacts or messages.'],
      );
    });
  }

  test('a long text in which there would be many is one value', async () => {
    const { client } = await open.spoken({ SendMessage: [head('application/json'), { raw: long }] });
    assert.ok('task' in (await client.call('SendMessage', send)).result);
  });
});
