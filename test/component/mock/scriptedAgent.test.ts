import * as assert from 'node:assert/strict';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { Script } from '../../../src/mock/script.ts';

const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

suite('scripted agent', () => {
  const running: ScriptedAgent[] = [];
  teardown(async () => {
    await Promise.all(running.splice(0).map(agent => agent.stop()));
  });

  async function agentWith(script: Script, generation = '1.0', onError?: (error: unknown) => void): Promise<ScriptedAgent> {
    const agent = scriptedAgent({ script, version: generation, onError });
    await agent.start();
    running.push(agent);
    return agent;
  }

  const post = (url: string, body: unknown): Promise<Response> =>
    fetch(url, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });

  for (const [generation, member] of [
    ['1.0', 'supportedInterfaces'],
    ['0.3', 'preferredTransport'],
  ] as const) {
    test(`shows a ${generation} card that leads to itself`, async () => {
      const { url } = await agentWith({}, generation);
      const response = await fetch(`${url}.well-known/agent-card.json`);
      assert.equal(response.headers.get('content-type'), 'application/json');
      const text = await response.text();
      assert.ok(text.includes(member) && text.includes(JSON.stringify(url)));
    });
  }

  test("says one media type, the script's own where that has one, however its name is written", async () => {
    for (const name of ['content-type', 'Content-Type']) {
      const { url } = await agentWith({ GetTask: [{ status: 200, headers: { [name]: 'text/event-stream' } }, { raw: 'data: {}\n\n' }] });
      const response = await post(url, { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't' } });
      assert.equal(response.headers.get('content-type'), 'text/event-stream');
    }
  });

  test('writes a stream in its generation', async () => {
    const { url } = await agentWith(
      {
        SendStreamingMessage: [
          { event: { task: { id: 't', status: { state: 'TASK_STATE_WORKING' } } } },
          { event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } } },
          { error: { code: -32603, message: 'broken' } },
        ],
      },
      '0.3',
    );
    const response = await post(url, {
      jsonrpc: '2.0',
      id: 5,
      method: 'message/stream',
      params: { message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] } },
    });
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    const events = (await response.text())
      .trim()
      .split('\n\n')
      .map(event => JSON.parse(event.slice('data: '.length)) as unknown);
    assert.deepEqual(events, [
      { jsonrpc: '2.0', id: 5, result: { kind: 'task', id: 't', contextId: 't', status: { state: 'working' } } },
      {
        jsonrpc: '2.0',
        id: 5,
        result: { kind: 'status-update', taskId: 't', contextId: 'c', status: { state: 'input-required' }, final: true },
      },
      { jsonrpc: '2.0', id: 5, error: { code: -32603, message: 'broken' } },
    ]);
  });

  test('answers a streaming request without a stream, in its generation', async () => {
    const { url } = await agentWith(
      { SendStreamingMessage: [{ answer: { task: { id: 't', status: { state: 'TASK_STATE_COMPLETED' } } } }] },
      '0.3',
    );
    const response = await post(url, {
      jsonrpc: '2.0',
      id: 5,
      method: 'message/stream',
      params: { message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] } },
    });
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.deepEqual(await response.json(), {
      jsonrpc: '2.0',
      id: 5,
      result: { kind: 'task', id: 't', contextId: 't', status: { state: 'completed' } },
    });
  });

  const faults: Readonly<Record<string, { readonly body: unknown; readonly code: number; readonly id: unknown }>> = {
    'no JSON': { body: '{', code: -32700, id: null },
    'no request': { body: [], code: -32600, id: null },
    'a method of another generation': { body: { jsonrpc: '2.0', id: 'a', method: 'message/send', params: {} }, code: -32601, id: 'a' },
    'an operation without a turn': { body: { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't' } }, code: -32601, id: 1 },
    'params without a message': { body: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: {} }, code: -32602, id: 1 },
    'a message without parts': {
      body: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: { ...message, parts: [] } } },
      code: -32602,
      id: 1,
    },
    'params without an id': { body: { jsonrpc: '2.0', id: 1, method: 'CancelTask' }, code: -32602, id: 1 },
  };
  for (const [name, { body, code, id }] of Object.entries(faults)) {
    test(`${name} is refused with ${code}`, async () => {
      const { url } = await agentWith({ SendMessage: [{ status: 500 }], CancelTask: [{ status: 500 }] });
      const answer = (await (await post(url, body)).json()) as { id: unknown; error: { code: number } };
      assert.deepEqual([answer.error.code, answer.id], [code, id]);
    });
  }

  test('turns see the request in core shape and may differ', async () => {
    const agent = await agentWith(
      {
        *SendMessage({ params }) {
          const text = params!.message.parts.map(part => ('text' in part ? part.text : '')).join('');
          yield { answer: { message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: text.toUpperCase() }] } } };
        },
      },
      '0.3',
    );
    const answer = (await (
      await post(agent.url, {
        jsonrpc: '2.0',
        id: 1,
        method: 'message/send',
        params: {
          message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
          configuration: { blocking: false },
        },
      })
    ).json()) as { result: { parts: unknown } };
    assert.deepEqual(answer.result.parts, [{ kind: 'text', text: 'HI' }]);
    assert.deepEqual(
      agent.requests.map(({ method, operation, params }) => [method, operation, params]),
      [['POST', 'SendMessage', { message, configuration: { returnImmediately: true } }]],
    );
  });

  test('a script that throws breaks its connection and is told of', async () => {
    const errors: unknown[] = [];
    const fault = new Error('my script is wrong');
    const { url } = await agentWith(
      {
        SendMessage: () => {
          throw fault;
        },
      },
      '1.0',
      error => errors.push(error),
    );
    await assert.rejects(post(url, { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }));
    assert.deepEqual(errors, [fault]);
  });

  test('a client that leaves ends its turn and is no fault', async () => {
    const errors: unknown[] = [];
    const left = Promise.withResolvers<void>();
    const { url } = await agentWith(
      {
        async *SendStreamingMessage() {
          try {
            for (;;) {
              yield { event: { message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'x'.repeat(10_000) }] } } };
            }
          } finally {
            left.resolve();
          }
        },
      },
      '1.0',
      error => errors.push(error),
    );
    const controller = new AbortController();
    const response = await fetch(url, {
      method: 'POST',
      headers,
      signal: controller.signal,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } }),
    });
    await response.body?.getReader().read();
    controller.abort();
    await left.promise;
    assert.deepEqual(errors, []);
  });

  test('stopping breaks what is under way, and the port is free again', async () => {
    const agent = await agentWith({ SendMessage: [{ stall: true }] });
    const pending = post(agent.url, { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } });
    const outcome = assert.rejects(pending);
    while (agent.requests.length === 0) await new Promise(resolve => setTimeout(resolve, 1));
    const port = Number(new URL(agent.url).port);
    await agent.stop();
    await outcome;
    await agent.start(port);
    assert.equal((await fetch(agent.url)).status, 404);
  });

  test('a generation nobody speaks is refused', () => {
    assert.throws(() => scriptedAgent({ version: '9.9', script: {} }), { code: 'unknown-generation' });
  });
});
