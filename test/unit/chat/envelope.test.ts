import * as assert from 'node:assert/strict';
import { Channel, HostError } from '../../../src/chat/host/channel.ts';
import { isChatSnapshot, readEnvelope } from '../../../src/chat/host/envelope.ts';
import type { RequestEnvelope } from '../../../src/chat/host/messages.ts';
import { busyDay, plainTalk, streaming, untouched } from '../../support/chatHarness/stories.ts';

const put = (entry: unknown): unknown => ({ type: 'event', name: 'updates', value: [{ type: 'put', entry }] });
const facts = { seq: 1, at: 1 };
const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'a' }] };
const good = { kind: 'message', message, ...facts };

suite('chat: what the host may say', () => {
  const bad: readonly (readonly [what: string, data: unknown])[] = [
    ['nothing', undefined],
    ['null', null],
    ['a number', 1],
    ['a list', []],
    ['an unknown type', { type: 'run' }],
    ['an answer without id', { type: 'answer', result: 1 }],
    ['an answer without result', { type: 'answer', id: 1 }],
    ['a negative id', { type: 'answer', id: -1, result: 1 }],
    ['an error that is a text', { type: 'answer', id: 1, error: 'x' }],
    ['an error without words', { type: 'answer', id: 1, error: {} }],
    ['a next step that is no text', { type: 'answer', id: 1, error: { message: 'a', nextStep: 1 } }],
    ['an unknown event', { type: 'event', name: 'eval', value: 'x' }],
    ['an inherited name', { type: 'event', name: 'constructor', value: [] }],
    ['updates that are no list', { type: 'event', name: 'updates', value: {} }],
    ['an unknown update', { type: 'event', name: 'updates', value: [{ type: 'drop', seq: 1 }] }],
    ['an entry without seq', put({ ...good, seq: undefined })],
    ['an entry without time', put({ ...good, at: '1' })],
    ['an unknown kind', put({ ...good, kind: 'toString' })],
    ['parts that are no list', put({ ...good, message: { ...message, parts: 'a' } })],
    ['a part without content', put({ ...good, message: { ...message, parts: [{}] } })],
    ['a file name that is no text', put({ ...good, message: { ...message, parts: [{ text: 'a', filename: 1 }] } })],
    ['an artifact without parts', put({ kind: 'artifact', artifact: {}, complete: true, chunks: 1, ...facts })],
    ['a problem without words', put({ kind: 'problem', code: 'x', ...facts })],
    ['a gap without reason', put({ kind: 'gap', ...facts })],
    ['an append without count', { type: 'event', name: 'updates', value: [{ type: 'append', seq: 1, parts: [] }] }],
    ['an entry to show without seq', { type: 'event', name: 'reveal', value: { seq: '1' } }],
    ['findings that are no list', { type: 'event', name: 'findings', value: {} }],
    ['findings without lines', { type: 'event', name: 'findings', value: [{ exchangeId: 'e', startedAt: 1 }] }],
    [
      'a finding without words',
      {
        type: 'event',
        name: 'findings',
        value: [{ exchangeId: 'e', startedAt: 1, lines: [{ rule: 'A', title: '', pointer: '', finding: 0, times: 1 }] }],
      },
    ],
    [
      'a finding about an event without number',
      {
        type: 'event',
        name: 'findings',
        value: [
          {
            exchangeId: 'e',
            startedAt: 1,
            lines: [{ rule: 'A', title: '', pointer: '', message: '', finding: 0, times: 1, events: ['1'] }],
          },
        ],
      },
    ],
    ['a state without extensions', { type: 'event', name: 'state', value: { ...untouched().state, extensions: undefined } }],
    [
      'extensions that are no list',
      { type: 'event', name: 'state', value: { ...untouched().state, extensions: { known: 1, on: 1, missing: 'a' } } },
    ],
    ['a state without agent', { type: 'event', name: 'state', value: {} }],
  ];
  for (const [what, data] of bad) test(`not ${what}`, () => assert.equal(readEnvelope(data), undefined));

  test('everything the stories hold', () => {
    for (const snapshot of [busyDay(), plainTalk(), streaming(), untouched()]) {
      assert.ok(isChatSnapshot(structuredClone(snapshot)));
      assert.ok(readEnvelope({ type: 'event', name: 'state', value: snapshot.state }) !== undefined);
      assert.ok(readEnvelope({ type: 'event', name: 'findings', value: snapshot.findings }) !== undefined);
      for (const entry of snapshot.entries) assert.ok(readEnvelope(put(entry)) !== undefined, JSON.stringify(entry).slice(0, 200));
    }
  });

  test('which entry to show', () => {
    assert.deepEqual(readEnvelope({ type: 'event', name: 'reveal', value: { seq: 7, more: 1 } }), {
      type: 'event',
      name: 'reveal',
      value: { seq: 7 },
    });
  });

  test('data parts hold any JSON value', () => {
    for (const data of [null, 0, '', false, [], {}])
      assert.ok(readEnvelope(put({ ...good, message: { ...message, parts: [{ data }] } })) !== undefined);
  });

  test('a snapshot needs its context and its strings', () => {
    assert.equal(isChatSnapshot({ ...untouched(), context: undefined }), false);
    assert.equal(isChatSnapshot({ ...untouched(), findings: undefined }), false);
    assert.equal(isChatSnapshot({ ...untouched(), strings: { a: 1 } }), false);
  });
});

suite('chat: requests and answers', () => {
  let posted: RequestEnvelope[];
  let channel: Channel;
  setup(() => {
    posted = [];
    channel = new Channel(envelope => posted.push(envelope));
  });

  test('answers go to their requests, in any order', async () => {
    const first = channel.request('older', { before: 5 });
    const second = channel.request('stop', null);
    assert.deepEqual(
      posted.map(({ name, params }) => [name, params]),
      [
        ['older', { before: 5 }],
        ['stop', null],
      ],
    );
    const [one, two] = posted.map(({ id }) => id);
    assert.ok(channel.receive({ type: 'answer', id: two, result: null }));
    assert.ok(channel.receive({ type: 'answer', id: one, result: { entries: [], more: false } }));
    assert.equal(await second, null);
    assert.deepEqual(await first, { entries: [], more: false });
  });

  test('an error is thrown with its next step', async () => {
    const asked = channel.request('send', { text: 'a' });
    channel.receive({ type: 'answer', id: posted[0]?.id, error: { message: 'Nobody listens', nextStep: 'Start the agent' } });
    await assert.rejects(
      asked,
      (error: unknown) => error instanceof HostError && error.message === 'Nobody listens' && error.nextStep === 'Start the agent',
    );
  });

  test('an answer to nothing, a second answer and an event nobody waits for are told apart', async () => {
    const asked = channel.request('stop', null);
    const answer = { type: 'answer', id: posted[0]?.id, result: null };
    assert.equal(channel.receive({ type: 'answer', id: 99, result: null }), false);
    assert.equal(channel.receive(answer), true);
    assert.equal(channel.receive(answer), false);
    assert.equal(channel.receive({ type: 'event', name: 'updates', value: [] }), false);
    await asked;
  });

  test('events reach their listener', () => {
    const heard: unknown[] = [];
    channel.on('updates', updates => heard.push(updates));
    assert.ok(channel.receive({ type: 'event', name: 'updates', value: [] }));
    assert.deepEqual(heard, [[]]);
  });
});
