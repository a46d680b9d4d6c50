import * as assert from 'node:assert/strict';
import { positionAt, positionsIn } from '../../../src/request/text/textPosition.ts';
import { cpuTime } from '../../support/cpuTime.ts';

/** Line and column counted by hand, a character at a time. */
function counted(text: string, offset: number): { readonly line: number; readonly column: number } {
  let [line, column] = [1, 1];
  for (let index = 0; index < offset; index++) {
    const ends = text[index] === '\n' || (text[index] === '\r' && text[index + 1] !== '\n');
    [line, column] = ends ? [line + 1, 1] : [line, column + 1];
  }
  return { line, column };
}

suite('positions in a text', () => {
  for (const text of ['', 'a', 'a\nbc\n', 'a\rb\r\nc\n\n\rd', '\n', '\u{1F600}\nx'])
    test(`every offset of ${JSON.stringify(text)}`, () => {
      const positionOf = positionsIn(text);
      for (let offset = 0; offset <= text.length; offset++) {
        // Between the two characters of one line end there is nothing to point at.
        if (text[offset - 1] === '\r' && text[offset] === '\n') continue;
        assert.deepEqual(positionOf(offset), counted(text, offset), `${offset}`);
        assert.deepEqual(positionAt(text, offset), counted(text, offset), `${offset}`);
      }
    });

  test('offsets beyond the text are its end', () => {
    assert.deepEqual(positionAt('a\nb', 99), { line: 2, column: 2 });
    assert.deepEqual(positionAt('a\nb', -1), { line: 1, column: 1 });
  });

  test('those of a long text cost one look at it', () => {
    const text = '{ "name": "x" },\n'.repeat(50_000);
    const positionOf = positionsIn(text);
    const took = cpuTime(() => {
      for (let line = 0; line < 50_000; line++) assert.equal(positionOf(line * 17 + 2).line, line + 1);
    });
    assert.ok(took < 2_000, `${took} ms`);
  });
});
