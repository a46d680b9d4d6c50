import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type OutgoingHttpHeaders } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { maxBodyBytes } from '../../../src/mock/body.ts';
import type { Script } from '../../../src/mock/script.ts';
import { envelope } from '../../support/client/rawGrpc.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';
import { says, statusUpdate, task } from '../../support/client/says.ts';

const path = '/lf.a2a.v1.A2AService/GetTask';
const message = { messageId: 'm', role: 'ROLE_USER' as const, parts: [{ text: 'x' }] };

suite('scripted agent over gRPC', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  async function spoken(script: Script, version = '1.0') {
    const { client, agent, log } = await open.spoken(script, version, { binding: 'GRPC' });
    assert.equal(client.chosen.transport.protocolBinding, 'GRPC');
    return { client, agent, log };
  }

  /** One call, byte by byte: its head with its trailers. */
  async function called(url: string, body: Uint8Array, more: OutgoingHttpHeaders = {}): Promise<Readonly<Record<string, unknown>>> {
    const session = connect(url);
    open.add(async () => session.destroy());
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      'a2a-version': '1.0',
      ...more,
    });
    const trailers: Record<string, unknown> = {};
    stream.on('trailers', came => Object.assign(trailers, came)).on('error', () => {});
    stream.end(body);
    let head: Record<string, unknown> | undefined;
    stream.on('response', came => (head = came)).resume();
    await once(stream, 'close');
    assert.ok(head, 'no answer');
    return { ...head, ...trailers };
  }

  test('one connection has at most a hundred calls at once: each may keep a body in memory', async () => {
    const { agent } = await spoken({});
    const session = connect(agent.url);
    open.add(async () => session.destroy());
    const [settings] = (await once(session, 'remoteSettings')) as [{ readonly maxConcurrentStreams?: number }];
    assert.equal(settings.maxConcurrentStreams, 100);
  });

  for (const version of ['1.0', '0.3', '0.2'])
    test(`A2A ${version}: messages, streams, tasks and errors`, async () => {
      const done = task('TASK_STATE_COMPLETED', {
        artifacts: [{ artifactId: 'a', parts: [{ text: 'grüße 🚢' }, { raw: 'AQID', mediaType: 'image/png' }] }],
      });
      const { client, agent } = await spoken(
        {
          SendMessage: [{ answer: { message: says('hi') } }],
          SendStreamingMessage: [
            { event: { task: task('TASK_STATE_WORKING') } },
            { delay: 1 },
            { event: statusUpdate('TASK_STATE_COMPLETED') },
          ],
          GetTask: [{ answer: done }],
          CancelTask: [{ error: { code: -32002, message: 'ünmöglich: 100%' } }],
        },
        version,
      );
      const { result } = await client.call('SendMessage', { message });
      assert.match(JSON.stringify(result), /"hi"/);
      const { items, error } = await drain(client.stream('SendStreamingMessage', { message }));
      assert.equal(error, undefined);
      assert.deepEqual(
        items.flatMap(({ events }) => events).map(event => Object.keys(event)[0]),
        ['task', 'statusUpdate'],
      );
      const got = await client.call('GetTask', { id: 't-1' });
      assert.deepEqual(got.result.artifacts?.[0]?.parts, done.artifacts![0]!.parts);
      await assert.rejects(client.call('CancelTask', { id: 't-1' }), { rpcCode: -32002, said: 'ünmöglich: 100%' });
      await assert.rejects(client.call('ListTaskPushNotificationConfigs', { taskId: 't-1' }), error =>
        /PushNotificationNotSupported|FAILED_PRECONDITION/.test(String(error)),
      );
      assert.deepEqual(
        agent.requests
          .map(({ operation }) => operation)
          .filter(Boolean)
          .slice(0, 2),
        ['SendMessage', 'SendStreamingMessage'],
      );
    });

  test('an error in the middle of a stream ends it, a broken connection breaks it, and an empty answer is one', async () => {
    const working = { event: { task: task('TASK_STATE_WORKING') } };
    for (const [steps, reason] of [
      [[working, { error: { code: -32603, message: 'no more' } }], /no more/],
      [[working, { delay: 20 }, { close: true }], /connection/i],
      [[], /without sending anything/],
    ] as const) {
      const { client } = await spoken({ SendStreamingMessage: steps });
      const { items, error } = await drain(client.stream('SendStreamingMessage', { message }));
      assert.match(String(error), reason);
      assert.equal(items.length, Math.min(1, steps.length));
    }
  });

  test('what no message of gRPC can say is an internal error', async () => {
    const { client } = await spoken({
      GetTask: [{ answer: task('TASK_STATE_COMPLETED', { status: { state: 'TASK_STATE_COMPLETED', timestamp: 'yesterday' } }) }],
    });
    await assert.rejects(client.call('GetTask', { id: 't-1' }), { rpcCode: -32603 });
  });

  test('a client that leaves ends its turn', async () => {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    const { client } = await spoken({
      async *SendStreamingMessage({ signal }) {
        signal.addEventListener('abort', () => resolve());
        yield { event: { task: task('TASK_STATE_WORKING') } };
        yield { stall: true };
      },
    });
    for await (const { events } of client.stream('SendStreamingMessage', { message })) {
      assert.equal(events.length, 1);
      break;
    }
    // Kept connections of tasks at work are closed with the client.
    await open.close();
    await left;
  });

  test('wrong calls are refused', async () => {
    const { agent } = await spoken({});
    const { url } = agent;
    const empty = envelope(new Uint8Array());
    const ofTask = envelope(Buffer.from([0x12, 1, 0x78]));
    const compressed = Buffer.from(ofTask).fill(1, 0, 1);
    const shorter = Buffer.from(ofTask);
    shorter.writeUInt32BE(2, 1);
    assert.equal((await called(url, empty))['grpc-status'], '3');
    for (const [body, headers, expected] of [
      [Buffer.from('x'), {}, { 'grpc-status': '3' }],
      [compressed, {}, { 'grpc-status': '3' }],
      [shorter, {}, { 'grpc-status': '3' }],
      [Buffer.alloc(maxBodyBytes + 1), {}, { ':status': 413 }],
      [envelope(Buffer.from([0xff])), {}, { 'grpc-status': '3' }],
      [ofTask, {}, { 'grpc-status': '12' }],
      [empty, { ':path': '/lf.a2a.v1.A2AService/Guess' }, { 'grpc-status': '12' }],
      [empty, { 'a2a-version': '0.3' }, { 'grpc-status': '9' }],
      [empty, { 'content-type': 'application/json' }, { ':status': 415 }],
      [empty, { origin: 'http://evil.example' }, { ':status': 403 }],
    ] as const) {
      const came = await called(url, body, headers);
      for (const [name, value] of Object.entries(expected)) assert.equal(came[name], value, JSON.stringify([headers, came]));
    }
    assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 404);
    assert.equal((await fetch(`${url}.well-known/agent-card.json`)).status, 200);
  });

  test('the words of an error are encoded as a trailer has to be', async () => {
    const { agent } = await spoken({ GetTask: [{ error: { code: -32001, message: 'ünmöglich: 100%' } }] });
    const came = await called(agent.url, envelope(Buffer.from([0x12, 1, 0x78])));
    assert.deepEqual([came['grpc-status'], came['grpc-message']], ['5', '%C3%BCnm%C3%B6glich%3A%20100%25']);
  });

  test('stopping breaks what is under way, also a connection that said nothing, and the port is free again', async () => {
    const { agent } = await spoken({ GetTask: [{ stall: true }] });
    const port = Number(new URL(agent.url).port);
    const silent = connectTcp(port, '127.0.0.1').on('error', () => {});
    await once(silent, 'connect');
    const closed = once(silent, 'close');
    const broken = assert.rejects(called(agent.url, envelope(Buffer.from([0x12, 1, 0x78]))));
    while (!agent.requests.some(({ operation }) => operation === 'GetTask')) await new Promise(resolve => setTimeout(resolve, 1));
    await agent.stop();
    await Promise.all([closed, broken]);
    await agent.start(port);
    assert.equal((await fetch(`${agent.url}.well-known/agent-card.json`)).status, 200);
  });
});
