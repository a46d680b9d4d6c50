import * as assert from 'node:assert/strict';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Script, Step } from '../../../src/mock/script.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Entry } from '../../../src/protocol/message/transcript.ts';
import { startWorld, textOf, until, type Window, type World } from '../../support/model/world.ts';

const expense = '{"amount": 100, "currency": "USD"}';
const approved = { status: 'approved', message: 'Processed 100 USD' };

/** Steps about the task that was asked for, whatever the client called it. */
const about =
  (make: (taskId: string) => readonly Step[]): Script['SendStreamingMessage'] =>
  ({ params }) =>
    make(params!.message.taskId!);
type Word = 'WORKING' | 'COMPLETED' | 'FAILED';
const status = (
  taskId: string,
  word: Word,
  progress?: number,
  said?: { text: string; code: string },
): { readonly event: StreamResponse } => ({
  event: {
    statusUpdate: {
      taskId,
      ...(progress !== undefined && { metadata: { progress } }),
      status: {
        state: `TASK_STATE_${word}`,
        ...(said && { message: { messageId: 'e', role: 'ROLE_AGENT', parts: [{ text: said.text }], metadata: { code: said.code } } }),
      },
    },
  },
});
const result = (taskId: string): { readonly event: StreamResponse } => ({
  event: { artifactUpdate: { taskId, artifact: { artifactId: 'result', parts: [{ data: approved }] } } },
});

function word(entry: Entry): string {
  switch (entry.kind) {
    case 'message':
      return `I (${entry.delivery})`;
    case 'status':
      return `${entry.state.slice('TASK_STATE_'.length).toLowerCase()}${entry.message === undefined ? '' : `: ${textOf(entry.message)} ${String(entry.message.metadata?.['code'])}`}`;
    case 'artifact':
      return JSON.stringify(entry.artifact.parts);
    case 'problem':
      return `problem ${entry.code}`;
    case 'gap':
      return 'gap';
  }
}

suite('a chat with an agent of the task API', () => {
  let world: World | undefined;
  teardown(() => world?.close());

  async function begin(script: Script, pushes = true): Promise<Window> {
    const card = (url: string): object => ({
      ...minimalCard(url, 'task-rest'),
      capabilities: { streaming: false, pushNotifications: pushes, interactionModes: ['text', 'form'] },
      schema: { input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] } },
    });
    world = await startWorld({ version: 'task-rest', script, card });
    return world.open();
  }

  const ends: Readonly<Record<string, readonly [script: Script, pushes: boolean]>> = {
    'over its WebSocket': [
      {
        SubscribeToTask: [],
        SendStreamingMessage: about(id => [
          { delay: 5 },
          status(id, 'WORKING', 10),
          status(id, 'WORKING', 90),
          result(id),
          status(id, 'COMPLETED'),
        ]),
      },
      true,
    ],
    'that has none': [
      { SendStreamingMessage: about(id => [{ delay: 5 }, status(id, 'WORKING'), { delay: 20 }, result(id), status(id, 'COMPLETED')]) },
      true,
    ],
    'that is polled': [
      { SendStreamingMessage: about(id => [status(id, 'WORKING'), { delay: 20 }, result(id), status(id, 'COMPLETED')]) },
      false,
    ],
    'whose WebSocket is cut': [
      {
        SubscribeToTask: [{ delay: 15 }, { reset: true }],
        SendStreamingMessage: about(id => [status(id, 'WORKING'), { delay: 40 }, result(id), status(id, 'COMPLETED')]),
      },
      true,
    ],
  };
  for (const [name, [script, pushes]] of Object.entries(ends)) {
    test(`goes from the card to the result: one ${name}`, async () => {
      const { contexts, errors } = await begin(script, pushes);
      const context = contexts.create('Ann');
      const told = await context.send({ parts: [{ text: expense }], target: 'new-task' }).done;
      assert.equal(told.problem, undefined);
      assert.deepEqual(
        [told.task?.status.state, told.task?.artifacts?.[0]?.parts satisfies readonly Part[] | undefined],
        ['TASK_STATE_COMPLETED', [{ data: approved }]],
      );
      const words = context.entries().items.map(word);
      assert.deepEqual(
        words.filter(text => !['submitted', 'working'].includes(text)),
        ['I (sent)', JSON.stringify([{ data: approved }]), 'completed'],
      );
      assert.ok(words.includes('submitted') || words.includes('working'));
      assert.equal(world!.agent.requests.filter(({ method }) => method === 'POST').length, 1);
      assert.deepEqual(errors, []);
    });
  }

  test('shows progress in one entry', async () => {
    const { contexts } = await begin({
      SubscribeToTask: [],
      SendStreamingMessage: about(id => [{ delay: 5 }, ...[10, 50, 90].map(percent => status(id, 'WORKING', percent)), { stall: true }]),
    });
    const context = contexts.create('Ann');
    const run = context.send({ parts: [{ text: expense }], target: 'new-task' });
    const working = (): readonly unknown[] =>
      context
        .entries()
        .items.flatMap(entry => (entry.kind === 'status' && entry.state === 'TASK_STATE_WORKING' ? [entry.metadata?.['progress']] : []));
    await until(() => working().includes(90));
    assert.deepEqual(working(), [90]);
    await run.stop();
  });

  test('tells a failure with its code', async () => {
    const { contexts } = await begin({
      SubscribeToTask: [],
      SendStreamingMessage: about(id => [
        { delay: 5 },
        status(id, 'FAILED', undefined, { text: 'Amount must be positive', code: 'INVALID_INPUT' }),
      ]),
    });
    const context = contexts.create('Ann');
    const { problem, task } = await context.send({ parts: [{ data: { amount: -1 } }], target: 'new-task' }).done;
    assert.deepEqual([problem, task?.status.state], [undefined, 'TASK_STATE_FAILED']);
    assert.equal(context.entries().items.map(word).at(-1), 'failed: Amount must be positive (INVALID_INPUT) INVALID_INPUT');
  });

  test('says what to write where the message has no data, and sends nothing', async () => {
    const { contexts } = await begin({ SendStreamingMessage: [] });
    const context = contexts.create('Ann');
    const { problem, delivery } = await context.send({ parts: [{ text: 'please' }], target: 'new-task' }).done;
    assert.deepEqual([problem?.code, delivery], ['no-input', 'refused']);
    assert.deepEqual(
      context.entries().items.map(({ kind, exchangeId }) => [kind, exchangeId]),
      [
        ['message', undefined],
        ['problem', undefined],
      ],
    );
    assert.deepEqual(
      world!.agent.requests.filter(({ method }) => method === 'POST'),
      [],
    );
  });

  test('can be stopped', async () => {
    const { contexts } = await begin({
      SubscribeToTask: [],
      SendStreamingMessage: about(id => [{ delay: 5 }, status(id, 'WORKING'), { stall: true }]),
      CancelTask: ({ params }) => [{ answer: { id: params!.id, status: { state: 'TASK_STATE_CANCELED' } } }],
    });
    const context = contexts.create('Ann');
    const run = context.send({ parts: [{ text: expense }], target: 'new-task' });
    await until(() => run.state === 'TASK_STATE_WORKING');
    assert.equal(await run.stop(), 'canceled');
    assert.equal(context.entries().items.map(word).at(-1), 'canceled');
  });
});
