import * as assert from 'node:assert/strict';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import type { Http, HttpRequest } from '../../../src/client/http/http.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';

const asking = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url: new URL(url),
  headers: [],
  body: '{}',
  headersTimeoutMs: 0,
  bodyTimeoutMs: 0,
  subject: { operation: 'SendMessage', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ...more,
});

async function failureOf(http: Http, request: HttpRequest): Promise<ConnectionProblem> {
  try {
    await (await http.request(request)).text();
  } catch (error) {
    assert.ok(error instanceof ConnectionProblem, String(error));
    return error;
  }
  throw new Error('the request should have failed');
}

suite('http', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  test('after a sleep nothing is asked over a connection of before, and what is under way goes on', async () => {
    const sockets: unknown[] = [];
    const goOn = Promise.withResolvers<void>();
    const url = await open.web(async (request, response) => {
      sockets.push(request.socket);
      response.write('one');
      if (request.url === '/long') await goOn.promise;
      response.end(' two');
    });
    const http = open.http();
    const ask = async (path: string): Promise<string> => (await http.request(asking(url + path))).text();
    const long = await http.request(asking(`${url}long`));
    // A connection is free again a moment after its answer has been read.
    do await ask('again');
    while (new Set(sockets).size === sockets.length);
    const before = new Set(sockets);
    await new Promise(resolve => setTimeout(resolve, 20));
    http.renew();
    await ask('later');
    assert.equal(before.has(sockets.at(-1)), false);
    goOn.resolve();
    assert.equal(await long.text(), 'one two');
  });

  test('everything is on record as it was on the wire, credentials aside', async () => {
    const url = await open.web((_request, response) => {
      response.writeHead(
        201,
        [
          ['Content-Type', 'text/plain'],
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
          ['X-Plain', 'Ä'],
          ['WWW-Authenticate', 'Bearer'],
        ].flat(),
      );
      response.end('grüße');
    });
    const log = new WireRecording();
    const before = performance.timeOrigin + performance.now();
    const response = await open.http().request(
      asking(`${url}a?b=c&api_key=hidden`, {
        log,
        headers: [
          ['Authorization', 'Bearer abc'],
          ['X-Api-Key', 'abc'],
          ['Cookie', 'abc'],
          ['X-Company', 'abc'],
          ['A2A-Version', '1.0'],
        ],
        secret: new Set(['x-company']),
        subject: { exchangeId: 'mine', operation: 'GetTask', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      }),
    );
    assert.equal(await response.text(), 'grüße');
    response.record.note('RPC-01', '', sentence('odd'));
    response.record.note('RPC-01', '', sentence('odd'));
    response.record.end();
    response.record.end(new Error('late'));

    const { startedAt, headersAt, endedAt, response: recorded, ...rest } = log.last;
    assert.ok(before <= startedAt && startedAt <= headersAt! && headersAt! <= endedAt!);
    assert.deepEqual(rest, {
      id: 'mine',
      operation: 'GetTask',
      protocolBinding: 'JSONRPC',
      protocolVersion: '0.3',
      request: {
        method: 'POST',
        url: `${url}a?b=c&api_key=masked`,
        body: '{}',
        headers: [
          ['Authorization', 'Bearer ••••••'],
          ['X-Api-Key', '••••••'],
          ['Cookie', '••••••'],
          ['X-Company', '••••••'],
          ['A2A-Version', '1.0'],
        ],
      },
      findings: [{ rule: 'RPC-01', pointer: '', message: 'odd', sentence: sentence('odd'), times: 2 }],
    });
    assert.equal(recorded?.status, 201);
    assert.equal(recorded.body, 'grüße');
    assert.deepEqual(recorded.headers.slice(0, 3), [
      ['Content-Type', 'text/plain'],
      ['Set-Cookie', '••••••'],
      ['Set-Cookie', '••••••'],
    ]);
    assert.deepEqual(
      recorded.headers.find(([name]) => name === 'WWW-Authenticate'),
      ['WWW-Authenticate', 'Bearer'],
    );
    assert.equal(log.told.length, 3);
    assert.ok(!JSON.stringify(log.told).includes('abc'));
  });

  test('no compression is asked for', async () => {
    const url = await open.web((request, response) => response.end(request.headers['accept-encoding'] ?? 'none'));
    assert.equal(await (await open.http().request(asking(url))).text(), 'none');
  });

  test('a byte order mark is on record and out of the way', async () => {
    const url = await open.web((_request, response) => response.end('\uFEFF{}'));
    const log = new WireRecording();
    const response = await open.http().request(asking(url, { log }));
    assert.equal(await response.text(), '{}');
    response.record.end();
    assert.equal(log.last.response?.body, '\uFEFF{}');
  });

  test('a header that cannot be sent is named, its value is not', async () => {
    await assert.rejects(open.http().request(asking('http://127.0.0.1:9/', { headers: [['X-Key', 'line\nbreak']] })), error => {
      assert.ok(error instanceof Problem);
      assert.equal(error.code, 'bad-header');
      assert.match(error.message, /X-Key/);
      assert.doesNotMatch(error.message, /break/);
      return true;
    });
  });

  test('an answer beyond the cap is refused, and nothing of it is on record', async () => {
    const url = await open.web((_request, response) => {
      const megabyte = Buffer.alloc(1024 * 1024, 'x');
      response.on('drain', () => response.write(megabyte)).write(megabyte);
    });
    const log = new WireRecording();
    const response = await open.http().request(asking(url, { log }));
    await assert.rejects(response.text(), { code: 'too-large', message: /32 MiB/ });
    response.record.end();
    assert.equal(log.last.response?.truncated, true);
    assert.equal(log.last.response.body, '');
  });

  suite('failures say what happened and whether the agent may have the request', () => {
    test('nothing listens', async () => {
      const host = await open.deadPort();
      const log = new WireRecording();
      const problem = await failureOf(open.http(), asking(`http://${host}/`, { log }));
      assert.deepEqual(
        [problem.code, problem.reached, problem.message],
        ['unreachable', 'no', `Connection refused: no server is listening at ${host}.`],
      );
      assert.deepEqual([log.last.failure, log.last.failureSentence], [problem.message, problem.sentence]);
      assert.ok(log.last.endedAt !== undefined);
    });

    test('a name that is none', async () => {
      const problem = await failureOf(open.http(), asking('http://agent.invalid/'));
      assert.deepEqual([problem.code, problem.reached], ['unreachable', 'no']);
      assert.match(problem.message, /agent\.invalid/);
    });

    test('TLS towards a server without it', async () => {
      const url = await open.web((_request, response) => response.end());
      const problem = await failureOf(open.http(), asking(url.replace('http:', 'https:')));
      assert.deepEqual([problem.code, problem.reached], ['tls', 'no']);
      assert.match(problem.message, /does not use TLS/);
    });

    test('closed before an answer', async () => {
      const host = await open.tcp(socket => socket.once('data', () => socket.end()));
      const problem = await failureOf(open.http(), asking(`http://${host}/`));
      assert.deepEqual([problem.code, problem.reached], ['connection-lost', 'unknown']);
    });

    test('reset before an answer', async () => {
      const host = await open.tcp(socket => socket.once('data', () => socket.resetAndDestroy()));
      const problem = await failureOf(open.http(), asking(`http://${host}/`));
      assert.deepEqual([problem.code, problem.reached], ['connection-lost', 'unknown']);
    });

    test('closed inside the answer', async () => {
      const url = await open.web((_request, response) => {
        response.write('half');
        setTimeout(() => response.destroy(), 10);
      });
      const log = new WireRecording();
      const response = await open.http().request(asking(url, { log }));
      await assert.rejects(response.text(), { code: 'connection-lost', reached: 'yes' });
      response.record.end();
      assert.deepEqual(log.last.response?.body, 'half');
      assert.equal(log.last.response?.truncated, true);
    });

    test('no HTTP', async () => {
      const host = await open.tcp(socket => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')));
      const problem = await failureOf(open.http(), asking(`http://${host}/`));
      assert.deepEqual([problem.code, problem.reached], ['not-http', 'unknown']);
    });

    // Side by side: undici checks its timers about once a second. Where the whole call has a time, connecting must fit into it on a busy machine.
    test('time is up', async () => {
      const silent = await open.tcp(() => {});
      const headless = await open.web(() => {});
      const halting = await open.web((_request, response) => response.write('half'));
      const endless = await open.web((_request, response) => {
        const drip = setInterval(() => response.write('.'), 10);
        response.once('close', () => clearInterval(drip));
      });
      const problems = await Promise.all([
        failureOf(open.http({ connectTimeoutMs: 100 }), asking(`https://${silent}/`)),
        failureOf(open.http(), asking(headless, { headersTimeoutMs: 100 })),
        failureOf(open.http(), asking(halting, { bodyTimeoutMs: 100 })),
        failureOf(open.http(), asking(endless, { timeoutMs: 2_000 })),
        failureOf(open.http(), asking(headless, { timeoutMs: 2_000 })),
      ]);
      assert.deepEqual(
        problems.map(({ code, reached, message }) => [code, reached, message]),
        [
          ['unreachable', 'no', `${silent} did not accept a connection within 0.1 seconds.`],
          ['timeout', 'unknown', 'The agent accepted the request but did not begin to answer within 0.1 seconds.'],
          ['timeout', 'yes', 'The agent stopped sending in the middle of its answer.'],
          ['timeout', 'yes', 'The agent did not finish its answer within 2 seconds.'],
          ['timeout', 'unknown', 'The agent did not finish its answer within 2 seconds.'],
        ],
      );
    });

    const floods: Readonly<Record<string, readonly [bytes: string, code: string, words: RegExp]>> = {
      'answers that are none yet': [
        'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20),
        'only-provisional',
        /^In 0\.1 s the agent sent only an interim response \(HTTP 103\)\.$/,
      ],
      'spaces before an answer': ['\r\n', 'timeout', /did not begin to answer within 0\.1 seconds/],
    };
    for (const [what, [bytes, code, words]] of Object.entries(floods)) {
      test(`the wait for the head has an end, whatever comes before it: ${what}`, async () => {
        const host = await open.tcp(socket => {
          const flood = setInterval(() => socket.write(bytes), 10);
          socket.once('close', () => clearInterval(flood));
        });
        const problem = await failureOf(open.http(), asking(`http://${host}/`, { headersTimeoutMs: 100 }));
        assert.deepEqual([problem.code, problem.reached], [code, 'unknown']);
        assert.match(problem.message, words);
        assert.notEqual(problem.nextStep, undefined);
      });
    }
  });

  suite('cancelling', () => {
    test('before it begins, nothing is sent', async () => {
      let connections = 0;
      const host = await open.tcp(() => connections++);
      const problem = await failureOf(open.http(), asking(`http://${host}/`, { signal: AbortSignal.abort() }));
      assert.deepEqual([problem.name, problem.code, problem.reached], ['AbortError', 'cancelled', 'no']);
      assert.equal(connections, 0);
    });

    test('while the connection is made', async () => {
      const host = await open.tcp(() => {});
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 20);
      // Longer than a test may take: the connection's own time is not what ends it.
      const problem = await failureOf(open.http({ connectTimeoutMs: 600_000 }), asking(`https://${host}/`, { signal: controller.signal }));
      assert.equal(problem.code, 'cancelled');
    });

    for (const [when, reached] of [
      ['before', 'unknown'],
      ['inside', 'yes'],
    ] as const) {
      test(`${when} the answer, closes the connection at once`, async () => {
        const controller = new AbortController();
        const closed = Promise.withResolvers<void>();
        const url = await open.web((request, response) => {
          request.socket.once('close', () => closed.resolve());
          if (when === 'inside') response.write('half');
          setTimeout(() => controller.abort(), 20);
        });
        const problem = await failureOf(open.http(), asking(url, { signal: controller.signal }));
        assert.deepEqual([problem.code, problem.reached], ['cancelled', reached]);
        await closed.promise;
      });
    }

    test('leaving the loop over the chunks closes the connection', async () => {
      const closed = Promise.withResolvers<void>();
      const url = await open.web((request, response) => {
        request.socket.once('close', () => closed.resolve());
        response.write('half');
      });
      const response = await open.http().request(asking(url));
      for await (const chunk of response.chunks()) {
        assert.equal(Buffer.from(chunk).toString(), 'half');
        break;
      }
      await closed.promise;
    });

    test('discarding the body closes the connection', async () => {
      const closed = Promise.withResolvers<void>();
      const url = await open.web((request, response) => {
        request.socket.once('close', () => closed.resolve());
        response.write('half');
      });
      (await open.http().request(asking(url))).discard();
      await closed.promise;
    });
  });

  test('connections are used again after a whole answer', async () => {
    const sockets = new Set<unknown>();
    const url = await open.web((request, response) => {
      sockets.add(request.socket);
      response.end('ok');
    });
    const http = open.http();
    for (let turn = 0; turn < 8; turn++) assert.equal(await (await http.request(asking(url))).text(), 'ok');
    // undici may not have its connection back yet when the next request comes.
    assert.ok(sockets.size <= 2, `${sockets.size} connections`);
  });
});
