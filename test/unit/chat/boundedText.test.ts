import * as assert from 'node:assert/strict';
import { firstShown, weightOf } from '../../../src/chat/markdown/firstShown.ts';
import { childrenOf } from '../../../src/chat/parts/jsonShape.ts';
import { partsOnPages } from '../../../src/chat/parts/partWeight.ts';
import { shownPart } from '../../../src/chat/text/shownPart.ts';
import { appendParts, showParts, sizeOf } from '../../../src/chat/transcript/shownParts.ts';
import { UpdateQueue } from '../../../src/chat/transcript/updateQueue.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import { withDirectionMarksSpelledOut } from '../../../src/protocol/hiddenCharacters.ts';

suite('chat: what is drawn of a text at once is bounded', () => {
  const texts = {
    'characters that turn the text': '\u202e'.repeat(1_000_000),
    'isolates between letters': 'a\u2066'.repeat(200_000),
    'short lines': '- a\n'.repeat(100_000),
    'empty lines': '\n'.repeat(200_000),
    words: 'word '.repeat(100_000),
  };
  for (const [name, text] of Object.entries(texts)) {
    for (const finished of [true, false]) {
      test(`plain text and code, ${finished ? 'whole' : 'growing'}: ${name}`, () => {
        const shown = shownPart(text, finished);
        assert.ok(shown.cut);
        assert.ok(shown.text.length <= 100_000, String(shown.text.length));
        assert.ok(shown.text.split('\n').length <= 2_002, String(shown.text.split('\n').length));
        assert.ok(shown.text.length > 1_000);
      });
    }
  }

  test('blocks with many elements or hidden characters are pages of their own', () => {
    const first = (blocks: readonly string[], pages = 1): number =>
      firstShown(blocks.length, pages, index => weightOf(blocks[index] ?? ''));
    for (const block of ['[a](http://x.example)\n'.repeat(1_000), 'a\n'.repeat(3_900), '| a '.repeat(4_000), '\u202ea'.repeat(5_000)]) {
      const blocks = Array.from({ length: 100 }, () => block);
      assert.ok(first(blocks) >= 98 && first(blocks) < 100, String(first(blocks)));
      assert.ok(first(blocks, 2) < first(blocks), 'more on demand');
    }
    assert.equal(first(Array.from({ length: 300 }, () => 'Words of a *sentence* with `code`.\n\n')), 0);
    assert.equal(first(Array.from({ length: 2_000 }, () => 'x')), 1_400);
    assert.equal(first([]), 0);
  });

  test('what is short is shown as it is', () => {
    for (const finished of [true, false]) assert.deepEqual(shownPart('a\nb\n', finished), { text: 'a\nb\n', cut: false });
  });

  test('thousands of marks on one letter are spelled out, those that a script needs are kept', () => {
    const shown = withDirectionMarksSpelledOut(`e${'\u0301'.repeat(1_000)}`);
    assert.equal(shown.match(/\u0301/g)?.length, 32);
    assert.equal(shown.match(/⟨U\+0301⟩/g)?.length, 968);
    for (const text of ['क्षि', 'שָׁלוֹם', 'ǭ̈']) assert.equal(withDirectionMarksSpelledOut(text), text);
  });

  test('parts that are long or made of much are pages of their own, small ones are fifty to a page', () => {
    const shown = (parts: readonly Part[], pages = 1): number => partsOnPages(showParts(parts), pages);
    const times = (count: number, part: Part): readonly Part[] => Array.from({ length: count }, () => part);
    for (const part of [
      { text: 'x'.repeat(600_000) },
      { text: '- a\n'.repeat(6_000) },
      { text: '| a '.repeat(4_000) },
      { text: '\u202ea'.repeat(5_000) },
      { raw: 'A'.repeat(300_000), mediaType: 'text/plain' },
      { raw: 'A'.repeat(300_000), filename: 'a.csv' },
      { data: Array.from({ length: 50 }, () => Array.from({ length: 12 }, () => 1)) },
      { data: { a: 'x'.repeat(10_000) } },
    ] satisfies Part[]) {
      assert.equal(shown(times(5, part)), 1, JSON.stringify(part).slice(0, 60));
      assert.equal(shown(times(5, part), 3), 3, 'more on demand');
    }
    for (const part of [{ text: 'words' }, { raw: 'A'.repeat(300_000), mediaType: 'image/png' }, { url: 'http://x.example' }, { data: 1 }])
      assert.deepEqual(
        [1, 2, 3].map(pages => shown(times(120, part), pages)),
        [50, 100, 120],
      );
    assert.equal(shown([]), 0);
  });

  test('what arrives after the beginning of a text that is cut is counted and not added to it', () => {
    const cut = showParts([{ text: 'begins' }, { raw: '', filename: 'f' }], [], [{ part: 0, bytes: 5_000_000 }, { part: 1 }]);
    assert.deepEqual(cut.map(sizeOf), [5_000_000, undefined]);
    const [grown] = appendParts([cut[0]!], [{ text: ' and more' }]);
    assert.deepEqual([grown?.kind === 'text' && grown.text.toString(), sizeOf(grown!)], ['begins', 5_000_009]);
  });

  test('however many entries are put at once, a frame draws a bounded number of them', () => {
    const frames: (() => void)[] = [];
    const drawn: number[] = [];
    const queue = new UpdateQueue(
      run => frames.push(run),
      ({ updates }) => drawn.push(updates.length),
    );
    for (const parts of [[{ text: 'x' }], [{ data: Array.from({ length: 1_000 }, () => 1) }], [{ raw: 'A'.repeat(10_000) }]] as Part[][]) {
      drawn.length = 0;
      queue.updates(
        Array.from({ length: 10_000 }, (_, seq) => ({
          type: 'put',
          entry: { kind: 'artifact', seq, at: 0, artifact: { artifactId: `${seq}`, parts }, complete: true, chunks: 1 },
        })),
      );
      while (frames.length > 0) frames.shift()?.();
      assert.equal(
        drawn.reduce((sum, each) => sum + each, 0),
        10_000,
      );
      assert.ok(Math.max(...drawn) <= ('text' in parts[0]! ? 41 : 4), String(Math.max(...drawn)));
    }
  });

  test('of a large object only what is shown is read', () => {
    let read = 0;
    const many = new Proxy(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, index])), {
      get: (object, name) => (read++, Reflect.get(object, name) as unknown),
    });
    assert.equal(childrenOf(many, 100).length, 100);
    assert.equal(read, 100);
  });
});
