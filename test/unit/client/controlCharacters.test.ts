import * as assert from 'node:assert/strict';
import { hasControls } from '../../../src/client/sse/controlCharacters.ts';

suite('control characters', () => {
  test('are all bytes less than a space, and no others', () => {
    for (let byte = 0; byte < 256; byte++) {
      for (let at = 0; at < 16; at++) {
        for (const around of [32, 65, 255]) {
          const bytes = new Uint8Array(16).fill(around);
          bytes[at] = byte;
          assert.equal(hasControls(bytes, 0, 16), byte < 32, `${byte} at ${at} among ${around}`);
        }
      }
    }
  });

  for (const length of [1, 15, 16, 17, 1_000, 65_535, 65_536, 65_537, 200_000]) {
    test(`are found at the ends of ${length} bytes, and not beside them`, () => {
      for (const from of [0, 1, 7]) {
        const bytes = Buffer.alloc(from + length + 20, 10);
        bytes.fill('x', from, from + length);
        assert.equal(hasControls(bytes, from, from + length), false);
        for (const at of [from, from + length - 1, from + (length >> 1)]) {
          bytes[at] = 31;
          assert.equal(hasControls(bytes, from, from + length), true, `${at}`);
          bytes[at] = 120;
        }
      }
    });
  }

  test('are in no bytes at all', () => assert.equal(hasControls(Uint8Array.of(9), 0, 0), false));
});
