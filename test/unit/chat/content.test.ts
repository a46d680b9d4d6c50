import * as assert from 'node:assert/strict';
import hljs from 'highlight.js/lib/core';
import { imageType } from '../../../src/chat/text/imageType.ts';
import { type HighlightedCode, highlight, readSpans } from '../../../src/chat/markdown/highlight.ts';
import { languageOf, languages } from '../../../src/chat/markdown/languages.ts';
import { setStrings, t, localized } from '../../../src/chat/text/strings.ts';
import { UpdateQueue } from '../../../src/chat/transcript/updateQueue.ts';
import { idleState, sailboat } from '../../support/chatHarness/story.ts';
import { cpuTime } from '../../support/cpuTime.ts';

suite('chat: pictures by their first bytes', () => {
  const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');
  const cases: readonly (readonly [what: string, raw: string, type: string | undefined])[] = [
    ['a PNG', sailboat(false), 'image/png'],
    ['a JPEG', base64('\xff\xd8\xff\xe0..'), 'image/jpeg'],
    ['a GIF', base64('GIF89a..'), 'image/gif'],
    ['a WebP', base64('RIFF\x10\x00\x00\x00WEBPVP8 '), 'image/webp'],
    ['an SVG', base64('<svg xmlns="x">'), 'image/svg+xml'],
    ['an SVG with a declaration', base64('\xef\xbb\xbf<?xml version="1.0"?>\n<!-- a -->\n<!DOCTYPE svg>\n<svg>'), 'image/svg+xml'],
    ['HTML', base64('<html><svg>'), undefined],
    ['a DOCTYPE with entities', base64('<!DOCTYPE svg [<!ENTITY a "b">]><svg>'), undefined],
    ['a PDF', base64('%PDF-1.7'), undefined],
    ['a WAV', base64('RIFF\x10\x00\x00\x00WAVE'), undefined],
    ['nothing', '', undefined],
    ['no base64', '!!! not base64 !!!', undefined],
    ['base64 over lines', sailboat(false).replace(/(.{76})/g, '$1\r\n'), 'image/png'],
  ];
  for (const [what, raw, type] of cases) test(`${what} is ${type ?? 'none'}`, () => assert.equal(imageType(raw), type));

  test('comments without end take no time', () => {
    for (const start of ['<!--', '<!-- -->', '<?xml ?>', ' ']) {
      assert.ok(cpuTime(() => assert.equal(imageType(base64(start.repeat(300))), undefined)) < 100);
    }
  });
});

suite('chat: highlighted code', () => {
  const plain = (pieces: readonly HighlightedCode[]): string =>
    pieces.map(piece => (typeof piece === 'string' ? piece : plain(piece.pieces))).join('');
  const code: Readonly<Record<string, string>> = {
    typescript: 'const a = `x${1 < 2 && "y\'"}`; // <b>&amp;</b>',
    json: '{"a<\'&": [1, true, null, "x"]}',
    xml: '<a href="javascript:alert(1)">&lt;</a>',
    python: 'def f(x):\n  return f"{x!r}"',
    bash: 'echo "$HOME" | sed s/a/b/',
    sql: "select * from a where b = 'c'",
    yaml: 'a: [1, "b"]',
    diff: '+a\n-b',
    go: 'func a() {}',
    java: 'class A {}',
    css: 'a { color: red }',
    markdown: '# a\n*b*',
  };
  for (const [language, text] of Object.entries(code)) {
    test(`${language}: every character stays, and something is highlighted`, () => {
      const pieces = highlight(text, language);
      assert.ok(pieces !== undefined && pieces.some(piece => typeof piece !== 'string'));
      assert.equal(plain(pieces), text);
    });
  }

  test('every other name is highlighted as well, and CSS without end takes no time', () => {
    for (const name of Object.values(languages).flat()) assert.ok(highlight('a', name) !== undefined, name);
    for (const text of ['a{b:', 'a:', '{a:x']) assert.ok(cpuTime(() => highlight(text.repeat(10_000 / text.length), 'css')) < 500, text);
  });

  test('what highlight.js writes is read as it means it', () => {
    assert.deepEqual(readSpans('a<span class="hljs-x">b<span class="hljs-y">&lt;c&gt;</span>&amp;amp;</span>&#x27;'), [
      'a',
      { name: 'hljs-x', pieces: ['b', { name: 'hljs-y', pieces: ['<c>'] }, '&amp;'] },
      "'",
    ]);
    highlight('', 'xml');
    const html = hljs.highlight('</span><script>&#x27;', { language: 'xml' }).value;
    assert.equal(plain(readSpans(html)), '</span><script>&#x27;');
  });

  test('unknown languages and endless code stay plain', () => {
    assert.equal(highlight('a', 'brainfuck'), undefined);
    assert.equal(highlight('a', 'constructor'), undefined);
    assert.equal(highlight('a'.repeat(50_000), 'json'), undefined);
  });

  test('media types that are code', () => {
    const types = {
      'application/json': 'json',
      'application/ld+json': 'json',
      'text/x-python': 'x-python',
      'text/html; charset=utf-8': 'html',
      'application/xml': 'xml',
      'text/css': 'css',
    };
    for (const type of Object.keys(types)) assert.ok(languageOf(type) !== undefined, type);
    for (const type of ['text/plain', 'text/csv', '', 'application/octet-stream', 'text/constructor'])
      assert.equal(languageOf(type), undefined, type);
  });
});

suite('chat: small things', () => {
  test('strings are translated where there is a translation, and arguments stay as they are', () => {
    setStrings({ Copied: '已复制', '{0} parts': '{0} 个部分' });
    assert.equal(t('Copied'), '已复制');
    assert.equal(t('{0} parts', 3), '3 个部分');
    assert.equal(localized({ template: 'No {0} of {1} {2}', args: ['{1}', 'x'] }), 'No {1} of x {2}');
    setStrings({});
    assert.equal(t('Copied'), 'Copied');
  });

  test('updates wait for one frame, the newest state goes with them', () => {
    const frames: (() => void)[] = [];
    const batches: string[] = [];
    const queue = new UpdateQueue(
      run => frames.push(run),
      ({ updates, state }) => batches.push(`${updates.length} ${state?.title ?? '-'}`),
    );
    const append = { type: 'append', seq: 1, parts: [], chunks: 1 } as const;
    queue.updates([append]);
    queue.state({ ...idleState, title: 'a' });
    queue.updates([append, append]);
    queue.state({ ...idleState, title: 'b' });
    assert.equal(frames.length, 1);
    frames[0]?.();
    queue.updates([append]);
    queue.state({ ...idleState, title: 'c' });
    queue.clear();
    frames[1]?.();
    assert.deepEqual(batches, ['3 b', '0 -']);
  });

  test('what is more than a frame has time for is drawn over several, in order, and the state with the last', () => {
    const frames: (() => void)[] = [];
    const batches: string[] = [];
    const queue = new UpdateQueue(
      run => frames.push(run),
      ({ updates, state }) =>
        batches.push(`${updates.map(update => (update.type === 'append' ? update.chunks : 'put')).join(' ')} ${state?.title ?? '-'}`),
    );
    queue.updates([1, 2, 3, 4].map(chunks => ({ type: 'append', seq: 1, parts: [{ text: 'x'.repeat(4000) }], chunks })));
    queue.state({ ...idleState, title: 'end' });
    while (frames.length > 0) frames.shift()?.();
    assert.deepEqual(batches, ['1 -', '2 -', '3 -', '4 end']);
  });

  test('however much waits, it is drawn in a few frames', () => {
    let drawn = 0;
    const frames: (() => void)[] = [];
    const queue = new UpdateQueue(
      run => frames.push(run),
      ({ updates }) => {
        drawn += updates.length;
      },
    );
    queue.updates(
      Array.from({ length: 10_000 }, (_, index) => ({ type: 'append', seq: 1, parts: [{ text: 'x'.repeat(1000) }], chunks: index + 1 })),
    );
    let count = 0;
    for (; frames.length > 0; count++) frames.shift()?.();
    assert.equal(drawn, 10_000);
    assert.ok(count < 60, `${count} frames`);
  });

  for (const [name, msPer1000, expected] of [
    ['easy text: twice as much each time', 0.1, [4, 8, 16, 32]],
    ['what takes long: no less than a frame has on any machine', 100, [4, 4, 4, 4]],
    ['what takes as long as a frame has: as much again', 2.5, [4, 8, 10, 10]],
  ] as const) {
    test(`a frame draws what the ones before it had time for: ${name}`, () => {
      const drawn: number[] = [];
      const frames: (() => void)[] = [];
      const queue = new UpdateQueue(
        (run, took) =>
          frames.push(() => {
            run();
            took?.((drawn.at(-1) ?? 0) * msPer1000);
          }),
        ({ updates }) => drawn.push(updates.length),
      );
      for (let round = 0; round < 4; round++) {
        queue.updates(
          Array.from({ length: expected[round] ?? 0 }, (_, index) => ({
            type: 'append',
            seq: 1,
            parts: [{ text: 'x'.repeat(1000) }],
            chunks: index + 1,
          })),
        );
        // A little more than was drawn, so that the frame is full; the rest of it is forgotten.
        queue.updates([{ type: 'append', seq: 1, parts: [{ text: 'x' }], chunks: 1 }]);
        frames.shift()?.();
        queue.clear();
        frames.shift()?.();
        drawn.pop();
      }
      assert.deepEqual(drawn, expected);
    });
  }
});
