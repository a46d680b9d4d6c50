import * as assert from 'node:assert/strict';
import { artifactOfEvent, wireAnswer, wireEvent, wireRequest } from '../../../src/model/wire/wireLines.ts';
import type { ExchangeSummary } from '../../../src/protocol/exchange.ts';

const rpc = { protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
const old = { protocolBinding: 'JSONRPC', protocolVersion: '0.3' };
const event = (result: unknown, spoken = rpc): ReturnType<typeof wireEvent> =>
  wireEvent({ seq: 0, at: 1, data: JSON.stringify({ jsonrpc: '2.0', id: 1, result }) }, spoken);
const summary = (more: Partial<ExchangeSummary>): ExchangeSummary => ({
  id: 'e',
  operation: 'SendMessage',
  ...rpc,
  startedAt: 1,
  method: 'POST',
  url: 'http://127.0.0.1/',
  frames: 0,
  findings: [],
  sent: { size: 2, head: '{}' },
  ...more,
});

suite('lines of the wire', () => {
  test('a request has the name of its method where that is not its operation', () => {
    const head = (method?: string): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} });
    const methods = ['message/send', 'SendMessage', undefined].map(
      method => wireRequest(summary({ sent: { size: 2, head: head(method) } })).method,
    );
    assert.deepEqual(methods, ['message/send', undefined, undefined]);
  });

  test('whether the agent still works is known from what has a state', () => {
    const ids = { taskId: 't', contextId: 'c' };
    const status = (state: string): unknown => ({ statusUpdate: { ...ids, status: { state } } });
    const chunk = { artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [] } } };
    const task = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' } } };
    assert.deepEqual(
      [status('TASK_STATE_WORKING'), status('TASK_STATE_INPUT_REQUIRED'), chunk, task].map(told => event(told).active),
      [true, false, undefined, true],
    );
  });

  test('events of 1.0 and 0.3, by what they say', () => {
    const parts = [{ text: 'a\n  whale' }];
    for (const [told, type, preview] of [
      [
        event({
          statusUpdate: {
            taskId: 't',
            contextId: 'c',
            status: { state: 'TASK_STATE_WORKING', message: { messageId: 'm', role: 'ROLE_AGENT', parts } },
          },
        }),
        'status ▸ working',
        'a whale',
      ],
      [
        event({ artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts }, append: true } }),
        'artifact +1',
        'a whale',
      ],
      [
        event({ artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts }, append: true, lastChunk: true } }),
        'artifact +1 (last)',
        'a whale',
      ],
      [
        event({ task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ artifactId: 'a', parts }] } }),
        'task ▸ completed',
        'a whale',
      ],
      [event({ message: { messageId: 'm', role: 'ROLE_AGENT', parts } }), 'message', 'a whale'],
      [
        event(
          {
            kind: 'artifact-update',
            taskId: 't',
            contextId: 'c',
            append: false,
            artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'old' }] },
          },
          old,
        ),
        'artifact',
        'old',
      ],
      [
        event({ kind: 'status-update', taskId: 't', contextId: 'c', final: true, status: { state: 'input-required' } }, old),
        'status ▸ input-required',
        '{"kind":"status-update","taskId":"t","contextId":"c","final":true,"status":{"state":"input-required"}}',
      ],
      ...(
        [
          [[{ raw: 'QQ==', filename: 'label.png', mediaType: 'image/png' }], 'label.png'],
          [[{ raw: 'QQ==', mediaType: 'image/png' }, { data: { rows: [1, 2] } }], 'image/png {"rows":[1,2]}'],
          [[{ url: 'https://files.test/a' }, { text: ' ' }], 'https://files.test/a'],
        ] as const
      ).map(
        ([told, preview]) =>
          [
            event({ artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: told } } }),
            'artifact',
            preview,
          ] as const,
      ),
    ] as const) {
      assert.equal(told.type, type);
      assert.equal(told.preview, preview);
    }
  });

  test('chunks of one artifact are alike, those of another and a replacement are not', () => {
    const chunk = (artifactId: string, append: boolean): string | undefined =>
      event({ artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId, parts: [{ text: 'x' }] }, append } }).alike;
    assert.equal(chunk('a', true), chunk('a', true));
    assert.notEqual(chunk('a', true), chunk('b', true));
    assert.equal(chunk('a', false), undefined);
  });

  test('errors, other JSON, text and long events are told without a guess', () => {
    const bare = (data: string, name?: string) => wireEvent({ seq: 0, at: 1, data, ...(name !== undefined && { event: name }) }, rpc);
    assert.deepEqual(
      [
        bare('{"error":{"code":-32001,"message":"Task not found"}}').type,
        bare('{"error":{"code":-32001,"message":"Task not found"}}').preview,
      ],
      ['error -32001', 'Task not found'],
    );
    assert.deepEqual(
      [bare('{"hello":1}').type, bare('[1]').type, bare('ping').type, bare('ping', 'message').type],
      ['event', 'event', 'not JSON', 'not JSON'],
    );
    const long = bare(`{"result":{"artifactUpdate":{"artifact":{"parts":[{"text":"${'é'.repeat(70_000)}"}]}}}}`);
    assert.deepEqual([long.type, long.size, long.preview.length <= 240], ['artifact', 140_066, true]);
  });

  test('a request is its operation with the words of its message, an answer what it says', () => {
    const sent = (body: object) => ({ size: 9, head: JSON.stringify(body) });
    assert.deepEqual(wireRequest(summary({ sent: sent({ method: 'SendMessage', params: { message: { parts: [{ text: 'Draw' }] } } }) })), {
      size: 9,
      type: 'SendMessage',
      preview: 'Draw',
    });
    assert.deepEqual(wireRequest(summary({ operation: 'GetTask', sent: sent({ params: { id: 't-1' } }) })).preview, '{"id":"t-1"}');
    assert.equal(wireAnswer(summary({})), undefined);
    const answered = (head: string, more: Partial<ExchangeSummary> = {}) =>
      wireAnswer(summary({ ...more, answered: { size: 7, head } }))?.type;
    assert.equal(answered('{"result":{"tasks":[{},{}]}}', { operation: 'ListTasks' }), 'tasks ×2');
    assert.equal(
      answered('{"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"}}}', { protocolBinding: 'HTTP+JSON' }),
      'task ▸ working',
    );
    assert.equal(answered('{"error":{"code":-32601,"message":"no"}}'), 'error -32601');
    assert.equal(answered('{"result":{"id":"t","status":{"sta', { operation: 'GetTask' }), 'task');
    assert.deepEqual(
      [answered('<html>', { error: 'Bad gateway' }), answered('<p>Bye!'), answered('<p>'), answered('')],
      ['error', 'not JSON', 'answer', 'answer'],
    );
  });

  test('the artifact that an event is about', () => {
    const data = JSON.stringify({
      result: { artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a-7', parts: [] } } },
    });
    assert.equal(artifactOfEvent({ seq: 0, at: 1, data }, rpc), 'a-7');
    assert.equal(artifactOfEvent({ seq: 0, at: 1, data: 'x' }, rpc), undefined);
  });
});
