import * as assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { Http } from '../../../src/client/http/http.ts';
import { KeptConnections } from '../../../src/client/http/keptConnections.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { ignoreFindings } from '../../../src/protocol/finding.ts';
import { readAgentCard } from '../../../src/protocol/versions/index.ts';
import { eventually } from '../../support/eventually.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { envelope, proto, serveRaw } from '../../support/client/rawGrpc.ts';
import { asks } from '../../support/client/says.ts';

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
const idleMs = 30;

/** An agent that asks before it works, and aborts what it does for a client whose connection closes. */
function strictAgent({ keepAlive = '' } = {}): {
  readonly listener: RequestListener;
  readonly aborted: Set<string>;
  readonly sockets: Socket[];
} {
  const aborted = new Set<string>();
  const sockets: Socket[] = [];
  let tasks = 0;
  const bodyOf = async (request: IncomingMessage): Promise<string> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    return body;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { id, method, params } = JSON.parse(await bodyOf(request)) as {
      id: string;
      method: string;
      params: { id?: string; historyLength?: number; message?: { taskId?: string; parts: { text: string }[] } };
    };
    const known = params.message?.taskId ?? params.id;
    const taskId = known ?? `t-${++tasks}`;
    if (known === undefined) {
      sockets.push(request.socket);
      request.socket.once('close', () => aborted.add(taskId));
    }
    const finishes = known !== undefined || params.message?.parts[0]?.text === 'at once';
    const state = aborted.has(taskId)
      ? 'TASK_STATE_CANCELED'
      : method === 'CancelTask'
        ? 'TASK_STATE_CANCELED'
        : finishes
          ? 'TASK_STATE_COMPLETED'
          : 'TASK_STATE_INPUT_REQUIRED';
    const task = { id: taskId, contextId: 'c', status: { state } };
    const result = method === 'GetTask' || method === 'CancelTask' ? task : { task };
    const isGone = known === 'unknown' || params.historyLength === 1;
    const text = JSON.stringify({ jsonrpc: '2.0', id, ...(isGone ? { error: { code: -32001, message: 'no such task' } } : { result }) });
    if (keepAlive !== '') response.setHeader('keep-alive', keepAlive);
    if (method === 'SendStreamingMessage') response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${text}\n\n`);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  };
  return { listener: (request, response) => void answer(request, response), aborted, sockets };
}

suite('connections at rest', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  function clientOf(url: string, http: Http, binding = 'JSONRPC'): AgentClient {
    const card = readAgentCard(
      { ...minimalCard(url, '1.0'), supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: '1.0' }] },
      ignoreFindings,
    );
    return new AgentClient({ card, chosen: chooseInterface(card, url), http, agentUrl: url });
  }

  const first = async (client: AgentClient, streams: boolean, text = 'pay'): Promise<void> => {
    if (!streams) await client.call('SendMessage', asks(text));
    else for await (const _ of client.stream('SendStreamingMessage', asks(text)));
  };
  /** Longer than a connection rests without a reason: one that began to rest later than all others is closed. */
  async function thought(http: Http): Promise<void> {
    const { listener, sockets } = strictAgent();
    await first(clientOf(await open.web(listener), http), false, 'at once');
    await eventually(() => assert.equal(sockets[0]?.destroyed, true));
  }
  const approve = { message: { ...asks('yes').message, taskId: 't-1', contextId: 'c' } };

  for (const streams of [false, true]) {
    for (const keepAlive of ['', 'timeout=5']) {
      test(`an agent that aborts with the connection still gets an approval after a thought${streams ? ', after a stream' : ''}${keepAlive && ', whatever it hints at'}`, async () => {
        const { listener, aborted, sockets } = strictAgent({ keepAlive });
        const http = open.http({ idleMs });
        const client = clientOf(await open.web(listener), http);
        await first(client, streams);
        await thought(http);
        assert.deepEqual([...aborted], []);
        const { result } = await client.call('SendMessage', approve);
        assert.ok('task' in result && result.task.status.state === 'TASK_STATE_COMPLETED', JSON.stringify(result));
        await eventually(async () => assert.equal(sockets[0]?.destroyed, true));
      });
    }

    test(`a connection without an unfinished task goes${streams ? ', after a stream' : ''}`, async () => {
      const { listener, sockets } = strictAgent();
      await first(clientOf(await open.web(listener), open.http({ idleMs })), streams, 'at once');
      await eventually(async () => assert.equal(sockets[0]?.destroyed, true));
    });
  }

  for (const operation of ['GetTask', 'CancelTask'] as const) {
    test(`${operation} that tells the end lets the connection go`, async () => {
      const { listener, sockets, aborted } = strictAgent();
      const http = open.http({ idleMs });
      const client = clientOf(await open.web(listener), http);
      await first(client, false);
      await thought(http);
      assert.equal(aborted.size, 0);
      await client.call(operation, { id: 't-1' });
      await eventually(async () => assert.equal(sockets[0]?.destroyed, true));
    });
  }

  test('a task that the agent does not have lets its connection go', async () => {
    const { listener, sockets } = strictAgent();
    const http = open.http({ idleMs });
    const client = clientOf(await open.web(listener), http);
    await first(client, false);
    await assert.rejects(client.call('GetTask', { id: 'unknown' }), /TaskNotFound/);
    await thought(http);
    assert.equal(sockets[0]?.destroyed, false);
    await assert.rejects(client.call('GetTask', { id: 't-1', historyLength: 1 }), /TaskNotFound/);
    await eventually(async () => assert.equal(sockets[0]?.destroyed, true));
  });

  test('nothing rests for ever', async () => {
    const { listener, sockets } = strictAgent();
    await first(clientOf(await open.web(listener), open.http({ idleMs: 1, holdMs: 50 })), false);
    await eventually(async () => assert.equal(sockets[0]?.destroyed, true));
  });

  test('the one that has rested longest goes when there are too many', async () => {
    const { listener, sockets } = strictAgent();
    const client = clientOf(await open.web(listener), open.http({ idleMs: 1, most: 2 }));
    for (let turn = 0; turn < 3; turn++) {
      await first(client, false);
      await pause(20);
    }
    await eventually(async () =>
      assert.deepEqual(
        sockets.map(({ destroyed }) => destroyed),
        [true, false, false],
      ),
    );
  });

  test('a send soon after another one uses its connection, after a sleep another', async () => {
    const { listener, sockets } = strictAgent();
    const http = open.http({ idleMs: 10_000 });
    const client = clientOf(await open.web(listener), http);
    for (let turn = 0; turn < 4; turn++) await first(client, turn % 2 === 1, 'at once');
    assert.equal(new Set(sockets).size, 1);
    http.renew();
    await first(client, false, 'at once');
    assert.equal(new Set(sockets).size, 2);
  });

  test('a sleep does not close what a task needs', async () => {
    const { listener, aborted } = strictAgent();
    const http = open.http({ idleMs });
    const client = clientOf(await open.web(listener), http);
    await first(client, false);
    http.renew();
    await thought(http);
    assert.equal(aborted.size, 0);
  });

  const state = (number: number): Buffer => envelope(proto([1, proto([1, 't-1'], [2, 'c-1'], [3, proto([1, number])])]));
  for (const streams of [false, true]) {
    test(`gRPC: ${streams ? 'a stream' : 'a call'} that ends with a question leaves its connection open until the task is over`, async () => {
      const server = await serveRaw({ body: [state(6)], trailers: { 'grpc-status': '0' } });
      const http = open.http({ idleMs });
      try {
        const client = clientOf(`http://${server.address}`, http, 'GRPC');
        let closed = false;
        void server.closed.then(() => {
          closed = true;
        });
        await first(client, streams);
        await thought(http);
        assert.equal(closed, false);
        http.kept.taskEnded(`http://${server.address} t-1`);
        await server.closed;
      } finally {
        await server.stop();
      }
    });

    test(`gRPC: ${streams ? 'a stream' : 'a call'} whose task is over leaves no connection`, async () => {
      const server = await serveRaw({ body: [state(3)], trailers: { 'grpc-status': '0' } });
      try {
        await first(clientOf(`http://${server.address}`, open.http(), 'GRPC'), streams);
        await server.closed;
      } finally {
        await server.stop();
      }
    });
  }

  test('closing everything closes what rests', () => {
    let closed = 0;
    const kept = new KeptConnections();
    kept.use('one', { origin: 'http://a', close: () => closed++ });
    kept.use('two', { origin: 'http://a', close: () => closed++ });
    kept.addTask('one', 't');
    kept.answerEnded('one');
    kept.closeAll();
    assert.equal(closed, 2);
  });
});
