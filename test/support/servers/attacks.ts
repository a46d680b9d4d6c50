import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** A server under attack. */
export interface Attacked {
  readonly port: number;
  /** Where bodies go. */
  readonly path: string;
  /** Most bytes of a body that it reads; undefined where it reads none. */
  readonly limit: number | undefined;
  /** Headers of an ordinary request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request on the wire, and what its sender then does. */
export interface Attack {
  readonly title: string;
  readonly pieces: readonly (string | Buffer)[];
  /** `end` half-closes, `reset` resets at once; otherwise the answer is waited for. */
  readonly then?: 'end' | 'reset';
  /** Each piece waits for a turn of the event loop. */
  readonly slow?: boolean;
  /** The status that has to arrive. */
  readonly status?: number;
}

/** Sends it; gives all that came back, once the sender has written everything and an answer came, or the connection is closed. */
export function attack(port: number, { pieces, then, slow = false }: Attack): Promise<string> {
  return new Promise(resolve => {
    let text = '';
    let isWritten = false;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const look = (): void => {
      if (isWritten && then === undefined && /\r\n\r\n/.test(text.replace(/^HTTP\/1.1 100 .*\r\n\r\n/, ''))) socket.destroy();
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      look();
    });
    socket.on('end', () => socket.destroy()).on('error', () => {});
    socket.once('close', () => resolve(text));
    const write = async (): Promise<void> => {
      for (const piece of pieces) {
        const written = Promise.withResolvers<void>();
        socket.once('close', written.resolve);
        socket.write(piece, () => written.resolve());
        if (then !== 'reset') await written.promise;
        socket.off('close', written.resolve);
        if (slow) await turn();
      }
      isWritten = true;
      if (then === 'end') socket.end();
      if (then === 'reset') socket.resetAndDestroy();
      look();
    };
    socket.once('connect', () => void write());
  });
}

const levels = 100_000;
const call = (params: string): string => `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${params}}`;
const sent = (part: string): string => call(`{"message":{"messageId":"m","role":"ROLE_USER","parts":[${part}]}}`);

/** JSON that servers may stumble over. */
const texts: Readonly<Record<string, string>> = {
  'lists in lists': '['.repeat(levels) + ']'.repeat(levels),
  'objects in objects': `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
  'data that is nested deeply': sent(`{"data":${'['.repeat(levels)}${']'.repeat(levels)}}`),
  'a notification that is nested deeply': `{"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"},"metadata":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}}`,
  'many objects': `[${'{},'.repeat(250_000)}{}]`,
  'many objects as data': sent(`{"data":[${'{},'.repeat(250_000)}{}]}`),
  'half of it': '{"jsonrpc":"2.0","id":1,"met',
  'bytes that are no text': '\u00ff\u00fe\u0000{}',
  ...Object.fromEntries(['null', '7', '"x"', '[]', '[null]', '{}', '{"__proto__":null}', '{"data":{}}'].map(text => [text, text])),
  ...Object.fromEntries(
    ['null', '[]', '{"message":null}', '{"message":{"parts":[null]}}', '{"message":{"parts":{}}}', '{"message":{"parts":[{"raw":7}]}}'].map(
      params => [`a call with ${params}`, call(params)],
    ),
  ),
};

const paths = [
  '/task/%zz',
  '/task/%E0%A4%A',
  '/tasks/%zz',
  '/tasks/%zz:cancel',
  '/%',
  '//',
  '/?A2A-Version=%zz',
  '/callback?state=%zz',
  '*',
  'http://a b/',
  'http://[/',
];

/** What is thrown at every server: bodies of every size, with and without a length, half-closed, slow, reset, and what is no request. */
export function attacksOn({ port, path, limit, headers: own = {} }: Attacked): readonly Attack[] {
  const head = (headers: Readonly<Record<string, string>>, start = `POST ${path}`): string =>
    `${start} HTTP/1.1\r\n${Object.entries({ Host: `127.0.0.1:${port}`, 'Content-Type': 'application/json', ...own, ...headers })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`;
  const chunked = { 'Transfer-Encoding': 'chunked' };
  const chunk = (body: Buffer): readonly (string | Buffer)[] =>
    body.byteLength === 0 ? [] : [`${body.byteLength.toString(16)}\r\n`, body, '\r\n'];
  const inChunks = (body: Buffer, size = 256 * 1024): readonly (string | Buffer)[] =>
    Array.from({ length: Math.ceil(body.byteLength / size) }, (_, at) => chunk(body.subarray(at * size, (at + 1) * size))).flat();
  const about = limit ?? 64 * 1024;
  const sizes = [0, 1, about, about + 1, 2 * about];
  const small = Buffer.from(call('{}'));
  const large = Buffer.alloc(2 * about, ' ');
  const upgrade = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  return [
    ...sizes.flatMap((size): Attack[] => {
      const body = Buffer.alloc(size, ' ');
      const status = limit !== undefined && size > limit ? { status: 413 } : {};
      return [
        { title: `${size} bytes with a length`, pieces: [head({ 'Content-Length': String(size) }), body], ...status },
        { title: `${size} bytes without a length`, pieces: [head(chunked), ...inChunks(body), '0\r\n\r\n'], ...status },
        {
          title: `${size} bytes without a length, half-closed`,
          pieces: [head(chunked), ...inChunks(body), '0\r\n\r\n'],
          then: 'end',
          ...status,
        },
        { title: `${size} bytes without a length, reset`, pieces: [head(chunked), ...inChunks(body)], then: 'reset' },
        {
          title: `${size} bytes after Expect, with a length`,
          pieces: [head({ Expect: '100-continue', 'Content-Length': String(size) }), body],
        },
      ];
    }),
    { title: 'a length that is too great, half-closed', pieces: [head({ 'Content-Length': '1000' }), small], then: 'end' },
    { title: 'a length that is too great, reset', pieces: [head({ 'Content-Length': '1000' }), small], then: 'reset' },
    { title: 'a length that is too small', pieces: [head({ 'Content-Length': '3' }), small] },
    { title: 'a length without end', pieces: [head({ 'Content-Length': '9'.repeat(30) }), small], then: 'end' },
    { title: 'a negative length', pieces: [head({ 'Content-Length': '-1' }), small] },
    { title: 'a length and chunks', pieces: [head({ 'Content-Length': '3', ...chunked }), ...chunk(small), '0\r\n\r\n'] },
    { title: 'a chunk that is none', pieces: [head(chunked), 'zz\r\n', small] },
    { title: 'half a chunk, half-closed', pieces: [head(chunked), 'ffff\r\n', small], then: 'end' },
    { title: 'half a chunk, reset', pieces: [head(chunked), 'ffff\r\n', small], then: 'reset' },
    { title: 'no body, half-closed', pieces: [head(chunked)], then: 'end' },
    { title: 'no body, reset', pieces: [head({ 'Content-Length': '10' })], then: 'reset' },
    {
      title: 'too much, reset while it is refused',
      pieces: [head({ 'Content-Length': String(large.byteLength) }), large.subarray(0, 1000)],
      then: 'reset',
    },
    { title: 'a piece at a time', pieces: [...head({ 'Content-Length': String(small.byteLength) }), ...small.toString()], slow: true },
    { title: 'another expectation', pieces: [head({ Expect: 'a miracle', 'Content-Length': '0' })] },
    ...Array.from(
      { length: 10 },
      (_, at): Attack => ({ title: `an upgrade, reset (${at + 1})`, pieces: [head(upgrade, 'GET /')], then: 'reset' }),
    ),
    { title: 'an upgrade', pieces: [head(upgrade, 'GET /')] },
    { title: 'an upgrade without a key', pieces: [head({ Connection: 'Upgrade', Upgrade: 'websocket' }, 'GET /')] },
    { title: 'an upgrade, half-closed', pieces: [head(upgrade, 'GET /')], then: 'end' },
    ...['CONNECT a:1', 'OPTIONS *', 'TRACE /', 'HEAD /', `PUT ${path}`, 'QUATSCH /'].flatMap((start): Attack[] => [
      { title: start, pieces: [head({ 'Content-Length': '0' }, start)], then: 'end' },
      { title: `${start}, reset`, pieces: [head({ 'Content-Length': '0' }, start)], then: 'reset' },
    ]),
    ...paths.flatMap((each): Attack[] =>
      ['GET', 'POST'].map(method => ({ title: `${method} ${each}`, pieces: [head({ 'Content-Length': '2' }, `${method} ${each}`), '{}'] })),
    ),
    ...Object.entries(texts).map(([title, text]): Attack => {
      const body = Buffer.from(text, 'latin1');
      return { title, pieces: [head({ 'Content-Length': String(body.byteLength) }), body] };
    }),
    { title: 'what is no HTTP', pieces: ['\u0016\u0003\u0001\u0000 no HTTP\r\n\r\n'] },
    { title: 'a head that is too large', pieces: [`POST ${path} HTTP/1.1\r\nA: ${'a'.repeat(128 * 1024)}`] },
    { title: 'a request and what is none', pieces: [head({ 'Content-Length': '2' }), '{}', 'no HTTP\r\n\r\n'] },
  ];
}
