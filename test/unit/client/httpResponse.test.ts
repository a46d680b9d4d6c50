import * as assert from 'node:assert/strict';
import type { ResponseData } from '../../../src/client/dispatcher/dispatcher.ts';
import { ExchangeRecord } from '../../../src/client/wireLog/exchangeRecord.ts';
import { HttpResponse } from '../../../src/client/http/httpResponse.ts';

const url = new URL('http://127.0.0.1/');
const chunks = 100;
/** Of work for each chunk, in milliseconds. */
const workMs = 2;

suite('the body of an answer', () => {
  test('of chunks that are all there is read with turns for everything else in between', async () => {
    const body = (async function* (): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < chunks; index++) yield Uint8Array.of(index);
    })();
    const record = new ExchangeRecord(
      undefined,
      { operation: 'x', protocolBinding: 'x', protocolVersion: '1.0' },
      { method: 'GET', url, headers: [], secret: new Set(), body: '' },
    );
    const response = new HttpResponse(
      { statusCode: 200, headers: [], body } as unknown as ResponseData,
      url,
      record,
      error => error as Error,
    );
    let turns = 0;
    let reading = true;
    const turn = (): void => {
      turns++;
      if (reading) setImmediate(turn);
    };
    setImmediate(turn);
    const seen: number[] = [];
    for await (const [byte] of response.chunks()) {
      seen.push(byte!);
      for (const until = performance.now() + workMs; performance.now() < until; );
    }
    reading = false;
    assert.deepEqual(
      seen,
      Array.from({ length: chunks }, (_, index) => index),
    );
    assert.ok(turns >= 3, String(turns));
  });
});
