import * as assert from 'node:assert/strict';
import { HiddenLine } from '../../../src/cli/terminal/hiddenLine.ts';

suite('a line that is typed and not shown', () => {
  /** Types these, one read after the other. */
  const typed = (...reads: readonly (string | Buffer)[]): readonly [end: string | undefined, text: string] => {
    const line = new HiddenLine();
    const end = reads.map(read => line.add(Buffer.from(read as string))).at(-1);
    return [end, line.text];
  };

  for (const [what, reads, text] of [
    ['is what was typed', ['se', 'cret\r'], 'secret'],
    ['is whole where a letter comes in several reads', [...Buffer.from('pässwörd\n')].map(byte => Buffer.of(byte)), 'pässwörd'],
    ['loses a whole character to Backspace', ['a😀', '\u007f', 'b\r'], 'ab'],
    ['loses nothing to Backspace at its beginning', ['\u007f\ba\r'], 'a'],
    ['begins anew after Ctrl+U', ['wrong', '\u0015', 'right\r'], 'right'],
    ['has no arrows and no other keys', ['tok', '\u001b[D', '\u001bOA', '\u001b[3~', 'en\r'], 'token'],
    ['has no key that comes in pieces', ['tok\u001b', '[', '1;5', 'Den\r'], 'token'],
    ['ends with Enter after Escape', ['a', '\u001b', '\r'], 'a'],
    ['loses a character to Backspace after Escape', ['ab\u001b', '\u007f\r'], 'a'],
    ['has nothing of the bounds of pasted text', ['\u001b[200~token\u001b[201~', '\r'], 'token'],
    ['has no control characters', ['a\u0001\u0000b\r'], 'ab'],
    ['ends with its first line', ['first\nsecond\n'], 'first'],
  ] as const)
    test(what, () => assert.deepEqual(typed(...reads), ['line', text]));

  test('is no answer after Ctrl+D, or where it is too long, and ends the command with Ctrl+C', () => {
    assert.equal(typed('a\u0004')[0], 'none');
    assert.equal(typed('a\u0003')[0], 'interrupt');
    assert.equal(typed('a\u001b', '\u0003')[0], 'interrupt');
    assert.equal(typed('a'.repeat(20_000))[0], undefined);
    assert.equal(typed('a'.repeat(300_000))[0], 'none');
  });
});
