import * as assert from 'node:assert/strict';
import { rawText, isTextType } from '../../../src/chat/parts/rawText.ts';
import { playable } from '../../../src/chat/text/playable.ts';

const base64 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('base64');

suite('chat: what bytes are', () => {
  const media: readonly (readonly [bytes: string, type: string | undefined])[] = [
    ['ID3\x04\0\0', 'audio/mpeg'],
    ['\xff\xfb\x90\x44', 'audio/mpeg'],
    ['RIFF\x24\0\0\0WAVEfmt ', 'audio/wav'],
    ['fLaC\0\0', 'audio/flac'],
    ['\0\0\0\x20ftypM4A \0\0', 'audio/mp4'],
    ['\0\0\0\x20ftypisom\0\0', 'video/mp4'],
    ['\x1a\x45\xdf\xa3\x01', 'video/webm'],
    [`OggS${'\0'.repeat(24)}OpusHead`, 'audio/ogg'],
    [`OggS${'\0'.repeat(24)}\x80theora`, 'video/ogg'],
    ['RIFF\x24\0\0\0WEBPVP8 ', undefined],
    ['<html>', undefined],
    ['', undefined],
  ];
  for (const [bytes, type] of media) {
    test(JSON.stringify(bytes), () => assert.equal(playable(base64(bytes))?.type, type));
  }

  test('text that is no base64 plays as nothing', () => assert.equal(playable('!!'), undefined));

  test('a text is UTF-8 without control characters, and not too long', () => {
    assert.equal(rawText(Buffer.from('a,b\n1,ü\t2\r\n').toString('base64')), 'a,b\n1,ü\t2\r\n');
    for (const raw of [base64('\xff\xfe'), base64('a\0b'), base64('\x1b[31m'), '', '!!', 'A'.repeat(400_004)])
      assert.equal(rawText(raw), undefined, raw.slice(0, 20));
  });

  test('what the agent calls a text', () => {
    for (const type of ['text/csv', 'application/json; charset=utf-8', 'application/ld+json', 'TEXT/PLAIN'])
      assert.ok(isTextType(type), type);
    for (const type of ['image/png', 'application/pdf', 'application/octet-stream', undefined]) assert.ok(!isTextType(type), type);
  });
});
