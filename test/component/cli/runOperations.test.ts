import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { TaskServer, type TaskServerOptions } from '../../../src/mock/taskServer.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { versionOf } from '../../../src/protocol/versions/index.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { requestOperations } from '../../../src/request/text/methods.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { extendedCardAgent, type ExtendedCardAgent } from '../../support/client/extendedCardAgents.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const bindings = ['JSONRPC', 'HTTP+JSON'] as const;

const none = { taskId: 'none', id: 'c' };
const config = { taskId: '{{done.task.id}}', url: 'http://127.0.0.1:9/hook', id: 'c' };
const alice = { headers: { Authorization: 'Bearer alice' }, agent: 'Vault' };

/** Each operation as it goes well, and as it is refused. The tasks stay as they are until `cancel`. */
const requests: readonly Record<string, unknown>[] = [
  { name: 'done', method: 'SendMessage', message: 'end', expect: { state: 'completed' } },
  { name: 'asks', method: 'SendStreamingMessage', message: 'ask', expect: { states: ['submitted', 'input-required'] } },
  {
    name: 'get',
    method: 'GetTask',
    params: { id: '{{done.task.id}}', historyLength: 0 },
    expect: { state: 'completed', paths: { 'task.id': '{{done.task.id}}' } },
  },
  {
    name: 'page',
    method: 'ListTasks',
    params: { pageSize: 1, status: 'TASK_STATE_COMPLETED' },
    expect: { paths: { 'value.totalSize': 1, 'value.tasks': { minLength: 1, maxLength: 1 } } },
  },
  {
    name: 'all',
    method: 'ListTasks',
    params: { pageSize: 1 },
    capture: { token: 'value.nextPageToken' },
    expect: { paths: { 'value.nextPageToken': { minLength: 1 } } },
  },
  {
    name: 'next',
    method: 'ListTasks',
    params: { pageSize: 1, pageToken: '{{token}}' },
    expect: { paths: { 'value.tasks[0].id': { not: '{{all.value.tasks[0].id}}' }, 'value.nextPageToken': '' } },
  },
  { name: 'subscribe', method: 'SubscribeToTask', params: { id: '{{asks.task.id}}' }, expect: { state: 'input-required' } },
  { name: 'create', method: 'CreateTaskPushNotificationConfig', params: config, expect: { paths: { 'value.url': config.url } } },
  {
    name: 'read',
    method: 'GetTaskPushNotificationConfig',
    params: { taskId: '{{create.value.taskId}}', id: 'c' },
    expect: { paths: { 'value.id': 'c' } },
  },
  {
    name: 'list',
    method: 'ListTaskPushNotificationConfigs',
    params: { taskId: '{{read.value.taskId}}' },
    expect: { paths: { 'value.configs[0].id': 'c' } },
  },
  {
    name: 'delete',
    method: 'DeleteTaskPushNotificationConfig',
    params: { taskId: '{{list.value.configs[0].taskId}}', id: 'c' },
    expect: {},
  },
  { name: 'cancel', method: 'CancelTask', params: { id: '{{subscribe.task.id}}' }, expect: { state: 'canceled' } },
  {
    name: 'card',
    method: 'GetExtendedAgentCard',
    ...alice,
    expect: { paths: { 'value.skills[*].id': { some: 'open-alice' }, 'value.name': 'Vault' } },
  },
  {
    name: 'uses card',
    agent: 'Vault',
    method: 'GetTask',
    params: { id: '{{card.value.skills[1].id}}' },
    expect: { error: 'TaskNotFoundError' },
  },

  {
    name: 'no send',
    method: 'SendMessage',
    params: { message: { taskId: 'none', parts: [{ text: 'x' }] } },
    expect: { error: 'TaskNotFoundError' },
  },
  {
    name: 'no stream',
    method: 'SendStreamingMessage',
    params: { message: { taskId: 'none', parts: [{ text: 'x' }] } },
    expect: { error: -32001 },
  },
  { name: 'no get', method: 'GetTask', params: { id: 'none' }, expect: { error: 'TaskNotFoundError' } },
  { name: 'no get by code', method: 'GetTask', params: { id: 'none' }, expect: { error: -32001 } },
  { name: 'no list', method: 'ListTasks', params: { pageToken: 'nonsense' }, expect: { error: -32602 } },
  { name: 'no subscribe', method: 'SubscribeToTask', params: { id: 'none' }, expect: { error: 'TaskNotFoundError' } },
  // What is over cannot be subscribed to (A2A 1.0 §3.1.6), although it can be asked for.
  {
    name: 'no subscribe to the end',
    method: 'SubscribeToTask',
    params: { id: '{{done.task.id}}' },
    expect: { error: { code: 'UnsupportedOperationError' } },
  },
  { name: 'no cancel', method: 'CancelTask', params: { id: '{{done.task.id}}' }, expect: { error: 'TaskNotCancelableError' } },
  {
    name: 'no create',
    method: 'CreateTaskPushNotificationConfig',
    params: { ...none, url: config.url },
    expect: { error: 'TaskNotFoundError' },
  },
  { name: 'no read', method: 'GetTaskPushNotificationConfig', params: none, expect: { error: 'TaskNotFoundError' } },
  { name: 'no configs', method: 'ListTaskPushNotificationConfigs', params: { taskId: 'none' }, expect: { error: -32001 } },
  { name: 'no delete', method: 'DeleteTaskPushNotificationConfig', params: none, expect: { error: 'TaskNotFoundError' } },
  { name: 'no card', method: 'GetExtendedAgentCard', agent: 'Bare', expect: { error: 'ExtendedAgentCardNotConfiguredError' } },
  { name: 'fails', method: 'GetTask', params: { id: 'none' }, expect: { error: 'VersionNotSupportedError' } },
  { name: 'fails, too', method: 'GetExtendedAgentCard', ...alice, expect: { paths: { 'value.name': 'Other' } } },
];

/** Of HTTP alone. */
const overHttp: readonly Record<string, unknown>[] = [
  {
    name: 'headers',
    method: 'GetTask',
    params: { id: '{{done.task.id}}' },
    expect: { status: 200, headers: { 'content-type': { contains: 'json' } } },
  },
  {
    name: 'card headers',
    method: 'GetExtendedAgentCard',
    ...alice,
    expect: { status: 200, headers: { 'content-type': { contains: 'json' } } },
  },
  { name: 'status fails', method: 'GetTask', params: { id: '{{done.task.id}}' }, expect: { status: 404 } },
];
const overRest: readonly Record<string, unknown>[] = [
  ...overHttp,
  { name: 'status', method: 'GetTask', params: { id: 'none' }, expect: { error: 'TaskNotFoundError', status: 404 } },
];
const fails = ['fails', 'fails, too', 'status fails'];

const capabilities = { streaming: true, pushNotifications: true, extendedAgentCard: true };
const serverOptions: TaskServerOptions = {
  version: versionOf('1.0')!,
  onError: error => assert.fail(String(error)),
  *work({ message, taskId, contextId }) {
    const [part] = message.parts;
    const state = part !== undefined && 'text' in part && part.text === 'ask' ? 'TASK_STATE_INPUT_REQUIRED' : 'TASK_STATE_COMPLETED';
    yield { task: { id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' } } };
    yield { statusUpdate: { taskId, contextId, status: { state } } };
  },
};

suite('every operation as a method', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  let vault: ExtendedCardAgent;
  let bare: ExtendedCardAgent;
  suiteSetup(async () => {
    program = await TerminalFolder.make();
    vault = await extendedCardAgent('1.0');
    bare = await extendedCardAgent('1.0', { exists: false });
  });
  suiteTeardown(async () => {
    await vault.stop();
    await bare.stop();
    await program.remove();
  });
  teardown(() => open.close());

  test('there is a request for each, and one that is refused', () => {
    for (const operation of requestOperations) assert.ok(requests.filter(({ method }) => method === operation).length >= 2, operation);
  });

  for (const binding of bindings)
    test(`${binding}: comes out in a terminal and in the editor as is expected`, async () => {
      // Each lists the tasks of one run alone.
      const started = async () => {
        const server = new TaskServer(serverOptions);
        return open.agent(server.script, '1.0', { binding, card: url => ({ ...minimalCard(url, '1.0', binding), capabilities }) });
      };
      const agent = await started();
      const own = binding === 'HTTP+JSON' ? overRest : overHttp;
      const named = { T: agent.url, Vault: vault.url(binding), Bare: bare.url(binding) };
      const file = { agent: 'T', requests: [...requests, ...own] };
      const cwd = await program.workspace({ 'x.a2a': file });
      const agentsGiven = Object.entries(named).flatMap(([name, url]) => ['--agent', `${name}=${url}`]);
      const { out, err } = await program.run(['run', 'x.a2a', '--json', ...agentsGiven], { cwd });
      const verdicts = out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as { name?: string; verdict?: string; failures?: unknown })
        .filter(({ name }) => name !== undefined);
      const wrong = verdicts.filter(({ name = '', verdict }) => verdict !== (fails.includes(name) ? 'failed' : 'passed'));
      assert.deepEqual([err, wrong], ['', []]);
      assert.equal(verdicts.length, file.requests.length);

      const fail = (error: unknown): never => assert.fail(String(error));
      const store = openStore(':memory:');
      const agents = new Agents({ http: open.http(), onError: fail });
      const contexts = new AgentContexts({ store, agents, owner: randomUUID(), onError: fail });
      agents.configure({ T: { url: (await started()).url }, Vault: { url: named.Vault }, Bare: { url: named.Bare } });
      const read = readRequestFile(JSON.stringify(file));
      assert.deepEqual(read.problems, []);
      const outcomes = await new RequestRuns({ agents, contexts }, fail).sendAll(read);
      const held = outcomes.map(({ expectations }, index) => [read.requests[index]!.name, expectations?.every(({ ok }) => ok)]);
      assert.deepEqual(
        held.filter(([name, ok]) => ok !== !fails.includes(String(name))),
        [],
      );
      contexts.dispose();
      agents.dispose();
      store.close();
    });

  test('GRPC: the extended card comes, too', async () => {
    const cards = requests.filter(({ name }) => ['card', 'no card', 'fails, too'].includes(String(name)));
    const cwd = await program.workspace({ 'x.a2a': { requests: cards } });
    const allowed = [...vault.origins, ...bare.origins].flatMap(origin => ['--allow-origin', origin]);
    const agents = ['--agent', `Vault=${vault.url('GRPC')}`, '--agent', `Bare=${bare.url('GRPC')}`, ...allowed];
    const { out } = await program.run(['run', 'x.a2a', '--json', ...agents], { cwd });
    assert.deepEqual(
      out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as { name?: string; verdict?: string })
        .flatMap(({ name, verdict }) => (name === undefined ? [] : [verdict])),
      ['passed', 'passed', 'failed'],
      out,
    );
  });
});
