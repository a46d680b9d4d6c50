import * as assert from 'node:assert/strict';
import { effect } from '@preact/signals';
import { appendParts, type ShownPart, showParts, sizeOf } from '../../../src/chat/transcript/shownParts.ts';
import { Transcript } from '../../../src/chat/transcript/transcript.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import { type Entry, joinText, type MessageEntry } from '../../../src/protocol/message/transcript.ts';

function text(seq: number, words: string, facts: Partial<{ taskId: string; role: 'ROLE_USER' | 'ROLE_AGENT' }> = {}): Entry {
  return {
    kind: 'message',
    seq,
    at: seq,
    taskId: facts.taskId,
    message: { messageId: `m${seq}`, role: facts.role ?? 'ROLE_AGENT', parts: [{ text: words }] },
  };
}
function artifact(seq: number, parts: Part[], complete = false): Entry {
  return { kind: 'artifact', seq, at: seq, taskId: 't', artifact: { artifactId: `a${seq}`, parts }, complete, chunks: 1 };
}
const words = (transcript: Transcript, seq: number): string | undefined =>
  transcript
    .view(seq)
    ?.peek()
    .parts.map(part => (part.kind === 'text' ? part.text.toString() : ''))
    .join('');
const seqs = (transcript: Transcript): number[] => transcript.shapes.peek().map(({ seq }) => seq);

suite('chat: transcript', () => {
  let transcript: Transcript;
  setup(() => {
    transcript = new Transcript();
    transcript.load([text(10, 'a'), artifact(20, [{ text: 'x' }])], true);
  });

  test('entries come in the order of their seq, whatever the order they are told in', () => {
    transcript.apply([
      { type: 'put', entry: text(40, 'd') },
      { type: 'put', entry: text(30, 'c') },
    ]);
    assert.deepEqual(seqs(transcript), [10, 20, 30, 40]);
  });

  test('an entry replaces the one of its seq', () => {
    transcript.apply([{ type: 'put', entry: text(10, 'again') }]);
    assert.deepEqual(seqs(transcript), [10, 20]);
    assert.equal(words(transcript, 10), 'again');
  });

  test('appended text joins the text before it, over batches and within one', () => {
    transcript.apply([
      { type: 'append', seq: 20, parts: [{ text: 'y' }], chunks: 2 },
      { type: 'append', seq: 20, parts: [{ text: 'z' }, { text: '!' }], chunks: 3 },
    ]);
    transcript.apply([{ type: 'append', seq: 20, parts: [{ text: '?' }], chunks: 4 }]);
    assert.equal(words(transcript, 20), 'xyz!?');
    assert.equal(transcript.view(20)?.peek().parts.length, 1);
    assert.equal(transcript.view(20)?.peek().chunks, 4);
  });

  test('what follows parts that were left out is counted and not shown: the page does not have what is before it', () => {
    transcript.apply([{ type: 'put', entry: Object.assign(artifact(20, [{ text: 'x' }]), { leftOut: 3 }) }]);
    transcript.apply([{ type: 'append', seq: 20, parts: [{ text: 'y' }, { data: 1 }], chunks: 2 }]);
    const { parts, entry, chunks } = transcript.view(20)!.peek();
    assert.deepEqual([words(transcript, 20), parts.length, entry.leftOut, chunks], ['x', 1, 5, 2]);
  });

  test('the last chunk makes the artifact whole', () => {
    const isComplete = (): boolean => {
      const entry = transcript.view(20)?.peek().entry;
      return entry?.kind === 'artifact' && entry.complete;
    };
    transcript.apply([{ type: 'put', entry: { ...artifact(20, [{ text: 'x' }]), complete: false } as Entry }]);
    transcript.apply([{ type: 'append', seq: 20, parts: [{ text: 'y' }], chunks: 2 }]);
    assert.equal(isComplete(), false);
    transcript.apply([
      { type: 'append', seq: 20, parts: [], chunks: 2, complete: true },
      { type: 'append', seq: 20, parts: [{ text: 'z' }], chunks: 3 },
    ]);
    assert.equal(isComplete(), true);
    assert.equal(words(transcript, 20), 'xyz');
  });

  test('a put after appends in one batch wins, and appends after it count', () => {
    transcript.apply([
      { type: 'append', seq: 20, parts: [{ text: 'lost' }], chunks: 2 },
      { type: 'put', entry: artifact(20, [{ text: 'whole' }]) },
      { type: 'append', seq: 20, parts: [{ text: ' and more' }], chunks: 3 },
    ]);
    assert.equal(words(transcript, 20), 'whole and more');
  });

  test('an artifact that is put with the text it has keeps its blocks; with another it does not', () => {
    const blocks = (): unknown => {
      const [part] = transcript.view(20)!.peek().parts;
      return part?.kind === 'text' && part.text;
    };
    transcript.apply([{ type: 'append', seq: 20, parts: [{ text: 'y' }], chunks: 2 }]);
    const before = blocks();
    transcript.apply([{ type: 'put', entry: artifact(20, [{ text: 'xy' }], true) }]);
    assert.equal(blocks(), before);
    transcript.apply([
      { type: 'append', seq: 20, parts: [{ text: '!' }], chunks: 3 },
      { type: 'put', entry: artifact(20, [{ text: 'xz!' }], true) },
    ]);
    assert.notEqual(blocks(), before);
    assert.equal(words(transcript, 20), 'xz!');
  });

  test('a stretch of the past stays one: what arrives is behind it, until the last page is there', () => {
    transcript.load([text(10, 'a'), artifact(20, [{ text: 'x' }])], true, true);
    transcript.apply([
      { type: 'put', entry: text(40, 'd') },
      { type: 'append', seq: 20, parts: [{ text: 'y' }], chunks: 2 },
      { type: 'put', entry: text(10, 'b') },
    ]);
    assert.deepEqual([seqs(transcript), words(transcript, 10), words(transcript, 20)], [[10, 20], 'b', 'xy']);
    transcript.extend([artifact(20, [{ text: 'other' }]), text(30, 'c'), text(40, 'd')], false);
    transcript.apply([{ type: 'put', entry: text(50, 'e') }]);
    assert.deepEqual([seqs(transcript), words(transcript, 20), transcript.newer.peek()], [[10, 20, 30, 40, 50], 'xy', false]);
  });

  test('chunks that a page has already are not put in twice', () => {
    transcript.load([{ ...artifact(20, [{ text: 'xyz' }]), chunks: 3 } as Entry], false);
    transcript.apply([2, 3, 4, 5].map(chunks => ({ type: 'append', seq: 20, parts: [{ text: String(chunks) }], chunks })));
    assert.deepEqual([words(transcript, 20), transcript.view(20)?.peek().chunks], ['xyz45', 5]);
  });

  test('what belongs to entries before the first is left to the page that brings them', () => {
    transcript.apply([
      { type: 'append', seq: 5, parts: [{ text: 'y' }], chunks: 2 },
      { type: 'put', entry: text(5, 'old') },
    ]);
    assert.deepEqual(seqs(transcript), [10, 20]);
    transcript.prepend([text(4, 'd'), text(5, 'e')], false);
    assert.deepEqual(seqs(transcript), [4, 5, 10, 20]);
    assert.equal(transcript.more.peek(), false);
    transcript.apply([{ type: 'put', entry: text(3, 'c') }]);
    assert.deepEqual(seqs(transcript), [3, 4, 5, 10, 20]);
  });

  test('a page that overlaps brings nothing twice', () => {
    transcript.prepend([text(9, 'i'), text(10, 'other')], true);
    assert.deepEqual(seqs(transcript), [9, 10, 20]);
    assert.equal(words(transcript, 10), 'a');
  });

  test('a delta is seen by its entry alone', () => {
    let lists = 0;
    let others = 0;
    let own = 0;
    const stops = [
      effect(() => {
        void transcript.shapes.value;
        lists++;
      }),
      effect(() => {
        void transcript.view(10)?.value;
        others++;
      }),
      effect(() => {
        void transcript.view(20)?.value;
        own++;
      }),
    ];
    for (let index = 0; index < 5; index++) transcript.apply([{ type: 'append', seq: 20, parts: [{ text: 'y' }], chunks: index + 2 }]);
    transcript.apply([{ type: 'put', entry: artifact(20, [{ text: 'same shape' }], true) }]);
    assert.deepEqual({ lists, others, own }, { lists: 1, others: 1, own: 7 });
    for (const stop of stops) stop();
  });

  const asked = (seq: number, delivery: 'refused' | 'unknown' | 'sent', what = 'Go.'): Entry => ({
    ...(text(seq, what, { role: 'ROLE_USER' }) as MessageEntry),
    delivery,
  });
  const problem = (seq: number, template = 'The agent refused the credential (HTTP 401).'): Entry => ({
    kind: 'problem',
    seq,
    at: seq,
    code: 'unauthorized',
    sentence: { template, args: [] },
  });

  test('a refused message and its problem are over once the same message has arrived', () => {
    transcript.load([asked(1, 'refused'), problem(2), asked(3, 'sent', 'Stop.'), asked(4, 'refused'), problem(5)], false);
    const over = (): number[] => seqs(transcript).filter(seq => transcript.isSentAgain(seq));
    assert.deepEqual(over(), [], 'another message arrived, and the same one was refused again');
    transcript.apply([{ type: 'put', entry: asked(6, 'unknown') }]);
    assert.deepEqual(over(), []);
    transcript.apply([{ type: 'put', entry: asked(6, 'sent') }]);
    assert.deepEqual(over(), [1, 2, 4, 5]);
    transcript.load([asked(1, 'sent'), asked(2, 'refused')], false);
    assert.deepEqual(over(), [], 'the one that arrived was sent before');
  });

  test('a problem of a task is not over with a message that began none', () => {
    transcript.load([asked(1, 'refused'), problem(2), { ...problem(3), taskId: 't' }, asked(4, 'sent')], false);
    assert.deepEqual(
      seqs(transcript).filter(seq => transcript.isSentAgain(seq)),
      [1, 2],
    );
  });

  test('of problems in the same words one after the other, the last one is shown', () => {
    transcript.load([problem(1), problem(2), problem(3, 'HTTP 500'), asked(4, 'sent'), problem(5, 'HTTP 500')], false);
    assert.deepEqual(
      seqs(transcript).filter(seq => transcript.isRepeated(seq)),
      [1],
    );
  });

  test('the oldest are forgotten beyond a limit and can be loaded again', () => {
    transcript.load(
      Array.from({ length: 50 }, (_, index) => text(index + 1, 'a')),
      false,
    );
    transcript.trim(20);
    assert.equal(seqs(transcript)[0], 31);
    assert.equal(transcript.more.peek(), true);
    assert.equal(transcript.view(30), undefined);
  });
});

suite('chat: parts', () => {
  const pool: readonly Part[] = [
    { text: 'a' },
    { text: '' },
    { text: 'b', mediaType: 'text/plain' },
    { text: 'c', mediaType: 'text/markdown' },
    { text: 'd', filename: 'd.txt' },
    { text: 'e', metadata: { k: 1 } },
    { raw: 'AAAA' },
    { data: null },
    { url: 'https://a/' },
  ];

  test('growing parts are those the history has, index by index', () => {
    let seed = 3;
    const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 500; round++) {
      const all: Part[] = [];
      let shown: readonly ShownPart[] | undefined;
      for (let update = 0; update < 6; update++) {
        const parts = Array.from({ length: next(4) }, () => pool[next(pool.length)]!);
        all.push(...parts);
        shown = shown === undefined ? showParts(joinText(parts)) : appendParts(shown, parts);
      }
      const expected = joinText(all).map(part => ('text' in part ? part.text : Object.keys(part)[0]));
      assert.deepEqual(
        shown?.map(part => (part.kind === 'text' ? part.text.toString() : Object.keys(part.part)[0])),
        expected,
      );
    }
  });

  test('sizes are those of the content, of data as compact JSON', () => {
    const size = (part: Part): number | undefined => sizeOf(showParts([part])[0]!);
    assert.equal(size({ text: 'äö' }), 4);
    assert.equal(size({ raw: Buffer.from('hello').toString('base64') }), 5);
    assert.equal(size({ url: 'https://a/' }), undefined);
    assert.equal(size({ data: { a: 1 } }), 7);
  });
});
