import * as assert from 'node:assert/strict';
import type { Exchange, Frame } from '../../../src/protocol/exchange.ts';
import { sentence } from '../../../src/protocol/problem.ts';
import { at, History } from './support/history.ts';

const exchange = (id: string, more: Partial<Exchange> = {}): Exchange => ({
  id,
  operation: 'SendMessage',
  protocolBinding: 'JSONRPC',
  protocolVersion: '1.0',
  startedAt: at,
  findings: [],
  request: { method: 'POST', url: 'http://agent.example/', headers: [], body: 'long'.repeat(1000) },
  ...more,
});
const frames = (count: number): Frame[] =>
  Array.from({ length: count }, (_, seq) => ({ seq, at: at + seq * 10 + 0.25, data: `event ${seq}` }));

suite('TaskStore: the wire of a context', () => {
  const history = History.ofEachTest();

  test('exchanges are listed newest first, a page at a time, without their bodies', () => {
    const { store } = history;
    const key = history.context();
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) store.putWire(key, { exchanges: [exchange(id)], frames: new Map() });
    assert.deepEqual(
      store.exchanges(key, { limit: 2 }).map(({ id }) => id),
      ['e', 'd'],
    );
    assert.deepEqual(
      store.exchanges(key, { before: 'd', limit: 9 }).map(({ id }) => id),
      ['c', 'b', 'a'],
    );
    assert.deepEqual(store.exchanges(key, { limit: 1 }), [
      {
        id: 'e',
        operation: 'SendMessage',
        protocolBinding: 'JSONRPC',
        protocolVersion: '1.0',
        startedAt: at,
        method: 'POST',
        url: 'http://agent.example/',
        frames: 0,
        findings: [],
        sent: { size: 4_000, head: 'long'.repeat(1000) },
      },
    ]);
  });

  test('what is known of an exchange is there: its status, times, failure, events and deviations', () => {
    const { store } = history;
    const key = history.context();
    const whole = exchange('x', {
      headersAt: at + 1.5,
      endedAt: at + 99,
      failure: 'cut',
      failureSentence: sentence('cut'),
      response: { status: 200, headers: [] },
      findings: [
        { rule: 'DATA-01', pointer: '', message: 'm' },
        { rule: 'DATA-02', pointer: '', message: 'm', frame: 2 },
      ],
    });
    store.putWire(key, { exchanges: [whole], frames: new Map([['x', frames(3)]]) });
    const [{ headersAt, endedAt, failure, failureSentence, status, frames: count, firstFrameAt, findings } = assert.fail()] =
      store.exchanges(key, {
        limit: 1,
      });
    assert.deepEqual(
      { headersAt, endedAt, failure, failureSentence, status, count, firstFrameAt, findings },
      {
        headersAt: at + 1.5,
        endedAt: at + 99,
        failure: 'cut',
        failureSentence: sentence('cut'),
        status: 200,
        count: 3,
        firstFrameAt: at + 0.25,
        findings: [{ rule: 'DATA-01' }, { rule: 'DATA-02', frame: 2 }],
      },
    );
  });

  test('bodies are listed with their bytes and their beginning; of an answer that is kept elsewhere only the bytes are known', () => {
    const { store } = history;
    const key = history.context();
    const listed = (body: string) => {
      store.putWire(key, { exchanges: [exchange('x', { response: { status: 200, headers: [], body } })], frames: new Map() });
      return store.exchanges(key, { limit: 1 })[0]?.answered;
    };
    assert.deepEqual(listed('né'), { size: 3, head: 'né' });
    assert.deepEqual(listed('y'.repeat(20_000)), { size: 20_000, head: 'y'.repeat(8_000) });
    assert.deepEqual(listed('"'.repeat(50_000)), { size: 50_000, head: '' });
    assert.deepEqual(store.exchangeHead(key, 'x'), { protocolBinding: 'JSONRPC', protocolVersion: '1.0' });
    assert.equal(store.exchangeHead(history.context(), 'x'), undefined);
  });

  test('what an answer says went wrong is listed, in whatever shape it says it', () => {
    const { store } = history;
    const key = history.context();
    const error = (body: string | undefined, status = 200): string | undefined => {
      store.putWire(key, {
        exchanges: [exchange('x', { response: { status, headers: [], ...(body !== undefined && { body }) } })],
        frames: new Map(),
      });
      return store.exchanges(key, { limit: 1 })[0]?.error;
    };
    assert.equal(error('{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Task not found"}}'), 'Task not found');
    assert.equal(error('{"error":{"code":404,"status":"NOT_FOUND","message":"No such task"}}', 404), 'No such task');
    assert.equal(error('{"type":"about:blank","title":"Bad Request","detail":"No message"}', 400), 'No message');
    assert.equal(error('{"error":"out of fuel"}', 500), 'out of fuel');
    assert.equal(error(`{"error":{"message":"${'x'.repeat(5000)}"}}`), 'x'.repeat(300));
    for (const body of [
      undefined,
      '',
      'no JSON',
      '[1]',
      '7',
      '{"error":{"message":{}}}',
      '{"result":{"message":"fine"}}',
      '{"message":"fine"}',
      '{"error":null}',
    ]) {
      assert.ok([undefined, '{}'].includes(error(body)), body);
    }
  });

  test('events come a page at a time, and to their own context alone', () => {
    const { store } = history;
    const [key, other] = [history.context(), history.context()];
    store.putWire(key, { exchanges: [exchange('x')], frames: new Map([['x', frames(5)]]) });
    assert.deepEqual(store.frames(key, 'x', { limit: 2 }), frames(5).slice(0, 2));
    assert.deepEqual(store.frames(key, 'x', { after: 1, limit: 9 }), frames(5).slice(2));
    assert.deepEqual(store.frames(other, 'x', { limit: 9 }), []);
    assert.deepEqual(store.frames(key, 'x', { after: 4, limit: 9 }), []);
    assert.deepEqual(
      [store.frames(key, 'y', { limit: 9 }), store.exchanges(other, { limit: 9 }), store.exchanges('none', { limit: 9 })],
      [[], [], []],
    );
  });

  const odd: readonly (readonly [what: string, frames: readonly Frame[]])[] = [
    [
      'events with names, ids and bytes',
      [
        { seq: 0, at, data: 'a', event: 'error' },
        { seq: 1, at, data: '', id: '7' },
        { seq: 2, at, data: 'c', bytes: 'AAE=' },
      ],
    ],
    ['text of any script, NUL and a byte order mark', ['京 🙂 é', 'a\0b', '\uFEFFx', ''].map((data, seq) => ({ seq, at, data }))],
    ['half a character, which UTF-8 has no bytes for', ['\uD83D', '\uDE42', 'x'].map((data, seq) => ({ seq, at, data }))],
    [
      'one that is longer than a row',
      [
        { seq: 0, at, data: 'é'.repeat(300_000) },
        { seq: 1, at, data: 'y' },
      ],
    ],
    ['many rows', Array.from({ length: 50 }, (_, seq) => ({ seq, at: at + seq, data: `${seq} `.repeat(3000) }))],
    ['numbers that leave some out', [0, 1, 5, 6, 9].map(seq => ({ seq, at, data: `${seq}` }))],
  ];
  for (const [what, some] of odd) {
    test(`${what} come back as they were, from whichever on`, () => {
      const { store } = history;
      const key = history.context();
      store.putWire(key, { exchanges: [exchange('x')], frames: new Map([['x', some.slice(0, 2)]]) });
      store.putWire(key, { exchanges: [], frames: new Map([['x', some.slice(2)]]) });
      assert.deepEqual(store.exchange('x')?.frames, some);
      for (const { seq } of some)
        assert.deepEqual(store.frames(key, 'x', { after: seq, limit: 3 }), some.filter(frame => frame.seq > seq).slice(0, 3));
      assert.equal(store.exchanges(key, { limit: 1 })[0]?.frames, some.length);
    });
  }

  test('events that are told again are there once, and come in order', () => {
    const { store } = history;
    const key = history.context();
    const [first, second, third] = frames(3) as [Frame, Frame, Frame];
    store.putWire(key, { exchanges: [exchange('x')], frames: new Map([['x', [second, first, first]]]) });
    store.putWire(key, { exchanges: [], frames: new Map([['x', [first, second, third]]]) });
    assert.deepEqual(store.exchange('x')?.frames, [first, second, third]);
  });
});
