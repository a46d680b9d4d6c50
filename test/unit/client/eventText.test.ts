import * as assert from 'node:assert/strict';
import { readFrames } from '../../../src/client/sse/sse.ts';
import { SentCredentials } from '../../../src/client/wireLog/sentCredentials.ts';
import { eventText } from '../../../src/protocol/eventText.ts';
import type { Frame } from '../../../src/protocol/exchange.ts';
import { framesIn, rowsOf } from '../../../src/store/rows/frameRows.ts';
import { rules } from '../../support/client/sseRules.ts';

async function read(chunks: readonly (string | Uint8Array)[], credentials?: SentCredentials): Promise<readonly Frame[]> {
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  };
  const all: Frame[] = [];
  for await (const frames of readFrames(bytes(), { credentials })) all.push(...frames);
  return all;
}

const texts = async (...chunks: readonly (string | Uint8Array)[]): Promise<readonly string[]> => (await read(chunks)).map(eventText);

/** The events as a history gives them back. */
const kept = (frames: readonly Frame[]): readonly Frame[] =>
  [...rowsOf(frames)].flatMap(row => framesIn({ ...row, data: Uint8Array.from(row.data) }));

suite('the text of an event', () => {
  const written: Readonly<Record<string, readonly string[]>> = {
    'id, name, a comment and several lines of data, in any order': [
      'id: 7\nevent: message\n: a comment\ndata: {\ndata:"a": 1\ndata:  }\n',
      'data: 1\nid:8\nretry: 10\n',
    ],
    'lines ended by carriage returns and line feeds': ['event: x\r\ndata: {"a":1}\r\n', 'data: 2\r\n'],
    'lines ended by carriage returns': [': c\rdata: 1\r'],
    'no space after the colon, two, and no colon': ['data:1\n', 'data:  2\n', 'data\ndata\n'],
    'fields that nobody knows': ['x: y\ndata: 1\nkind\n'],
    'plain events before and after': ['data: 1\n', 'event: x\ndata: 2\n', 'data: 3\n'],
  };
  for (const [what, events] of Object.entries(written)) {
    test(`is as it came: ${what}`, async () => {
      const end = /\r\n|\r|\n/.exec(events[0]!)![0];
      const bytes = Buffer.from(events.map(event => event + end).join(''));
      for (let cut = 0; cut <= bytes.length; cut++)
        assert.deepEqual(await texts(bytes.subarray(0, cut), bytes.subarray(cut)), events, `cut at ${cut}`);
      assert.deepEqual(await texts(...Array.from(bytes, byte => Uint8Array.of(byte))), events, 'byte by byte');
    });
  }

  test('of all rules, together they are the stream, whichever its line ends', async () => {
    for (const [name, { bytes }] of Object.entries(rules)) {
      if (typeof bytes !== 'string' || bytes.startsWith('\uFEFF')) continue;
      const joined = (await texts(bytes)).join('␤');
      // What is left out are the blank lines that end events, and what comes after the last one.
      const pieces = joined.split('␤');
      let at = 0;
      for (const piece of pieces) {
        const from = bytes.indexOf(piece, at);
        assert.ok(from !== -1 && /^(?:\r\n|\r|\n)?$/.test(bytes.slice(at, from)), `${name}: ${JSON.stringify(piece)}`);
        at = from + piece.length;
      }
    }
  });

  test('has what came since the event before: comments that keep the stream alive, events without data', async () => {
    assert.deepEqual(await texts('retry: 3000\n\n: ping\n\n: ping\n\ndata: 1\n\ndata: 2\n\n: ping\n\n'), [
      'retry: 3000\n\n: ping\n\n: ping\n\ndata: 1\n',
      'data: 2\n',
    ]);
  });

  test('has at most 16 Ki characters of comments, and says where they are cut', async () => {
    const [text] = await texts(': ping\n\n'.repeat(100_000), 'data: 1\n\n');
    assert.ok(text!.length < 17 * 1024, String(text!.length));
    assert.match(text!, /…\ndata: 1\n$/);
    const [long] = await texts(': ', ...Array.from({ length: 100 }, () => 'x'.repeat(64 * 1024)), '\ndata: 1\n\n');
    assert.ok(long!.length < 40 * 1024, String(long!.length));
    assert.match(long!, /\ndata: 1\n$/);
  });

  test('costs nothing where it is plain, and one array for neighbours that are alike', async () => {
    for (const { around } of await read(['data: 1\n\ndata: 2\n\n'])) assert.equal(around, undefined);
    const [one, other] = await read(['data: 1\r\n\r\ndata: 2\r\n\r\n']);
    assert.deepEqual(one!.around, ['data: ', '\r\n']);
    assert.equal(one!.around, other!.around);
  });

  test('without its last blank line is no longer than it came', async () => {
    assert.deepEqual(await texts('data: 1\n\ndata: {"b":2}'), ['data: 1\n', 'data: {"b":2}']);
  });

  test('is kept in the history, where neighbours that are alike cost nothing more', async () => {
    const stream = 'data: 1\r\n\r\n: c\r\ndata: 2\r\n\r\ndata: 3\r\n\r\ndata: 4\n\nevent: e\nid: 5\ndata: 5\n\n';
    const frames = await read([stream]);
    assert.deepEqual(kept(frames).map(eventText), frames.map(eventText));
    assert.deepEqual(
      kept(frames).map(({ seq, data, event, id }) => ({ seq, data, event, id })),
      frames.map(({ seq, data, event, id }) => ({ seq, data, event, id })),
    );
    const [row] = [...rowsOf(await read(['data: 1\r\n\r\n'.repeat(3)]))];
    assert.equal(row?.body.match(/data: /g)?.length, 1, row?.body);
  });

  test('of an event of an older history is made of its fields', () => {
    const [frame] = framesIn({ seq: 0, body: '[[1,3,{"event":"e","id":"7"}]]', data: Buffer.from('{\n}') });
    assert.deepEqual(frame, { seq: 0, at: 1, data: '{\n}', event: 'e', id: '7' });
    assert.equal(eventText(frame!), 'event: e\nid: 7\ndata: {\ndata: }\n');
  });

  test('of what is no server-sent event is its data', () => {
    assert.equal(eventText({ data: '{}', bytes: 'AA==' }), '{}');
    assert.equal(eventText({ data: '{}', around: ['', ''] }), '{}');
  });

  test('has every credential masked that was sent: in comments, names, ids, unknown fields and data', async () => {
    const token = 's3cr3t-t0k3n-0123456789';
    const credentials = new SentCredentials(new URL('http://agent.example/'), [['Authorization', `Bearer ${token}`]], new Set());
    const stream = `: ${token}\nevent: ${token}\nid: ${token}\nx-${token}: 1\nretry: ${token}\ndata: {"a":"${token}"}\n: Bearer ${token}\n\n`;
    const masks = stream.slice(0, -1).replaceAll(token, '••••••');
    const bytes = Buffer.from(stream);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const frames = await read([bytes.subarray(0, cut), bytes.subarray(cut)], credentials);
      assert.deepEqual(frames.map(eventText), [masks], `cut at ${cut}`);
      assert.equal(JSON.stringify(kept(frames)).includes(token), false);
    }
  });

  test('has a credential masked that is split over the texts of two events', async () => {
    const token = 's3cr3t-t0k3n-0123456789';
    const credentials = new SentCredentials(new URL('http://agent.example/'), [['Authorization', `Bearer ${token}`]], new Set());
    const chunk = (text: string): string =>
      `: c\r\ndata: {"artifactUpdate":{"artifact":{"artifactId":"a","parts":[{"text":"${text}"}]}}}\r\n\r\n`;
    const all = (await read([chunk(`x ${token.slice(0, 12)}`), chunk(`${token.slice(12)} y`)], credentials)).map(eventText).join('');
    assert.equal(all.includes(token.slice(0, 12)) || all.includes(token.slice(12)), false, all);
    assert.match(all, /••••••/);
    assert.match(all, /^: c\r\ndata: \{/);
  });
});
