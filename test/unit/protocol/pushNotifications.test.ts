import * as assert from 'node:assert/strict';
import { collect } from '../../../src/protocol/finding.ts';
import type { OperationParams, PushNotificationOperation } from '../../../src/protocol/message/operations.ts';
import { readResult, versionOf } from '../../../src/protocol/versions/index.ts';
import type { Version } from '../../../src/protocol/versions/shared/version.ts';

const config = {
  tenant: 'acme',
  id: 'p',
  taskId: 't',
  url: 'https://a/b',
  token: 'x',
  authentication: { scheme: 'Bearer', credentials: 'y' },
};
const inner = { url: 'https://a/b', token: 'x', authentication: { schemes: ['Bearer'], credentials: 'y' } };
const pair = { tenant: 'acme', taskId: 't', id: 'p' };
const form = (name: string): Version => (name === '0.3-proto' ? versionOf('0.3')!.protoForm! : versionOf(name)!);

/** What is on the wire in each version (0.1 §7.5, 0.3 §7.5 to §7.8, 1.0 §3.1.7 to §3.1.10). */
const written: Readonly<Record<string, { readonly [O in PushNotificationOperation]?: unknown }>> = {
  '1.0': {
    CreateTaskPushNotificationConfig: config,
    GetTaskPushNotificationConfig: pair,
    ListTaskPushNotificationConfigs: { tenant: 'acme', taskId: 't', pageSize: 2, pageToken: 'n' },
    DeleteTaskPushNotificationConfig: pair,
  },
  '1.0-rc': {
    CreateTaskPushNotificationConfig: {
      tenant: 'acme',
      taskId: 't',
      configId: 'p',
      config: { id: 'p', url: 'https://a/b', token: 'x', authentication: { scheme: 'Bearer', credentials: 'y' } },
    },
    GetTaskPushNotificationConfig: pair,
  },
  '0.3': {
    CreateTaskPushNotificationConfig: { taskId: 't', pushNotificationConfig: { id: 'p', ...inner } },
    GetTaskPushNotificationConfig: { id: 't', pushNotificationConfigId: 'p' },
    ListTaskPushNotificationConfigs: { id: 't' },
    DeleteTaskPushNotificationConfig: { id: 't', pushNotificationConfigId: 'p' },
  },
  '0.3-proto': {
    CreateTaskPushNotificationConfig: {
      parent: 'tasks/t',
      configId: 'p',
      config: { name: 'tasks/t/pushNotificationConfigs/p', pushNotificationConfig: { id: 'p', ...inner } },
    },
    GetTaskPushNotificationConfig: { name: 'tasks/t/pushNotificationConfigs/p' },
    ListTaskPushNotificationConfigs: { parent: 'tasks/t', pageSize: 2, pageToken: 'n' },
    DeleteTaskPushNotificationConfig: { name: 'tasks/t/pushNotificationConfigs/p' },
  },
  '0.1': {
    CreateTaskPushNotificationConfig: { id: 't', pushNotificationConfig: inner },
    GetTaskPushNotificationConfig: { id: 't' },
  },
};

const params: Pick<OperationParams, PushNotificationOperation> = {
  CreateTaskPushNotificationConfig: config,
  GetTaskPushNotificationConfig: pair,
  ListTaskPushNotificationConfigs: { tenant: 'acme', taskId: 't', pageSize: 2, pageToken: 'n' },
  DeleteTaskPushNotificationConfig: pair,
};

suite('configurations of push notifications', () => {
  for (const [version, shapes] of Object.entries(written))
    for (const [operation, shape] of Object.entries(shapes) as [PushNotificationOperation, unknown][])
      test(`${version} writes ${operation}`, () => assert.deepEqual(form(version).writeParams(operation, params[operation]), shape));

  const inMessage: Readonly<Record<string, unknown>> = {
    '1.0': { configuration: { taskPushNotificationConfig: { url: 'https://a/b', authentication: { scheme: 'Bearer' } } } },
    '1.0-rc': { configuration: { pushNotificationConfig: { url: 'https://a/b', authentication: { scheme: 'Bearer' } } } },
    '0.3': { configuration: { pushNotificationConfig: { url: 'https://a/b', authentication: { schemes: ['Bearer'] } } } },
    '0.3-proto': {
      configuration: { blocking: true, pushNotification: { url: 'https://a/b', authentication: { schemes: ['Bearer'] } } },
    },
    '0.1': { pushNotification: { url: 'https://a/b', authentication: { schemes: ['Bearer'] } } },
  };
  for (const [version, shape] of Object.entries(inMessage))
    test(`${version} writes the configuration of a message under its own name`, () => {
      const sent = form(version).writeParams('SendMessage', {
        message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] },
        configuration: { taskPushNotificationConfig: { url: 'https://a/b', authentication: { scheme: 'Bearer' } } },
      }) as Readonly<Record<string, unknown>>;
      assert.deepEqual(Object.fromEntries(Object.keys(shape as object).map(name => [name, sent[name]])), shape);
    });

  const answers: Readonly<Record<string, unknown>> = {
    'flat, as in 1.0': { id: 'p', taskId: 't', url: 'https://a/b' },
    'in a wrapper, as in 0.3': { taskId: 't', pushNotificationConfig: { id: 'p', url: 'https://a/b' } },
    'with a resource name': { name: 'tasks/t/pushNotificationConfigs/p', pushNotificationConfig: { url: 'https://a/b' } },
    'of the release candidate': { id: 'p', taskId: 't', pushNotificationConfig: { url: 'https://a/b' } },
  };
  for (const [title, answer] of Object.entries(answers))
    for (const version of ['1.0', '0.3'])
      test(`${version} reads an answer ${title}`, () => {
        const { note, findings } = collect();
        const read = readResult('GetTaskPushNotificationConfig', answer, form(version), note);
        assert.deepEqual([read, findings], [{ id: 'p', taskId: 't', url: 'https://a/b' }, []]);
      });

  test('a list may be an array or a page, and what is not a configuration is left out', () => {
    const { note, findings } = collect();
    const page = readResult('ListTaskPushNotificationConfigs', { configs: [config, 7] }, form('1.0'), note);
    assert.deepEqual([page, findings.map(({ pointer }) => pointer)], [{ configs: [config] }, ['/configs/1']]);
    const list = [{ taskId: 't', pushNotificationConfig: { id: 'p', url: 'https://a/b' } }];
    assert.equal(readResult('ListTaskPushNotificationConfigs', list, form('0.3'), note).configs[0]?.id, 'p');
    assert.deepEqual(readResult('ListTaskPushNotificationConfigs', {}, form('1.0'), note), { configs: [] });
  });

  test('an answer to a deletion may be anything; a configuration without an address is noted', () => {
    for (const answer of [null, {}, undefined, 'ok'])
      assert.deepEqual(readResult('DeleteTaskPushNotificationConfig', answer, form('1.0'), assert.fail), {});
    const { note, findings } = collect();
    readResult('GetTaskPushNotificationConfig', { id: 'p', taskId: 't' }, form('1.0'), note);
    assert.deepEqual(
      findings.map(({ message }) => message),
      ['url is missing.'],
    );
    assert.throws(() => readResult('GetTaskPushNotificationConfig', [], form('1.0'), note), { code: 'unreadable-answer' });
  });

  test('parameters without a task or an address are invalid', () => {
    assert.throws(() => form('1.0').readParams('CreateTaskPushNotificationConfig', { taskId: 't' }, assert.fail), Error);
    assert.throws(() => form('1.0').readParams('GetTaskPushNotificationConfig', {}, assert.fail), { code: 'invalid-params' });
  });
});
