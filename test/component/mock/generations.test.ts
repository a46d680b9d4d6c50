import * as assert from 'node:assert/strict';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { Script } from '../../../src/mock/script.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { versions } from '../../../src/protocol/versions/index.ts';
import { isA2A } from '../../support/protocol/operationsOf.ts';

/** What clients send with every request of 1.0; agents of other generations do not look at the version. */
const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };

const working: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };

/** What a client of the generation sends and gets, word for word. */
const words: Readonly<Record<string, { readonly sent: object; readonly event: object; readonly task: object }>> = {
  '1.0': {
    sent: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } },
    event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } },
    task: working,
  },
  '1.0-rc': {
    sent: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } },
    event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } },
    task: working,
  },
  '1.0-draft': {
    sent: { message: { messageId: 'm', role: 'user', parts: [{ text: 'hi' }] } },
    event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'input-required' }, final: true } },
    task: { id: 't', contextId: 'c', status: { state: 'working' } },
  },
  '0.3': {
    sent: { message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] } },
    event: { kind: 'status-update', taskId: 't', contextId: 'c', status: { state: 'input-required' }, final: true },
    task: { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } },
  },
  '0.2': {
    sent: {
      message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
      configuration: { acceptedOutputModes: [] },
    },
    event: { kind: 'status-update', taskId: 't', contextId: 'c', status: { state: 'input-required' }, final: true },
    task: { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } },
  },
  '0.1': {
    sent: { id: 't', sessionId: 'c', message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] } },
    event: { id: 't', status: { state: 'input-required' }, final: true },
    task: { id: 't', sessionId: 'c', status: { state: 'working' } },
  },
};

suite('scripted agent in every generation', () => {
  let agent: ScriptedAgent | undefined;
  teardown(() => agent?.stop());

  async function speaking(generation: string, script: Script): Promise<string> {
    agent = scriptedAgent({ version: generation, script });
    await agent.start();
    return agent.url;
  }

  for (const { protocolVersion, methods, cardPath } of versions.filter(isA2A)) {
    const { sent, event, task } = words[protocolVersion] ?? assert.fail(`no words of ${protocolVersion}`);
    const post = async (url: string, method: string | undefined, params: unknown): Promise<string> =>
      (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })).text();

    test(`${protocolVersion}: has its card where the generation looks for it, and nowhere else`, async () => {
      const url = await speaking(protocolVersion, {});
      const places = ['/.well-known/agent-card.json', '/.well-known/agent.json'];
      const found = await Promise.all(places.map(async path => (await fetch(new URL(path, url))).status));
      assert.deepEqual(
        found,
        places.map(path => (path === cardPath ? 200 : 404)),
      );
    });

    test(`${protocolVersion}: understands a message and answers in its words`, async () => {
      const url = await speaking(protocolVersion, {
        SendStreamingMessage: [
          { event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } } },
        ],
        GetTask: [{ answer: working }],
      });
      const text = await post(url, methods.SendStreamingMessage, sent);
      assert.deepEqual(JSON.parse(text.trim().slice('data: '.length)), { jsonrpc: '2.0', id: 1, result: event });
      const { params } = agent!.requests.at(-1)!;
      assert.ok(params !== undefined && 'message' in params);
      assert.deepEqual([params.message.role, params.message.parts], ['ROLE_USER', [{ text: 'hi' }]]);
      assert.deepEqual(JSON.parse(await post(url, methods.GetTask, { id: 't' })), { jsonrpc: '2.0', id: 1, result: task });
    });

    test(`${protocolVersion}: refuses what lacks its parts or its id`, async () => {
      const url = await speaking(protocolVersion, { SendMessage: [{ status: 500 }], GetTask: [{ status: 500 }] });
      for (const [method, params] of [
        [methods.SendMessage, { id: 't', message: { role: 'user', parts: [] } }],
        [methods.GetTask, {}],
      ] as const) {
        assert.equal((JSON.parse(await post(url, method, params)) as { error: { code: number } }).error.code, -32602);
      }
    });
  }
});

/** What a client of the generation sends and gets over HTTP+JSON, word for word. */
const rest: Readonly<
  Record<
    string,
    {
      readonly at: string;
      readonly sent: object;
      readonly event: object;
      readonly task: object;
      readonly mediaType: string;
      readonly notFound: object;
    }
  >
> = {
  '1.0': {
    at: '',
    sent: words['1.0']!.sent,
    event: words['1.0']!.event,
    task: working,
    mediaType: 'application/a2a+json',
    notFound: {
      error: {
        code: 404,
        status: 'NOT_FOUND',
        message: 'gone',
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
          { '@type': 'x' },
        ],
      },
    },
  },
  '0.3': {
    at: '/v1',
    sent: { message: { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'hi' }] } },
    event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' }, final: true } },
    task: working,
    mediaType: 'application/json',
    notFound: { code: -32001, message: 'gone', data: [{ '@type': 'x' }] },
  },
};

suite('scripted agent over HTTP+JSON', () => {
  let agent: ScriptedAgent | undefined;
  teardown(() => agent?.stop());

  for (const { protocolVersion, routes } of versions) {
    const row = rest[protocolVersion] ?? (routes === undefined ? undefined : rest[protocolVersion === '0.2' ? '0.3' : '1.0']);
    if (row === undefined) {
      test(`${protocolVersion} has none`, () => {
        assert.throws(() => scriptedAgent({ version: protocolVersion, binding: 'HTTP+JSON', script: {} }), {
          message: `A2A ${protocolVersion} is not supported over HTTP+JSON.`,
        });
      });
      continue;
    }
    const { at, sent, event, task, mediaType, notFound } = row;

    test(`${protocolVersion}: understands a message and answers in its words`, async () => {
      const error = { code: -32001, message: 'gone', data: [{ '@type': 'x' }] };
      agent = scriptedAgent({
        version: protocolVersion,
        binding: 'HTTP+JSON',
        script: {
          SendStreamingMessage: [
            { event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } } },
            { error },
          ],
          GetTask: [{ answer: working }],
          CancelTask: [{ error }],
        },
      });
      await agent.start();
      const asked = async (method: string, path: string, body?: string): Promise<{ status: number; type: string | null; text: string }> => {
        const response = await fetch(new URL(at + path, agent!.url), { method, headers, body });
        return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
      };
      const streamed = await asked('POST', '/message:stream', JSON.stringify(sent));
      assert.deepEqual(
        [streamed.status, streamed.type, streamed.text],
        [200, 'text/event-stream', `data: ${JSON.stringify(event)}\n\nevent: error\ndata: ${JSON.stringify(notFound)}\n\n`],
      );
      const got = await asked('GET', '/tasks/a%2Fb?historyLength=3');
      assert.deepEqual([got.status, got.type, JSON.parse(got.text)], [200, mediaType, task]);
      assert.deepEqual(agent.requests.at(-1)?.params, { id: 'a/b', historyLength: 3 });
      const refused = await asked('POST', '/tasks/t:cancel', '{}');
      assert.deepEqual([refused.status, refused.type, JSON.parse(refused.text)], [404, 'application/json', notFound]);
      for (const [body, status] of [
        ['{', 400],
        ['{}', 400],
      ] as const)
        assert.equal((await asked('POST', '/message:send', body)).status, status);
      for (const method of ['GET', 'POST'])
        assert.deepEqual(await asked(method, '/nowhere%zz').then(answer => [answer.status, answer.text]), [404, '']);
    });
  }
});
