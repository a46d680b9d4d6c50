import * as assert from 'node:assert/strict';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { Script } from '../../../src/mock/script.ts';
import type { Task } from '../../../src/protocol/task.ts';
import { versions } from '../../../src/protocol/versions/index.ts';
import { isA2A } from '../protocol/support/operationsOf.ts';

const working: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };

/** What a client of the generation sends and gets, word for word. */
const words: Readonly<Record<string, { readonly sent: object; readonly event: object; readonly task: object }>> = {
  '1.0': {
    sent: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } },
    event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } }, task: working,
  },
  '1.0-rc': {
    sent: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } },
    event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } }, task: working,
  },
  '1.0-draft': {
    sent: { message: { messageId: 'm', role: 'user', parts: [{ text: 'hi' }] } },
    event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'input-required' }, final: true } }, task: { id: 't', contextId: 'c', status: { state: 'working' } },
  },
  '0.3': {
    sent: { message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] } },
    event: { kind: 'status-update', taskId: 't', contextId: 'c', status: { state: 'input-required' }, final: true },
    task: { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } },
  },
  '0.2': {
    sent: { message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] }, configuration: { acceptedOutputModes: [] } },
    event: { kind: 'status-update', taskId: 't', contextId: 'c', status: { state: 'input-required' }, final: true },
    task: { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } },
  },
  '0.1': {
    sent: { id: 't', sessionId: 'c', message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] } },
    event: { id: 't', status: { state: 'input-required' }, final: true }, task: { id: 't', sessionId: 'c', status: { state: 'working' } },
  },
};

suite('scripted agent in every generation', () => {
  let agent: ScriptedAgent | undefined;
  teardown(() => agent?.stop());

  async function speaking(generation: string, script: Script): Promise<string> {
    agent = scriptedAgent({ generation, script });
    await agent.start();
    return agent.url;
  }

  for (const { protocolVersion, methods, cardPath } of versions.filter(isA2A)) {
    const { sent, event, task } = words[protocolVersion] ?? assert.fail(`no words of ${protocolVersion}`);
    const post = async (url: string, method: string | undefined, params: unknown): Promise<string> =>
      (await fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })).text();

    test(`${protocolVersion}: has its card where the generation looks for it, and nowhere else`, async () => {
      const url = await speaking(protocolVersion, {});
      const places = ['/.well-known/agent-card.json', '/.well-known/agent.json'];
      const found = await Promise.all(places.map(async path => (await fetch(new URL(path, url))).status));
      assert.deepEqual(found, places.map(path => (path === cardPath ? 200 : 404)));
    });

    test(`${protocolVersion}: understands a message and answers in its words`, async () => {
      const url = await speaking(protocolVersion, {
        SendStreamingMessage: [{ event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } } }], GetTask: [{ answer: working }],
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
      for (const [method, params] of [[methods.SendMessage, { id: 't', message: { role: 'user', parts: [] } }], [methods.GetTask, {}]] as const) {
        assert.equal((JSON.parse(await post(url, method, params)) as { error: { code: number } }).error.code, -32602);
      }
    });
  }
});
