import * as assert from 'node:assert/strict';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { configuredHeaders } from '../../../src/client/http/configuredHeaders.ts';
import type { RequestAuthentication, RequestCredentials } from '../../../src/client/http/requestAuthentication.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { UnauthorizedProblem } from '../../../src/client/transport/agentError.ts';
import { guardedAgent, type GuardedAgent } from '../../support/auth/guardedAgent.ts';
import { asks, says } from '../../support/client/says.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';

/** Gives what a test says; `renew` goes on to the next. */
class Credentials implements RequestAuthentication {
  asked = 0;
  renewed = 0;
  readonly #all: readonly Partial<RequestCredentials>[];
  readonly #renews: boolean;

  constructor(all: readonly Partial<RequestCredentials>[], renews = true) {
    this.#all = all;
    this.#renews = renews;
  }

  credentialsFor(): Promise<RequestCredentials> {
    this.asked++;
    return Promise.resolve({
      headers: {},
      query: {},
      schemes: ['main'],
      identity: 'alice',
      ...this.#all[Math.min(this.renewed, this.#all.length - 1)],
    });
  }

  renew(): Promise<boolean> {
    this.renewed++;
    return Promise.resolve(this.#renews);
  }
}

suite('credentials of requests', () => {
  const open = new OpenThings();
  const doors: GuardedAgent[] = [];
  teardown(async () => {
    await Promise.all(doors.splice(0).map(door => door.close()));
    await open.close();
  });

  async function client(
    protocolBinding: 'JSONRPC' | 'HTTP+JSON',
    authentication: RequestAuthentication,
    allows: GuardedAgent['allows'],
    own: Record<string, string> = {},
    heard: unknown[] = [],
  ) {
    const { agent } = await open.spoken(
      { SendMessage: [{ answer: { message: says('hello') } }], SendStreamingMessage: [{ event: { message: says('hello') } }] },
      '1.0',
      { binding: protocolBinding },
    );
    const door = await guardedAgent(agent.url, { security: {}, challenge: 'Bearer', allows });
    doors.push(door);
    const http = open.http();
    const { card, cardUrl, agentUrl } = await resolveAgentCard(door.url, { http });
    const log = new WireRecording();
    const headers = configuredHeaders(own).signedIn(authentication);
    return {
      door,
      log,
      client: new AgentClient({
        card,
        http,
        agentUrl,
        headers,
        listener: { challenged: each => void heard.push(each) },
        chosen: chooseInterface(card, cardUrl, { protocolBinding }),
      }),
    };
  }

  const places: Readonly<Record<string, (value: string) => Partial<RequestCredentials>>> = {
    'a header with an ordinary name': value => ({ headers: { 'X-Tool': value } }),
    Authorization: value => ({ headers: { Authorization: `Bearer ${value}` } }),
    'a cookie': value => ({ headers: { Cookie: `c=${value}` } }),
    'a parameter with an ordinary name': value => ({ query: { k: value } }),
  };
  for (const binding of ['JSONRPC', 'HTTP+JSON'] as const)
    for (const [place, credentials] of Object.entries(places)) {
      const canary = 'c4nary-0f-the-k3ychain-77';
      const has = ({ headers, url = '' }: { headers: object; url?: string }): boolean =>
        JSON.stringify([headers, decodeURIComponent(url)]).includes(canary);

      test(`${binding}: in ${place} they arrive, and are nowhere in the log`, async () => {
        const authentication = new Credentials([credentials(canary)]);
        const { client: agent, log } = await client(binding, authentication, has);
        await agent.call('SendMessage', asks('hi'), { log });
        const { error } = await drain(agent.stream('SendStreamingMessage', asks('hi'), { log }));
        assert.equal(error, undefined);
        assert.equal(authentication.renewed, 0);
        assert.equal(JSON.stringify(log).includes(canary), false);
        assert.ok(log.exchanges.length >= 2);
        assert.equal(JSON.stringify(log.exchanges).includes(canary), false);
        for (const { satisfies } of log.exchanges) assert.deepEqual(satisfies, { schemes: ['main'], identity: 'alice' });
      });

      test(`${binding}: in ${place} they are renewed once after a 401, and the request is sent once more`, async () => {
        const authentication = new Credentials([credentials('of-before-4711'), credentials(canary)]);
        const { client: agent, door } = await client(binding, authentication, has);
        await agent.call('SendMessage', asks('hi'));
        assert.deepEqual(
          door.seen.map(({ authorized }) => authorized),
          [false, true],
        );
        const streaming = new Credentials([credentials('of-before-4711'), credentials(canary)]);
        const other = await client(binding, streaming, has);
        const { items, error } = await drain(other.client.stream('SendStreamingMessage', asks('hi')));
        assert.deepEqual([error, items.length], [undefined, 1]);
        assert.deepEqual(
          other.door.seen.map(({ authorized }) => authorized),
          [false, true],
        );
      });

      test(`${binding}: in ${place} they are refused twice at most`, async () => {
        const { client: agent, door } = await client(binding, new Credentials([credentials('wrong-1')]), has);
        await assert.rejects(agent.call('SendMessage', asks('hi')), UnauthorizedProblem);
        assert.equal(door.seen.length, 2);
        const { error } = await drain(agent.stream('SendStreamingMessage', asks('hi')));
        assert.ok(error instanceof UnauthorizedProblem);
        assert.equal(door.seen.length, 4);
        const none = await client(binding, new Credentials([credentials('wrong-1')], false), has);
        await assert.rejects(none.client.call('SendMessage', asks('hi')), UnauthorizedProblem);
        assert.equal(none.door.seen.length, 1);
      });
    }

  test('a request whose credentials the person configured does not say that it satisfies a requirement', async () => {
    const authentication = new Credentials([{ headers: { Authorization: 'Bearer of-the-sign-in' } }]);
    const { client: agent, log } = await client('JSONRPC', authentication, () => true, { authorization: 'Bearer mine' });
    await agent.call('SendMessage', asks('hi'), { log });
    assert.deepEqual(
      log.exchanges.map(({ satisfies }) => satisfies),
      log.exchanges.map(() => undefined),
    );
  });

  test('an agent tells by its challenge what it wants, and at which address', async () => {
    const heard: unknown[] = [];
    const { client: agent, door } = await client('JSONRPC', new Credentials([{}], false), () => false, {}, heard);
    await assert.rejects(agent.call('SendMessage', asks('hi')), UnauthorizedProblem);
    assert.deepEqual(heard, [{ challenge: 'Bearer', url: `${door.url}/` }]);
  });

  test('what the person configured goes before a sign-in', async () => {
    const authentication = new Credentials([{ headers: { Authorization: 'Bearer of-the-sign-in', 'X-Other': 'sent' } }]);
    const { client: agent, door } = await client('JSONRPC', authentication, ({ headers }) => headers.authorization === 'Bearer mine', {
      authorization: 'Bearer mine',
    });
    await agent.call('SendMessage', asks('hi'));
    assert.equal(door.seen[0]?.headers['x-other'], 'sent');
  });
});
