import * as assert from 'node:assert/strict';
import { TaskState } from '@a2a-js/sdk';
import { readConversion } from '../../../examples/agents/conversionRequest.ts';
import { startSampleAgents, type StartedSampleAgents } from '../../support/sampleAgents.ts';
import { dataOf, generations, Peer, request, statusText, taskOf } from './peer.ts';

suite('sample agent Currency', () => {
  let agents: StartedSampleAgents;
  suiteSetup(async () => {
    agents = await startSampleAgents({ pace: 0.02 });
  });
  suiteTeardown(() => agents.stop());

  for (const generation of generations) {
    test(`asks for the target and converts in the same task, ${generation}`, async () => {
      const peer = await Peer.connect(agents.urls.Currency, generation);
      const asked = taskOf(await peer.send('How much is 10 USD?'));
      assert.equal(asked.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED);
      assert.equal(statusText(asked), 'To which currency should I convert 10 USD?');

      const unknown = taskOf(await peer.send('quatloos', { taskId: asked.id, contextId: asked.contextId }));
      assert.equal(unknown.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED);
      assert.match(statusText(unknown), /"quatloos".*EUR, USD/);

      const done = taskOf(await peer.send('EUR', { taskId: asked.id, contextId: asked.contextId }));
      assert.equal(done.id, asked.id);
      assert.equal(done.status?.state, TaskState.TASK_STATE_COMPLETED);
      assert.deepEqual(dataOf(done.artifacts[0]?.parts ?? []), { amount: 10, from: 'USD', to: 'EUR', rate: 0.854701, result: 8.55 });
      const users = done.history.filter(message => message.role === 1).map(message => [message.taskId, message.contextId]);
      assert.deepEqual(
        users,
        Array.from({ length: 3 }, () => [asked.id, asked.contextId]),
      );
    });

    test(`answers nonsense with a message, ${generation}`, async () => {
      const peer = await Peer.connect(agents.urls.Currency, generation);
      const { events, message } = await peer.send('Tell me a joke');
      assert.equal(events.length, 1);
      assert.match(message?.parts[0]?.content?.$case === 'text' ? message.parts[0].content.value : '', /^I convert money/);
    });
  }

  test('converts at once, without a stream too', async () => {
    const peer = await Peer.connect(agents.urls.Currency, '1.0');
    const result = await peer.client.sendMessage(request('Convert 10 USD to EUR'));
    assert.ok('status' in result);
    assert.equal(result.status?.state, TaskState.TASK_STATE_COMPLETED);
  });

  test('cancels a task that waits for an answer', async () => {
    const peer = await Peer.connect(agents.urls.Currency, '1.0');
    const asked = taskOf(await peer.send('How much is 10 USD?'));
    const canceled = await peer.client.cancelTask({ id: asked.id, tenant: '', metadata: undefined });
    assert.equal(canceled.status?.state, TaskState.TASK_STATE_CANCELED);
    await assert.rejects(peer.send('EUR', { taskId: asked.id }), /terminal state/);
  });

  const readings: readonly (readonly [texts: readonly string[], read: ReturnType<typeof readConversion>])[] = [
    [['How much is 10 USD?'], { amount: 10, from: 'USD' }],
    [['Convert 10 USD to EUR'], { amount: 10, from: 'USD', to: 'EUR' }],
    [['What is 250 kronor in dollars?', 'SEK'], { amount: 250, from: 'SEK', to: 'USD' }],
    [['$1,250.50 in yen'], { amount: 1250.5, from: 'USD', to: 'JPY' }],
    [['9,50 € into pounds'], { amount: 9.5, from: 'EUR', to: 'GBP' }],
    [['10 USD to XYZ'], { amount: 10, from: 'USD', unknown: 'XYZ' }],
    [['10 USD to XYZ', 'I meant Swiss francs'], { amount: 10, from: 'USD', to: 'CHF' }],
    [['How much is 10 USD?', 'to euros please'], { amount: 10, from: 'USD', to: 'EUR' }],
    [['Tell me a joke in EUR'], {}],
  ];
  for (const [texts, expected] of readings) {
    test(`reads ${JSON.stringify(texts)}`, () => assert.deepEqual(readConversion(texts), expected));
  }
});
