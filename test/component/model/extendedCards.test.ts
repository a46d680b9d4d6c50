import assert from 'node:assert/strict';
import type { RequestAuthentication } from '../../../src/client/http/requestAuthentication.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { english } from '../../../src/protocol/problem.ts';
import { Agents, type AgentsOptions } from '../../../src/model/agents/agents.ts';
import type { Agent } from '../../../src/model/agents/agent.ts';
import type { AgentSettings } from '../../../src/model/agents/agentSettings.ts';
import { bindings, extendedCardAgent, type ExtendedCardAgent } from '../../support/client/extendedCardAgents.ts';
import { legacyCard, plainAgent, type PlainAgent, type PlainAnswer, type PlainCard } from '../../support/client/plainCardAgent.ts';

/** Signs requests in as whoever `present` names. */
class People {
  present: string | undefined;
  renewals = 0;

  readonly authentication = (_url: string, identity?: string, of: 'card' | 'request' = 'request'): RequestAuthentication => ({
    credentialsFor: () => {
      const name = identity ?? this.present;
      return Promise.resolve(
        name === undefined || of === 'card'
          ? undefined
          : { headers: { Authorization: `Bearer ${name}` }, query: {}, schemes: ['b'], identity: name },
      );
    },
    renew: () => Promise.resolve(++this.renewals > 0),
  });
  readonly stateOf = () => ({ kind: 'none' }) as const;
}

suite('extended cards of agents', () => {
  let server: ExtendedCardAgent | undefined;
  let agents: Agents | undefined;
  const http = new Http({ loadObserver });
  const exchanges: Exchange[] = [];
  let people = new People();

  setup(() => {
    exchanges.length = 0;
    people = new People();
  });
  teardown(async () => {
    agents?.dispose();
    await server?.stop();
    agents = server = undefined;
  });
  suiteTeardown(() => http.close());

  function open(settings: AgentSettings, options: Partial<AgentsOptions> = {}): Agent {
    agents = new Agents({
      http,
      log: { exchange: exchange => exchanges.push(exchange), frames: () => {} },
      onError: error => assert.fail(String(error)),
      ...options,
    });
    agents.configure({ Vault: settings });
    return agents.get('Vault')!;
  }

  const skillsOf = (agent: Agent): readonly string[] =>
    agent.extendedCard?.kind === 'found' ? agent.extendedCard.card.skills.map(({ id }) => id) : [];
  const failure = (agent: Agent): string => (agent.extendedCard?.kind === 'failed' ? english(agent.extendedCard.problem.sentence) : '');

  for (const generation of ['1.0', '0.3'] as const) {
    for (const binding of bindings) {
      suite(`the SDK of ${generation} over ${binding}`, () => {
        test('is asked by whoever is signed in, once for as long as its public card is kept', async () => {
          server = await extendedCardAgent(generation);
          people.present = 'alice';
          const agent = open({ url: server.url(binding) }, { signIns: people });
          const client = await agent.connect();
          await agent.connect();
          assert.deepEqual(skillsOf(agent), ['look', 'open-alice']);
          assert.deepEqual(
            agent.card?.skills.map(({ id }) => id),
            ['look'],
          );
          assert.deepEqual(client.card.skills.length, 2);
          assert.deepEqual(server.asked, ['alice']);
          const { extendedCard } = agent;
          assert(extendedCard?.kind === 'found');
          assert.equal(extendedCard.identity, 'alice');
          assert.deepEqual(extendedCard.differences.map(english), ['1 skill added']);
          assert.equal(extendedCard.unused, undefined);
        });

        test('is not asked without credentials', async () => {
          server = await extendedCardAgent(generation);
          const agent = open({ url: server.url(binding) }, { signIns: people });
          await agent.connect();
          assert.equal(agent.extendedCard, undefined);
          assert.deepEqual(server.asked, []);
        });

        test('says in one sentence that there is none, and requests go on', async () => {
          server = await extendedCardAgent(generation, { exists: false });
          const agent = open({ url: server.url(binding), headers: { Authorization: 'Bearer eve' }, origins: server.origins });
          await agent.connect();
          assert.equal(agent.reachability, 'reachable');
          const how =
            binding === 'GRPC' ? 'gRPC FAILED_PRECONDITION' : generation === '1.0' && binding === 'HTTP+JSON' ? 'HTTP 400' : 'error -32007';
          assert.equal(failure(agent), `The agent has no extended card (${how}).`);
        });
      });
    }
  }

  test('each person has their own card, and what one got is never shown to another', async () => {
    server = await extendedCardAgent('1.0');
    people.present = 'alice';
    const agent = open({ url: server.url('JSONRPC') }, { signIns: people });
    await agent.connect();
    people.present = 'bob';
    const changed: (readonly string[])[] = [];
    agent.onDidChange(() => changed.push(skillsOf(agent)));
    await agent.signInChanged();
    assert.deepEqual(skillsOf(agent), ['look', 'open-bob']);
    assert.deepEqual(changed[0], []);
    assert(changed.every(skills => !skills.includes('open-alice')));
    const named = await agent.connect({ wanted: { identity: 'alice' } });
    assert.deepEqual(
      named.card.skills.map(({ id }) => id),
      ['look', 'open-alice'],
    );
    assert.deepEqual(skillsOf(agent), ['look', 'open-bob']);
    const nobody = await agent.connect({ wanted: { identity: 'none' } });
    assert.deepEqual(
      nobody.card.skills.map(({ id }) => id),
      ['look'],
    );
    assert.deepEqual(server.asked, ['alice', 'bob']);
    people.present = undefined;
    await agent.signInChanged();
    assert.equal(agent.extendedCard, undefined);
    assert.deepEqual((await agent.connect()).card.skills.length, 1);
  });

  test('a card that somebody else asked for meanwhile is not used for the next person', async () => {
    server = await extendedCardAgent('1.0', {
      members: name => {
        if (name === 'alice') people.present = 'bob';
        return {};
      },
    });
    people.present = 'alice';
    const agent = open({ url: server.url('JSONRPC') }, { signIns: people });
    assert.deepEqual(
      (await agent.connect()).card.skills.map(({ id }) => id),
      ['look'],
    );
    assert.deepEqual(
      (await agent.connect()).card.skills.map(({ id }) => id),
      ['look', 'open-bob'],
    );
    assert.deepEqual(skillsOf(agent), ['look', 'open-bob']);
  });

  test('is for configured headers too, but not for headers of one request', async () => {
    server = await extendedCardAgent('1.0');
    const agent = open({ url: server.url('JSONRPC'), headers: { Authorization: 'Bearer carol' } });
    await agent.connect();
    assert.deepEqual(skillsOf(agent), ['look', 'open-carol']);
    assert(agent.extendedCard?.kind === 'found' && agent.extendedCard.identity === undefined);
    const { headersFor } = await import('../../../src/model/agents/wantedConnection.ts');
    const headers = headersFor(server.url('JSONRPC'), { values: { Authorization: 'Bearer mallory' }, secret: [] });
    assert.deepEqual((await agent.connect({ wanted: { headers } })).card.skills.length, 1);
    assert.deepEqual(server.asked, ['carol']);
  });

  test('does not lead requests to an origin that the person has not approved', async () => {
    const elsewhere = 'http://elsewhere.example/rpc';
    server = await extendedCardAgent('1.0', {
      members: () => ({ supportedInterfaces: [{ url: elsewhere, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }),
    });
    people.present = 'alice';
    const agent = open({ url: server.url('JSONRPC') }, { signIns: people });
    const client = await agent.connect();
    assert.equal(new URL(client.chosen.interface.url).hostname, '127.0.0.1');
    assert(agent.extendedCard?.kind === 'found');
    assert.equal(agent.extendedCard.unused?.code, 'foreign-origin');
    assert.equal(agent.reachability, 'reachable');
    agents?.configure({ Vault: { url: server.url('JSONRPC'), origins: ['http://elsewhere.example'] } });
    assert.equal((await agents!.get('Vault')!.connect()).chosen.interface.url, elsewhere);
  });

  suite('an agent that answers in another way', () => {
    let plain: PlainAgent | undefined;
    teardown(() => plain?.stop());

    const tell = async (answer: PlainAnswer, card: Partial<PlainCard> = {}): Promise<{ agent: Agent; methods: readonly unknown[] }> => {
      plain = await plainAgent(answer, card);
      const agent = open({ url: plain.url, headers: { Authorization: 'Bearer carol' } });
      await agent.connect();
      assert.equal(agent.reachability, 'reachable');
      return { agent, methods: plain.methods };
    };
    const error = (code: number) => () => ({ status: 200, body: { error: { code, message: 'no' } } });

    for (const [what, answer, told] of [
      ['-32007', error(-32007), 'The agent has no extended card (error -32007).'],
      ['-32004', error(-32004), 'The agent does not support extended cards (error -32004).'],
      ['-32601', error(-32601), 'The agent does not support extended cards (error -32601).'],
      [
        'HTTP 401',
        () => ({ status: 401, body: {} }),
        'The agent refused the credential that was sent for its extended card (HTTP 401): the header Authorization.',
      ],
      ['HTTP 403', () => ({ status: 403, body: {} }), 'The agent does not return its extended card for these credentials (HTTP 403).'],
      ['HTTP 404', () => ({ status: 404, body: {} }), /^The agent has no extended card at this address: .*404/],
      [
        'no card',
        () => ({ status: 200, body: { result: { name: 1 } } }),
        /^The extended card could not be read: This JSON is not an agent card/,
      ],
    ] as const)
      test(`${what} is told in a sentence`, async () => {
        const told_ = failure((await tell(answer)).agent);
        if (typeof told === 'string') assert.equal(told_, told);
        else assert.match(told_, told);
      });

    test('is not asked for where the public card does not say that there is one', async () => {
      const { agent, methods } = await tell(error(-32007), { capabilities: {} });
      assert.equal(agent.extendedCard, undefined);
      assert.deepEqual(methods, []);
    });

    test('is asked by the older name of its request too', async () => {
      const { agent, methods } = await tell(
        method =>
          method === 'agent/authenticatedExtendedCard'
            ? { status: 200, body: { result: { ...legacyCard('http://127.0.0.1/'), name: 'Older' } } }
            : { status: 200, body: { error: { code: -32601, message: 'unknown' } } },
        { legacy: true },
      );
      assert.deepEqual(methods, ['agent/getAuthenticatedExtendedCard', 'agent/authenticatedExtendedCard']);
      assert(agent.extendedCard?.kind === 'found');
      assert.equal(agent.extendedCard.card.name, 'Older');
    });

    test('credentials are not renewed for it: an agent that refuses them all is asked once', async () => {
      plain = await plainAgent(() => ({ status: 401, body: {} }));
      people.present = 'alice';
      const agent = open({ url: plain.url }, { signIns: people });
      await agent.connect();
      await agent.connect();
      assert.equal(people.renewals, 0);
      assert.equal(plain.methods.length, 1);
    });
  });

  test('the token is masked in the exchange', async () => {
    server = await extendedCardAgent('1.0');
    people.present = 'alice-very-secret';
    const agent = open({ url: server.url('JSONRPC') }, { signIns: people });
    await agent.connect();
    const asked = exchanges.findLast(({ operation }) => operation === 'GetExtendedAgentCard');
    assert(asked);
    assert(!JSON.stringify(asked.request).includes('alice-very-secret'));
  });
});
