import * as assert from 'node:assert/strict';
import type { Exchange, Frame } from '../../../src/protocol/exchange.ts';
import { SecretValues } from '../../../src/protocol/secrets/secretValues.ts';
import { harText } from '../../../src/request/export/har.ts';

const startedAt = Date.UTC(2026, 10, 2, 3, 4, 5) + 0.5;
const exchange = (more: Partial<Exchange> = {}): Exchange => ({
  id: 'e',
  operation: 'SendStreamingMessage',
  protocolBinding: 'JSONRPC',
  protocolVersion: '1.0',
  startedAt,
  headersAt: startedAt + 40,
  endedAt: startedAt + 900,
  findings: [],
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:4100/rpc?tenant=a%20b',
    headers: [
      ['content-type', 'application/json'],
      ['authorization', 'Bearer ••••••'],
    ],
    body: '{"é":1}',
  },
  response: { status: 200, headers: [['Content-Type', 'text/event-stream']] },
  ...more,
});
const frames: Frame[] = [
  { seq: 0, at: startedAt + 120, data: '{"a":1}', event: 'message', id: '7' },
  { seq: 1, at: startedAt + 370.5, data: 'one\ntwo' },
];
const written = (from: Exchange, events: readonly Frame[] = [], mask?: <Value>(value: Value) => Value) =>
  JSON.parse([...harText([{ exchange: from, frames: events }], { name: 'A2A Workbench', version: '1' }, mask)].join('')) as {
    // eslint-disable-next-line typescript/no-explicit-any -- JSON of a foreign shape, whose members the assertions name
    readonly log: { readonly version: string; readonly entries: readonly [Record<string, any>] };
  };

suite('HTTP archives', () => {
  test('every member that HAR 1.2 wants is there, with the times of the exchange', () => {
    const { log } = written(exchange(), frames);
    assert.deepEqual(Object.keys(log), ['version', 'creator', 'pages', 'entries']);
    const [entry] = log.entries;
    assert.equal(log.version, '1.2');
    assert.equal(entry['startedDateTime'], '2026-11-02T03:04:05.000Z');
    assert.equal(entry['time'], 900);
    assert.deepEqual(entry['timings'], { blocked: -1, dns: -1, connect: -1, send: 0, wait: 40, receive: 860, ssl: -1 });
    for (const name of ['method', 'url', 'httpVersion', 'cookies', 'headers', 'queryString', 'headersSize', 'bodySize'])
      assert.ok(name in entry['request'], name);
    for (const name of ['status', 'statusText', 'httpVersion', 'cookies', 'headers', 'content', 'redirectURL', 'headersSize', 'bodySize'])
      assert.ok(name in entry['response'], name);
    assert.deepEqual(entry['cache'], {});
    assert.deepEqual(entry['request'].queryString, [{ name: 'tenant', value: 'a b' }]);
    assert.deepEqual(entry['request'].postData, { mimeType: 'application/json', params: [], text: '{"é":1}' });
    assert.equal(entry['request'].bodySize, 8);
  });

  test('an event is as it came, with its comments and line ends', () => {
    const came: Frame = { seq: 0, at: startedAt, data: '1\n2', id: '7', around: [': c\r\ndata:', '\r\nid: 7\r\ndata: ', '\r\n'] };
    const [entry] = written(exchange(), [came]).log.entries;
    assert.equal(entry['response'].content.text, ': c\r\ndata:1\r\nid: 7\r\ndata: 2\r\n\n');
  });

  test('the events of a stream are its content, with their times beside', () => {
    const [entry] = written(exchange(), frames).log.entries;
    assert.equal(entry['response'].content.text, 'event: message\nid: 7\ndata: {"a":1}\n\ndata: one\ndata: two\n\n');
    assert.equal(entry['response'].content.mimeType, 'text/event-stream');
    assert.deepEqual(entry['_events'], [
      { seq: 0, ms: 120, event: 'message', id: '7' },
      { seq: 1, ms: 370.5 },
    ]);
  });

  test('a call without an answer, a body that was no text, and a WebSocket', () => {
    const { response: _response, headersAt: _headersAt, ...refused } = exchange({ failure: 'connect ECONNREFUSED' });
    assert.deepEqual(
      [written(refused).log.entries[0]['response'].status, written(refused).log.entries[0]['response']._error],
      [0, 'connect ECONNREFUSED'],
    );
    const bytes = (text: string): string => Buffer.from(text).toString('base64');
    const [call] = written(exchange({ protocolBinding: 'GRPC' }), [
      { seq: 0, at: startedAt, data: '{}', bytes: bytes('ab') },
      { seq: 1, at: startedAt, data: '{}', bytes: bytes('c') },
    ]).log.entries;
    assert.deepEqual(
      [call['response'].content.encoding, Buffer.from(call['response'].content.text, 'base64').toString(), call['request'].httpVersion],
      ['base64', 'abc', 'HTTP/2'],
    );
    const [socket] = written(exchange({ request: { ...exchange().request, url: 'ws://127.0.0.1/task' } }), frames).log.entries;
    assert.deepEqual(
      socket['_webSocketMessages'].map(({ type, data }: { type: string; data: string }) => [type, data]),
      [
        ['send', '{"é":1}'],
        ['receive', '{"a":1}'],
        ['receive', 'one\ntwo'],
      ],
    );
  });

  test('secret values are masked in every text, names that nobody sees are escaped', () => {
    const secrets = new SecretValues();
    secrets.add('whale-password-4711');
    const text = 'whale-password-4711';
    const entry = exchange({
      failure: text,
      request: { method: 'POST', url: `http://127.0.0.1/?q=${text}`, headers: [['x', text]], body: JSON.stringify({ text }) },
      response: { status: 200, headers: [['x', text]], trailers: [['x', text]] },
    });
    const file = [
      ...harText([{ exchange: entry, frames: [{ seq: 0, at: 1, data: text }] }], { name: 'x', version: '' }, value =>
        secrets.maskIn(value),
      ),
    ].join('');
    assert.doesNotMatch(file, /whale-password/);
    assert.equal(file.match(/••••••/g)?.length, 8);
  });
});
