import * as assert from 'node:assert/strict';
import { SeenDeliveries } from '../../../src/receiver/deliveryReader.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

suite('deliveries that were seen', () => {
  test('a delivery is new once, for its webhook and by its id', () => {
    const seen = new SeenDeliveries();
    assert.deepEqual([seen.isNew('/a', bytes('x')), seen.isNew('/a', bytes('x')), seen.isNew('/b', bytes('x'))], [true, false, true]);
    assert.deepEqual(
      [seen.isNew('/a', bytes('y'), 'id'), seen.isNew('/a', bytes('z'), 'id'), seen.isNew('/b', bytes('z'), 'id')],
      [true, false, true],
    );
  });

  test('only the last ten thousand are remembered', () => {
    const seen = new SeenDeliveries();
    for (let index = 0; index < 10_000; index++) seen.isNew('/a', bytes(String(index)));
    assert.equal(seen.isNew('/a', bytes('0')), false);
    seen.isNew('/a', bytes('one more'));
    assert.equal(seen.isNew('/a', bytes('0')), true);
    assert.equal(seen.isNew('/a', bytes('9999')), false);
  });
});
