import * as assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Agent } from '../../../src/model/agents/agent.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { ReachabilityWatch } from '../../../src/model/agents/reachabilityWatch.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { asks, says } from '../../support/client/says.ts';
import { eventually } from '../../support/eventually.ts';

const minute = 60_000;

/** What a server answers: HTTP status, and a body as JSON. */
type Answered = readonly [status: number, body?: unknown];

suite('what is known of an agent, and how old it is', () => {
  const open = new OpenThings();
  let time = 0;
  let agents: Agents;
  /** Requests for the card, each with its `If-None-Match`. */
  let cardsAsked: (string | undefined)[] = [];
  let card: (url: string) => Record<string, unknown>;
  let etag: string | undefined;
  let cardStatus = 200;
  let answer: (path: string, request: IncomingMessage, id: unknown) => Answered;
  let url = '';
  const ok: typeof answer = (_path, _request, id) => [200, { jsonrpc: '2.0', id, result: { message: says('hi') } }];

  setup(async () => {
    time = Date.now();
    [cardsAsked, etag, cardStatus, answer] = [[], undefined, 200, ok];
    card = at => minimalCard(at, '1.0') as Record<string, unknown>;
    const http = open.http();
    agents = new Agents({ http, now: () => time, onError: error => assert.fail(String(error)) });
    url = await open.web(async (request, response) => {
      if (request.method === 'GET') {
        const sent = request.headers['if-none-match'];
        cardsAsked.push(sent);
        if (etag !== undefined) response.setHeader('ETag', etag);
        if (etag !== undefined && sent === etag) response.writeHead(304).end();
        else response.writeHead(cardStatus, { 'content-type': 'application/json' }).end(JSON.stringify(card(url)));
        return;
      }
      const { id } = (await json(request)) as { readonly id: unknown };
      const [status, body] = answer(request.url!, request, id);
      response.writeHead(status, { 'content-type': 'application/json' }).end(body === undefined ? 'nothing here' : JSON.stringify(body));
    });
  });
  teardown(() => {
    agents.dispose();
    return open.close();
  });

  const ann = async (headers?: Record<string, string>): Promise<Agent> => {
    agents.configure({ Ann: { url, ...(headers && { headers }) } });
    const agent = agents.get('Ann')!;
    await agent.check();
    return agent;
  };
  const send = async (agent: Agent): Promise<unknown> =>
    (await agent.connect()).call('SendMessage', asks('hello')).then(
      () => undefined,
      (error: unknown) => error,
    );
  const at = (path: string) => (base: string) => ({
    ...minimalCard(base, '1.0'),
    supportedInterfaces: [{ url: base.replace(/\/$/, path), protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  });
  /** Answers at one path alone. */
  const only =
    (path: string): typeof answer =>
    (asked, ...rest) =>
      asked === path ? ok(asked, ...rest) : [404];

  test('a look at a card that is as before makes it younger, is asked with its entity tag, and at most once a minute', async () => {
    etag = '"v1"';
    const agent = await ann();
    let changes = 0;
    agent.onDidChange(() => changes++);
    const begun = time;
    await agent.look();
    time += minute - 1;
    await agent.look();
    assert.deepEqual([cardsAsked, agent.standing.reachableAt], [[undefined], begun]);
    time += 1;
    await agent.look();
    assert.deepEqual([cardsAsked, agent.standing.reachableAt, changes], [[undefined, '"v1"'], time, 0]);
    etag = undefined;
    time += minute;
    await agent.look();
    assert.deepEqual([cardsAsked.length, agent.standing.reachableAt, changes], [3, time, 0], 'the same text without a tag');
  });

  test('a card that is another is taken at a look; an agent that is gone is unreachable', async () => {
    const agent = await ann();
    card = base => ({ ...minimalCard(base, '1.0'), name: 'Other' });
    time += minute;
    await agent.look();
    assert.deepEqual([agent.card?.name, agent.reachability], ['Other', 'reachable']);
    cardStatus = 500;
    time += minute;
    await agent.look();
    assert.equal(agent.reachability, 'unreachable');
  });

  test('each answer says what it shows: reachable, signed in and spoken', async () => {
    const agent = await ann({ Authorization: 'Bearer abc' });
    const read = time;
    assert.deepEqual(agent.standing, { reachableAt: read });
    time += 1000;
    await send(agent);
    assert.deepEqual(agent.standing, { reachableAt: time, spokeAt: time, spokenVersion: '1.0', signedInAt: time, signInRefused: false });
    const answered = time;
    time += 1000;
    answer = () => [401, {}];
    await send(agent);
    assert.deepEqual(agent.standing, {
      reachableAt: time,
      spokeAt: answered,
      spokenVersion: '1.0',
      signedInAt: answered,
      signInRefused: true,
    });
  });

  test('a sign-in that the card asks for is needed until the agent answers without one, and again once it refuses that', async () => {
    card = base => ({
      ...minimalCard(base, '1.0'),
      securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } },
      securityRequirements: [{ schemes: { key: { list: [] } } }],
    });
    const agent = await ann();
    const needed = [agent.needsSignIn];
    const told: boolean[] = [];
    agent.onDidChange(() => told.push(agent.needsSignIn));
    for (const each of [ok, ok, () => [401, {}] as const, ok]) {
      answer = each;
      await send(agent);
      needed.push(agent.needsSignIn);
    }
    assert.deepEqual(
      [needed, told],
      [
        [true, false, false, true, false],
        [false, true, false],
      ],
    );
  });

  test('an interface elsewhere that cannot be reached is not reachable by its card, can be chosen, and is reachable once it answers', async () => {
    const port = await open.deadPort();
    card = base => ({
      ...minimalCard(base, '1.0'),
      supportedInterfaces: [{ url: `http://${port}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    });
    agents.configure({ Ann: { url, origins: [`http://${port}`] } });
    const agent = agents.get('Ann')!;
    await agent.check();
    assert.equal(agent.reachability, 'reachable');
    await send(agent);
    for (let look = 0; look < 2; look++) {
      assert.deepEqual(
        [agent.reachability, agent.problem?.code, agent.chosen?.interface.url],
        ['unreachable', 'unreachable', `http://${port}/`],
      );
      time += minute;
      await agent.look();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const server = createServer(async (request, response) => {
      const { id } = (await json(request)) as { readonly id: unknown };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ok('', request, id)[1]));
    }).listen(Number(port.split(':')[1]), '127.0.0.1', resolve);
    await promise;
    try {
      time += minute;
      await agent.look();
      assert.deepEqual([agent.reachability, agent.problem], ['reachable', undefined]);
    } finally {
      server.close();
    }
  });

  test('an interface elsewhere that has answered again is not asked at the next look', async () => {
    const port = await open.deadPort();
    card = base => ({
      ...minimalCard(base, '1.0'),
      supportedInterfaces: [{ url: `http://${port}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    });
    agents.configure({ Ann: { url, origins: [`http://${port}`] } });
    const agent = agents.get('Ann')!;
    await agent.check();
    const client = await agent.connect();
    const sending = () => client.call('SendMessage', asks('hello'));
    await assert.rejects(sending());
    const asked: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const server = createServer(async (request, response) => {
      const { id, method } = (await json(request)) as { readonly id: unknown; readonly method: string };
      asked.push(method);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ok('', request, id)[1]));
    }).listen(Number(port.split(':')[1]), '127.0.0.1', resolve);
    await promise;
    try {
      await sending();
      assert.equal(agent.reachability, 'reachable');
      await agent.check({ anew: true });
      assert.deepEqual(asked, ['SendMessage']);
    } finally {
      server.close();
    }
  });

  const message0_3 = { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] };
  const drain = async (batches: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of batches);
  };

  test('the version that was spoken is the one of the answer, not that of the request: a call, a stream, a body as it is written', async () => {
    const agent = await ann();
    const in0_3: typeof answer = (_path, _request, id) => [200, { jsonrpc: '2.0', id, result: message0_3 }];
    const spoken: (string | undefined)[] = [];
    for (const [each, ask] of [
      [in0_3, () => send(agent)],
      [ok, () => send(agent)],
      [in0_3, async () => drain((await agent.connect()).stream('SendStreamingMessage', asks('hello')))],
      [ok, async () => drain((await agent.connect()).stream('SendStreamingMessage', asks('hello')))],
      [in0_3, async () => drain((await agent.connect()).sendRaw('{"jsonrpc":"2.0","id":1,"method":"message/send"}'))],
    ] as const) {
      answer = each;
      await ask();
      spoken.push(agent.standing.spokenVersion);
    }
    assert.deepEqual(spoken, ['0.3', '1.0', '0.3', '1.0', '0.3']);
  });

  test('an answer that cannot be read says that the agent is there, and nothing of its version', async () => {
    const agent = await ann();
    answer = (_path, _request, id) => [200, { jsonrpc: '2.0', id, result: 7 }];
    await send(agent);
    assert.deepEqual([agent.standing.reachableAt, agent.standing.spokenVersion], [time, undefined]);
  });

  test('a token that is refused needs another sign-in until one is taken; no token, or one that allows too little, does not', async () => {
    const agent = await ann({ Authorization: 'Bearer abc' });
    let changes = 0;
    answer = () => [403, {}];
    await send(agent);
    assert.equal(agent.standing.signInRefused, undefined);
    answer = () => [401, {}];
    agent.onDidChange(() => changes++);
    await send(agent);
    await send(agent);
    assert.deepEqual([agent.standing.signInRefused, agent.needsSignIn, changes], [true, true, 1]);
    await agent.check();
    assert.equal(agent.standing.signInRefused, true, 'a card that anybody can read says nothing of the token');
    answer = ok;
    await send(agent);
    assert.deepEqual([agent.standing.signInRefused, agent.needsSignIn], [false, false]);
    const open = await ann();
    answer = () => [401, {}];
    await send(open);
    assert.equal(open.standing.signInRefused, undefined);
  });

  test("a request's own credentials say nothing of those of the agent, and a sign-in anew begins anew", async () => {
    const agent = await ann({ Authorization: 'Bearer abc' });
    answer = () => [401, {}];
    await (await agent.connect({ wanted: { withoutCredentials: true } })).call('SendMessage', asks('x')).catch(() => {});
    assert.equal(agent.standing.signInRefused, undefined);
    await send(agent);
    assert.equal(agent.standing.signInRefused, true);
    await agent.check({ anew: true, signedIn: true });
    assert.deepEqual([agent.standing.signInRefused, agent.standing.signedInAt], [false, undefined]);
  });

  for (const [name, wrong] of [
    ['HTTP 404', [404]],
    ['HTTP 405', [405]],
    ['a method that is missing', [200, { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }]],
  ] as const)
    test(`after ${name} the card is read anew once a minute, and what changed is told`, async () => {
      card = at('/old');
      answer = path => (path === '/new' ? ok(path, undefined as never, 1) : wrong);
      const agent = await ann();
      const told: (string | undefined)[] = [];
      agents.onDidReplaceCard(replaced => told.push(replaced.chosen?.interface.url));
      assert.ok((await send(agent)) instanceof Problem);
      await eventually(() => assert.equal(cardsAsked.length, 2));
      await send(agent);
      await send(agent);
      assert.deepEqual([cardsAsked.length, told], [2, []]);
      card = at('/new');
      time += minute;
      assert.ok((await send(agent)) instanceof Problem);
      await eventually(() => assert.equal(told.length, 1));
      await eventually(() => assert.equal(agent.reachability, 'reachable'));
      assert.match(agent.chosen?.interface.url ?? '', /\/new$/);
      const before = cardsAsked.length;
      time += minute;
      answer = path => (path === '/new' ? [500] : wrong);
      await send(agent);
      assert.equal(cardsAsked.length, before, 'HTTP 500 says nothing against the card');
    });

  test("the developer's loop: a wrong card, mended within a minute, and sent again", async () => {
    card = at('/old');
    answer = only('/new');
    const agent = await ann();
    assert.ok((await send(agent)) instanceof Problem);
    await eventually(() => assert.equal(cardsAsked.length, 2));
    card = at('/new');
    // As "Send Again" does it: the request waits for the card that is being read.
    void agent.check();
    assert.equal(await send(agent), undefined);
  });

  test('an idle agent that is killed is seen as such by whoever looks at it', async () => {
    const agent = await ann();
    const other = await ann();
    let inSight = false;
    const watch = new ReachabilityWatch({ agents, inSight: ({ name }) => inSight && name === 'Ann', every: 5 });
    await open.close();
    time += minute;
    assert.equal(agent.reachability, 'reachable', 'nobody looked');
    inSight = true;
    await eventually(() => assert.equal(agent.reachability, 'unreachable'));
    assert.equal(other, agent);
    watch.dispose();
  });

  test('a request that finds nobody says so, and the next one reads the card first', async () => {
    const dead = await open.deadPort();
    card = base => ({
      ...minimalCard(base, '1.0'),
      supportedInterfaces: [{ url: `http://${dead}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    });
    const agent = await ann();
    let told = 0;
    agents.onDidReplaceCard(() => told++);
    assert.ok((await send(agent)) instanceof Problem);
    assert.deepEqual([agent.reachability, told], ['unreachable', 0]);
    card = at('/');
    assert.equal(await send(agent), undefined);
    await eventually(() => assert.deepEqual([agent.reachability, told], ['reachable', 1]));
  });
});
