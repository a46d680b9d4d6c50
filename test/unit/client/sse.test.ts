import * as assert from 'node:assert/strict';
import { readArrivals, readFrames } from '../../../src/client/sse.ts';
import { utf8Of } from '../../../src/protocol/frameUtf8.ts';
import { frameRows, framesIn } from '../../../src/store/frameBatches.ts';
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

interface Stream {
  readonly bytes: string | Uint8Array;
  readonly seen: readonly Seen[];
}

/** What the standard says of reading a stream (WHATWG HTML §9.2.5 and §9.2.6), a rule a row. */
const rules: Readonly<Record<string, Stream>> = {
  'a line ends with a line feed': { bytes: 'data: {"a":1}\n\ndata: {"b":2}\n\n', seen: [['{"a":1}'], ['{"b":2}']] },
  'a line ends with a carriage return and a line feed': { bytes: 'data: {"a":1}\r\n\r\ndata: {"b":2}\r\n\r\n', seen: [['{"a":1}'], ['{"b":2}']] },
  'a line ends with a carriage return alone': { bytes: 'data: {"a":1}\r\rdata: {"b":2}\r\r', seen: [['{"a":1}'], ['{"b":2}']] },
  'line ends may be mixed': { bytes: 'data: 1\r\ndata: 2\rdata: 3\n\r\ndata: 4\r\r\n', seen: [['1\n2\n3'], ['4']] },
  'other separators end no line': { bytes: 'data: a\u2028b\u2029c\u0085d\u000be\u000cf\n\n', seen: [['a\u2028b\u2029c\u0085d\u000be\u000cf']] },
  'a byte order mark at the start is no content': { bytes: '\uFEFFdata: {"a":1}\n\n', seen: [['{"a":1}']] },
  'a byte order mark later is content': { bytes: 'data: \uFEFF1\n\n\uFEFFdata: 2\n\n', seen: [['\uFEFF1']] },
  'bytes are UTF-8, of one to four bytes a letter': { bytes: 'data: {"a":"aäあ🚢"}\n\n', seen: [['{"a":"aäあ🚢"}']] },
  'bytes that are no UTF-8 are replaced': { bytes: Uint8Array.of(...Buffer.from('data: a'), 0xff, 0xc3, ...Buffer.from('b\n\n')), seen: [['a\uFFFD\uFFFDb']] },
  'a blank line ends an event': { bytes: 'data: 1\n\ndata: 2\n\n', seen: [['1'], ['2']] },
  'more blank lines end nothing': { bytes: '\n\n\ndata: 1\n\n\n\ndata: 2\n\n\n', seen: [['1'], ['2']] },
  'a line that begins with a colon is a comment': { bytes: ': ping\n\ndata: {"a":1}\n\n:\n\n', seen: [['{"a":1}']] },
  'a comment does not part an event': { bytes: 'data: 1\n: ping\ndata: 2\n\n', seen: [['1\n2']] },
  'a space after the colon may be missing': { bytes: 'data:{"a":1}\n\n', seen: [['{"a":1}']] },
  'one space after the colon is taken off, no more': { bytes: 'data:  1 \n\ndata:\t2\n\n', seen: [[' 1 '], ['\t2']] },
  'what comes after the first colon is the value': { bytes: 'data: a: b:c\n\ndata:: d\n\n', seen: [['a: b:c'], [': d']] },
  'a line without a colon is a field without a value': { bytes: 'data\n\ndata\ndata\n\n', seen: [[''], ['\n']] },
  'several data lines are joined by line feeds': { bytes: 'data: {\ndata: "a": 1\ndata: }\n\n', seen: [['{\n"a": 1\n}']] },
  'an empty data line is a line of the data': { bytes: 'data: 1\ndata:\ndata: 2\n\n', seen: [['1\n\n2']] },
  'an event without data is none': { bytes: 'event: ping\nid: 1\n\ndata: 1\n\n', seen: [['1']] },
  'the name of an event is its last one': { bytes: 'event: a\nevent: b\ndata: 1\n\n', seen: [['1', 'b']] },
  'the name of an event is not that of the next': { bytes: 'event: error\ndata: 1\n\ndata: 2\n\n', seen: [['1', 'error'], ['2']] },
  'an id stands with the data, before or after it': { bytes: 'event: error\nid: 7\ndata: {"a":1}\n\ndata: 2\nid: 8\nevent: x\n\n', seen: [['{"a":1}', 'error', '7'], ['2', 'x', '8']] },
  'an id with a NUL is none': { bytes: 'id: 1\u00002\nevent: x\ndata: 1\n\n', seen: [['1', 'x']] },
  'retry is no content, whatever it says': { bytes: 'retry: 10\ndata: 1\nretry: soon\n\nretry\ndata: 2\n\n', seen: [['1'], ['2']] },
  'unknown fields are passed over': { bytes: 'x: y\ndata: {"a":1}\nkind\n\n', seen: [['{"a":1}']] },
  'what is plain at first may become anything': { bytes: 'data: 1\n\ndata: 2\n\n\uFEFFdata: 3\n\nevent: x\ndata: 4\n\ndata: 5\r\n\r\ndata: 6\n\n', seen: [['1'], ['2'], ['4', 'x'], ['5'], ['6']] },
  'a field is known by its exact name': { bytes: 'Data: 1\n data: 2\ndata : 3\ndatax: 4\nDATA\ndata: 5\n\n', seen: [['5']] },
};

/** What is read otherwise than the standard says, because servers forget the last blank line. */
const ends: Readonly<Record<string, Stream>> = {
  'no last blank line': { bytes: 'data: {"a":1}\n\ndata: {"b":2}\n', seen: [['{"a":1}'], ['{"b":2}']] },
  'no last line end': { bytes: 'data: {"b":2}', seen: [['{"b":2}']] },
  'an end inside a comment': { bytes: 'data: {"a":1}\n\n: pi', seen: [['{"a":1}']] },
  'nothing': { bytes: '', seen: [] },
};

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

  test('an event of 4 MiB in chunks of 16 bytes costs eight times one of 512 KiB, not sixty-four times', async () => {
    async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += 16) yield bytes.subarray(at, at + 16);
    }
    /** Processor time, which does not depend on what else the machine does. */
    const cost = async (size: number): Promise<number> => {
      const bytes = new TextEncoder().encode(`data: ${'x'.repeat(size)}\n\n`);
      const before = process.cpuUsage();
      const { items } = await drain(readFrames(pieces(bytes)));
      const { user, system } = process.cpuUsage(before);
      assert.deepEqual(items.flat().map(({ data }) => data.length), [size]);
      return user + system;
    };
    const small = Math.max(await cost(2 ** 19), await cost(2 ** 19));
    const large = await cost(2 ** 22);
    assert.ok(large < 24 * small, `${large} µs for 4 MiB, ${small} µs for 512 KiB`);
  });

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

  for (const [name, bytes] of Object.entries({
    'one line in one chunk': ['data: 1\n\n', `data: ${'x'.repeat(200)}`],
    'one line in many chunks': ['data: 1\n\n', 'data: ', ...Array.from({ length: 20 }, () => 'x'.repeat(10))],
    'begun in the chunk of another event': [`data: 1\n\ndata: ${'x'.repeat(200)}`],
    'many data lines': ['data: 1\n\n', Array.from({ length: 20 }, () => 'data: xxxxxxxxxx\n').join('')],
  })) {
    test(`an event without end is refused: ${name}`, async () => {
      const { items, error } = await drain(readFrames(chunked(...bytes), 100));
      assert.deepEqual(items.flat().map(({ data }) => data), ['1']);
      assert.equal((error as { code: string }).code, 'too-large');
    });
  }

  test('a comment without end takes no room', async () => {
    assert.deepEqual(await drain(readFrames(chunked(': ', ...Array.from({ length: 50 }, () => 'x'.repeat(10)), '\ndata: 1\n\n'), 100))
      .then(({ items, error }) => [items.flat().map(({ data }) => data), error]), [['1'], undefined]);
  });

  const cleanness: readonly (readonly [what: string, chunks: readonly string[], clean: readonly boolean[][]])[] = [
    ['text alone', ['data: one\n\ndata: two\n\n'], [[true, true]]],
    ['control characters in one of them', ['data: o\tne\n\ndata: two\n\n'], [[false, true]]],
    ['a letter of two bytes, after which nothing is where it seems', ['data: é\n\ndata: two\n\n'], [[false, false]]],
    ['pieces of events', ['data: on', 'e\n\nda', 'ta: t\0wo\n\ndata: three\n\ndata: \tfour', '\n\n'], [[true], [false, true], [false]]],
    ['what is not plain', ['event: x\ndata: one\n\n'], [[false]]],
    ['what was plain before', ['data: one\n\n', 'id: 7\ndata: two\n\n', 'data: three\n\n'], [[true], [false], [false]]],
    ['a last event without its end', ['data: 1\n\n', 'data: 2'], [[true], [false]]],
  ];
  for (const [what, chunks, clean] of cleanness) {
    test(`says what is known to have no control characters: ${what}`, async () => {
      const seen: boolean[][] = [];
      for await (const { frames: arrived, isClean } of readArrivals(chunked(...chunks))) seen.push(arrived.map((_, index) => isClean(index)));
      assert.deepEqual(seen, clean);
    });
  }

  const long = '京🙂é — '.repeat(200);
  const [cut, rest] = [Buffer.from(`data: ${long}1\n\ndata:${long}2\n\ndata: ${long}3`), '\n\ndata: last\n\n'];
  const noted: readonly (readonly [what: string, chunks: readonly (string | Uint8Array)[], noted: readonly boolean[]])[] = [
    ['at once', [`data: ${long}1\n\ndata:${long}2\n\n`], [true, true]],
    ['cut inside a letter, again and again', [cut.subarray(0, 9), cut.subarray(9, 2_000), cut.subarray(2_000), rest, `data: ${long}4\n\n`], [true, true, true, false, true]],
    ['short ones and such of ASCII alone', ['data: é\n\n', `data: ${'x'.repeat(600)}\n\n`], [false, false]],
    ['that are no UTF-8', [Buffer.concat([Buffer.from(`data: ${long}`), Buffer.of(0xc3), Buffer.from('\n\n')]), `data: ${long}\n\n`], [false, true]],
    ['named', [`event: x\ndata: ${long}\n\n`], [false]],
  ];
  for (const [what, chunks, expected] of noted) {
    test(`notes the bytes of long events, which stay as they are: ${what}`, async () => {
      const { items } = await drain(readFrames(chunked(...chunks)));
      const all = items.flat();
      assert.deepEqual(all.map(frame => utf8Of(frame) !== undefined), expected);
      for (const frame of all) if (utf8Of(frame) !== undefined) assert.equal(Buffer.from(utf8Of(frame)!).toString(), frame.data);
      const rows = [...frameRows(all)].map(row => ({ ...row, data: Buffer.from(row.data) }));
      assert.deepEqual(rows.flatMap(framesIn), all, 'and are written down as they came');
    });
  }
});
