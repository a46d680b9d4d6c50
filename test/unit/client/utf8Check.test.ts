import * as assert from 'node:assert/strict';
import { Utf8Check } from '../../../src/client/http/utf8Check.ts';

/** What a decoder of the engine says of the whole. */
function isText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function inPieces(bytes: Uint8Array, length: number): boolean {
  const check = new Utf8Check();
  for (let from = 0; from < bytes.length; from += length) check.take(bytes.subarray(from, from + length));
  check.take();
  return check.isRight;
}

suite('bytes that come in pieces', () => {
  test('are UTF-8 or not, wherever they are cut', () => {
    const right = ['', 'plain', 'Sørlandet — “1927”', '智能体', 'a😀b', '\u0000\uFFFF'].map(text => Buffer.from(text));
    const wrong = ['ff', '41c3', '41e282', 'f09f98', '80', 'c3c3a9', 'e28241', 'f09f9841', 'eda080', 'c0af', 'f4908080', '4180808080'];
    for (const bytes of [...right, ...wrong.map(hex => Buffer.from(hex, 'hex'))]) {
      for (const around of [bytes, Buffer.concat([Buffer.from('é'), bytes, Buffer.from('€')])])
        for (let length = 1; length <= around.length + 1; length++)
          assert.equal(inPieces(around, length), isText(around), `${around.toString('hex')} by ${length}`);
    }
    assert.ok(right.every(isText) && !wrong.some(hex => isText(Buffer.from(hex, 'hex'))));
  });

  test('keep nothing of a piece but the beginning of a character', () => {
    const check = new Utf8Check();
    const piece = Buffer.from([0x41, 0xe2, 0x82]);
    check.take(piece);
    // A socket may use its memory for the next piece.
    piece.fill(0xff);
    check.take(Uint8Array.of(0xac));
    check.take();
    assert.ok(check.isRight);
  });
});
