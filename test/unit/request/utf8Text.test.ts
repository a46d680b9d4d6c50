import * as assert from 'node:assert/strict';
import { english, Problem } from '../../../src/protocol/problem.ts';
import { utf8Text } from '../../../src/request/text/utf8Text.ts';

const text = '{\n  "message": "Grüße"\n}\n';
const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

suite('text in UTF-8', () => {
  const wide = Buffer.from(text, 'utf16le');
  const wrong: Readonly<Record<string, readonly [bytes: Buffer, said: RegExp]>> = {
    'Latin-1': [Buffer.from(text, 'latin1'), /^f is not in UTF-8; it may be in Latin-1 \(Windows-1252\)\. Line 2 /],
    'Latin-1, cut in the first line': [Buffer.from('é', 'latin1'), /Line 1 /],
    'UTF-16, little end first': [Buffer.concat([Buffer.from([0xff, 0xfe]), wide]), /it is in UTF-16\.$/],
    'UTF-16, big end first': [Buffer.concat([Buffer.from([0xfe, 0xff]), swapped(wide)]), /it is in UTF-16\.$/],
    'UTF-16 of ASCII without a mark': [Buffer.from('{ "message": "x" }', 'utf16le'), /it is in UTF-16\.$/],
    'the same, big end first': [swapped(Buffer.from('{ "message": "x" }', 'utf16le')), /it is in UTF-16\.$/],
    'UTF-32': [Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), /it is in UTF-32\.$/],
  };
  for (const [name, [bytes, said]] of Object.entries(wrong)) {
    test(`is not ${name}`, () => {
      assert.throws(
        () => utf8Text('f', bytes),
        (error: Problem) => {
          assert.equal(error.code, 'not-utf8');
          assert.match(error.message, said);
          assert.match(english(error.nextStep!), /Save it as UTF-8/);
          return true;
        },
      );
    });
  }

  test('is read, with a byte order mark and without, also where it is empty, short, or has a zero', () => {
    for (const one of [text, '', 'é', 'a\0', 'a\0b\0c', '\0', '{}']) assert.equal(utf8Text('f', Buffer.from(one)), one);
    assert.equal(utf8Text('f', Buffer.from(`\ufeff${text}`)), text);
  });
});
