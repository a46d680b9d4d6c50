import * as assert from 'node:assert/strict';
import { maxFileBytes, pieceBytes } from '../../../src/chat/host/limits.ts';
import { emptyDraft } from '../../support/emptyDraft.ts';
import { english, Problem } from '../../../src/protocol/problem.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { AgentCard } from '../../../src/protocol/card/agentCard.ts';
import { attachmentOf, mediaTypeRefusal } from '../../../src/workbench/chat/drafts/attachment.ts';
import { Draft } from '../../../src/chat/host/draft.ts';
import { messageParts } from '../../../src/workbench/chat/drafts/messageParts.ts';
import { draftOfMessage, parseSentPartId, withPasswordsMasked } from '../../../src/workbench/chat/drafts/sentMessageDraft.ts';
import { Uploads } from '../../../src/workbench/chat/drafts/uploads.ts';
import { readChatRequest } from '../../../src/chat/host/requests.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const isProblem =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof Problem && error.code === code;

suite('workbench: a file that is attached', () => {
  const rows: readonly (readonly [
    what: string,
    file: { name: string; mediaType?: string; bytes?: Uint8Array },
    name: string,
    mediaType: string,
  ])[] = [
    ['by its name', { name: 'boat.PNG', mediaType: 'text/html' }, 'boat.PNG', 'image/png'],
    ['by what the browser says', { name: 'boat.heic', mediaType: 'image/HEIC; q=1' }, 'boat.heic', 'image/heic'],
    ['by its bytes, where they are text', { name: 'Makefile', bytes: Buffer.from('all: ünicode') }, 'Makefile', 'text/plain'],
    ['by nothing', { name: 'boat.xyz', bytes: Buffer.from([0xff, 0, 1]) }, 'boat.xyz', 'application/octet-stream'],
    ['no path of Linux', { name: '/home/ada/secret/boat.png' }, 'boat.png', 'image/png'],
    ['no path of Windows', { name: 'C:\\Users\\ada\\boat.png' }, 'boat.png', 'image/png'],
    ['no way up', { name: '../../..' }, 'file', 'text/plain'],
    ['no hidden characters', { name: 'a\u202egnp.exe\n' }, 'a_gnp.exe_', 'text/plain'],
    ['no name', { name: '' }, 'file', 'text/plain'],
    ['a media type that is none', { name: 'x.xyz', mediaType: '<b>', bytes: Buffer.from([0]) }, 'x.xyz', 'application/octet-stream'],
    ['a name without end', { name: `${'a'.repeat(500)}.png` }, 'a'.repeat(120), 'text/plain'],
  ];
  for (const [what, { bytes = Buffer.from('text'), ...file }, name, mediaType] of rows) {
    test(what, () =>
      assert.deepEqual(attachmentOf({ id: 'i', bytes, ...file }), { kind: 'file', id: 'i', name, mediaType, size: bytes.length }),
    );
  }

  test('a card that does not list its media type speaks against it, with what it lists', () => {
    const card = {
      defaultInputModes: ['text/plain'],
      defaultOutputModes: [],
      skills: [{ inputModes: ['image/*'] }],
    } as unknown as AgentCard;
    assert.equal(mediaTypeRefusal(card, 'image/png'), undefined);
    assert.equal(mediaTypeRefusal(undefined, 'a/b'), undefined);
    const reason = mediaTypeRefusal(card, 'application/pdf');
    assert.equal(reason && english(reason), "The agent's card lists text/plain, image/*, but no application/pdf.");
  });
});

suite('workbench: files that come piece by piece', () => {
  const piece = (at: number, bytes: Uint8Array, size = 5) => ({
    id: 'i',
    name: 'a.bin',
    mediaType: '',
    size,
    at,
    bytes: Buffer.from(bytes).toString('base64'),
  });

  test('are put together, also empty ones', () => {
    const uploads = new Uploads();
    assert.equal(uploads.take(piece(0, Buffer.from('abc'))), undefined);
    assert.equal(Buffer.from(uploads.take(piece(3, Buffer.from('de'))) ?? []).toString(), 'abcde');
    assert.equal(uploads.take(piece(0, Buffer.from(''), 0))?.length, 0);
  });

  const bad: readonly (readonly [what: string, pieces: readonly ReturnType<typeof piece>[], code: string])[] = [
    ['a piece without a beginning', [piece(3, Buffer.from('de'))], 'bad-upload'],
    ['a gap', [piece(0, Buffer.from('ab')), piece(3, Buffer.from('de'))], 'bad-upload'],
    ['more than the file has', [piece(0, Buffer.from('abcdef'))], 'bad-upload'],
    ['a size that changes', [piece(0, Buffer.from('ab')), piece(2, Buffer.from('cd'), 4)], 'bad-upload'],
    ['a piece of nothing', [piece(0, Buffer.from(''))], 'bad-upload'],
    ['a file that is too large, before any room is made for it', [piece(0, Buffer.from('a'), maxFileBytes + 1)], 'file-too-large'],
  ];
  for (const [what, pieces, code] of bad) {
    test(`not ${what}`, () => {
      const uploads = new Uploads();
      assert.throws(() => pieces.forEach(each => uploads.take(each)), isProblem(code));
    });
  }

  test('a few at once; the oldest is forgotten', () => {
    const uploads = new Uploads();
    for (const id of ['a', 'b', 'c', 'd', 'e']) uploads.take({ ...piece(0, Buffer.from('abc')), id });
    assert.throws(() => uploads.take({ ...piece(3, Buffer.from('de')), id: 'a' }), isProblem('bad-upload'));
    assert.equal(uploads.take({ ...piece(3, Buffer.from('de')), id: 'e' })?.length, 5);
  });
});

suite('workbench: the parts of a draft as they are sent', () => {
  test('in order, each as its part; what is left out stays out', async () => {
    const old: Part = { raw: 'b2xk', filename: 'old.txt', mediaType: 'text/plain', metadata: { a: 1 } };
    const { others, metadata } = await messageParts(
      [
        { kind: 'file', id: 'f', name: 'boat.png', mediaType: 'image/png', size: 8, refused: 'because' },
        { kind: 'data', id: 'd', json: ' [1] ', mediaType: 'application/x+json' },
        { kind: 'text', id: 't', text: 'words', name: 'a.ts:1-2' },
        { kind: 'link', id: 'l', url: 'https://example.org/a', name: 'a' },
        { kind: 'file', id: 'sent-1-0', name: '', mediaType: 'a/b', size: 3 },
      ],
      '{"user": 7}',
      id => (id === 'f' ? Promise.resolve(new Uint8Array(png)) : old),
    );
    assert.deepEqual(others, [
      { raw: png.toString('base64'), filename: 'boat.png', mediaType: 'image/png' },
      { data: [1], mediaType: 'application/x+json' },
      { text: 'words' },
      { url: 'https://example.org/a', filename: 'a' },
      old,
    ]);
    assert.deepEqual(metadata, { user: 7 });
  });

  const rows: readonly (readonly [what: string, parts: Parameters<typeof messageParts>[0], metadata: string])[] = [
    ['data that is not JSON', [{ kind: 'data', id: 'd', json: '{' }], ''],
    ['metadata that is not JSON', [], '{'],
    ['metadata that is no object', [], '[1]'],
    ['metadata null', [], 'null'],
  ];
  for (const [what, parts, metadata] of rows)
    test(`not ${what}`, async () =>
      assert.rejects(
        messageParts(parts, metadata, () => ({ text: '' })),
        isProblem('bad-json'),
      ));
});

suite('workbench: a message that is written anew', () => {
  const entry = (parts: Part[], facts: object = {}) => ({
    kind: 'message' as const,
    seq: 12,
    at: 0,
    message: { messageId: 'm', role: 'ROLE_USER' as const, parts, ...facts },
  });

  test('dots stand where a password was', () => {
    const written = draftOfMessage(
      withPasswordsMasked(entry([{ data: { user: 'ada', login: { password: 'geheim' } } }]), ['/login/password']),
    );
    assert.deepEqual(
      written.parts.map(part => 'json' in part && JSON.parse(part.json)),
      [{ user: 'ada', login: { password: '••••••' } }],
    );
  });

  test('its words, its parts in order, what it refers to and its metadata', () => {
    const references = { referenceArtifacts: [{ artifactId: 'x', taskId: 't1' }] };
    assert.deepEqual(
      draftOfMessage(
        entry(
          [
            { raw: 'AAAA', filename: 'a.bin', mediaType: 'a/b' },
            { text: 'words', metadata: references },
            { text: 'more', filename: 'm.txt' },
            { data: { a: 1 } },
            { url: 'https://example.org' },
          ],
          { referenceTaskIds: ['t1', 't2'], metadata: { user: 7 } },
        ),
      ),
      {
        seq: 12,
        text: 'words',
        textAt: 1,
        metadata: '{\n  "user": 7\n}',
        references: [{ artifactId: 'x', taskId: 't1' }, { taskId: 't2' }],
        parts: [
          { kind: 'file', id: 'sent-12-0', name: 'a.bin', mediaType: 'a/b', size: 3 },
          { kind: 'text', id: 'sent-12-2', text: 'more', name: 'm.txt' },
          { kind: 'data', id: 'sent-12-3', json: '{\n  "a": 1\n}' },
          { kind: 'link', id: 'sent-12-4', url: 'https://example.org' },
        ],
      },
    );
  });

  test('a text with metadata of its own keeps it, as a part; the draft is one that can be kept', () => {
    const { seq: _, ...content } = draftOfMessage(entry([{ text: '{"a":1}', metadata: { schema: {} } }]));
    assert.deepEqual([content.text, content.parts], ['', [{ kind: 'text', id: 'sent-12-0', text: '{"a":1}', metadata: { schema: {} } }]]);
    assert.ok(Draft.safeParse({ ...emptyDraft, ...content }).success);
  });

  test('one that has too many parts is no draft', () => {
    assert.throws(() => draftOfMessage(entry(Array.from({ length: 30 }, () => ({ data: 1 })))), isProblem('too-much-to-edit'));
  });

  test('ids lead back to parts of the history, others do not', () => {
    assert.deepEqual(
      [parseSentPartId('sent-12-3'), parseSentPartId('sent-12'), parseSentPartId('../sent-1-1')],
      [{ seq: 12, index: 3 }, undefined, undefined],
    );
  });
});

suite('workbench: what the panel may say of a draft', () => {
  const ask = (name: string, params: unknown): unknown => readChatRequest({ type: 'request', id: 1, name, params });
  const piece = { id: 'a', name: 'a', mediaType: '', size: 1, at: 0, bytes: 'AA==' };
  const file = { kind: 'file', id: 'a', name: 'a', mediaType: 'a/b', size: 1 };
  const rows: readonly (readonly [what: string, name: string, params: unknown, taken: boolean])[] = [
    ['a draft', 'keepDraft', { ...emptyDraft, parts: [file] }, true],
    ['a part whose id is a path', 'keepDraft', { ...emptyDraft, parts: [{ ...file, id: '../a' }] }, false],
    ['a draft with more', 'keepDraft', { ...emptyDraft, path: '/etc/passwd' }, false],
    ['a file that is too large', 'keepDraft', { ...emptyDraft, parts: [{ ...file, size: maxFileBytes + 1 }] }, false],
    ['a piece', 'attach', piece, true],
    ['a piece whose id is a path', 'attach', { ...piece, id: 'a/b' }, false],
    ['a piece that is no base64', 'attach', { ...piece, bytes: 'ü' }, false],
    ['a piece that is too large', 'attach', { ...piece, bytes: 'A'.repeat((pieceBytes * 4) / 3 + 4) }, false],
    ['addresses that were dropped', 'attachDropped', { uris: ['file:///a'] }, true],
    ['too many of them', 'attachDropped', { uris: Array.from({ length: 21 }, () => 'file:///a') }, false],
    ['a message of parts alone', 'send', { text: '', parts: [file], textAt: 0 }, true],
    ['a message of nothing', 'send', { text: '' }, false],
    ['a message with a part by its path', 'send', { text: '', parts: [{ kind: 'file', path: '/etc/passwd' }] }, false],
    ['an earlier message', 'recall', { before: 4 }, true],
    ['the last message', 'recall', {}, true],
    ['a message of its own', 'recall', { seq: 'x' }, false],
  ];
  test('of the state of an earlier page what can be read', () => {
    const forms = { card: { typed: { a: 'x', b: true, c: { json: '1' } }, words: '' } };
    const read = (params: unknown): unknown => (ask('ready', params) as { params: unknown } | undefined)?.params;
    assert.deepEqual(read({ context: 'c', draft: emptyDraft, forms }), { context: 'c', draft: emptyDraft, forms });
    assert.deepEqual(read({ context: 'c', draft: 'of another version', forms }), { context: 'c', draft: undefined, forms });
    assert.deepEqual(read({ context: 'c', draft: emptyDraft, forms: { card: { typed: { a: 1 }, words: '' } } }), {
      context: 'c',
      draft: emptyDraft,
      forms: undefined,
    });
  });

  for (const [what, name, params, taken] of rows)
    test(`${what}: ${taken ? 'yes' : 'no'}`, () => assert.equal(ask(name, params) !== undefined, taken));
});
