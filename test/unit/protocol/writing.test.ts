import * as assert from 'node:assert/strict';
import { collect } from '../../../src/protocol/finding.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import { operations, type OperationParams } from '../../../src/protocol/message/operations.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import { TaskState } from '../../../src/protocol/message/taskState.ts';
import { versionOf } from '../../../src/protocol/versions/index.ts';
import { forms } from '../../support/protocol/forms.ts';
import { Sayable } from '../../support/protocol/sayable.ts';

const v1_0 = versionOf('1.0')!;
const v0_3 = versionOf('0.3')!;

const parts: Part[] = [
  { text: 'hi' },
  { text: '', metadata: { x: 1 } },
  { raw: 'AA==', mediaType: 'image/png', filename: 'a.png' },
  { raw: '' },
  { url: 'https://a/b', mediaType: 'text/html', filename: 'b', metadata: { y: [1] } },
  { data: { a: { b: [null] } } },
  { data: [1, 2] },
  { data: null },
  { data: 'text', metadata: { z: 1 } },
];
const message: Message = {
  messageId: 'm',
  role: 'ROLE_USER',
  parts,
  contextId: 'c',
  taskId: 't',
  referenceTaskIds: ['r'],
  extensions: ['urn:x'],
  metadata: { m: 1 },
};

const parts0_3 = [
  { kind: 'text', text: 'hi' },
  { kind: 'text', text: '', metadata: { x: 1 } },
  { kind: 'file', file: { bytes: 'AA==', mimeType: 'image/png', name: 'a.png' } },
  { kind: 'file', file: { bytes: '' } },
  { kind: 'file', file: { uri: 'https://a/b', mimeType: 'text/html', name: 'b' }, metadata: { y: [1] } },
  { kind: 'data', data: { a: { b: [null] } } },
  { kind: 'data', data: { value: [1, 2] }, metadata: { data_part_compat: true } },
  { kind: 'data', data: { value: null }, metadata: { data_part_compat: true } },
  { kind: 'data', data: { value: 'text' }, metadata: { z: 1, data_part_compat: true } },
];

const params: OperationParams = {
  SendMessage: {
    tenant: 'acme',
    message,
    configuration: { acceptedOutputModes: ['text/plain'], historyLength: 0, returnImmediately: false },
    metadata: { p: 1 },
  },
  SendStreamingMessage: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } },
  GetTask: { id: 't', historyLength: 10 },
  CancelTask: { id: 't', metadata: { why: 'x' } },
  SubscribeToTask: { tenant: 'acme', id: 't' },
  ListTasks: { contextId: 'c', status: 'TASK_STATE_WORKING', pageSize: 5, pageToken: 'p', includeArtifacts: true },
  CreateTaskPushNotificationConfig: {
    tenant: 'acme',
    id: 'p',
    taskId: 't',
    url: 'https://a/b',
    token: 'x',
    authentication: { scheme: 'Bearer', credentials: 'y' },
  },
  GetTaskPushNotificationConfig: { tenant: 'acme', taskId: 't', id: 'p' },
  ListTaskPushNotificationConfigs: { taskId: 't', pageSize: 3, pageToken: 'n' },
  DeleteTaskPushNotificationConfig: { taskId: 't', id: 'p' },
};

suite('writing parameters', () => {
  test('1.0 is core shape', () => {
    for (const operation of operations) assert.deepEqual(v1_0.writeParams(operation, params[operation]), params[operation]);
  });

  test('0.3 says everything in its own words and nothing else', () => {
    assert.deepEqual(v0_3.writeParams('SendMessage', params.SendMessage), {
      message: {
        kind: 'message',
        messageId: 'm',
        role: 'user',
        parts: parts0_3,
        contextId: 'c',
        taskId: 't',
        referenceTaskIds: ['r'],
        extensions: ['urn:x'],
        metadata: { m: 1 },
      },
      configuration: { acceptedOutputModes: ['text/plain'], historyLength: 0, blocking: true },
      metadata: { p: 1 },
    });
    assert.deepEqual(v0_3.writeParams('SendStreamingMessage', params.SendStreamingMessage), {
      message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    });
    assert.deepEqual(v0_3.writeParams('GetTask', params.GetTask), { id: 't', historyLength: 10 });
    assert.deepEqual(v0_3.writeParams('CancelTask', params.CancelTask), { id: 't', metadata: { why: 'x' } });
    assert.deepEqual(v0_3.writeParams('SubscribeToTask', params.SubscribeToTask), { id: 't' });
  });

  test('ListTasks, which 0.3 does not specify, has the name and the words that its servers know', () => {
    assert.deepEqual(v0_3.writeParams('ListTasks', { pageSize: 2, status: 'TASK_STATE_INPUT_REQUIRED' }), {
      pageSize: 2,
      status: 'input-required',
    });
    assert.deepEqual([v0_3.methods.ListTasks, v0_3.unspecifiedOperations], ['tasks/list', ['ListTasks']]);
  });

  for (const { name: form, version } of forms) {
    test(`${form}: no member is undefined on the wire, and writing changes nothing`, () => {
      for (const operation of operations.filter(candidate => version.methods[candidate] !== undefined)) {
        const before = structuredClone(params[operation]);
        const written = version.writeParams(operation, params[operation]);
        assert.deepEqual(JSON.parse(JSON.stringify(written)), written);
        assert.deepEqual(params[operation], before);
      }
    });

    test(`${form}: parameters come back as far as they can be said`, () => {
      for (const operation of operations.filter(candidate => version.methods[candidate] !== undefined)) {
        const { note, findings } = collect();
        const written: unknown = JSON.parse(JSON.stringify(version.writeParams(operation, params[operation])));
        const sayable = new Sayable(version.unsupported);
        assert.deepEqual(
          sayable.params(operation, version.readParams(operation, written, note)),
          sayable.params(operation, params[operation]),
        );
        assert.deepEqual(findings, []);
      }
    });
  }
});

const agentSays: Message = { ...message, role: 'ROLE_AGENT' };

const events: Readonly<Record<string, StreamResponse>> = {
  'a message': { message: agentSays },
  'a task': {
    task: {
      id: 't',
      contextId: 'c',
      status: { state: 'TASK_STATE_INPUT_REQUIRED', message: agentSays, timestamp: '2026-01-02T03:04:05Z' },
      artifacts: [{ artifactId: 'x', name: 'n', description: 'd', parts, metadata: { a: 1 }, extensions: ['urn:y'] }],
      history: [message, agentSays],
      metadata: { t: 1 },
    },
  },
  'the least task': { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' } } },
  'a status update': {
    statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING', message: agentSays }, metadata: { s: 1 } },
  },
  'an artifact update': {
    artifactUpdate: {
      taskId: 't',
      contextId: 'c',
      artifact: { artifactId: 'x', parts },
      append: true,
      lastChunk: false,
      metadata: { u: 1 },
    },
  },
};

suite('writing answers', () => {
  for (const { name: form, version } of forms) {
    for (const [name, event] of Object.entries(events)) {
      test(`${form}: ${name} comes back as far as it can be said, without a finding`, () => {
        const { note, findings } = collect();
        const sayable = new Sayable(version.unsupported);
        const written: unknown = JSON.parse(JSON.stringify(version.writeStreamResponse(event)));
        assert.deepEqual(sayable.event(version.readStreamResponse(written, note)), sayable.event(event));
        assert.deepEqual(findings, []);
      });
    }

    for (const state of TaskState.options) {
      test(`${form}: ${state} comes back as far as it can be said, without a finding`, () => {
        const { note, findings } = collect();
        const task = { id: 't', contextId: 'c', status: { state } };
        const expected = new Sayable(version.unsupported).result('GetTask', task);
        assert.deepEqual(version.readResult('GetTask', version.writeResult('GetTask', task), note), expected);
        assert.deepEqual(findings, []);
      });
    }
  }

  test('0.3 has a kind everywhere, its own words for states and roles, and says when a turn is over', () => {
    const written = (state: TaskState): unknown =>
      v0_3.writeStreamResponse({
        statusUpdate: {
          taskId: 't',
          contextId: 'c',
          status: { state, message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } },
        },
      });
    assert.deepEqual(written('TASK_STATE_INPUT_REQUIRED'), {
      kind: 'status-update',
      taskId: 't',
      contextId: 'c',
      final: true,
      status: {
        state: 'input-required',
        message: { kind: 'message', messageId: 'a', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] },
      },
    });
    assert.equal((written('TASK_STATE_WORKING') as { final: boolean }).final, false);
    assert.equal((written('TASK_STATE_COMPLETED') as { final: boolean }).final, true);
    assert.deepEqual(
      v0_3.writeStreamResponse({
        artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'x', parts: [{ text: 'a' }] }, append: true },
      }),
      {
        kind: 'artifact-update',
        taskId: 't',
        contextId: 'c',
        artifact: { artifactId: 'x', parts: [{ kind: 'text', text: 'a' }] },
        append: true,
      },
    );
  });

  test('0.3 must have a context: a task without one is its own', () => {
    assert.deepEqual(v0_3.writeResult('GetTask', { id: 't', status: { state: 'TASK_STATE_WORKING' } }), {
      kind: 'task',
      id: 't',
      contextId: 't',
      status: { state: 'working' },
    });
  });

  test('1.0 is core shape', () => {
    for (const event of Object.values(events)) assert.deepEqual(v1_0.writeStreamResponse(event), event);
  });
});
