import * as assert from 'node:assert/strict';
import type { Part } from '../../../src/protocol/message/part.ts';
import { joinText } from '../../../src/protocol/message/transcript.ts';

const md = (text: string): Part => ({ text, mediaType: 'text/markdown' });

suite('joined text', () => {
  const rows: readonly (readonly [title: string, parts: readonly Part[], joined: readonly Part[]])[] = [
    ['nothing', [], []],
    ['chunks of plain text, said or not', [{ text: 'a' }, { text: 'b', mediaType: 'text/plain' }, { text: '' }], [{ text: 'ab' }]],
    ['chunks of Markdown', [md('# '), md('a'), md('\n')], [md('# a\n')]],
    ['each media type for itself', [md('a'), { text: 'b' }, { text: 'c' }, md('d')], [md('a'), { text: 'bc' }, md('d')]],
    [
      'what says more stays apart',
      [{ text: 'a' }, { text: 'b', metadata: {} }, { text: 'c', filename: 'c.txt' }, { text: 'd' }],
      [{ text: 'a' }, { text: 'b', metadata: {} }, { text: 'c', filename: 'c.txt' }, { text: 'd' }],
    ],
    [
      'other parts stay in place',
      [{ text: 'a' }, { data: null }, { text: 'b' }, { text: 'c' }],
      [{ text: 'a' }, { data: null }, { text: 'bc' }],
    ],
  ];
  for (const [title, parts, joined] of rows) {
    test(title, () => assert.deepEqual(joinText(parts), joined));
  }
});
