import * as assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { createParser } from 'eventsource-parser';
import { readFrames } from '../../../src/client/sse/sse.ts';
import { caught, figure, full } from '../../support/figure.ts';
import { Random } from '../../support/protocol/random.ts';
import { ends, rules, type Seen } from '../../support/client/sseRules.ts';

/** Ways to cut each rule's bytes at random, and streams that are made at random. */
const [cuttings, streams] = full ? [320, 100_000] : [20, 1_500];

type Reader = (chunks: readonly Uint8Array[]) => Promise<Seen[]>;

async function* given(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const seenAs = (data: string, event: string | undefined, id: string | undefined): Seen =>
  (id === undefined ? (event === undefined ? [data] : [data, event]) : [data, event, id]) as Seen;

const ours: Reader = async chunks => {
  const seen: Seen[] = [];
  for await (const frames of readFrames(given(chunks))) for (const { data, event, id } of frames) seen.push(seenAs(data, event, id));
  return seen;
};

/** As many clients read: an event is what stands between blank lines of a chunk, its data all behind the first `data:`. */
const naive: Reader = async chunks => {
  const seen: Seen[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  for (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const events = rest.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event
        .split('\n')
        .filter(line => line.startsWith('data: '))
        .map(line => line.slice(6))
        .join('\n');
      if (data !== '') seen.push(seenAs(data, /^event: (.*)$/m.exec(event)?.[1], /^id: (.*)$/m.exec(event)?.[1]));
    }
  }
  return seen;
};

const cutAt = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] =>
  [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));

/** Every cut in two, byte by byte, and cuts at random. */
function* cutsOf(bytes: Uint8Array, seed: number): Generator<Uint8Array[]> {
  for (let cut = 0; cut <= bytes.length; cut++) yield cutAt(bytes, [cut]);
  yield [...bytes].map(byte => Uint8Array.of(byte));
  const random = new Random(seed);
  for (let round = 0; round < cuttings; round++) {
    const places = random.list(4, () => random.below(bytes.length + 1)).sort((one, other) => one - other);
    yield cutAt(bytes, places);
  }
}

interface Readings {
  readings: number;
  readonly wrong: string[];
}

async function readings(read: Reader): Promise<Readings> {
  const all: Readings = { readings: 0, wrong: [] };
  for (const [index, [name, { bytes: written, seen }]] of Object.entries({ ...rules, ...ends }).entries()) {
    const bytes = typeof written === 'string' ? new TextEncoder().encode(written) : written;
    for (const chunks of cutsOf(bytes, index + 1)) {
      all.readings++;
      const got = await read(chunks).catch((error: unknown) => String(error));
      if (!isDeepStrictEqual(got, seen))
        all.wrong.push(`${name}, in pieces of ${chunks.map(({ length }) => length).join()}: ${JSON.stringify(got)}`);
    }
  }
  return all;
}

suite('server-sent events, however they are cut', function () {
  this.timeout(full ? 1_800_000 : 60_000);

  test('every rule is kept', async () => {
    const { readings: count, wrong } = await readings(ours);
    figure(
      'F1',
      { readings: count, wrong: wrong.length },
      `${count} readings of ${Object.keys({ ...rules, ...ends }).length} rules, ${wrong.length} of them wrong`,
    );
    assert.deepEqual(wrong.slice(0, 10), []);
  });

  test('a reader that splits at blank lines is caught', async () => {
    const { wrong } = await readings(naive);
    assert.ok(wrong.length > 100, String(wrong.length));
    caught('F1', 'a reader that splits at blank lines');
  });

  test('a stream made at random is read as eventsource-parser reads it in one piece', async () => {
    const words = [
      'data',
      'data:',
      'data: ',
      'data: {"a":1}',
      'event: x',
      'event:',
      'id: 7',
      'id',
      'retry: 10',
      ': ping',
      ':',
      ' ',
      'é',
      '🚢',
      '\uFEFF',
      '\u0000',
      '\u2028',
      'x',
      '\n',
      '\n\n',
      '\r',
      '\r\n',
      '\r\r',
      '\r\n\r\n',
    ];
    const differing: string[] = [];
    for (let seed = 1; seed <= streams; seed++) {
      const random = new Random(seed);
      const text = `${random.list(24, () => random.pick(words), 1).join('')}\n\n`;
      const bytes = new TextEncoder().encode(text);
      const expected: Seen[] = [];
      const parser = createParser({
        onEvent: ({ data, event, id }) => {
          expected.push(seenAs(data, event, id));
        },
      });
      // One byte order mark is none of the text, which the parser looks after.
      parser.feed(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
      const places = random.list(3, () => random.below(bytes.length + 1)).sort((one, other) => one - other);
      // A stream with text and without an event is refused, and a last event that is not JSON is a broken one.
      const got = await ours(cutAt(bytes, places)).catch((error: unknown) =>
        (error as { code?: string }).code === 'unreadable-answer' ? [] : String(error),
      );
      if (!isDeepStrictEqual(got, expected))
        differing.push(
          `seed ${seed}: ${JSON.stringify(text)} cut at ${places.join()}: ${JSON.stringify(got)} and not ${JSON.stringify(expected)}`,
        );
    }
    figure(
      'F1',
      { 'streams at random': streams, differing: differing.length },
      `${streams} streams made at random (seeds 1 to ${streams}), ${differing.length} read otherwise than by eventsource-parser in one piece`,
    );
    assert.deepEqual(differing.slice(0, 5), []);
  });
});
