import * as assert from 'node:assert/strict';
import { ForeignOriginProblem } from '../../../src/client/http/origin.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { english } from '../../../src/protocol/problem.ts';
import type { AgentSettings } from '../../../src/model/agents/agentSettings.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { requiredButOff } from '../../../src/model/agents/agentExtensions.ts';
import { Backoff } from '../../../src/model/run/recovery.ts';

suite('Agents', () => {
  let http: Http;
  let agents: Agents;
  let server: ScriptedAgent;
  let card: (url: string) => unknown;
  setup(async () => {
    http = new Http({ loadObserver });
    agents = new Agents({ http });
    card = url => minimalCard(url, '1.0');
    server = scriptedAgent({ version: '1.0', script: {}, card: url => card(url) });
    await server.start();
  });
  teardown(async () => {
    agents.dispose();
    await http.close();
    await server.stop();
  });

  test('other names of an address are found among those of the list and of the history', () => {
    agents.configure({ One: { url: 'http://127.0.0.1:8080/' }, Two: { url: 'localhost:8080' }, Other: { url: 'http://127.0.0.1:8081' } });
    assert.deepEqual(agents.twinNames('One', ['Gone', 'http://127.0.0.1:8080', 'One']), ['http://127.0.0.1:8080', 'Two']);
    assert.deepEqual(agents.twinNames('Other', ['Two']), []);
    assert.deepEqual(agents.twinNames('http://localhost:8080', []), ['One', 'Two']);
  });

  test('keeps its agents while their settings stay the same, in the order of the settings', () => {
    agents.configure({ Ann: { url: 'http://a' }, Bob: { url: 'http://b' } });
    const [ann, bob] = agents.all;
    agents.configure({ Bob: { url: 'http://b' }, Ann: { url: 'http://a', headers: { 'X-Key': 'k' } } });
    assert.deepEqual(
      agents.all.map(agent => agent.name),
      ['Bob', 'Ann'],
    );
    assert.equal(agents.get('Bob'), bob);
    assert.notEqual(agents.get('Ann'), ann);
  });

  test('a check by hand begins anew where the one before hangs, for all who wait', async () => {
    const hangs = scriptedAgent({
      version: '1.0',
      script: { AgentCard: ({ url }) => (++asked === 1 ? [{ stall: true }] : [{ json: url === '' ? {} : minimalCard(hangs.url, '1.0') }]) },
    });
    let asked = 0;
    await hangs.start();
    agents.configure({ Ann: { url: hangs.url } });
    const ann = agents.get('Ann')!;
    const first = ann.check();
    while (asked === 0) await new Promise(resolve => setTimeout(resolve, 5));
    await ann.check({ anew: true });
    await first;
    assert.deepEqual([ann.reachability, asked], ['reachable', 2]);
    await hangs.stop();
  });

  test('finds by name and by address, and makes one for an address nobody knows', () => {
    agents.configure({ Ann: { url: 'http://a.example/' } });
    const ann = agents.get('Ann');
    assert.equal(agents.find('Ann'), ann);
    assert.equal(agents.find('http://a.example'), ann);
    const other = agents.find('localhost:41241');
    assert.equal(agents.find('localhost:41241'), other);
    assert.equal(agents.get('localhost:41241'), other);
    assert.deepEqual(agents.all, [ann]);
    assert.throws(() => agents.find('Nobody'), { code: 'unknown-agent', message: 'No agent named "Nobody".' });
    assert.throws(() => agents.find('ann'), { code: 'unknown-agent', message: 'No agent named "ann". Did you mean "Ann"?' });
    for (const typed of ['htp:/localhost:9999', 'http:/localhost:9999', 'http//localhost:9999'])
      assert.throws(() => agents.find(typed), { code: 'bad-url' }, typed);
    assert.equal(agents.get('htp:/localhost:9999'), undefined);
  });

  const trust: readonly (readonly [agent: AgentSettings, url: string, trusted: boolean])[] = [
    [{ url: 'http://localhost:9999/a/.well-known/agent-card.json' }, 'http://localhost:9999/b', true],
    [{ url: 'localhost:9999' }, 'http://127.0.0.1:9999', true],
    [{ url: 'localhost:9999', headers: { 'X-Key': 'k' } }, 'http://127.0.0.1:9999', false],
    [{ url: 'localhost:9999', headers: { 'X-Key': 'k' }, origins: ['http://127.0.0.1:9999'] }, 'http://127.0.0.1:9999', true],
    [{ url: 'agents.example/one' }, 'https://agents.example', true],
    [{ url: 'agents.example/one' }, 'http://agents.example', false],
    [{ url: 'http://localhost:9999' }, 'http://localhost:9998', true],
    [{ url: 'http://localhost:9999', headers: { 'X-Key': 'k' } }, 'http://localhost:9998', false],
    [{ url: 'http://localhost:9999', headers: { 'X-Key': 'k' } }, 'https://localhost:9999', false],
    [{ url: 'http://localhost:9999', origins: ['https://other.example'] }, 'https://other.example/a', true],
    [{ url: 'http://localhost:9999', origins: ['https://other.example'] }, 'https://another.example', false],
    [{ url: 'http://localhost:9999', interface: { url: 'https://other.example/rpc' } }, 'https://other.example', true],
  ];
  for (const [settings, url, trusted] of trust) {
    test(`${trusted ? 'trusts' : 'does not trust'} ${url}, an agent of ${JSON.stringify(settings)}`, () => {
      agents.configure({ Ann: settings });
      assert.equal(agents.get('Ann')!.trusts(new URL(url)), trusted);
    });
  }

  test('the address of an interface is that of its agent, exactly and on its own origin alone', async () => {
    card = url => ({
      ...minimalCard(url, '1.0'),
      supportedInterfaces: [
        { url: `${url}rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: `${url.replace('127.0.0.1', 'localhost')}rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { url: 'http://other.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ],
    });
    agents.configure({ Ann: { url: server.url } });
    const ann = agents.get('Ann')!;
    assert.equal(agents.interfaceAt(`${server.url}rpc`), undefined);
    await ann.connect();
    const byName = server.url.replace('127.0.0.1', 'localhost');
    assert.deepEqual(
      agents.interfaceAt(`${byName}rest/`)?.offered.map(({ wanted }) => wanted),
      [{ protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
    );
    assert.equal(agents.find(`${server.url}rpc`), ann);
    for (const other of [`${server.url}rest`, `${byName}rpc`, `${server.url}rpc/more`, 'http://other.example/rpc'])
      assert.notEqual(agents.find(other), ann, other);
  });

  test('makes an agent from an address as it is typed, which nobody else gets, and refuses what is none', () => {
    agents.configure({ Ann: { url: 'http://localhost:9999' } });
    assert.equal(agents.configuredAt('localhost:9999/'), agents.get('Ann'));
    assert.equal(agents.configuredAt('example.com'), undefined);
    const agent = agents.at('example.com', { origins: ['https://other.example'] });
    assert.deepEqual(agent.settings, { url: 'example.com', origins: ['https://other.example'] });
    assert.equal(agents.get('example.com'), undefined);
    for (const address of ['', 'http://', 'ftp://a.example']) assert.throws(() => agents.at(address), { code: 'bad-url' });
  });

  test('those who connect at the same time share one fetch, and those after them its card', async () => {
    agents.configure({ Ann: { url: server.url } });
    const ann = agents.get('Ann')!;
    const changes: string[] = [];
    agents.onDidChange(agent => changes.push(agent?.reachability ?? 'list'));
    assert.equal(ann.reachability, 'unknown');
    const clients = await Promise.all([ann.connect(), ann.connect(), ann.connect()]);
    assert.equal(new Set([...clients, await ann.connect()]).size, 1);
    assert.equal(server.requests.length, 1);
    assert.deepEqual(changes, ['checking', 'reachable']);
    assert.equal(ann.card?.name, 'Scripted agent');
    assert.equal(ann.cardUrl, `${server.url}.well-known/agent-card.json`);
    assert.deepEqual(JSON.parse(ann.cardSource ?? ''), minimalCard(server.url, '1.0'));
    assert.equal(ann.chosen?.interface.protocolBinding, 'JSONRPC');
    await ann.connect({ refresh: true });
    assert.equal(server.requests.length, 2);
  });

  test('an agent that went away keeps its card and says why it cannot be reached', async () => {
    agents.configure({ Ann: { url: server.url } });
    const ann = agents.get('Ann')!;
    await ann.check();
    await server.stop();
    await ann.check();
    assert.equal(ann.reachability, 'unreachable');
    assert.equal(ann.problem?.code, 'unreachable');
    assert.equal(ann.card?.name, 'Scripted agent');
    assert.equal(ann.chosen, undefined);
    await assert.rejects(ann.connect(), { code: 'unreachable' });
  });

  test('a card that nobody here can speak to is a problem', async () => {
    card = url => ({ ...minimalCard(url, '1.0'), supportedInterfaces: [{ url, protocolBinding: 'SMOKE', protocolVersion: '1.0' }] });
    agents.configure({ Ann: { url: server.url } });
    await assert.rejects(agents.get('Ann')!.connect(), { code: 'no-interface' });
    assert.equal(agents.get('Ann')!.reachability, 'unreachable');
    assert.equal(agents.get('Ann')!.card?.name, 'Scripted agent');
  });

  test('a card that leads to another origin is spoken to once a person has approved that origin', async () => {
    const elsewhere = 'https://elsewhere.example:8443';
    card = url => ({
      ...minimalCard(url, '1.0'),
      supportedInterfaces: [{ url: `${elsewhere}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    });
    agents.configure({ Ann: { url: server.url } });
    const ann = agents.get('Ann')!;
    await assert.rejects(ann.connect(), (error: unknown) => error instanceof ForeignOriginProblem && error.origin === elsewhere);
    assert.ok(ann.problem instanceof ForeignOriginProblem);
    agents.configure({
      Ann: { url: server.url, interface: { protocolBinding: 'JSONRPC' } },
      Bob: { url: server.url, interface: { url: '/a2a' }, origins: ['https://other.example'] },
    });
    await assert.rejects(agents.get('Ann')!.connect(), { code: 'foreign-origin' });
    assert.equal((await agents.get('Bob')!.connect()).chosen.interface.url, `${server.url}a2a`);
    const approved: readonly AgentSettings[] = [
      { url: server.url, origins: [elsewhere] },
      { url: server.url, interface: { url: `${elsewhere}/mine` } },
    ];
    for (const settings of approved) {
      agents.configure({ Ann: settings });
      assert.equal(new URL((await agents.get('Ann')!.connect()).chosen.interface.url).origin, elsewhere);
    }
  });

  const both = (url: string): object => ({
    ...minimalCard(url, '1.0'),
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url, protocolBinding: 'SMOKE', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      { url: '/second', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
  });

  test('shows what the card offers, what is spoken of it, and why', async () => {
    card = both;
    agents.configure({ Ann: { url: server.url } });
    const ann = agents.get('Ann')!;
    assert.deepEqual({ ...ann.interfaces }, { chosen: undefined, reason: undefined, offered: [] });
    await ann.connect();
    const { chosen, reason, offered } = ann.interfaces;
    assert.equal(chosen, ann.chosen);
    assert.equal(reason, chosen?.reason);
    assert.deepEqual(
      offered.map(each => [each.interface.protocolBinding, each.interface.protocolVersion, each.isSupported, each.chosen]),
      [
        ['JSONRPC', '1.0', true, true],
        ['SMOKE', '1.0', false, false],
        ['JSONRPC', '0.3', true, false],
        ['JSONRPC', '0.3', true, false],
      ],
    );
    assert.match(english(offered[1]!.obstacle!), /SMOKE is not supported/);
    for (const { wanted, isSupported, interface: entry } of offered) {
      if (!isSupported) continue;
      agents.configure({ Ann: { url: server.url, interface: wanted } });
      await agents.get('Ann')!.connect();
      assert.deepEqual(
        agents.get('Ann')!.interfaces.offered.map(each => each.chosen),
        offered.map(each => each.interface === entry),
      );
    }
  });

  test('speaks what a request asks for beside what it speaks itself, with one client for each', async () => {
    card = both;
    agents.configure({ Ann: { url: server.url } });
    const ann = agents.get('Ann')!;
    const older = await ann.connect({ wanted: { protocolVersion: '0.3' } });
    assert.equal(older.chosen.version.protocolVersion, '0.3');
    assert.match(english(older.chosen.reason), /as set in the request/);
    assert.equal(await ann.connect({ wanted: { protocolVersion: '0.3' } }), older);
    assert.equal((await ann.connect()).chosen.version.protocolVersion, '1.0');
    assert.equal(ann.chosen?.version.protocolVersion, '1.0');
    assert.equal(server.requests.length, 1);
    await assert.rejects(ann.connect({ wanted: { protocolBinding: 'SMOKE' } }), { code: 'no-interface' });
    // A file may come from anywhere: its word sends nothing to an origin that nobody has approved.
    await assert.rejects(ann.connect({ wanted: { url: 'https://elsewhere.example/' } }), { code: 'foreign-origin' });
    await assert.rejects(ann.connect({ wanted: { url: 'http://127.0.0.1:1/' } }), { code: 'foreign-origin' });
    assert.equal(ann.reachability, 'reachable');
  });

  test('speaks what a request asks for where its own interface cannot be spoken', async () => {
    card = url => ({
      ...both(url),
      supportedInterfaces: [
        { url: 'https://elsewhere.example/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
    });
    agents.configure({ Ann: { url: server.url } });
    const client = await agents.get('Ann')!.connect({ wanted: { protocolVersion: '0.3' } });
    assert.equal(client.chosen.interface.url, server.url);
    // What is not allowed gives way to what is, unless a person has asked for it.
    assert.equal((await agents.get('Ann')!.connect()).chosen.version.protocolVersion, '0.3');
    agents.configure({ Ann: { url: server.url, interface: { protocolVersion: '1.0' } } });
    await assert.rejects(agents.get('Ann')!.connect(), { code: 'foreign-origin' });
    assert.equal((await agents.get('Ann')!.connect({ wanted: { protocolVersion: '0.3' } })).chosen.interface.url, server.url);
  });

  test("another port of the agent's host is spoken to where its card says so and no headers can be lost", async () => {
    const other = 'http://127.0.0.1:1/';
    card = url => ({
      ...both(url),
      supportedInterfaces: [
        { url: other, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
    });
    agents.configure({ Ann: { url: server.url } });
    assert.equal((await agents.get('Ann')!.connect()).chosen.interface.url, other);
    assert.equal((await agents.get('Ann')!.connect({ wanted: { url: other } })).chosen.interface.url, other);
    agents.configure({ Ann: { url: server.url, headers: { 'X-Key': 'k' } } });
    const {
      interface: { url },
      reason,
    } = (await agents.get('Ann')!.connect()).chosen;
    assert.equal(url, server.url);
    assert.match(english(reason), /is not allowed for this agent/);
  });

  test('remembers a version that was refused, also with a card fetched anew, until a person decides', async () => {
    card = both;
    const older = scriptedAgent({
      version: '0.3',
      script: { GetTask: [{ error: { code: -32001, message: 'none' } }] },
      card: url => both(url),
    });
    await older.start();
    try {
      agents.configure({ Ann: { url: older.url } });
      const ann = agents.get('Ann')!;
      const told: (string | undefined)[] = [];
      ann.onDidChange(() => told.push(ann.chosen?.version.protocolVersion));
      await assert.rejects((await ann.connect()).call('GetTask', { id: 't' }), /TaskNotFound/);
      assert.deepEqual(told, [undefined, '1.0', '0.3']);
      await ann.check();
      assert.equal(ann.chosen?.version.protocolVersion, '0.3');
      assert.match(english(ann.interfaces.reason!), /refused A2A 1\.0/);
      agents.configure({ Ann: { url: older.url, interface: { protocolVersion: '1.0' } } });
      await assert.rejects((await agents.get('Ann')!.connect()).call('GetTask', { id: 't' }), /MethodNotFound/);
    } finally {
      await older.stop();
    }
  });

  test('knows which extensions are declared, required, on and active', async () => {
    const [one, two, three] = ['https://example.com/1', 'https://example.com/2', 'https://example.com/3'] as const;
    const declared = {
      streaming: true,
      extensions: [{ uri: one, required: true, description: 'first' }, { uri: two }, { uri: one }, { uri: 'no uri', required: true }],
    };
    const talker = scriptedAgent({
      version: '1.0',
      script: {
        GetTask: [
          { status: 200, headers: { 'A2A-Extensions': two } },
          { answer: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } },
        ],
      },
      card: url => ({ ...minimalCard(url, '1.0'), capabilities: declared }),
    });
    await talker.start();
    try {
      agents.configure({ Ann: { url: talker.url, extensions: [two, three] } });
      const ann = agents.get('Ann')!;
      const client = await ann.connect();
      assert.deepEqual(
        [...ann.extensions],
        [
          { uri: one, description: 'first', required: true, on: false, declared: true },
          { uri: two, required: false, on: true, declared: true },
          { uri: three, required: false, on: true, declared: false },
        ],
      );
      assert.deepEqual(
        requiredButOff(ann.extensions).map(({ uri }) => uri),
        [one],
      );
      let changes = 0;
      ann.onDidChange(() => (changes += 1));
      for (let times = 0; times < 2; times++) await client.call('GetTask', { id: 't' });
      assert.deepEqual(
        ann.extensions.map(({ activated }) => activated),
        [false, true, false],
      );
      assert.equal(changes, 1);
      agents.configure({ Ann: { url: talker.url, extensions: [one] } });
      assert.deepEqual(requiredButOff(agents.get('Ann')!.extensions), []);
    } finally {
      await talker.stop();
    }
  });

  test('credentials go with the request for the card', async () => {
    agents.configure({ Ann: { url: server.url, headers: { 'X-Key': 'secret' } } });
    await agents.get('Ann')!.connect();
    assert.equal(server.requests[0]?.headers['x-key'], 'secret');
  });
});

suite('Backoff', () => {
  test('doubles its ceiling up to the longest, and waits anything below', () => {
    const ceilings = new Backoff({ firstMs: 1_000, maxMs: 30_000, random: () => 1 });
    assert.deepEqual(
      Array.from({ length: 7 }, () => ceilings.next()),
      [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000],
    );
    ceilings.reset();
    assert.equal(ceilings.next(), 1_000);
    const some = new Backoff({ firstMs: 1_000, maxMs: 30_000, random: () => 0.25 });
    assert.deepEqual([some.next(), some.next()], [250, 500]);
  });

  test('stops waiting at once when nobody wants to know any more', async () => {
    const stop = new AbortController();
    const waiting = new Backoff({ firstMs: 60_000, maxMs: 60_000, random: () => 1 }).wait(stop.signal);
    stop.abort();
    assert.equal(await waiting, false);
  });
});
