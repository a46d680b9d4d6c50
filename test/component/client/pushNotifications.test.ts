import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { bindings, type BindingName } from '../../../src/mock/binding.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { TaskServer } from '../../../src/mock/taskServer.ts';
import { ignoreFindings } from '../../../src/protocol/finding.ts';
import type { SendMessageParams } from '../../../src/protocol/message/operations.ts';
import { taskIdOf } from '../../../src/protocol/message/streamResponse.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { readAgentCard, versions } from '../../../src/protocol/versions/index.ts';
import { notifyingAgent0_3, notifyingAgent1_0, type NotifyingAgent } from '../../support/client/notifyingAgents.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { webhook } from '../../support/client/webhook.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';
import { eventually } from '../../support/eventually.ts';

const ask = (configuration?: SendMessageParams['configuration']): SendMessageParams => ({
  message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'work' }] },
  configuration: { returnImmediately: true, ...configuration },
});
const secrets = { token: 'one-time-token-7f3a', credentials: 'c0dec0de-credentials' };
const authentication = { scheme: 'Bearer', credentials: secrets.credentials };

async function begun(client: AgentClient, configuration?: SendMessageParams['configuration']): Promise<Task> {
  const { result } = await client.call('SendMessage', ask(configuration));
  assert.ok('task' in result);
  return result.task;
}

/** In 0.1 an answer that is not a stream waits for the end of the task. */
async function begunByStream(client: AgentClient): Promise<{ readonly id: string }> {
  for await (const { events } of client.stream('SendStreamingMessage', ask()))
    for (const event of events) return { id: taskIdOf(event) ?? assert.fail('no task') };
  assert.fail('no event');
}

suite('push notifications', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  suite('of a scripted agent', () => {
    let finish: () => void;
    async function agentOf(generation: string, binding: BindingName, notifies = true): Promise<AgentClient> {
      const ends = Promise.withResolvers<void>();
      finish = ends.resolve;
      const version = versions.find(({ protocolVersion }) => protocolVersion === generation)!;
      const server = new TaskServer({
        version,
        notifies: () => notifies,
        onError: assert.ifError,
        async *work({ taskId, contextId }) {
          yield { statusUpdate: { taskId, contextId, status: { state: 'TASK_STATE_WORKING' } } };
          await ends.promise;
          yield { statusUpdate: { taskId, contextId, status: { state: 'TASK_STATE_COMPLETED' } } };
        },
      });
      return (await open.spoken(server.script, generation, { binding })).client;
    }

    for (const version of versions.filter(({ methods }) => methods.SendMessage !== undefined)) {
      const { protocolVersion, methods, clientAssignsIds } = version;
      for (const binding of Object.keys(bindings) as BindingName[]) {
        if (bindings[binding].versionFor(version) === undefined) continue;
        const listed = methods.ListTaskPushNotificationConfigs !== undefined;

        test(`${protocolVersion} over ${binding}: a configuration is made, read${listed ? ', listed and deleted' : ''}`, async () => {
          const client = await agentOf(protocolVersion, binding);
          const hook = await webhook(open);
          const { id: taskId } = await (clientAssignsIds ? begunByStream(client) : begun(client));
          const made = await client.call('CreateTaskPushNotificationConfig', {
            taskId,
            id: 'mine',
            url: hook.url,
            token: 'x',
            authentication,
          });
          const expected = { taskId, url: hook.url, token: 'x', authentication, ...(!clientAssignsIds && { id: 'mine' }) };
          assert.deepEqual([{ ...made.result, token: 'x', authentication }, made.findings], [expected, []]);
          const { result } = await client.call('GetTaskPushNotificationConfig', { taskId, id: 'mine' });
          assert.deepEqual(result, expected);
          finish();
          await eventually(() => assert.equal(hook.delivered.length, 1));
          assert.equal(hook.delivered[0]!.headers['x-a2a-notification-token'], 'x');
          assert.equal(hook.delivered[0]!.headers.authorization, `Bearer ${secrets.credentials}`);

          const list = () => client.call('ListTaskPushNotificationConfigs', { taskId });
          const drop = () => client.call('DeleteTaskPushNotificationConfig', { taskId, id: 'mine' });
          if (!listed) {
            await assert.rejects(list, { code: 'operation-not-in-version' });
            await assert.rejects(drop, { code: 'operation-not-in-version' });
            return;
          }
          assert.deepEqual((await list()).result.configs, [expected]);
          assert.deepEqual((await drop()).result, {});
          assert.deepEqual((await list()).result.configs, []);
        });

        test(`${protocolVersion} over ${binding}: a message brings its configuration along`, async () => {
          const client = await agentOf(protocolVersion, binding);
          const hook = await webhook(open, 1);
          finish();
          const { id } = await begun(client, { taskPushNotificationConfig: { url: hook.url, token: 'x' } });
          // Of what is answered with 500 there is another attempt.
          await eventually(() => assert.ok(hook.delivered.length >= 3));
          assert.match(JSON.stringify(hook.delivered.at(-1)!.body), new RegExp(id));
          assert.deepEqual(hook.delivered[1]!.body, hook.delivered[0]!.body);
        });
      }
    }

    test('an agent without them says so; an unknown task is not found, and no other machine is notified', async () => {
      const client = await agentOf('1.0', 'JSONRPC', false);
      const { id: taskId } = await begun(client);
      const config = { taskId, url: 'http://127.0.0.1:1/' };
      await assert.rejects(client.call('CreateTaskPushNotificationConfig', config), { errorName: 'PushNotificationNotSupportedError' });
      const other = await agentOf('1.0', 'HTTP+JSON');
      await assert.rejects(other.call('CreateTaskPushNotificationConfig', config), { errorName: 'TaskNotFoundError' });
      const task = await begun(other);
      await assert.rejects(other.call('CreateTaskPushNotificationConfig', { taskId: task.id, url: 'http://10.0.0.1/' }), {
        errorName: 'InvalidParamsError',
      });
      await assert.rejects(other.call('GetTaskPushNotificationConfig', { taskId: task.id, id: 'nobody' }), {
        errorName: 'TaskNotFoundError',
      });
    });
  });

  const sdks: Readonly<Record<string, () => Promise<NotifyingAgent>>> = { '1.0': notifyingAgent1_0, '0.3': notifyingAgent0_3 };
  for (const [generation, start] of Object.entries(sdks)) {
    suite(`of the SDK of ${generation}`, () => {
      let agent: NotifyingAgent;
      const { info } = console;
      suiteSetup(async () => {
        agent = await start();
        // Its sender reports each notification.
        console.info = () => {};
      });
      suiteTeardown(async () => {
        console.info = info;
        await agent.stop();
      });

      for (const binding of ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const) {
        const client = (): AgentClient => {
          const url = agent.interfaces[binding];
          const plain = readAgentCard(minimalCard('http://127.0.0.1/', generation), ignoreFindings);
          const card = { ...plain, supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: generation }] };
          const chosen = chooseInterface(card, 'http://127.0.0.1/card');
          return new AgentClient({ card, chosen, http: open.http(), agentUrl: new URL(chosen.interface.url).origin });
        };

        test(`${binding}: create, get, list and delete, and what it then delivers`, async () => {
          const spoken = client();
          const hook = await webhook(open);
          const { id: taskId } = await begun(spoken);
          const log = new WireRecording();
          const made = await spoken.call(
            'CreateTaskPushNotificationConfig',
            { taskId, id: 'mine', url: hook.url, token: secrets.token },
            { log },
          );
          assert.deepEqual([made.result.taskId, made.result.id, made.result.url, made.findings], [taskId, 'mine', hook.url, []]);
          await spoken.call('CreateTaskPushNotificationConfig', { taskId, id: 'other', url: hook.url, authentication }, { log });
          const got = await spoken.call('GetTaskPushNotificationConfig', { taskId, id: 'mine' }, { log });
          assert.deepEqual([got.result.url, got.result.token, got.findings], [hook.url, secrets.token, []]);
          const list = await spoken.call('ListTaskPushNotificationConfigs', { taskId }, { log });
          assert.deepEqual(
            list.result.configs.map(({ id }) => id),
            ['mine', 'other'],
          );
          const dropped = await spoken.call('DeleteTaskPushNotificationConfig', { taskId, id: 'other' }, { log });
          assert.deepEqual([dropped.result, dropped.findings], [{}, []]);

          const told = JSON.stringify(log.told);
          const bytes = log.told.map(
            ({ request, response }) =>
              Buffer.from(`${request.bytes ?? ''}`, 'base64').toString() + Buffer.from(response?.bytes ?? '', 'base64').toString(),
          );
          for (const secret of Object.values(secrets)) {
            assert.ok(!told.includes(secret), secret);
            assert.ok(!bytes.some(text => text.includes(secret)), secret);
          }

          agent.finish();
          await eventually(() => assert.ok(hook.delivered.length > 0));
          assert.match(JSON.stringify(hook.delivered.at(-1)!.body), new RegExp(taskId));
          assert.ok(hook.delivered.every(({ headers }) => headers['x-a2a-notification-token'] === secrets.token));
        });

        test(`${binding}: a message brings its configuration along`, async () => {
          const spoken = client();
          const hook = await webhook(open);
          const { id } = await begun(spoken, { taskPushNotificationConfig: { url: hook.url, token: secrets.token } });
          agent.finish();
          await eventually(() =>
            assert.match(JSON.stringify(hook.delivered.at(-1)?.body), new RegExp(`${id}.*completed|completed.*${id}`, 'i')),
          );
        });

        test(`${binding}: an unknown task is an error with its name`, async () => {
          const unknown = client().call('CreateTaskPushNotificationConfig', { taskId: 'nobody', url: 'http://127.0.0.1:1/' });
          await assert.rejects(unknown, { errorName: 'TaskNotFoundError' });
        });
      }
    });
  }
});
