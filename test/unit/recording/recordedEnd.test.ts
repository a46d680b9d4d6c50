import * as assert from 'node:assert/strict';
import { closedByClient, closedWithWindow } from '../../../src/protocol/exchange.ts';
import { endOf, endSteps } from '../../../src/recording/recordedEnd.ts';
import type { RecordedExchange } from '../../../src/recording/recording.ts';

const exchange = (more: object): RecordedExchange => ({
  exchange: {
    id: '1',
    operation: 'SendStreamingMessage',
    protocolBinding: 'JSONRPC',
    protocolVersion: '1.0',
    request: { method: 'POST', url: 'http://a.test/', headers: [], body: '' },
    startedAt: 0,
    findings: [],
    ...more,
  },
  frames: [],
});
const response = { status: 200, headers: [] };

suite('the end of a recorded answer', () => {
  test('an answer that the client left ended as it should; one that broke, or of which only an interim status came, did not', () => {
    const ends = [closedByClient, closedWithWindow, undefined, 'The connection broke.'].map(failure =>
      endOf(exchange({ response, failure })),
    );
    assert.deepEqual(ends, [undefined, undefined, undefined, 'broken']);
    assert.equal(endOf(exchange({ response: { status: 103, headers: [] } })), 'broken');
    assert.equal(endOf(exchange({})), 'broken');
  });

  test('the words of a gRPC status are encoded as a header has to be', () => {
    const [step] = endSteps({ grpc: 'UNAVAILABLE', message: 'später: 100 %\n' }, 'GRPC', false);
    assert.deepEqual(step, { status: 200, headers: { 'grpc-status': '14', 'grpc-message': 'sp%C3%A4ter%3A%20100%20%25%0A' } });
  });
});
