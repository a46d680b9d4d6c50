import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import type { SendMessageParams } from '../../../src/protocol/message/operations.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { eventually } from '../../support/eventually.ts';
import { openReceiver, type OpenReceiver } from '../../support/receiver/openReceiver.ts';
import { startSampleAgents, type StartedSampleAgents } from '../../support/sampleAgents.ts';

/** The sender of the protocol's own SDK, in both generations that it speaks. */
suite('receiver of push notifications with the sample agents', () => {
  const open = new OpenThings();
  const { info } = console;
  let agents: StartedSampleAgents;
  let heard: OpenReceiver;
  suiteSetup(async () => {
    agents = await startSampleAgents({ pace: 0.001 });
    // Its sender reports each notification.
    console.info = () => {};
  });
  suiteTeardown(async () => {
    console.info = info;
    await agents.stop();
  });
  setup(async () => {
    heard = await openReceiver();
  });
  teardown(async () => {
    await heard.receiver.stop();
    await open.close();
  });

  async function clientFor(protocolVersion: string): Promise<AgentClient> {
    const http = open.http();
    const { card, cardUrl, agentUrl } = await resolveAgentCard(agents.urls.Currency, { http });
    return new AgentClient({ card, chosen: chooseInterface(card, cardUrl, { protocolVersion }), http, agentUrl });
  }
  const ask = (configuration: SendMessageParams['configuration']): SendMessageParams => ({
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'How much is 100 USD in EUR?' }] },
    configuration,
  });

  for (const protocolVersion of ['1.0', '0.3'])
    test(`${protocolVersion}: a task is told from its beginning to its end, without a finding`, async () => {
      const webhook = heard.receiver.open({ protocolVersion });
      const client = await clientFor(protocolVersion);
      const { result } = await client.call('SendMessage', ask({ taskPushNotificationConfig: webhook.config }));
      assert.ok('task' in result);
      const taskId = result.task.id;
      const isOver = (): boolean =>
        heard.deliveries.some(
          ({ content }) =>
            content !== undefined &&
            (('statusUpdate' in content && content.statusUpdate.status.state === 'TASK_STATE_COMPLETED') ||
              ('task' in content && content.task.status.state === 'TASK_STATE_COMPLETED')),
        );
      await eventually(() => assert.ok(isOver()));
      assert.ok(heard.deliveries.length > 1);
      for (const { taskId: told, findings, verdicts, isAccepted, protocolVersion: shape } of heard.deliveries) {
        assert.deepEqual([told, findings, isAccepted, shape], [taskId, [], true, protocolVersion]);
        assert.deepEqual(
          verdicts.map(({ of, outcome }) => [of, outcome]),
          [['token', 'passed']],
        );
      }
    });

  test('with Authorization in the place of the token', async () => {
    const webhook = heard.receiver.open({ authentication: { scheme: 'Bearer', credentials: 'abc' } });
    const client = await clientFor('1.0');
    await client.call('SendMessage', ask({ taskPushNotificationConfig: webhook.config }));
    await eventually(() => assert.ok(heard.deliveries.length > 0));
    assert.deepEqual(
      heard.deliveries[0]!.verdicts.map(({ of, outcome }) => `${of} ${outcome}`),
      ['token absent', 'authorization passed'],
    );
    assert.ok(heard.deliveries[0]!.isApplied);
  });

  test('they notify this machine alone', async () => {
    const client = await clientFor('1.0');
    await assert.rejects(client.call('SendMessage', ask({ taskPushNotificationConfig: { url: 'http://192.0.2.1/' } })), {
      errorName: 'UnsupportedOperationError',
    });
  });
});
