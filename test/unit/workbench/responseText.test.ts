import * as assert from 'node:assert/strict';
import type { RequestRun } from '../../../src/model/requests/requestRun.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { english } from '../../../src/protocol/problem.ts';
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
