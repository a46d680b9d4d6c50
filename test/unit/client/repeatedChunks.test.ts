import * as assert from 'node:assert/strict';
import { RepeatedChunks } from '../../../src/client/sse/repeatedChunks.ts';
import { plainChunkIn } from '../../../src/protocol/versions/shared/plainChunk.ts';
import { figure, full, seed } from '../../support/figure.ts';
import { Random } from '../../support/protocol/random.ts';

const update = (text: unknown, more: object = {}, artifact: object = {}): object => ({
  artifactUpdate: {
    taskId: 't',
    contextId: 'c',
    artifact: { artifactId: 'a', name: 'text', parts: [{ text }], ...artifact },
    append: true,
    lastChunk: false,
    ...more,
  },
});
const rpc = (result: object): object => ({ jsonrpc: '2.0', id: 1, result });
const json = JSON.stringify;
/** As Python writes JSON. */
const spaced = (value: object): string => json(value, null, 1).replaceAll(/\n */g, ' ');
const long = 'tall ship '.repeat(200);

function whole(data: string): unknown {
  try {
    return plainChunkIn(JSON.parse(data));
  } catch {
    return undefined;
  }
}

/** How many events were read as repetitions; each has to be what reading all of its JSON gives. */
function repeated(events: readonly string[], knowing = true): number {
  const chunks = new RepeatedChunks();
  let count = 0;
  for (const data of events) {
    const chunk = chunks.read(data, () => knowing && !/\p{Cc}/u.test(data));
    if (chunk !== undefined) {
      assert.equal(json(chunk), json(whole(data)), 'in the same order, too');
      count++;
    } else if (whole(data) !== undefined) chunks.learn(data);
  }
  return count;
}

suite('chunks that repeat each other', () => {
  const texts = [
    'one',
    'two',
    '',
    'a "quoted" \\ word\n',
    'NUL \0',
    'half \uD83D',
    '京🙂é',
    long,
    `${long}京`,
    `${long}\n`,
    `${long}"`,
    long.repeat(50),
  ];
  const streams: readonly (readonly [what: string, events: readonly string[], count: number])[] = [
    ['over HTTP+JSON', texts.map(text => json(update(text))), texts.length - 1],
    ['over JSON-RPC', texts.map(text => json(rpc(update(text)))), texts.length - 1],
    ['with spaces', texts.map(text => spaced(rpc(update(text)))), texts.length - 1],
    [
      'with everything escaped',
      texts.map(text => json(update(text)).replaceAll(/[^\0-\x7f]/g, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)),
      texts.length - 1,
    ],
    [
      'with other words around the text',
      texts.map(text => json(rpc(update(text, {}, { name: 'the "text":"here"', description: '{"text":"x"}' })))),
      texts.length - 1,
    ],
    [
      'of four artifacts by turns',
      texts.flatMap(text => ['a', 'b', 'c', 'd'].map(artifactId => json(update(text, {}, { artifactId })))),
      4 * (texts.length - 1),
    ],
    [
      'that begin and end otherwise',
      [{ append: false }, {}, {}, {}, { lastChunk: true }].map((more, index) => json(update(`${index}`, more))),
      2,
    ],
    [
      'all alike but for a number',
      Array.from({ length: 60 }, (_, index) => json({ id: index, ...rpc(update(`${index}`)), own: index })),
      0,
    ],
    ['of two parts each', texts.map(text => json(update(text, {}, { parts: [{ text }, { text }] }))), 0],
    ['with another text before theirs', texts.map(text => json({ text: 'x', ...rpc(update(text)) })), 0],
    ['with another text before theirs that changes alone', texts.map(text => json({ text, ...rpc(update('one')) })), 0],
    [
      'of a text and another one that is always the same',
      texts.map(text => json(update(text, {}, { parts: [{ text }, { text: 'b' }] }))),
      0,
    ],
    ['of no chunks', texts.map(text => json(rpc({ message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] } }))), 0],
  ];
  for (const [what, events, count] of streams) {
    test(`${what} are read by their text alone`, () => {
      assert.equal(repeated(events), count);
      assert.equal(repeated(events, false), count, 'without knowing what is in them');
    });
  }

  const [before = '', after = ''] = json(rpc(update('@'))).split('"@"');
  const departures: readonly (readonly [what: string, stretch: string])[] = [
    ['a number', '7'],
    ['nothing', ''],
    ['null', 'null'],
    ['no quote at its end', '"x'],
    ['no quote at its beginning', 'x"'],
    ['one quote', '"'],
    ['a control character', '"a\tb"'],
    ['a control character in a long text', `"${long}\u0001"`],
    ['a second part', '"x"},{"text":"y"'],
    ['a second part after a long text', `"${long}"},{"text":"y"`],
    ['a member', '"x","mediaType":"text/html"'],
    ['the same member again', '"x","text":"y"'],
    ['metadata', `"${long}","metadata":{"a":"b"}`],
    ['an escape that is none', '"\\x"'],
    ['an escape that is none in a long text', `"${long}\\x"`],
    ['an escaped quote at its end', '"x\\"'],
    ['an escaped quote at the end of a long text', `"${long}\\"`],
    ['spaces around it', ' "x" '],
    ['two strings', '"x" "y"'],
  ];
  for (const [what, stretch] of departures) {
    test(`an event with ${what} in the place of the text is read as it is`, () => {
      const chunks = new RepeatedChunks();
      chunks.learn(`${before}"x"${after}`);
      const data = before + stretch + after;
      const chunk = chunks.read(data, () => !/\p{Cc}/u.test(data));
      if (chunk !== undefined) assert.deepEqual(chunk, whole(data));
      else assert.ok(whole(data) === undefined || stretch.includes('text') || stretch.includes('m'), 'it is a plain chunk');
    });
  }

  test('whatever is changed in an event, it is read as it is or not at all', () => {
    const random = new Random(seed);
    const pieces = ['"', '\\', '{', '}', '[', ']', ',', ':', ' ', '\t', '\\"', '"text":"', '"text":', 'x', '}]', '"}'];
    const sound = [`${before}"x"${after}`, `${before}"${long}"${after}`, json(update('y'))];
    const rounds = full ? 8_000 : 400;
    for (let round = 0; round < rounds; round++) {
      const data = sound[random.below(sound.length)]!;
      const at = random.below(4) === 0 ? data.indexOf('"text":') + random.below(12) : random.below(data.length);
      const spoilt = data.slice(0, at) + pieces[random.below(pieces.length)]! + data.slice(at + random.below(3));
      repeated([...sound, spoilt, sound[random.below(sound.length)]!, spoilt]);
    }
    figure('F31', { 'spoilt chunks': rounds }, `${rounds} chunks with something changed`);
  }).timeout(60_000);
});
