import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { ignoreFindings } from '../../../src/protocol/finding.ts';
import type { OperationParams } from '../../../src/protocol/message/operations.ts';
import { readAgentCard } from '../../../src/protocol/versions/index.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';
import { restServer0_3, restServer1_0, type RestServer } from '../../support/client/restServers.ts';

const servers = [
  { name: 'the SDK of 1.0', generation: '1.0', start: restServer1_0, lists: true },
  { name: 'the SDK of 1.0, spoken to in 0.3', generation: '0.3', start: restServer1_0, lists: false },
  { name: 'the SDK of 0.3', generation: '0.3', start: restServer0_3, lists: false },
];

const ask = (): OperationParams['SendMessage'] => ({
  message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'Convert 10 USD to EUR' }] },
});

/** What others have published, over HTTP+JSON: what both sides agree on is the protocol. */
suite('agent client with published HTTP+JSON servers', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  for (const { name, generation, start, lists } of servers) {
    suite(name, () => {
      let server: RestServer;
      suiteSetup(async () => {
        server = await start();
      });
      suiteTeardown(() => server.stop());

      function client(url = server.url): AgentClient {
        const card = readAgentCard(minimalCard(url, generation, 'HTTP+JSON'), ignoreFindings);
        return new AgentClient({ card, chosen: chooseInterface(card, url), http: open.http(), agentUrl: url });
      }

      test('a stream, its task and the same by one answer, all without a finding', async () => {
        const agent = client();
        const { items, error } = await drain(agent.stream('SendStreamingMessage', ask()));
        assert.equal(error, undefined);
        assert.deepEqual(
          items.flatMap(({ findings }) => findings),
          [],
        );
        const events = items.flatMap(batch => batch.events);
        const [first] = events;
        assert.ok(first !== undefined && 'task' in first);
        const { result: task, findings } = await agent.call('GetTask', { id: first.task.id, historyLength: 1 });
        assert.deepEqual([task.id, task.status.state, findings], [first.task.id, 'TASK_STATE_COMPLETED', []]);
        const data = events
          .flatMap(event => ('artifactUpdate' in event ? event.artifactUpdate.artifact.parts : []))
          .filter(part => 'data' in part);
        assert.deepEqual(
          task.artifacts?.flatMap(({ parts }) => parts).filter(part => 'data' in part),
          data,
        );
        assert.ok(data.length === 1 && !('data' in (data[0]!.data as object)));

        const sent = await agent.call('SendMessage', { ...ask(), configuration: { historyLength: 0 } });
        assert.deepEqual(sent.findings, []);
        assert.ok('task' in sent.result);
        assert.equal(sent.result.task.status.state, 'TASK_STATE_COMPLETED');
      });

      test('an unknown task is an error with its name, asked in every way', async () => {
        const agent = client();
        const notFound = { code: 'agent-error', errorName: 'TaskNotFoundError' };
        await assert.rejects(agent.call('GetTask', { id: 'no/body ü' }), notFound);
        await assert.rejects(agent.call('CancelTask', { id: 'nobody' }), notFound);
        await assert.rejects(agent.call('SendMessage', { message: { ...ask().message, taskId: 'nobody' } }), notFound);
        const { error } = await drain(agent.stream('SubscribeToTask', { id: 'nobody' }));
        // The SDK of 0.3 cannot write an error in the place of a stream.
        assert.match((error as Error).message, generation === '0.3' && start === restServer0_3 ? /Bug: toJson/ : /TaskNotFoundError/);
      });

      test('a /v1 too many does no harm', async () => {
        const agent = client(`${server.url}/v1`);
        const { result } = await agent.call('SendMessage', ask());
        assert.ok('task' in result);
      });

      if (lists) {
        test('tasks are listed page by page', async () => {
          const agent = client();
          for (let turn = 0; turn < 2; turn++) await agent.call('SendMessage', ask());
          const first = await agent.call('ListTasks', { pageSize: 1, includeArtifacts: true });
          assert.deepEqual([first.result.tasks.length, first.findings], [1, []]);
          const second = await agent.call('ListTasks', { pageSize: 1, pageToken: first.result.nextPageToken });
          assert.notEqual(second.result.tasks[0]?.id, first.result.tasks[0]?.id);
        });
      }
    });
  }
});
