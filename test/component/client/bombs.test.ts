import * as assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { readFrames } from '../../../src/client/sse/sse.ts';
import { ExchangeRecorder } from '../../../src/conformance/exchangeRecorder.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { caught, figure, full } from '../../support/figure.ts';
import { retained } from '../../support/retained.ts';
import { OpenThings } from '../../support/client/openThings.ts';

const MiB = 1024 * 1024;
/** What a bomb may add to the memory of the process while it is read, in bytes. */
const most = 64 * MiB;
/** How much an endless bomb has in all, and how much of it may leave the server: sockets and buffers on the way hold some. */
const endless = (full ? 1024 : 128) * MiB;

/** Whatever else the process does only ever adds memory, so one good round is enough. */
const rounds = 4;

/** As `peakOf`, the best of some rounds. */
async function leastPeakOf(work: () => Promise<unknown>): ReturnType<typeof peakOf> {
  let best = await peakOf(work);
  for (let round = 1; round < rounds && best.peak > most; round++) {
    retained();
    const again = await peakOf(work);
    if (again.peak < best.peak) best = again;
  }
  return best;
}

/** The most memory that work adds; what it hands back is its error. */
async function peakOf(work: () => Promise<unknown>): Promise<{ readonly peak: number; readonly error: unknown }> {
  const before = process.memoryUsage().rss;
  let peak = 0;
  const look = (): void => {
    peak = Math.max(peak, process.memoryUsage().rss - before);
  };
  const timer = setInterval(look, 5);
  const error = await work().then(
    () => undefined,
    (failure: unknown) => failure,
  );
  clearInterval(timer);
  look();
  return { peak, error };
}

suite('bombs', function () {
  this.timeout(full ? 600_000 : 120_000);
  const open = new OpenThings();
  teardown(() => open.close());

  let tried = 0;
  let worst = 0;
  suiteTeardown(() =>
    figure(
      'F18',
      { bombs: tried, 'MiB more memory': Math.ceil(worst / MiB) },
      `${tried} bombs, at most ${Math.ceil(worst / MiB)} MiB more memory`,
    ),
  );

  /** Pours until the other end closes or all is poured; returns how much that was. */
  async function pour(response: ServerResponse, piece: Buffer, all = endless): Promise<number> {
    let poured = 0;
    for (; poured < all && !response.destroyed; poured += piece.byteLength) {
      if (response.write(piece)) continue;
      const { promise, resolve } = Promise.withResolvers<void>();
      response.on('drain', resolve).on('close', resolve);
      await promise;
      response.off('drain', resolve).off('close', resolve);
    }
    response.end();
    return poured;
  }

  for (const [coding, compress] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const) {
    test(`${coding}, a thousand times larger than it comes: hardly any of it is unpacked`, async () => {
      const bomb = compress(Buffer.alloc(64 * MiB, 32));
      assert.ok(bomb.byteLength < 0.08 * MiB, String(bomb.byteLength));
      const url = await open.web((_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding }).end(bomb),
      );
      const { peak, error } = await leastPeakOf(() => resolveAgentCard(url, { http: open.http() }));
      tried++;
      worst = Math.max(worst, peak);
      assert.ok(error instanceof Problem, String(error));
      assert.ok(peak <= most, `${peak} bytes`);
    });
  }

  test('a line without end: the limit is named, and the server is left', async () => {
    let poured: Promise<number> | undefined;
    const url = await open.web((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      poured = pour(response, Buffer.alloc(64 * 1024, 'data: x'));
    });
    const { peak, error } = await leastPeakOf(async () => {
      const response = await fetch(url);
      for await (const _ of readFrames(response.body as unknown as AsyncIterable<Uint8Array>));
    });
    tried++;
    worst = Math.max(worst, peak);
    assert.ok(error instanceof Problem && error.code === 'too-large' && /16 MiB/.test(error.message), String(error));
    assert.ok((await poured)! < endless, 'the server was heard to its end');
    assert.ok(peak <= most, `${peak} bytes`);
  });

  test('a body without end: the limit is named, and the server is left', async () => {
    let poured: Promise<number> | undefined;
    const url = await open.web((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      poured ??= pour(response, Buffer.alloc(64 * 1024, ' '));
    });
    const { error } = await leastPeakOf(() => resolveAgentCard(url, { http: open.http() }));
    tried++;
    assert.ok(error instanceof Problem && /32 MiB/.test(error.message), String(error));
    assert.ok((await poured)! < endless);
  });

  for (const [what, headers] of [
    ['', {}],
    [', whose length is told', { 'content-length': String(33 * MiB) }],
  ] as const)
    test(`many answers of 33 MiB in a row${what}: the limit is named each time, and nothing of them is kept`, async () => {
      const url = await open.web((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', ...headers });
        void pour(response, Buffer.alloc(64 * 1024, ' '), 33 * MiB);
      });
      const recorder = new ExchangeRecorder();
      const http = open.http();
      const ask = (): Promise<unknown> => resolveAgentCard(url, { http, log: recorder }).catch((error: unknown) => error);
      await ask();
      const before = retained();
      const errors: unknown[] = [];
      for (let asked = 0; asked < (full ? 100 : 12); asked++) errors.push(await ask());
      const kept = retained() - before;
      tried += errors.length;
      worst = Math.max(worst, kept);
      assert.ok(errors.every(error => error instanceof Problem && /32 MiB/.test(error.message)));
      assert.deepEqual(new Set(recorder.all.map(({ response }) => response?.body)), new Set(['']));
      assert.ok(kept <= most, `${kept} bytes`);
    });

  test('headers without end: the connection is broken', async () => {
    let sent = 0;
    const address = await open.tcp(socket => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = (): void => {
        while (!socket.destroyed && sent < endless) {
          sent += 8 * 1024;
          if (!socket.write(`x-${sent}: ${'y'.repeat(8 * 1024)}\r\n`)) return void socket.once('drain', more);
        }
      };
      more();
    });
    const { peak, error } = await leastPeakOf(() => resolveAgentCard(`http://${address}/`, { http: open.http() }));
    tried++;
    worst = Math.max(worst, peak);
    assert.ok(error instanceof Problem, String(error));
    assert.match(error.message, /16 KiB/);
    assert.ok(sent < endless, String(sent));
    assert.ok(peak <= most, `${peak} bytes`);
  });

  test('a depth of a million: the limit is named', async () => {
    const url = await open.web((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`),
    );
    const { peak, error } = await leastPeakOf(() => resolveAgentCard(url, { http: open.http() }));
    tried++;
    worst = Math.max(worst, peak);
    assert.ok(error instanceof Problem && /200000 values|nested/.test(error.message), String(error));
    assert.ok(peak <= most, `${peak} bytes`);
  });

  test('a reader without a bound is caught', async () => {
    async function* line(): AsyncGenerator<Uint8Array> {
      for (let sent = 0; sent < 128 * MiB; sent += MiB) yield Buffer.alloc(MiB, 'x');
    }
    const { peak } = await leastPeakOf(async () => {
      const all: Uint8Array[] = [];
      for await (const piece of line()) all.push(piece);
      return Buffer.concat(all).byteLength;
    });
    assert.ok(peak > most, `${peak} bytes`);
    caught('F18', 'a reader without a bound');
  });
});
