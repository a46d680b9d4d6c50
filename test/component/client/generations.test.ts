import * as assert from 'node:assert/strict';
import { A2AError } from '../../../src/protocol/errors.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import { versions } from '../../../src/protocol/versions/index.ts';
import { isA2A } from '../../support/protocol/operationsOf.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';
import { asks, chunk, says, statusUpdate, task } from '../../support/client/says.ts';

const work: readonly StreamResponse[] = [
  statusUpdate('TASK_STATE_WORKING', says('grüße 🚢')),
  chunk('one ', false),
  chunk('two', true, true),
  statusUpdate('TASK_STATE_COMPLETED'),
];

/** Without what the older generations have no words for: ids of messages and artifacts, and the context of an event that was not asked for. */
function bare(event: StreamResponse): unknown {
  if ('statusUpdate' in event) {
    const { taskId, status } = event.statusUpdate;
    return [taskId, status.state, status.message?.parts];
  }
  if ('artifactUpdate' in event) {
    const { taskId, artifact, append, lastChunk } = event.artifactUpdate;
    return [taskId, artifact.name, artifact.parts, append, lastChunk];
  }
  return event;
}

/** Found by its card, spoken to through the table, nothing else said. */
suite('agent client in every generation', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  for (const { protocolVersion } of versions.filter(isA2A)) {
    suite(protocolVersion, () => {
      test('the card leads to it', async () => {
        const { client } = await open.spoken({}, protocolVersion);
        assert.equal(client.chosen.version.protocolVersion, protocolVersion);
      });

      test('a message starts a task, a second one gives the input it waits for', async () => {
        const asked = { parts: [{ text: 'which colour?' }], messageId: 'a-1', role: 'ROLE_AGENT' as const };
        const { agent, client } = await open.spoken(
          {
            *SendMessage({ params }) {
              const { taskId, parts } = params!.message;
              const red = parts.some(part => 'text' in part && part.text === 'red');
              yield {
                answer: {
                  task: red
                    ? task('TASK_STATE_COMPLETED', { id: taskId })
                    : task('TASK_STATE_INPUT_REQUIRED', {
                        id: taskId ?? 't-1',
                        status: { state: 'TASK_STATE_INPUT_REQUIRED', message: asked },
                      }),
                },
              };
            },
          },
          protocolVersion,
        );
        const first = await client.call('SendMessage', asks('go'));
        assert.deepEqual(first.findings, []);
        assert.ok('task' in first.result);
        const { id, contextId, status } = first.result.task;
        assert.deepEqual([contextId, status.state, status.message?.parts], ['c-1', 'TASK_STATE_INPUT_REQUIRED', asked.parts]);
        const second = await client.call('SendMessage', asks('red', { messageId: 'm-2', taskId: id, contextId }));
        assert.ok('task' in second.result);
        assert.deepEqual([second.result.task.id, second.result.task.status.state, second.findings], [id, 'TASK_STATE_COMPLETED', []]);
        const { params } = agent.requests.at(-1)!;
        assert.ok(params !== undefined && 'message' in params);
        assert.deepEqual([params.message.taskId, params.message.contextId], [id, 'c-1']);
      });

      for (const operation of ['SendStreamingMessage', 'SubscribeToTask'] as const) {
        test(`${operation} gives every event in order, without a finding`, async () => {
          const { agent, client } = await open.spoken({ [operation]: work.map(event => ({ event })) }, protocolVersion);
          const { items, error } = await drain(
            operation === 'SubscribeToTask'
              ? client.stream(operation, { id: 't-1' })
              : client.stream(operation, asks('go', { taskId: 't-1' })),
          );
          assert.equal(error, undefined);
          assert.deepEqual(items.flatMap(({ events }) => events).map(bare), work.map(bare));
          assert.deepEqual(
            items.flatMap(({ findings }) => findings),
            [],
          );
          assert.equal(agent.requests.at(-1)?.operation, operation);
        });
      }

      test('chunks of one artifact stay one, those of two stay two', async () => {
        const piece = (artifactId: string, append: boolean): StreamResponse => ({
          artifactUpdate: { taskId: 't-1', contextId: 'c-1', artifact: { artifactId, parts: [{ text: 'x' }] }, append },
        });
        const { client } = await open.spoken(
          { SendStreamingMessage: [piece('a', false), piece('b', false), piece('a', true)].map(event => ({ event })) },
          protocolVersion,
        );
        const { items } = await drain(client.stream('SendStreamingMessage', asks('go')));
        const ids = items
          .flatMap(({ events }) => events)
          .map(event => ('artifactUpdate' in event ? event.artifactUpdate.artifact.artifactId : ''));
        assert.deepEqual(
          ids.map(id => ids.indexOf(id)),
          [0, 1, 0],
        );
      });

      test('a task is read and cancelled', async () => {
        const { agent, client } = await open.spoken(
          { GetTask: [{ answer: task('TASK_STATE_WORKING') }], CancelTask: [{ answer: task('TASK_STATE_CANCELED') }] },
          protocolVersion,
        );
        assert.deepEqual(await client.call('GetTask', { id: 't-1', historyLength: 3 }).then(({ result, findings }) => [result, findings]), [
          task('TASK_STATE_WORKING'),
          [],
        ]);
        assert.deepEqual(await client.call('CancelTask', { id: 't-1' }).then(({ result, findings }) => [result, findings]), [
          task('TASK_STATE_CANCELED'),
          [],
        ]);
        assert.deepEqual(
          agent.requests.slice(-2).map(({ params }) => params),
          [{ id: 't-1', historyLength: 3 }, { id: 't-1' }],
        );
      });

      test('an error has the name of its generation, as an answer and inside a stream', async () => {
        const name: Readonly<Record<string, string>> = {
          '0.1': 'AuthenticationRequiredError',
          '0.3': 'AuthenticatedExtendedCardNotConfiguredError',
        };
        const error = { code: -32007, message: 'no' };
        const { client } = await open.spoken(
          { GetTask: [{ error }], SendStreamingMessage: [{ event: work[0]! }, { error }] },
          protocolVersion,
        );
        const answered = await client.call('GetTask', { id: 'x' }).catch((caught: unknown) => caught);
        const streamed = await drain(client.stream('SendStreamingMessage', asks('go')));
        assert.equal(streamed.items.flatMap(({ events }) => events).length, 1);
        for (const caught of [answered, streamed.error]) {
          assert.ok(caught instanceof A2AError, String(caught));
          assert.deepEqual([caught.rpcCode, caught.errorName], [-32007, name[protocolVersion] ?? 'ExtendedAgentCardNotConfiguredError']);
        }
      });
    });
  }

  test('in 0.1 the client names task and context, and the events that do not repeat the context are in it', async () => {
    const { agent, client } = await open.spoken(
      {
        *SendStreamingMessage({ params }) {
          yield { event: { statusUpdate: { taskId: params!.message.taskId!, status: { state: 'TASK_STATE_COMPLETED' } } } };
        },
      },
      '0.1',
    );
    const named = async (more: object): Promise<unknown[]> => {
      const { items } = await drain(client.stream('SendStreamingMessage', asks('go', more)));
      const [event] = items.flatMap(({ events }) => events);
      const { id, sessionId } = (JSON.parse(agent.requests.at(-1)!.body) as { params: { id: string; sessionId: string } }).params;
      assert.ok(event !== undefined && 'statusUpdate' in event);
      assert.deepEqual([event.statusUpdate.taskId, event.statusUpdate.contextId], [id, sessionId]);
      return [id, sessionId];
    };
    const [firstId, firstContext] = await named({});
    const [secondId, secondContext] = await named({ messageId: 'm-2' });
    assert.deepEqual([firstId, secondId], ['m-1', 'm-2']);
    assert.notEqual(firstContext, secondContext);
    assert.deepEqual(await named({ taskId: 't-9', contextId: 'c-9' }), ['t-9', 'c-9']);
  });

  test('what an agent of 0.1 says instead of what its card of 0.3 promised is read, and noted', async () => {
    const { client } = await open.spoken(
      {
        SendMessage: ({ body }) => [
          {
            json: {
              jsonrpc: '2.0',
              id: (JSON.parse(body) as { id: string }).id,
              result: { id: 't-1', sessionId: 'c-1', status: { state: 'completed' } },
            },
          },
        ],
      },
      '0.3',
    );
    const { result, findings } = await client.call('SendMessage', asks('go'));
    assert.deepEqual(result, { task: { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' } } });
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      ['VER-04'],
    );
  });

  test("a raw body with a name common to several generations is of the agent's own", async () => {
    const { client, log } = await open.spoken({ GetTask: [{ answer: task('TASK_STATE_WORKING') }] }, '0.1');
    const { items, error } = await drain(
      client.sendRaw(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 't-1' } }), { log }),
    );
    assert.equal(error, undefined);
    assert.deepEqual(
      items.flatMap(({ events }) => events),
      [{ task: task('TASK_STATE_WORKING') }],
    );
    assert.equal(log.last.protocolVersion, '0.1');
  });
});
