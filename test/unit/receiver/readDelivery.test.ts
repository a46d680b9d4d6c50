import * as assert from 'node:assert/strict';
import { readDelivery } from '../../../src/receiver/readDelivery.ts';
import { taskIdOf } from '../../../src/protocol/message/streamResponse.ts';

const working = { state: 'TASK_STATE_WORKING' };
const event = { taskId: 't', contextId: 'c', status: working };

/** Deliveries as agents of each version send them, and what becomes of them. */
const deliveries: Readonly<Record<string, readonly [body: unknown, kind: string, version: string | undefined]>> = {
  '1.0: a task': [{ task: { id: 't', contextId: 'c', status: working } }, 'task', '1.0'],
  '1.0: a status': [{ statusUpdate: event }, 'statusUpdate', '1.0'],
  '1.0: an artifact': [
    { artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: 'x' }] } } },
    'artifactUpdate',
    '1.0',
  ],
  '1.0: a message': [{ message: { messageId: 'm', role: 'ROLE_AGENT', taskId: 't', parts: [{ text: 'x' }] } }, 'message', '1.0'],
  '0.3: a task': [{ kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } }, 'task', '0.3'],
  '0.3: a status': [
    { kind: 'status-update', taskId: 't', contextId: 'c', final: false, status: { state: 'working' } },
    'statusUpdate',
    '0.3',
  ],
  '0.3: an artifact': [
    { kind: 'artifact-update', taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'x' }] } },
    'artifactUpdate',
    '0.3',
  ],
  '0.1: a task': [
    { id: 't', sessionId: 's', status: { state: 'working' }, artifacts: [{ index: 0, parts: [{ type: 'text', text: 'x' }] }] },
    'task',
    '0.1',
  ],
  'the example of 0.1': [{ eventType: 'taskUpdate', taskId: 't', status: 'working', summary: 'x' }, 'statusUpdate', 'task-rest'],
};

suite('reading a push notification', () => {
  for (const [title, [body, kind, version]] of Object.entries(deliveries)) {
    test(title, () => {
      const { content, protocolVersion, problem } = readDelivery(JSON.stringify(body));
      assert.equal(problem, undefined);
      assert.deepEqual([Object.keys(content ?? {}), taskIdOf(content!), protocolVersion], [[kind], 't', version]);
    });

    if (version === '1.0' || version === '0.3')
      test(`${title}, from an agent that is spoken to in ${version}, has no finding`, () =>
        assert.deepEqual(readDelivery(JSON.stringify(body), version).findings, []));
  }

  test('in the envelope of JSON-RPC it is read with a finding', () => {
    const { content, findings } = readDelivery(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { statusUpdate: event } }), '1.0');
    assert.deepEqual([Object.keys(content!), findings.map(({ rule }) => rule)], [['statusUpdate'], ['PUSH-05']]);
  });

  test('two events in one, and a bare task in 1.0, are findings', () => {
    const task = { id: 't', contextId: 'c', status: working };
    assert.deepEqual(
      readDelivery(JSON.stringify({ task, statusUpdate: event }), '1.0').findings.map(({ rule, message }) => `${rule} ${message}`),
      ['PUSH-05 The answer should hold exactly one of task, message, statusUpdate, artifactUpdate; it holds task, statusUpdate.'],
    );
    assert.deepEqual(
      readDelivery(JSON.stringify(task), '1.0').findings.map(({ rule }) => rule),
      ['PUSH-05'],
    );
    const old = { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } };
    assert.deepEqual(
      readDelivery(JSON.stringify(old), '1.0').findings.map(({ rule }) => rule),
      ['VER-04'],
    );
  });

  test('what is not readable is a problem, never an error', () => {
    for (const body of ['', 'x', 'null', '[]', '7', '"a"', '{}', '{"task":7}', '{"jsonrpc":"2.0"}', '{"__proto__":{"task":{}}}'])
      assert.ok(readDelivery(body).problem !== undefined, body);
  });
});
