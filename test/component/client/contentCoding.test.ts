import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
} from 'node:zlib';
import { decoded } from '../../../src/client/http/contentCoding.ts';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import type { HttpRequest } from '../../../src/client/http/http.ts';
import { readFrames } from '../../../src/client/sse/sse.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { harText } from '../../../src/request/export/har.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';

const body = `{"jsonrpc":"2.0","id":1,"result":{"text":"${'Grüße, 你好! '.repeat(40)}"}}`;

const codings = [
  ['gzip', 'gzip', gzipSync],
  ['x-gzip', 'x-gzip', gzipSync],
  ['deflate with the header of zlib', 'deflate', deflateSync],
  ['deflate without it', 'deflate', deflateRawSync],
  ['br', 'br', brotliCompressSync],
] as const;

async function textOf(pieces: Iterable<Uint8Array>, coding: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield* pieces;
  };
  for await (const chunk of decoded(bytes(), coding, () => {})) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function problemOf(work: () => Promise<unknown>): Promise<Problem> {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error;
  }
  throw new Error('it should have failed');
}

suite('bodies that come compressed, though nobody asked for it', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  const asking = (url: string, log: WireRecording): HttpRequest => ({
    method: 'POST',
    url: new URL(url),
    headers: [['Authorization', 'Bearer s3cr3t-t0k3n-0123456789']],
    body: '{}',
    headersTimeoutMs: 0,
    bodyTimeoutMs: 0,
    subject: { operation: 'SendMessage', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    log,
  });

  /** What an answer of these bytes is read as, and the exchange that is kept of it. */
  async function answered(
    coding: string,
    bytes: Uint8Array,
    status = 200,
  ): Promise<{ readonly read: string | Problem; readonly exchange: Exchange }> {
    const url = await open.web((_request, response) =>
      response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': coding }).end(bytes),
    );
    const log = new WireRecording();
    const response = await open.http().request(asking(url, log));
    const read = await response.text().catch((error: unknown) => error as Problem);
    response.record.end(read instanceof Problem ? read : undefined);
    return { read, exchange: log.last };
  }

  for (const [what, coding, compress] of codings) {
    test(`${what}: the text is read, and coding and sizes are kept`, async () => {
      const bytes = compress(body);
      const { read, exchange } = await answered(coding.toUpperCase(), bytes);
      assert.equal(read, body);
      assert.deepEqual(exchange.response?.coded, { coding, came: bytes.byteLength, became: Buffer.byteLength(body) });
      assert.equal(exchange.response?.body, body);
      assert.deepEqual(exchange.findings, []);
    });

    test(`${what}, cut into two at every byte, and into single bytes`, async () => {
      const bytes = compress(body);
      for (let at = 0; at <= bytes.byteLength; at++)
        assert.equal(await textOf([bytes.subarray(0, at), bytes.subarray(at)], coding), body, `cut at ${at}`);
      assert.equal(
        await textOf(
          Array.from(bytes, byte => Uint8Array.of(byte)),
          coding,
        ),
        body,
      );
    });

    test(`${what} that ends too early, wherever that is: the connection broke`, async () => {
      const bytes = compress(body);
      for (let to = 1; to < bytes.byteLength; to += 7) {
        const problem = await problemOf(() => textOf([bytes.subarray(0, to)], coding));
        assert.ok(problem instanceof ConnectionProblem, problem.message);
        assert.equal(problem.message, `The answer is compressed (${coding}) and ends too early.`);
      }
      const { read, exchange } = await answered(coding, bytes.subarray(0, -3));
      assert.ok(read instanceof ConnectionProblem && read.code === 'connection-lost', String(read));
      assert.equal(exchange.response?.truncated, true);
    });

    test(`a bomb of ${what}: the bound is named, and little of it is unpacked`, async () => {
      const { read, exchange } = await answered(coding, compress(Buffer.alloc(30 * 1024 * 1024, ' ')));
      assert.ok(read instanceof Problem && read.code === 'too-large', String(read));
      assert.match(read.message, /the limit of 200 times its size/);
      assert.ok(exchange.response!.coded!.became < 16 * 1024 * 1024, String(exchange.response!.coded!.became));
    });

    test(`${what} without a byte: an empty body`, async () => {
      assert.equal((await answered(coding, Buffer.alloc(0))).read, '');
    });
  }

  test('what is not in the coding that it names breaks the rule of its binding, and says so', async () => {
    for (const coding of ['gzip', 'br']) {
      const { read, exchange } = await answered(coding, Buffer.from(body));
      assert.ok(read instanceof Problem && read.code === 'not-json', String(read));
      assert.equal(read.message, `The answer is declared as compressed (${coding}), but cannot be decompressed.`);
      assert.deepEqual(
        exchange.findings.map(({ rule }) => rule),
        ['RPC-01'],
      );
    }
    const spoilt = gzipSync(body);
    spoilt[spoilt.byteLength - 6]! ^= 0xff;
    assert.ok((await answered('gzip', spoilt)).read instanceof Problem, 'a wrong checksum');
  });

  test('another coding is named with what helps, and is no deviation: a server may use it unasked', async () => {
    for (const coding of ['zstd', 'compress', 'gzip, br', 'rot13']) {
      const { read, exchange } = await answered(coding, Buffer.from('whatever'));
      assert.ok(read instanceof Problem && read.code === 'unknown-coding', String(read));
      assert.equal(read.message, `The answer is compressed with an unsupported method: ${coding}.`);
      assert.match(read.nextStep!.template, /gzip, deflate or br/);
      assert.deepEqual(exchange.findings, []);
    }
  });

  test('an error counts by its status, also where its body cannot be decompressed', async () => {
    assert.equal((await answered('zstd', Buffer.from('whatever'), 503)).read, '');
    assert.equal((await answered('gzip', Buffer.from('whatever'), 503)).read, '');
    assert.equal((await answered('gzip', gzipSync(body), 503)).read, body);
  });

  test('a credential in what was compressed is masked in what is read and kept', async () => {
    const { read, exchange } = await answered('gzip', gzipSync('{"said":"s3cr3t-t0k3n-0123456789"}'));
    assert.equal(read, '{"said":"••••••"}');
    assert.equal(exchange.response?.body, read);
  });

  test('an HTTP archive has both sizes', async () => {
    const bytes = gzipSync(body);
    const { exchange } = await answered('gzip', bytes);
    const { response } = (
      JSON.parse([...harText([{ exchange, frames: [] }], { name: 'test', version: '1' })].join('')) as {
        log: { entries: { response: { bodySize: number; content: Record<string, unknown> } }[] };
      }
    ).log.entries[0]!;
    assert.equal(response.bodySize, bytes.byteLength);
    assert.equal(response.content['size'], Buffer.byteLength(body));
    assert.equal(response.content['compression'], Buffer.byteLength(body) - bytes.byteLength);
    assert.equal(response.content['text'], body);
    assert.equal('encoding' in response.content, false, 'that is how the archive writes the text');
  });

  for (const [coding, create] of [
    ['gzip', () => createGzip()],
    ['deflate', () => createDeflate()],
    ['br', () => createBrotliCompress()],
  ] as const) {
    test(`a stream in ${coding}: each event is there before the next is sent`, async () => {
      const seen = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const url = await open.web(async (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': coding });
        const packer = create();
        packer.pipe(response);
        for (const [index, { promise }] of seen.entries()) {
          packer.write(`data: {"event":${index}}\n\n`);
          packer.flush(coding === 'br' ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH);
          await promise;
        }
        packer.end('data: {"event":2}\n\n');
      });
      const log = new WireRecording();
      const response = await open.http().request(asking(url, log));
      const data: string[] = [];
      for await (const frames of readFrames(response.chunks())) {
        for (const frame of frames) {
          data.push(frame.data);
          seen[frame.seq]?.resolve();
        }
      }
      response.record.end();
      assert.deepEqual(data, ['{"event":0}', '{"event":1}', '{"event":2}']);
      const { coded } = log.last.response!;
      assert.equal(coded?.coding, coding);
      assert.equal(coded.became, 3 * 'data: {"event":0}\n\n'.length);
    });
  }

  test('a reader who leaves a compressed stream closes its connection', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await open.web(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      const packer = createGzip();
      packer.pipe(response);
      packer.write('data: {}\n\n');
      packer.flush(constants.Z_SYNC_FLUSH);
      await once(response, 'close');
      closed.resolve();
    });
    const response = await open.http().request(asking(url, new WireRecording()));
    for await (const _ of response.chunks()) break;
    await closed.promise;
  });
});
