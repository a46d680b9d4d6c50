import * as assert from 'node:assert/strict';
import type { SentEntry } from '../../../src/chat/host/messages.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { ArtifactEntry, Entry } from '../../../src/protocol/message/transcript.ts';
import { pageBefore } from '../../../src/workbench/chat/entryPages.ts';
import { sentEntry, sentUpdates } from '../../../src/workbench/chat/sentEntries.ts';

const facts = { seq: 7, at: 1, taskId: 't' };
const message = (parts: readonly Part[], more: object = {}): Entry => ({
  ...facts,
  kind: 'message',
  message: { messageId: 'm', role: 'ROLE_AGENT', parts: [...parts], ...more },
});
const artifact = (parts: readonly Part[], more: object = {}): ArtifactEntry => ({
  ...facts,
  kind: 'artifact',
  artifact: { artifactId: 'a', parts: [...parts], ...more },
  complete: true,
  chunks: 1,
});
const status = (parts: readonly Part[], more: object = {}): Entry => ({
  ...facts,
  kind: 'status',
  state: 'TASK_STATE_WORKING',
  message: { messageId: 'm', role: 'ROLE_AGENT', parts: [...parts] },
  ...more,
});
const partsIn = (entry: SentEntry): readonly Part[] =>
  entry.kind === 'artifact'
    ? entry.artifact.parts
    : entry.kind === 'message' || entry.kind === 'status'
      ? (entry.message?.parts ?? [])
      : [];
const base64 = (bytes: number): string => Buffer.alloc(bytes, 'abc\n').toString('base64');
const members = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

/** Bytes that are posted, those of files apart: they are handed on as they are. */
const posted = (entry: SentEntry): number => JSON.stringify(entry, (name, value: unknown) => (name === 'raw' ? '' : value)).length;

suite('what the panel is sent of an entry is bounded', () => {
  const parts: Readonly<Record<string, readonly Part[]>> = {
    'a long text': [{ text: 'x'.repeat(15_000_000) }],
    'many lines': [{ text: 'words\n'.repeat(2_500_000) }],
    'many texts': Array.from({ length: 50 }, (_, index) => ({ text: 'x'.repeat(300_000), filename: `${index}` })),
    'many members': [{ data: members(200_000) }],
    'many rows': [{ data: Array.from({ length: 200_000 }, (_, index) => ({ a: index, b: 'x' })) }],
    'one long string as data': [{ data: 'x'.repeat(15_000_000) }],
    'a long name of a member': [{ data: { ['x'.repeat(15_000_000)]: 1 } }],
    'a long address': [{ url: `http://x.example/${'a'.repeat(10_000_000)}` }],
    'many long addresses': Array.from({ length: 50 }, () => ({ url: `http://x.example/${'a'.repeat(90_000)}` })),
    'a long file name': [{ text: 'x', filename: 'x'.repeat(5_000_000) }],
    'a long media type': [{ raw: 'eA==', mediaType: 'x'.repeat(5_000_000) }],
    'metadata of a part': [{ text: 'x', metadata: { x: members(200_000) } }],
    'many parts': Array.from({ length: 500_000 }, () => ({ data: 1 })),
  };
  for (const [name, many] of Object.entries(parts)) {
    for (const [kind, entryOf] of Object.entries({ message, artifact, status })) {
      test(`${name}: ${kind}`, () => {
        const sent = sentEntry(entryOf(many));
        assert.ok(posted(sent) < 2_100_000, String(posted(sent)));
        const shown = partsIn(sent);
        assert.ok(shown.length === many.length || sent.leftOut === many.length - shown.length, 'what is left out is counted');
        for (const [index, part] of shown.entries()) {
          const whole = many[index]!;
          const content = ['text', 'raw', 'url', 'data'].find(each => each in whole) as 'text';
          assert.ok(content in part, 'a part keeps its kind');
          assert.equal(
            (part as { text: unknown })[content] !== (whole as { text: unknown })[content],
            sent.cut?.some(each => each.part === index) ?? false,
            'what is cut says so',
          );
        }
      });
    }
  }

  test('a data: URI that a person has sent is shown as its bytes, and stays what was sent', () => {
    const own = message([{ url: 'data:image/png;base64,iVBO', filename: 'sail.png' }]);
    assert.deepEqual(partsIn(sentEntry(own)), [{ raw: 'iVBO', mediaType: 'image/png', filename: 'sail.png' }]);
    assert.deepEqual(partsIn(own), [{ url: 'data:image/png;base64,iVBO', filename: 'sail.png' }]);
  });

  test('of a text no more lines than a page can look at', () => {
    const [part] = partsIn(sentEntry(message([{ text: '\n'.repeat(900_000) }])));
    assert.equal(part !== undefined && 'text' in part && part.text.split('\n').length, 20_001);
  });

  test('other members: metadata, names, descriptions, what went wrong', () => {
    const long = 'x'.repeat(5_000_000);
    for (const entry of [
      message([{ text: 'x' }], { metadata: members(200_000) }),
      message([{ text: 'x' }], { extensions: [long] }),
      artifact([{ text: 'x' }], { name: long, description: long }),
      status([{ text: 'x' }], { metadata: { progress: 5, long } }),
      {
        ...facts,
        kind: 'problem',
        code: 'x',
        sentence: { template: '{0}', args: [long, { template: '{0}', args: [long] }] },
        details: long,
      },
      { ...facts, kind: 'gap', reason: { template: '{0}', args: [long] } },
    ] satisfies Entry[]) {
      const sent = sentEntry(entry as Entry);
      assert.ok(posted(sent) < 20_000, `${entry.kind} ${posted(sent)}`);
      assert.equal(sent.cut, undefined, 'the text is whole');
    }
    const { metadata } = sentEntry(status([], { metadata: { progress: 5, long } })) as { metadata?: object };
    assert.deepEqual(metadata, { progress: 5 });
  });

  test('the size of what is cut is told, and files are whole up to what a page shows', () => {
    const picture = { raw: base64(9_000_000 - 3), mediaType: 'image/png' };
    const sent = sentEntry(message([picture, { text: 'é'.repeat(2_000_000) }, { raw: base64(300_000) }]));
    assert.deepEqual(sent.cut, [
      { part: 1, bytes: 4_000_000 },
      { part: 2, bytes: 300_000 },
    ]);
    assert.deepEqual(partsIn(sent)[0], picture);
  });

  test('what is not too large is sent as it is', () => {
    for (const entry of [
      message([{ text: 'x' }, { data: members(100), metadata: { a: 1 } }], { metadata: { b: 2 }, extensions: ['urn:x'] }),
      artifact([{ text: 'x'.repeat(300_000), metadata: { a: 1 } }, { data: members(10_000) }, { url: 'http://x.example' }], { name: 'n' }),
      status([{ text: 'x'.repeat(300_000) }], { metadata: { progress: 3 } }),
    ])
      assert.deepEqual(sentEntry(entry), entry);
  });

  test('an artifact that grows by too much is put, with what is left out; other growth is handed on', () => {
    const whole = artifact([{ text: 'x'.repeat(3_000_000) }]);
    const append = (text: string) => ({ type: 'append', seq: 7, parts: [{ text }], chunks: 2 }) as const;
    const [put, grown] = sentUpdates([append('x'.repeat(2_000_000)), append('y')], {
      entryAt: seq => (seq === 7 ? whole : undefined),
    });
    assert.equal(put?.type === 'put' && (put.entry as SentEntry).cut?.[0]?.bytes, 3_000_000);
    assert.deepEqual(grown, append('y'));
    const [alone] = sentUpdates([append('x'.repeat(2_000_000))]);
    assert.equal(JSON.stringify(alone).length < 1_000_100, true);
  });
});

suite('a batch of updates holds no more than its room', () => {
  test('the first ones, one at least, in order', () => {
    const put = (text: string) => ({ type: 'put', entry: message([{ text }]) }) as const;
    const updates = [put('x'.repeat(900_000)), put('y'.repeat(900_000)), put('z')];
    assert.deepEqual(sentUpdates(updates, { room: 1_000_000 }), updates.slice(0, 2));
    assert.deepEqual(sentUpdates(updates, { room: 10 }), updates.slice(0, 1));
    assert.deepEqual(sentUpdates(updates), updates);
  });
});

suite('a page of entries holds no more than its room', () => {
  const entriesOf = (count: number, text: string): readonly Entry[] =>
    Array.from({ length: count }, (_, index) => ({ ...message([{ text }]), seq: index + 1 }));
  const pagesOf = (all: readonly Entry[]) => ({
    entries: ({ before = Infinity, limit = 50 } = {}) => {
      const older = all.filter(({ seq }) => seq < before);
      return { items: older.slice(-limit), more: older.length > limit };
    },
  });

  test('the newest, one at least; what is older is said to be there', () => {
    const page = (count: number, text: string) => pageBefore(pagesOf(entriesOf(count, text)), { limit: 80, room: 120_000 });
    const heavy = page(80, 'x'.repeat(50_000));
    assert.deepEqual([heavy.items.map(({ seq }) => seq), heavy.more], [[79, 80], true]);
    assert.deepEqual([page(3, 'x'.repeat(500_000)).items.map(({ seq }) => seq), page(1, 'x'.repeat(500_000)).more], [[3], false]);
    assert.deepEqual([page(80, 'x').items.length, page(80, 'x').more], [80, false]);
  });
});
