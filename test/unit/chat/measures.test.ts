import * as assert from 'node:assert/strict';
import { shownBytes } from '../../../src/cli/run/reporters/exchangeLines.ts';
import { showParts, sizeOf } from '../../../src/chat/transcript/shownParts.ts';
import { base64Size, byteSize, clockTime, elapsed, percent, utf8Size } from '../../../src/chat/text/measures.ts';

suite('chat: measures', () => {
  const sizes: readonly (readonly [bytes: number, text: string])[] = [
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KB'],
    [3277, '3.2 KB'],
    [10_240, '10 KB'],
    [1_023_000, '999 KB'],
    [1_024_000, '1.0 MB'],
    [1_500_000, '1.4 MB'],
    [5e9, '4.7 GB'],
  ];
  for (const [bytes, text] of sizes) test(`${bytes} bytes are ${text}`, () => assert.equal(byteSize(bytes), text));

  const times: readonly (readonly [ms: number, text: string])[] = [
    [-5, '0.0 s'],
    [0, '0.0 s'],
    [440, '0.4 s'],
    [9_940, '9.9 s'],
    [9_960, '10 s'],
    [59_400, '59 s'],
    [59_600, '1 min 0 s'],
    [64_000, '1 min 4 s'],
    [3_599_400, '59 min 59 s'],
    [3_600_000, '1 h 0 min'],
    [7_500_000, '2 h 5 min'],
  ];
  for (const [ms, text] of times) test(`${ms} ms are ${text}`, () => assert.equal(elapsed(ms), text));

  const progress: readonly (readonly [told: unknown, text: string | undefined])[] = [
    [0, '0 %'],
    [50, '50 %'],
    [33.4, '33 %'],
    [100, '100 %'],
    [101, undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    ['50', undefined],
    [undefined, undefined],
  ];
  for (const [told, text] of progress)
    test(`progress ${JSON.stringify(told)} is ${text ?? 'not shown'}`, () => assert.equal(percent(told), text));

  test('UTF-8 and base64 sizes are those of Node', () => {
    for (const text of ['', 'abc', 'äöü', '€', '😀', 'a\ud800', '\udc00b', '\ud800\ud800', 'x😀y€z'.repeat(50)]) {
      assert.equal(utf8Size(text), Buffer.byteLength(text, 'utf8'), JSON.stringify(text));
      const base64 = Buffer.from(text, 'utf8').toString('base64');
      assert.equal(base64Size(base64), Buffer.byteLength(text, 'utf8'));
      assert.equal(base64Size(base64.replace(/(.{4})/g, '$1\r\n')), Buffer.byteLength(text, 'utf8'));
    }
  });

  test('the date is told where it is not today', () => {
    const now = new Date(2026, 10, 20, 15, 0).getTime();
    assert.equal(clockTime(new Date(2026, 10, 20, 14, 5).getTime(), 'en-GB', now), '14:05');
    assert.equal(clockTime(new Date(2026, 10, 19, 14, 5).getTime(), 'en-GB', now), '19 Nov, 14:05');
  });

  test('a size is the same in the chat and in the terminal: of texts in UTF-8, of data as compact JSON', () => {
    for (const bytes of [0, 1023, 1024, 3277, 10_240, 1_023_000, 1_023_999, 1_024_000, 3_000_000])
      assert.equal(shownBytes(bytes), byteSize(bytes));
    assert.deepEqual(showParts([{ text: 'é' }, { data: { a: 1 } }, { raw: 'QUJD' }]).map(sizeOf), [2, 7, 3]);
  });
});
