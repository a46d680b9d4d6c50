import * as assert from 'node:assert/strict';
import { recordedRuns } from '../../../src/model/again/recordedRun.ts';
import { english } from '../../../src/protocol/problem.ts';
import type { Recording, RecordedExchange } from '../../../src/recording/recording.ts';

/** A message in the context `c`, and what came of it after a second. */
function sent(message: object, response: { readonly status: number; readonly body: string } | undefined, number: number): RecordedExchange {
  const params = {
    message: { messageId: `u${number}`, role: 'ROLE_USER', contextId: 'c', parts: [{ text: `message ${number}` }], ...message },
  };
  return {
    exchange: {
      id: `recorded-${number}`,
      operation: 'SendMessage',
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
      request: {
        method: 'POST',
        url: 'http://127.0.0.1/',
        headers: [],
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params }),
      },
      ...(response !== undefined && { response: { headers: [], ...response } }),
      startedAt: number * 10_000,
      endedAt: number * 10_000 + 1_000,
      findings: [],
    },
    frames: [],
  };
}

const answers = (what: object) => ({ status: 200, body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...what }) });
const completed = (text: string) =>
  answers({
    result: {
      task: {
        id: 't',
        contextId: 'c',
        status: { state: 'TASK_STATE_COMPLETED', message: { messageId: text, role: 'ROLE_AGENT', parts: [{ text }] } },
      },
    },
  });

suite('recorded runs', () => {
  const exchanges = [
    sent({}, completed('one'), 1),
    sent({ taskId: 't' }, completed('two'), 2),
    sent({}, answers({ error: { code: -32005, message: 'No' } }), 3),
    sent({}, { status: 503, body: 'busy' }, 4),
    sent({}, undefined, 5),
  ];
  const recording = {
    agent: { url: 'http://127.0.0.1/' },
    recordedAt: 0,
    replaced: [],
    lacks: [],
    rules: [],
    faults: [],
    exchanges,
  } as Recording;
  const [run] = recordedRuns(recording, 'recording');
  const outcomes = (run?.turns ?? []).map(({ outcome }) => outcome!);

  test('have the task as each turn left it, also where it was over and goes on', () => {
    assert.deepEqual(
      outcomes.slice(0, 2).map(({ task }) => task?.status.message?.parts),
      [[{ text: 'one' }], [{ text: 'two' }]],
    );
    assert.equal(run?.turns[1]?.said.answers, 0);
  });

  test('have the times of the recording, and how an answer failed', () => {
    assert.deepEqual(
      outcomes.map(({ startedAt, firstEventAt, endedAt }) => [startedAt, firstEventAt, endedAt]),
      [
        [10_000, 11_000, 11_000],
        [20_000, 21_000, 21_000],
        [30_000, undefined, 31_000],
        [40_000, undefined, 41_000],
        [50_000, undefined, 51_000],
      ],
    );
    assert.deepEqual(
      outcomes.map(({ problem }) => problem?.code),
      [undefined, undefined, 'agent-error', 'http-error', 'stream-ended'],
    );
    assert.match(english(outcomes[3]!.problem!.sentence), /HTTP 503/);
  });
});
