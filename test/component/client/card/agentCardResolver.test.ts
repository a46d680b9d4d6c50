import * as assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { UnauthorizedProblem } from '../../../../src/client/transport/agentError.ts';
import { cardPlaces, parseAddress } from '../../../../src/client/card/agentAddress.ts';
import { resolveAgentCard } from '../../../../src/client/card/agentCardResolver.ts';

import { ConnectionProblem } from '../../../../src/client/http/connectionProblem.ts';
import type { Http } from '../../../../src/client/http/http.ts';
import { minimalCard } from '../../../../src/mock/minimalCard.ts';
import { english, Problem } from '../../../../src/protocol/problem.ts';
import { OpenThings } from '../../../support/client/openThings.ts';
import { WireRecording } from '../../../support/client/wireRecording.ts';

const addresses: Readonly<Record<string, string>> = {
  'localhost:41241': 'http://localhost:41241/',
  ' localhost:41241 ': 'http://localhost:41241/',
  '127.0.0.1:9/a': 'http://127.0.0.1:9/a',
  '[::1]:9': 'http://[::1]:9/',
  'agents.localhost': 'http://agents.localhost/',
  'agent.example.com': 'https://agent.example.com/',
  'agent.example.com:8443/a2a': 'https://agent.example.com:8443/a2a',
  '192.168.0.5:9999': 'https://192.168.0.5:9999/',
  'http://agent.example.com/a2a#top': 'http://agent.example.com/a2a',
  'HTTPS://agent.example.com': 'https://agent.example.com/',
};

const noAddresses: readonly string[] = [
  '',
  '   ',
  'http://',
  'not an address',
  'ftp://agent.example.com',
  'ws://agent.example.com',
  'http://user:pw@agent.example.com',
  'https://a:99999',
];

/** A scheme written wrong, and what was meant by it, where that is known. */
const wrongSchemes: Readonly<Record<string, string | undefined>> = {
  'htp:/localhost:9999': 'http://localhost:9999',
  'htp://localhost:9999/a': 'http://localhost:9999/a',
  'http:/localhost:9999': 'http://localhost:9999',
  'https:/agent.example.com': 'https://agent.example.com',
  'http//localhost:9999': 'http://localhost:9999',
  'http;//localhost:9999': 'http://localhost:9999',
  'http:localhost:9999': 'http://localhost:9999',
  'HTPS://agent.example.com': 'https://agent.example.com',
  'htpt://agent.example.com': 'http://agent.example.com',
  'foo:/agent.example.com': undefined,
};
/** What looks a little like that and is an address. */
const goodSchemes: Readonly<Record<string, string>> = {
  'http:8080': 'https://http:8080/',
  'htp.example/a': 'https://htp.example/a',
  'a//b': 'https://a//b',
};

const places: Readonly<Record<string, readonly string[]>> = {
  'http://a/': ['/.well-known/agent-card.json', '/.well-known/agent.json', '/'],
  'http://a/b/c': [
    '/b/c',
    '/b/c/.well-known/agent-card.json',
    '/b/c/.well-known/agent.json',
    '/b/.well-known/agent-card.json',
    '/b/.well-known/agent.json',
    '/.well-known/agent-card.json',
    '/.well-known/agent.json',
  ],
  'http://a/1/2/3/4/5/6': [
    '/1/2/3/4/5/6',
    ...['/1/2/3/4/5/6', '/1/2/3/4/5', '/1/2/3/4', '/1/2/3', ''].flatMap(path => [
      `${path}/.well-known/agent-card.json`,
      `${path}/.well-known/agent.json`,
    ]),
  ],
  'http://a/b/': [
    '/b/',
    '/b/.well-known/agent-card.json',
    '/b/.well-known/agent.json',
    '/.well-known/agent-card.json',
    '/.well-known/agent.json',
  ],
  'http://a/.well-known/agent.json': ['/.well-known/agent.json', '/.well-known/agent-card.json'],
  'http://a/b/.well-known/agent-card.json': [
    '/b/.well-known/agent-card.json',
    '/b/.well-known/agent.json',
    '/.well-known/agent-card.json',
    '/.well-known/agent.json',
  ],
  'http://a/cards/one.json?v=2': ['/cards/one.json?v=2', '/.well-known/agent-card.json', '/.well-known/agent.json'],
};

const wellKnown = '/.well-known/agent-card.json';

type Site = Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>;
const sends =
  (status: number, mediaType: string, body: string) =>
  (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': mediaType }).end(body);
  };
const json = (value: unknown) => sends(200, 'application/json', JSON.stringify(value));
const page = sends(200, 'text/html; charset=utf-8', '<!doctype html><title>Hello</title>');

suite('agent address', () => {
  for (const [typed, url] of Object.entries(addresses)) {
    test(`${JSON.stringify(typed)} is ${url}`, () => assert.equal(parseAddress(typed).href, url));
  }
  for (const typed of noAddresses) {
    test(`${JSON.stringify(typed)} is refused`, () => {
      assert.throws(
        () => parseAddress(typed),
        error =>
          error instanceof Problem &&
          error.code === 'bad-url' &&
          error.nextStep !== undefined &&
          !error.message.includes('does not begin with'),
      );
    });
  }
  for (const [typed, meant] of Object.entries(wrongSchemes)) {
    test(`${JSON.stringify(typed)} is a scheme written wrong, and is looked up nowhere`, () => {
      assert.throws(
        () => parseAddress(typed),
        error => {
          assert.ok(error instanceof Problem && error.code === 'bad-url');
          assert.equal(error.message, `"${typed}" does not begin with http:// or https://.`);
          assert.match(
            english(error.nextStep!),
            meant === undefined ? /^Enter an address such as/ : new RegExp(`^Did you mean ${meant}\\?$`),
          );
          return true;
        },
      );
    });
  }
  for (const [typed, url] of Object.entries(goodSchemes)) {
    test(`${JSON.stringify(typed)} is an address all the same`, () => assert.equal(parseAddress(typed).href, url));
  }
  for (const [url, expected] of Object.entries(places)) {
    test(`the card of ${url} is looked for in order`, () => {
      assert.deepEqual(
        cardPlaces(new URL(url)).map(place => place.url.pathname + place.url.search),
        expected,
      );
    });
  }
});

suite('agent card resolver', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  async function site(pages: Site): Promise<{ url: string; asked: IncomingMessage[] }> {
    const asked: IncomingMessage[] = [];
    const url = await open.web((request, response) => {
      asked.push(request);
      (pages[request.url ?? ''] ?? sends(404, 'text/plain', 'no'))(request, response);
    });
    return { url, asked };
  }

  async function problemAt(address: string): Promise<Problem> {
    try {
      await resolveAgentCard(address, { http: open.http() });
    } catch (error) {
      assert.ok(error instanceof Problem, String(error));
      assert.ok(error.nextStep !== undefined, `${error.code} has no next step`);
      return error;
    }
    throw new Error('there should be no card');
  }

  test('a server that takes the request and stays silent is given up, with the reason and without a word of tasks', async () => {
    const silences: readonly (readonly [what: string, page: Site[string], expected: RegExp])[] = [
      ['before it answers', () => {}, /accepted the request for the agent card but did not begin to answer within 0\.1 seconds/],
      [
        'in the middle',
        (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"name"'),
        /stopped sending in the middle of its answer/,
      ],
    ];
    for (const [what, silent, expected] of silences) {
      const { url, asked } = await site({ [wellKnown]: silent });
      const problem = await resolveAgentCard(url, { http: open.http(), silenceMs: 100 }).then(
        () => undefined,
        (error: unknown) => error,
      );
      assert.ok(problem instanceof ConnectionProblem, what);
      assert.equal(problem.code, 'unreachable', what);
      assert.match(problem.message, expected, what);
      assert.doesNotMatch(JSON.stringify([problem.message, problem.nextStep]), /task/i, what);
      assert.notEqual(problem.nextStep, undefined, what);
      assert.equal(asked.length, 1, `${what}: no other place is waited for`);
    }
  });

  test('it has ten seconds, unless told otherwise', async () => {
    const asked: unknown[] = [];
    const http = {
      request: async (request: Parameters<Http['request']>[0]) => {
        asked.push([request.headersTimeoutMs, request.bodyTimeoutMs]);
        throw new Error('enough');
      },
    } as unknown as Http;
    await assert.rejects(resolveAgentCard('http://127.0.0.1:9', { http }), { message: 'enough' });
    assert.deepEqual(asked, [[10_000, 10_000]]);
  });

  for (const generation of ['1.0', '0.3']) {
    test(`a ${generation} card is found from the base address`, async () => {
      const card = minimalCard('http://127.0.0.1/rpc', generation);
      const { url, asked } = await site({ [wellKnown]: json(card) });
      const log = new WireRecording();
      const resolved = await resolveAgentCard(url, { http: open.http(), log });
      assert.equal(resolved.card.supportedInterfaces[0]?.protocolVersion, generation);
      assert.deepEqual(JSON.parse(resolved.source), card);
      assert.deepEqual([resolved.cardUrl, resolved.agentUrl, resolved.findings], [`${url}.well-known/agent-card.json`, url, []]);
      assert.deepEqual(
        asked.map(request => request.headers['a2a-version']),
        ['1.0'],
      );
      assert.deepEqual(
        log.exchanges.map(({ operation, response, endedAt }) => [operation, response?.body, endedAt !== undefined]),
        [['AgentCard', resolved.source, true]],
      );
    });
  }

  const found: Readonly<Record<string, { readonly pages: Site; readonly at: string; readonly tried: readonly string[] }>> = {
    'below a path': {
      pages: { '/a/b/.well-known/agent-card.json': json(minimalCard('/', '1.0')), '/a/b': sends(405, 'text/plain', '') },
      at: 'a/b',
      tried: ['405 refused', '200 card'],
    },
    'below a parent of the endpoint': {
      pages: { '/a/.well-known/agent-card.json': json(minimalCard('/a/rpc', '1.0')), '/a/rpc': sends(405, 'text/plain', '') },
      at: 'a/rpc',
      tried: ['405 refused', '404 refused', '404 refused', '200 card'],
    },
    'below a parent of the endpoint, where the origin has the card of another agent': {
      pages: { '/a/.well-known/agent.json': json(minimalCard('/a/v1/rpc', '0.3')), [wellKnown]: json(minimalCard('/', '1.0')) },
      at: 'a/v1/rpc',
      tried: ['404 refused', '404 refused', '404 refused', '404 refused', '404 refused', '404 refused', '200 card'],
    },
    'at the origin though a path was given': {
      pages: { [wellKnown]: json(minimalCard('/', '1.0')) },
      at: 'a/b',
      tried: ['404 refused', '404 refused', '404 refused', '404 refused', '404 refused', '200 card'],
    },
    'at the old place after a 401': {
      pages: { [wellKnown]: sends(401, 'text/plain', ''), '/.well-known/agent.json': json(minimalCard('/', '0.3')) },
      at: '',
      tried: ['401 refused', '200 card'],
    },
    'at the old place after a web page': {
      pages: { [wellKnown]: page, '/.well-known/agent.json': json(minimalCard('/', '0.3')) },
      at: '',
      tried: ['200 html', '200 card'],
    },
    'at the address itself': { pages: { '/cards/one': json(minimalCard('/', '1.0')) }, at: 'cards/one', tried: ['200 card'] },
    'behind an endpoint that streams': {
      pages: {
        '/mcp': (_request, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n'),
        [wellKnown]: json(minimalCard('/', '1.0')),
      },
      at: 'mcp',
      tried: ['200 refused', '404 refused', '404 refused', '200 card'],
    },
    'inside a JSON-RPC answer': {
      pages: { [wellKnown]: json({ jsonrpc: '2.0', id: 1, result: minimalCard('/', '1.0') }) },
      at: '',
      tried: ['200 card'],
    },
    'with a byte order mark': {
      pages: { [wellKnown]: sends(200, 'application/json', `\uFEFF${JSON.stringify(minimalCard('/', '1.0'))}`) },
      at: '',
      tried: ['200 card'],
    },
    'with a wrong media type': {
      pages: { [wellKnown]: sends(200, 'text/plain', JSON.stringify(minimalCard('/', '1.0'))) },
      at: '',
      tried: ['200 card'],
    },
  };
  for (const [name, { pages, at, tried }] of Object.entries(found)) {
    test(`a card is found ${name}`, async () => {
      const { url } = await site(pages);
      const { attempts } = await resolveAgentCard(url + at, { http: open.http() });
      assert.deepEqual(
        attempts.map(({ status, outcome }) => `${status} ${outcome}`),
        tried,
      );
    });
  }

  test('departures of a card are findings and do not stop the reading', async () => {
    const { name: _, ...nameless } = minimalCard('/', '1.0') as Record<string, unknown>;
    const { url } = await site({ [wellKnown]: json(nameless) });
    const { card, findings } = await resolveAgentCard(url, { http: open.http() });
    assert.equal(card.name, 'Unnamed agent');
    assert.deepEqual(
      findings.map(({ rule, pointer }) => [rule, pointer]),
      [['CARD-03', '/name']],
    );
  });

  const missing: Readonly<Record<string, { readonly pages: Site; readonly code: string; readonly message: RegExp }>> = {
    'nothing anywhere': { pages: {}, code: 'no-card', message: /No agent card found at .* \(3 locations tried\)/ },
    'JSON at the address itself that is something else': {
      pages: { '/': json({ status: 'ok' }) },
      code: 'no-card',
      message: /3 locations/,
    },
    'a web page': { pages: { '/': page }, code: 'html-instead-of-card', message: /^http\S+ returned a web page/ },
    'JSON that is no card': {
      pages: { [wellKnown]: json({ hello: 'world' }) },
      code: 'not-a-card',
      message: /agent-card\.json is not an agent card/,
    },
    'an address that is a number': {
      pages: { [wellKnown]: json({ name: 'Harbour', url: 42 }) },
      code: 'not-a-card',
      message: /^The agent card at .* cannot be read\. url should be a string, not 42\.$/,
    },
    'interfaces that are no list, beside an address that is none': {
      pages: { [wellKnown]: json({ name: 'Harbour', supportedInterfaces: { url: '/' }, url: ['/'] }) },
      code: 'not-a-card',
      message: /supportedInterfaces should be a list, not \{"url":"\/"\}\.$/,
    },
    'both of them null': {
      pages: { [wellKnown]: json({ name: 'Harbour', supportedInterfaces: null, url: null }) },
      code: 'not-a-card',
      message: /it has neither supportedInterfaces nor url/,
    },
    'an array': { pages: { [wellKnown]: json([]) }, code: 'not-a-card', message: /is not an agent card/ },
    'broken JSON': { pages: { [wellKnown]: sends(200, 'application/json', '{"name":') }, code: 'card-not-json', message: /is not JSON/ },
    'a server that fails': {
      pages: { [wellKnown]: sends(500, 'text/plain', '\n  oops\u0007\nat line 1') },
      code: 'no-card',
      message: /^The server answered the request for the agent card with HTTP 500: oops$/,
    },
    'one that fails with much to say': {
      pages: { [wellKnown]: sends(500, 'text/plain', 'x'.repeat(5000)) },
      code: 'no-card',
      message: /HTTP 500: x{200}…$/,
    },
    'one that fails in JSON': {
      pages: { [wellKnown]: sends(503, 'application/json', '{\n  "error": "warming up"\n}') },
      code: 'no-card',
      message: /HTTP 503: \{ "error": "warming up" \}$/,
    },
    'one that fails with a web page': {
      pages: { [wellKnown]: sends(502, 'text/html', '<html>\n<head><title>502 Bad\nGateway</title></head>') },
      code: 'no-card',
      message: /HTTP 502: 502 Bad Gateway$/,
    },
    'one that fails without a word': {
      pages: { [wellKnown]: sends(500, 'text/plain', '') },
      code: 'no-card',
      message: /card with HTTP 500\.$/,
    },
    'one that fails at the second place': {
      pages: { '/.well-known/agent.json': sends(500, 'text/plain', 'oops') },
      code: 'no-card',
      message: /HTTP 500: oops$/,
    },
    'an endpoint that takes no GET': {
      pages: { '/': sends(405, 'text/plain', 'POST only') },
      code: 'no-card',
      message: /No agent card found at .* \(3 locations tried\)/,
    },
    'a base address that fails': { pages: { '/': sends(500, 'text/plain', 'oops') }, code: 'no-card', message: /HTTP 500: oops$/ },
  };
  for (const [name, { pages, code, message }] of Object.entries(missing)) {
    test(`${name}: ${code}`, async () => {
      const { url } = await site(pages);
      const problem = await problemAt(url);
      assert.equal(problem.code, code);
      assert.match(problem.message, message);
      assert.match(problem.details ?? '', /^\d{3} http:\/\/127\.0\.0\.1:\d+\/\.well-known\/agent-card\.json/);
    });
  }

  test('the address is said as it was typed', async () => {
    const { url } = await site({});
    const typed = `LocalHost:${new URL(url).port}`;
    assert.match((await problemAt(` ${typed} `)).message, new RegExp(`^No agent card found at ${typed} \\(3 locations tried\\)\\.$`));
  });

  test('401 everywhere says which credentials are wanted', async () => {
    const locked = (_request: IncomingMessage, response: ServerResponse): void => {
      response.writeHead(401, { 'www-authenticate': 'Bearer realm="agents"' }).end();
    };
    const { url } = await site({ '/': locked, [wellKnown]: locked, '/.well-known/agent.json': locked });
    const problem = await problemAt(url);
    assert.ok(problem instanceof UnauthorizedProblem);
    assert.deepEqual([problem.code, problem.status, problem.challenge], ['unauthorized', 401, 'Bearer realm="agents"']);
    assert.match(problem.message, /Bearer realm="agents"/);
  });

  test('403 everywhere is told apart', async () => {
    const { url } = await site({ [wellKnown]: sends(403, 'text/plain', '') });
    const problem = await problemAt(url);
    assert.equal(problem.code, 'unauthorized');
    assert.match(problem.message, /403/);
  });

  test('401 without a challenge: what came is said, and nothing of what was sent', async () => {
    const { url } = await site({ [wellKnown]: sends(401, 'text/plain', 'the token abc-123-secret is too old\nreally') });
    const problem = await resolveAgentCard(url, { http: open.http(), headers: { Authorization: 'Bearer abc-123-secret' } }).then(
      () => assert.fail('a card'),
      (error: unknown) => error,
    );
    assert.ok(problem instanceof UnauthorizedProblem);
    assert.match(
      problem.message,
      /^The agent refused the credential that was sent \(HTTP 401\): the header Authorization\. It answered: the token .* is too old$/,
    );
    assert.doesNotMatch(JSON.stringify([problem.message, problem.details]), /abc-123-secret/);
  });

  test('an address that is locked, with nothing at the places of cards', async () => {
    const { url } = await site({ '/a': sends(401, 'text/plain', '') });
    assert.equal((await problemAt(`${url}a`)).code, 'unauthorized');
  });

  for (const [status, nextStep] of [
    [500, /own log/],
    [503, /not available at the moment/],
    [418, /address of the agent card itself/],
  ] as const) {
    test(`HTTP ${status}: the next step`, async () => {
      const { url } = await site({ [wellKnown]: sends(status, 'text/plain', 'oops') });
      assert.match(english((await problemAt(url)).nextStep!), nextStep);
    });
  }

  test('nobody there', async () => {
    const host = await open.deadPort();
    const problem = await problemAt(host);
    assert.equal(problem.code, 'unreachable');
    assert.match(problem.message, /Connection refused: no server is listening at 127\.0\.0\.1:\d+/);
  });

  test('a connection that breaks is unreachable too', async () => {
    const host = await open.tcp(socket => socket.once('data', () => socket.resetAndDestroy()));
    const problem = await problemAt(host);
    assert.ok(problem instanceof ConnectionProblem);
    assert.equal(problem.code, 'unreachable');
    assert.match(problem.message, /closed the connection/);
  });

  const notWhole = /did not arrive completely within 0\.3 seconds/;
  const drips: Readonly<Record<string, readonly [answers: (socket: Socket) => void, words: RegExp]>> = {
    'its bytes drip': [
      socket => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n');
        every(socket, '1\r\n \r\n');
      },
      notWhole,
    ],
    'its head drips': [
      socket => {
        socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
        every(socket, 'a');
      },
      notWhole,
    ],
    'it is flooded with informational answers': [
      socket => every(socket, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(50)),
      /^In 0\.3 s the agent sent only an interim response \(HTTP 102\)\.$/,
    ],
  };
  const every = (socket: Socket, text: string): void => {
    const timer = setInterval(() => socket.write(text), 10);
    socket.once('close', () => clearInterval(timer));
  };
  for (const [name, [answers, words]] of Object.entries(drips)) {
    test(`the wait for a card has an end: ${name}`, async () => {
      let closed = 0;
      const host = await open.tcp(socket => {
        socket.once('close', () => closed++);
        socket.once('data', () => answers(socket));
      });
      const problem = await resolveAgentCard(host, { http: open.http(), timeoutMs: 300 }).then(
        () => assert.fail('a card'),
        (error: unknown) => error,
      );
      assert.ok(problem instanceof ConnectionProblem, String(problem));
      assert.equal(problem.code, 'unreachable');
      assert.match(problem.message, words);
      assert.notEqual(problem.nextStep, undefined);
      while (closed === 0) await new Promise(resolve => setTimeout(resolve, 5));
    });
  }

  test('https towards a server without TLS', async () => {
    const { url } = await site({});
    const problem = await problemAt(url.replace('http:', 'https:'));
    assert.equal(problem.code, 'tls');
  });

  test('cancelling stops the search', async () => {
    const controller = new AbortController();
    const { url, asked } = await site({ [wellKnown]: () => controller.abort() });
    await assert.rejects(resolveAgentCard(url, { http: open.http(), signal: controller.signal }), {
      name: 'AbortError',
      code: 'cancelled',
    });
    assert.equal(asked.length, 1);
  });

  suite('redirects', () => {
    const to =
      (location: string) =>
      (_request: IncomingMessage, response: ServerResponse): void => {
        response.writeHead(302, { location }).end();
      };

    test('are followed, each hop on record, and the last address counts', async () => {
      const { url, asked } = await site({ [wellKnown]: to('/cards/one'), '/cards/one': json(minimalCard('/', '1.0')) });
      const log = new WireRecording();
      const { cardUrl } = await resolveAgentCard(url, { http: open.http(), headers: { 'X-Api-Key': 'abc' }, log });
      assert.equal(cardUrl, `${url}cards/one`);
      assert.deepEqual(
        asked.map(({ headers }) => headers['x-api-key']),
        ['abc', 'abc'],
      );
      assert.deepEqual(
        log.exchanges.map(({ response, endedAt }) => [response?.status, endedAt !== undefined]),
        [
          [302, true],
          [200, true],
        ],
      );
    });

    test('to another origin take no headers along, and back again they do', async () => {
      const home = await site({
        [wellKnown]: (request, response) => to(`${elsewhere.url}hop`)(request, response),
        '/back': json(minimalCard('/', '1.0')),
      });
      const elsewhere: { url: string; asked: IncomingMessage[] } = await site({ '/hop': to(`${home.url}back`) });
      await resolveAgentCard(home.url, { http: open.http(), headers: { Authorization: 'Bearer abc', 'X-Tenant': 'one' } });
      const seen = (request: IncomingMessage): unknown => [request.url, request.headers.authorization, request.headers['x-tenant']];
      assert.deepEqual(elsewhere.asked.map(seen), [['/hop', undefined, undefined]]);
      assert.deepEqual(home.asked.map(seen), [
        [wellKnown, 'Bearer abc', 'one'],
        ['/back', 'Bearer abc', 'one'],
      ]);
    });

    test('in a circle end', async () => {
      const { url, asked } = await site({ [wellKnown]: to(wellKnown) });
      const problem = await problemAt(url);
      assert.equal(problem.code, 'no-card');
      assert.equal(asked.filter(request => request.url === wellKnown).length, 6);
    });

    test('to a scheme of another kind are not followed', async () => {
      const { url } = await site({ [wellKnown]: to('file:///etc/passwd') });
      assert.equal((await problemAt(url)).code, 'no-card');
    });
  });
});
