import * as assert from 'node:assert/strict';
import { recordedRuns } from '../../../src/model/again/recordedRun.ts';
import type { Finding } from '../../../src/protocol/finding.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';
import type { TurnOutcome } from '../../../src/recording/compare/comparedRun.ts';
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

  /** A streamed answer that began at 0, and what was asked for after it. */
  const streamed = (
    events: readonly (readonly [at: number, event: object])[],
    asked: readonly (readonly [at: number, task: object, rule?: RuleId])[],
    findings: readonly Finding[] = [],
  ): TurnOutcome => {
    const { exchange } = sent({}, undefined, 0);
    const stream: RecordedExchange = {
      exchange: {
        ...exchange,
        operation: 'SendStreamingMessage',
        response: { status: 200, headers: [['content-type', 'text/event-stream']] },
        endedAt: events.at(-1)![0],
        findings: [...findings],
      },
      frames: events.map(([at, result], seq) => ({ seq, at, data: JSON.stringify({ jsonrpc: '2.0', id: 1, result }) })),
    };
    const calls = asked.map(([at, result, rule], index): RecordedExchange => {
      const call = sent({}, answers({ result }), index + 1);
      const found = rule === undefined ? [] : [{ rule, pointer: '', message: 'No.' }];
      return { ...call, exchange: { ...call.exchange, operation: 'GetTask', startedAt: at, endedAt: at, findings: found } };
    });
    return recordedRuns({ ...recording, exchanges: [stream, ...calls] }, 'recording')[0]!.turns[0]!.outcome!;
  };
  const whole = (state: string, more: object = {}) => ({ id: 't', contextId: 'c', status: { state: `TASK_STATE_${state}` }, ...more });
  const chunk = { artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: 'x' }] } } };
  const update = (state: string) => ({ statusUpdate: { taskId: 't', contextId: 'c', status: { state: `TASK_STATE_${state}` } } });

  test('a task that was asked for replaces what was streamed, as it does in a live run', () => {
    const events = [
      [10, { task: whole('WORKING') }],
      [20, chunk],
      [30, update('COMPLETED')],
    ] as const;
    assert.equal(streamed(events, []).task?.artifacts?.length, 1);
    assert.equal(streamed(events, [[40, whole('COMPLETED', { artifacts: [] })]]).task?.artifacts?.length, 1);
    const failed = streamed(events, [[40, whole('FAILED'), 'RPC-01']]);
    assert.deepEqual(
      [failed.task?.status.state, failed.findings?.map(({ rule }) => rule), failed.endedAt],
      ['TASK_STATE_FAILED', ['RPC-01', 'STRM-11'], 30],
    );
  });

  test('what came more than two seconds after the end does not count, nor do its findings', () => {
    const finding = (frame: number, rule: RuleId): Finding => ({ rule, pointer: '', message: 'No.', frame });
    const late = streamed(
      [
        [10, { task: whole('WORKING') }],
        [30, update('COMPLETED')],
        [1_500, chunk],
        [2_200, update('FAILED')],
      ],
      [[2_300, whole('FAILED'), 'DATA-06']],
      [finding(2, 'RPC-01'), finding(3, 'RPC-08')],
    );
    assert.deepEqual(
      [late.task?.status.state, late.findings?.map(({ rule }) => rule), late.firstEventAt, late.endedAt],
      ['TASK_STATE_COMPLETED', ['RPC-01', 'STRM-03'], 10, 30],
    );
  });
});
