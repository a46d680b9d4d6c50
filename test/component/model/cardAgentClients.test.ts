import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Role, TaskState, type AgentCard, type Message } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory, type Client } from '@a2a-js/sdk/client';
import { A2AClient } from '@a2a-js/sdk-0.2/client';
import { ClientFactory as OlderFactory } from '@a2a-js/sdk-0.3/client';
import { textPart } from '../../../examples/agents/parts.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { CardAgent } from '../../../src/model/mocks/cardAgent.ts';

/** The clients of the protocol's own SDK cannot tell the mock of a card from an agent that is made with the SDK. */
suite('the mock of a card, for clients of the SDK', () => {
  let agent: CardAgent;
  let url: string;
  let faults: unknown[];
  teardown(async () => {
    await agent.stop();
    assert.deepEqual(faults, []);
  });

  async function serve(card: object): Promise<string> {
    faults = [];
    agent = new CardAgent(
      () => card,
      error => faults.push(error),
    );
    url = await agent.start();
    return url;
  }

  const legacyCompat = { enabled: true };
  const message = (text: string, more: Partial<Message> = {}): Message => ({
    messageId: randomUUID(),
    contextId: '',
    taskId: '',
    referenceTaskIds: [],
    role: Role.ROLE_USER,
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
    ...more,
  });
  const request = (text: string, more: Partial<Message> = {}) => ({
    tenant: '',
    message: message(text, more),
    configuration: undefined,
    metadata: undefined,
  });
  const named =
    (name: string) =>
    (error: unknown): true => {
      assert.ok(error instanceof Error);
      assert.match(`${error.constructor.name} ${error.name} ${JSON.stringify(error)}`, new RegExp(name), String(error));
      return true;
    };

  async function clientFor(card: object): Promise<{ readonly client: Client; readonly card: AgentCard }> {
    const resolved = await new DefaultAgentCardResolver({ legacyCompat }).resolve(await serve(card));
    const transports = [new JsonRpcTransportFactory({ legacyCompat }), new RestTransportFactory({ legacyCompat })];
    return { client: await new ClientFactory({ transports }).createFromAgentCard(resolved), card: resolved };
  }

  for (const [generation, binding] of [
    ['1.0', 'JSONRPC'],
    ['1.0', 'HTTP+JSON'],
    ['0.3', 'JSONRPC'],
    ['0.3', 'HTTP+JSON'],
  ] as const) {
    test(`the current SDK, ${generation} over ${binding}`, async () => {
      const { client, card } = await clientFor(minimalCard('https://elsewhere.example/', generation, binding));
      assert.deepEqual(
        card.supportedInterfaces.map(face => [face.url, face.protocolBinding]),
        [[url, binding]],
      );

      const sent = await client.sendMessage(request('ahoy'));
      assert.ok('status' in sent);
      assert.equal(sent.status?.state, TaskState.TASK_STATE_COMPLETED);
      // 0.3 has no words for the media type of a text.
      for (const told of [sent.artifacts, sent.history])
        assert.deepEqual(
          told.map(({ parts }) => parts.map(({ content }) => content)),
          [[textPart('ahoy').content]],
        );

      const kinds: (string | undefined)[] = [];
      for await (const { payload } of client.sendMessageStream(request('ahoy', { contextId: sent.contextId }))) kinds.push(payload?.$case);
      assert.deepEqual(kinds, ['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate']);

      assert.deepEqual(await client.getTask({ tenant: '', id: sent.id }), sent);
      assert.deepEqual((await client.getTask({ tenant: '', id: sent.id, historyLength: 0 })).history, []);
      await assert.rejects(client.getTask({ tenant: '', id: 'nobody' }), named('TaskNotFound'));
      await assert.rejects(client.cancelTask({ tenant: '', id: sent.id, metadata: undefined }), named('TaskNotCancelable'));
      await assert.rejects(client.cancelTask({ tenant: '', id: 'nobody', metadata: undefined }), named('TaskNotFound'));
      await assert.rejects(client.sendMessage(request('more', { taskId: sent.id })), named('UnsupportedOperation'));
      await assert.rejects(client.sendMessage(request('more', { taskId: 'nobody' })), named('TaskNotFound'));
      await assert.rejects(async () => {
        for await (const _ of client.resubscribeTask({ tenant: '', id: 'nobody' })) break;
      }, named('TaskNotFound'));
      if (generation !== '1.0') return;
      const listed = await client.listTasks({
        tenant: '',
        contextId: sent.contextId,
        status: TaskState.TASK_STATE_UNSPECIFIED,
        pageToken: '',
        statusTimestampAfter: undefined,
        pageSize: 1,
      });
      assert.deepEqual([listed.totalSize, listed.pageSize, listed.tasks.length, listed.nextPageToken !== ''], [2, 1, 1, true]);
    });
  }

  test('the SDK of 0.3', async () => {
    const client = await new OlderFactory().createFromUrl(await serve(minimalCard('https://elsewhere.example/', '0.3')));
    const own = {
      kind: 'message' as const,
      messageId: randomUUID(),
      role: 'user' as const,
      parts: [{ kind: 'text' as const, text: 'ahoy' }],
    };
    const sent = await client.sendMessage({ message: own });
    assert.ok(sent.kind === 'task' && sent.status.state === 'completed');
    assert.deepEqual(sent.artifacts?.[0]?.parts, own.parts);
    const kinds: string[] = [];
    for await (const event of client.sendMessageStream({ message: { ...own, messageId: randomUUID() } })) kinds.push(event.kind);
    assert.deepEqual(kinds, ['task', 'status-update', 'artifact-update', 'status-update']);
    assert.deepEqual(await client.getTask({ id: sent.id }), sent);
    await assert.rejects(client.getTask({ id: 'nobody' }), named('TaskNotFound'));
    await assert.rejects(client.cancelTask({ id: sent.id }), named('TaskNotCancelable'));
  });

  test('the SDK of 0.2', async () => {
    const client = new A2AClient(await serve(minimalCard('https://elsewhere.example/', '0.2')));
    const own = {
      kind: 'message' as const,
      messageId: randomUUID(),
      role: 'user' as const,
      parts: [{ kind: 'text' as const, text: 'ahoy' }],
    };
    const answer = await client.sendMessage({ message: own });
    assert.ok('result' in answer && answer.result.kind === 'task' && answer.result.status.state === 'completed');
    const kinds: string[] = [];
    for await (const event of client.sendMessageStream({ message: { ...own, messageId: randomUUID() } })) kinds.push(event.kind);
    assert.deepEqual(kinds, ['task', 'status-update', 'artifact-update', 'status-update']);
    const missing = await client.getTask({ id: 'nobody' });
    assert.ok('error' in missing && missing.error.code === -32001);
  });
});
