import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TaskServer } from '../../../src/mock/taskServer.ts';
import { versionOf } from '../../../src/protocol/versions/index.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { webhook } from '../../support/client/webhook.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

suite('push notifications in request files', () => {
  let program: TerminalFolder;
  const open = new OpenThings();
  suiteSetup(async () => {
    program = await TerminalFolder.make();
  });
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  for (const generation of ['1.0', '0.3'] as const)
    test(`${generation}: configurations are made, read, listed and deleted, under older names too`, async () => {
      const server = new TaskServer({
        version: versionOf(generation)!,
        onError: assert.ifError,
        *work({ taskId, contextId }) {
          yield { statusUpdate: { taskId, contextId, status: { state: 'TASK_STATE_INPUT_REQUIRED' } } };
        },
      });
      const agent = await open.agent(server.script, generation);
      const hook = await webhook(open);
      const taskId = '{{ask.task.id}}';
      const requests = [
        { name: 'ask', method: 'SendMessage', message: 'hello' },
        { name: 'made', method: 'CreateTaskPushNotificationConfig', params: { taskId, url: hook.url, token: '{{$uuid}}' } },
        { name: 'read', method: 'tasks/pushNotificationConfig/get', params: { taskId, id: '{{made.value.id}}' } },
        { name: 'list', method: 'ListTaskPushNotificationConfigs', params: { taskId: '{{read.value.taskId}}' } },
        { name: 'drop', method: 'DeleteTaskPushNotificationConfig', params: { taskId, id: '{{list.value.configs[0].id}}' } },
        {
          name: 'gone',
          method: 'GetTaskPushNotificationConfig',
          params: { taskId, id: '{{made.value.id}}' },
          expect: { error: 'TaskNotFoundError' },
        },
        { name: 'still', method: 'GetTask', params: { id: taskId }, expect: { state: 'input-required' } },
      ];
      await writeFile(join(program.folder, 'push.a2a'), JSON.stringify({ agent: agent.url, requests }));
      const { status, out, err } = await program.run(['run', 'push.a2a']);
      assert.equal(status, 0, out + err);
      assert.deepEqual(
        agent.requests.flatMap(({ operation }) => operation ?? []).filter(operation => operation.includes('Push')),
        [
          'CreateTaskPushNotificationConfig',
          'GetTaskPushNotificationConfig',
          'ListTaskPushNotificationConfigs',
          'DeleteTaskPushNotificationConfig',
          'GetTaskPushNotificationConfig',
        ],
      );
    });
});
