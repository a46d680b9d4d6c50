import * as assert from 'node:assert/strict';
import { readFrames } from '../../../src/client/sse/sse.ts';
import { drain } from '../../support/client/openThings.ts';
import { ends, rules, type Seen } from '../../support/client/sseRules.ts';

async function* chunked(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
}

async function frames(...chunks: readonly (string | Uint8Array)[]): Promise<Seen[]> {
  const { items, error } = await drain(readFrames(chunked(...chunks)));
  assert.equal(error, undefined);
  const all = items.flat();
  assert.deepEqual(
    all.map(({ seq }) => seq),
    all.map((_, index) => index),
  );
  return all.map(({ data, event, id }) => (id === undefined ? (event === undefined ? [data] : [data, event]) : [data, event, id]) as Seen);
}

suite('server-sent events', () => {
  for (const [name, { bytes: written, seen }] of Object.entries({ ...rules, ...ends })) {
    const bytes = typeof written === 'string' ? new TextEncoder().encode(written) : written;

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
    assert.deepEqual(
      items.map(batch => batch.map(frame => frame.data)),
      [['1', '2'], ['3']],
    );
    const times = items.flat().map(({ at }) => at);
    assert.ok(times.every((at, index) => at >= (times[index - 1] ?? before)));
    assert.equal(times[0], times[1]);
  });

  test('an end inside an event is a broken connection, after the events before it', async () => {
    const { items, error } = await drain(readFrames(chunked('data: {"a":1}\n\ndata: {"b":')));
    assert.deepEqual(
      items.flat().map(({ data }) => data),
      ['{"a":1}'],
    );
    assert.equal((error as { code: string }).code, 'connection-lost');
    assert.equal((error as { reached: string }).reached, 'yes');
  });

  for (const [name, bytes] of Object.entries({
    'one line in one chunk': ['data: 1\n\n', `data: ${'x'.repeat(200)}`],
    'one line in many chunks': ['data: 1\n\n', 'data: ', ...Array.from({ length: 20 }, () => 'x'.repeat(10))],
    'begun in the chunk of another event': [`data: 1\n\ndata: ${'x'.repeat(200)}`],
    'many data lines': ['data: 1\n\n', Array.from({ length: 20 }, () => 'data: xxxxxxxxxx\n').join('')],
  })) {
    test(`an event without end is refused: ${name}`, async () => {
      const { items, error } = await drain(readFrames(chunked(...bytes), { limit: 100 }));
      assert.deepEqual(
        items.flat().map(({ data }) => data),
        ['1'],
      );
      assert.equal((error as { code: string }).code, 'too-large');
    });
  }

  const many = 120_000;
  for (const [name, line] of Object.entries({
    'of a letter each': 'data: x\n',
    'with carriage returns': 'data: x\r\n',
    'that are empty': 'data\n',
  })) {
    test(`an event of too many lines is refused after those before it: lines ${name}`, async () => {
      const { items, error } = await drain(readFrames(chunked('data: 1\n\n', ...Array.from({ length: 5 }, () => line.repeat(many)))));
      assert.equal(items.flat().length, 1);
      assert.equal((error as { code: string }).code, 'too-large');
      assert.match((error as Error).message, /the limit of 500000 lines/);
    });
  }

  for (const [name, chunk] of Object.entries({ comments: ': x\n', 'events of their own': 'id: 1\ndata: 1\n\n' })) {
    test(`as many lines of ${name} are none of one event`, async () => {
      const times = many / (chunk.split('\n').length - 1);
      const { error } = await drain(readFrames(chunked(...Array.from({ length: 5 }, () => chunk.repeat(times)), 'data: 1\n\n')));
      assert.equal(error, undefined);
    });
  }

  test('a comment without end takes no room', async () => {
    assert.deepEqual(
      await drain(readFrames(chunked(': ', ...Array.from({ length: 50 }, () => 'x'.repeat(10)), '\ndata: 1\n\n'), { limit: 100 })).then(
        ({ items, error }) => [items.flat().map(({ data }) => data), error],
      ),
      [['1'], undefined],
    );
  });
});
