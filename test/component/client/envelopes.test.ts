import * as assert from 'node:assert/strict';
import { Envelopes, prefixLength } from '../../../src/client/grpc/bundle/envelopes.ts';
import { retained } from '../../support/retained.ts';

function envelope(message: Uint8Array): Uint8Array {
  const whole = new Uint8Array(prefixLength + message.byteLength);
  new DataView(whole.buffer).setUint32(1, message.byteLength);
  whole.set(message, prefixLength);
  return whole;
}

const messages = [
  new Uint8Array(0),
  Uint8Array.of(1),
  Uint8Array.from({ length: 1000 }, (_, index) => index),
  new Uint8Array(0),
  Uint8Array.of(2, 3),
];
const bytes = Uint8Array.from(messages.flatMap(message => [...envelope(message)]));

suite('messages of gRPC in chunks', () => {
  for (const size of [1, 2, 3, 4, 5, 6, 7, 100, 1004, bytes.byteLength]) {
    test(`of ${size} bytes are the same`, () => {
      const envelopes = new Envelopes(1000);
      const found: Uint8Array[] = [];
      for (let at = 0; at < bytes.byteLength; at += size) found.push(...envelopes.push(bytes.subarray(at, at + size)));
      assert.deepEqual(
        found.map(one => [...one]),
        messages.map(message => [...envelope(message)]),
      );
      assert.equal(envelopes.rest.byteLength, 0);
      assert.equal(envelopes.tooLong, false);
    });
  }

  test('one that says to be longer than the limit is not collected', () => {
    const envelopes = new Envelopes(1000);
    assert.deepEqual([...envelopes.push(envelope(new Uint8Array(1001)))], []);
    assert.equal(envelopes.tooLong, true);
    assert.deepEqual([...envelopes.push(bytes)], []);
  });

  test('take three times their room at most, a byte at a time, and none for what is only promised', () => {
    const length = 256 * 1024;
    const envelopes = new Envelopes(length);
    const promised = envelope(new Uint8Array(length));
    const before = retained();
    assert.deepEqual([...envelopes.push(promised.subarray(0, prefixLength))], []);
    assert.ok(envelopes.rest.byteLength === prefixLength && retained() - before < length);
    for (let at = prefixLength; at < promised.byteLength - 1; at++)
      for (const _ of envelopes.push(promised.subarray(at, at + 1))) assert.fail('not whole yet');
    assert.ok(retained() - before < 3 * length, `${retained() - before} bytes for ${length}`);
    assert.equal([...envelopes.push(promised.subarray(-1))].length, 1);
  });
});
