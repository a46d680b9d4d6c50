import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import type { OperationParams } from '../../../src/protocol/message/operations.ts';
import { startSampleAgents, type SampleAgentName, type StartedSampleAgents } from '../../support/sampleAgents.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';

/** Of those that make tasks. */
const prompts: Readonly<Record<Exclude<SampleAgentName, 'Phrasebook'>, string>> = {
  Sailboat: 'Generate an image of a sailboat on the ocean.',
  Currency: 'How much is 100 USD in EUR?',
  Helsinki: 'Book me a flight to Helsinki',
  Writer: 'Write 40 chunks quickly',
};

/** Agents that are built with the protocol's own SDK, not with the mock: what both sides agree on is the protocol. */
suite('agent client with agents of the official SDK', () => {
  const open = new OpenThings();
  let agents: StartedSampleAgents;
  suiteSetup(async () => {
    agents = await startSampleAgents({ pace: 0.001 });
  });
  suiteTeardown(() => agents.stop());
  teardown(() => open.close());

  async function clientFor(name: SampleAgentName, protocolVersion: string): Promise<AgentClient> {
    const http = open.http();
    const { card, cardUrl, agentUrl, findings } = await resolveAgentCard(agents.urls[name], { http });
    assert.deepEqual(findings, []);
    return new AgentClient({ card, chosen: chooseInterface(card, cardUrl, { protocolVersion }), http, agentUrl });
  }

  const ask = (text: string): OperationParams['SendMessage'] => ({
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] },
  });

  for (const generation of ['1.0', '0.3']) {
    for (const [name, prompt] of Object.entries(prompts) as [SampleAgentName, string][]) {
      test(`${name} in ${generation}: a stream, its task and the same by one answer, all without a finding`, async () => {
        const client = await clientFor(name, generation);
        const { items, error } = await drain(client.stream('SendStreamingMessage', ask(prompt)));
        assert.equal(error, undefined);
        assert.deepEqual(
          items.flatMap(({ findings }) => findings),
          [],
        );
        const events = items.flatMap(batch => batch.events);
        const [first] = events;
        assert.ok(first !== undefined && 'task' in first);
        const last = events.flatMap(event => ('statusUpdate' in event ? [event.statusUpdate.status.state] : [])).at(-1);

        const { result: task, findings } = await client.call('GetTask', { id: first.task.id });
        assert.deepEqual([task.id, task.status.state, findings], [first.task.id, last, []]);

        const sent = await client.call('SendMessage', ask(prompt));
        assert.deepEqual(sent.findings, []);
        assert.ok('task' in sent.result);
        assert.equal(sent.result.task.status.state, last);
      });
    }

    test(`an unknown task in ${generation} is an error with its name`, async () => {
      const client = await clientFor('Writer', generation);
      await assert.rejects(client.call('GetTask', { id: 'nobody' }), { code: 'agent-error', errorName: 'TaskNotFoundError' });
      await assert.rejects(client.call('CancelTask', { id: 'nobody' }), { code: 'agent-error', errorName: 'TaskNotFoundError' });
    });
  }

  test('tasks are listed page by page', async () => {
    const client = await clientFor('Currency', '1.0');
    for (let turn = 0; turn < 3; turn++) await client.call('SendMessage', ask(prompts.Currency));
    const seen: string[] = [];
    let pageToken: string | undefined;
    do {
      const { result, findings } = await client.call('ListTasks', { pageSize: 2, pageToken });
      assert.deepEqual(findings, []);
      seen.push(...result.tasks.map(({ id }) => id));
      pageToken = result.nextPageToken || undefined;
    } while (pageToken !== undefined);
    assert.ok(seen.length >= 3);
    assert.equal(new Set(seen).size, seen.length);
  });
});
