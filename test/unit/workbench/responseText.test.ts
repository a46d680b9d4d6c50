import * as assert from 'node:assert/strict';
import type { RequestRun } from '../../../src/model/requests/requestRun.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { english, sentence } from '../../../src/protocol/problem.ts';
import { responseText } from '../../../src/workbench/requests/response/text.ts';

const exchange: Exchange = {
  id: 'e',
  operation: 'GetTask',
  protocolBinding: 'GRPC',
  protocolVersion: '1.0',
  startedAt: 1_000,
  endedAt: 1_010,
  findings: [],
  request: { method: 'POST', url: 'http://agent/lf.a2a.v1.A2AService/GetTask', headers: [], body: '{"id":"x"}', bytes: 'AAEC' },
  response: {
    status: 200,
    headers: [],
    body: '{}',
    bytes: 'AwQF',
    trailers: [
      ['grpc-status', '5'],
      ['grpc-message', 'Task not found'],
    ],
  },
};
const run = {
  running: false,
  startedAt: 1_000,
  outcome: { startedAt: 1_000, endedAt: 1_010, exchangeIds: ['e'] },
} as unknown as RequestRun;

test('the response document of gRPC has the bytes beside what they say, and the trailers that say how it ended', () => {
  const frames = [{ seq: 0, at: 1_004, data: '{"task":{}}', bytes: 'BgcI' }];
  const {
    exchanges: [shown],
  } = JSON.parse(responseText('a', run, { exchange: () => ({ exchange, frames }), explain: () => ({}), translate: english })) as {
    exchanges: { request: object; response: object; events: object[] }[];
  };
  assert.deepEqual(shown, {
    operation: 'GetTask',
    protocol: 'GRPC 1.0',
    request: { line: 'POST http://agent/lf.a2a.v1.A2AService/GetTask', headers: [], body: { id: 'x' }, base64: 'AAEC' },
    response: { status: 200, headers: [], body: {}, base64: 'AwQF', trailers: ['grpc-status: 5', 'grpc-message: Task not found'] },
    events: [{ ms: 4, data: { task: {} }, base64: 'BgcI' }],
    endedMs: 10,
  });
});

test('a response begins with the answer: state, text as lines, and each part of each artifact with type, size and pointer', () => {
  const task = {
    id: 't',
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [
      {
        artifactId: 'a',
        name: 'Story',
        parts: [{ text: 'One ' }, { text: 'whale.\nTwo.' }, { raw: 'AAEC', mediaType: 'image/png', filename: 'w.png' }],
      },
      { artifactId: 'b', parts: [{ data: { é: 1 } }, { url: 'http://127.0.0.1/x' }] },
    ],
  };
  const over = {
    ...run,
    task,
    state: 'TASK_STATE_COMPLETED',
    outcome: { startedAt: 1, endedAt: 2, exchangeIds: [], task },
  } as unknown as RequestRun;
  const text = responseText('a', over, { exchange: () => undefined, explain: () => ({}), translate: english });
  const shown = JSON.parse(text) as Readonly<Record<string, unknown>> & { readonly artifacts: readonly { readonly link: string }[] };
  assert.deepEqual(Object.keys(shown), ['request', 'state', 'text', 'artifacts', 'result', 'timings', 'exchanges']);
  assert.deepEqual(shown['text'], ['One whale.', 'Two.']);
  assert.deepEqual(shown.artifacts, [
    { name: 'Story', type: 'text/plain', size: 15, link: '#/result/task/artifacts/0/parts/0' },
    { name: 'w.png', type: 'image/png', size: 3, link: '#/result/task/artifacts/0/parts/1' },
    { name: 'b', type: 'application/json', size: 8, link: '#/result/task/artifacts/1/parts/0' },
    { name: 'b', link: 'http://127.0.0.1/x' },
  ]);
  // Each pointer leads to its part in this document.
  for (const { link } of shown.artifacts.slice(0, 3)) {
    const found = link
      .split('/')
      .slice(1)
      .reduce((at: unknown, step) => (at as Readonly<Record<string, unknown>>)[step], shown);
    assert.equal(typeof found, 'object', link);
  }
});

test('a long text is cut at the top and whole below', () => {
  const task = {
    id: 't',
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ artifactId: 'a', parts: [{ text: 'x\n'.repeat(5_000) }] }],
  };
  const over = { ...run, task, outcome: { startedAt: 1, endedAt: 2, exchangeIds: [], task } } as unknown as RequestRun;
  const shown = JSON.parse(responseText('a', over, { exchange: () => undefined, explain: () => ({}), translate: english })) as {
    text: string[];
    linesLeftOut: number;
    result: { task: typeof task };
  };
  assert.deepEqual([shown.text.length, shown.linesLeftOut, shown.result.task.artifacts[0]!.parts[0]!.text.length], [100, 4_901, 10_000]);
});

test('what did not hold stands before the answer, what held after it', () => {
  const outcome = (holds: boolean): object => ({
    startedAt: 1,
    endedAt: 2,
    exchangeIds: [],
    message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Whale' }] },
    expectations: [
      { kind: 'state', ok: true, message: sentence('fine'), range: { offset: 0, length: 0 } },
      { kind: 'text', ok: holds, message: sentence('The text is another one.'), range: { offset: 0, length: 0 } },
    ],
  });
  const shown = (holds: boolean): Readonly<Record<string, unknown>> =>
    JSON.parse(
      responseText('a', { ...run, outcome: outcome(holds) } as unknown as RequestRun, {
        exchange: () => undefined,
        explain: () => ({}),
        translate: english,
      }),
    ) as Readonly<Record<string, unknown>>;
  assert.deepEqual(Object.keys(shown(false)).slice(0, 3), ['request', 'expectations', 'text']);
  assert.deepEqual((shown(false)['expectations'] as readonly { readonly ok: boolean }[])[0]?.ok, false);
  assert.deepEqual(Object.keys(shown(true)).slice(0, 3), ['request', 'text', 'expectations']);
});
