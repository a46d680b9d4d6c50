import * as assert from 'node:assert/strict';
import { readFrames } from '../../../src/client/sse.ts';
import { drain } from './support/openThings.ts';

async function* chunked(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
}

type Seen = readonly [data: string, event?: string, id?: string];

async function frames(...chunks: readonly (string | Uint8Array)[]): Promise<Seen[]> {
  const { items, error } = await drain(readFrames(chunked(...chunks)));
  assert.equal(error, undefined);
  const all = items.flat();
  assert.deepEqual(all.map(({ seq }) => seq), all.map((_, index) => index));
  return all.map(({ data, event, id }) => (id === undefined ? event === undefined ? [data] : [data, event] : [data, event, id]) as Seen);
}

const streams: Readonly<Record<string, { readonly text: string; readonly seen: readonly Seen[] }>> = {
  'line feeds': { text: 'data: {"a":1}\n\ndata: {"b":2}\n\n', seen: [['{"a":1}'], ['{"b":2}']] },
  'carriage returns with line feeds': { text: 'data: {"a":1}\r\n\r\ndata: {"b":2}\r\n\r\n', seen: [['{"a":1}'], ['{"b":2}']] },
  'carriage returns alone': { text: 'data: {"a":1}\r\rdata: {"b":2}\r\r', seen: [['{"a":1}'], ['{"b":2}']] },
  'no space after the colon': { text: 'data:{"a":1}\n\n', seen: [['{"a":1}']] },
  'several data lines': { text: 'data: {\ndata: "a": 1\ndata: }\n\n', seen: [['{\n"a": 1\n}']] },
  'comments between': { text: ': ping\n\ndata: {"a":1}\n\n: ping\n\n', seen: [['{"a":1}']] },
  'event and id': { text: 'event: error\nid: 7\ndata: {"a":1}\n\n', seen: [['{"a":1}', 'error', '7']] },
  'unknown fields and odd retry': { text: 'retry: soon\nx: y\ndata: {"a":1}\n\n', seen: [['{"a":1}']] },
  'a byte order mark': { text: '\uFEFFdata: {"a":1}\n\n', seen: [['{"a":1}']] },
  'letters of one to four bytes': { text: 'data: {"a":"aäあ🚢"}\n\n', seen: [['{"a":"aäあ🚢"}']] },
  'no last blank line': { text: 'data: {"a":1}\n\ndata: {"b":2}\n', seen: [['{"a":1}'], ['{"b":2}']] },
  'no last line end': { text: 'data: {"b":2}', seen: [['{"b":2}']] },
  'an end inside a comment': { text: 'data: {"a":1}\n\n: pi', seen: [['{"a":1}']] },
  'nothing': { text: '', seen: [] },
};

suite('server-sent events', () => {
  for (const [name, { text, seen }] of Object.entries(streams)) {
    const bytes = new TextEncoder().encode(text);

    test(`${name}, cut in two at every byte`, async () => {
      for (let cut = 0; cut <= bytes.length; cut++) {
        assert.deepEqual(await frames(bytes.subarray(0, cut), bytes.subarray(cut)), seen, `cut at ${cut}`);
      }
    });

    test(`${name}, byte by byte`, async () => {
      assert.deepEqual(await frames(...[...bytes].map(byte => Uint8Array.of(byte))), seen);
    });
  }

  test('a chunk gives one batch, with the time it came', async () => {
    const before = performance.timeOrigin + performance.now();
    const { items } = await drain(readFrames(chunked('data: 1\n\ndata: 2\n\nda', 'ta: 3\n', '\n')));
    assert.deepEqual(items.map(batch => batch.map(frame => frame.data)), [['1', '2'], ['3']]);
    const times = items.flat().map(({ at }) => at);
    assert.ok(times.every((at, index) => at >= (times[index - 1] ?? before)));
    assert.equal(times[0], times[1]);
  });

  test('an end inside an event is a broken connection, after the events before it', async () => {
    const { items, error } = await drain(readFrames(chunked('data: {"a":1}\n\ndata: {"b":')));
    assert.deepEqual(items.flat().map(({ data }) => data), ['{"a":1}']);
    assert.equal((error as { code: string }).code, 'connection-lost');
    assert.equal((error as { reached: string }).reached, 'yes');
  });

  for (const [name, tail] of Object.entries({
    'one line in one chunk': [`data: ${'x'.repeat(200)}`],
    'one line in many chunks': ['data: ', ...Array.from({ length: 20 }, () => 'x'.repeat(10))],
    'many data lines': [Array.from({ length: 20 }, () => 'data: xxxxxxxxxx\n').join('')],
  })) {
    test(`an event without end is refused: ${name}`, async () => {
      const { items, error } = await drain(readFrames(chunked('data: 1\n\n', ...tail), 100));
      assert.deepEqual(items.flat().map(({ data }) => data), ['1']);
      assert.equal((error as { code: string }).code, 'too-large');
    });
  }

  test('a comment without end takes no room', async () => {
    assert.deepEqual(await drain(readFrames(chunked(': ', ...Array.from({ length: 50 }, () => 'x'.repeat(10)), '\ndata: 1\n\n'), 100))
      .then(({ items, error }) => [items.flat().map(({ data }) => data), error]), [['1'], undefined]);
  });
});
