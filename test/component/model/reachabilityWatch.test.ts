import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type { Reachability } from '../../../src/model/agents/agentConnection.ts';
import { ReachabilityWatch } from '../../../src/model/agents/reachabilityWatch.ts';
import { eventually } from '../../support/eventually.ts';

class FakeAgent {
  reachability: Reachability = 'unreachable';
  readonly name = 'Ann';
  checks = 0;
  restarts = 0;
  looks = 0;
  readonly url: string;
  readonly #found: () => boolean;

  constructor(url: string, found: () => boolean = () => false) {
    this.url = url;
    this.#found = found;
  }

  async look(): Promise<void> {
    this.looks++;
  }

  expectRestart(): void {
    this.restarts++;
  }

  async check(): Promise<void> {
    this.checks++;
    this.reachability = this.#found() ? 'reachable' : 'unreachable';
  }
}

suite('looking after agents that could not be reached', () => {
  let server: Server | undefined;
  let watch: ReachabilityWatch | undefined;
  let port: number;
  let looks = 0;
  /** Counts how often it is looked. */
  const inSight = (): boolean => {
    looks++;
    return true;
  };
  /** Waits until it has been looked so often again. */
  const looked = async (times = 5): Promise<void> => {
    const begun = looks;
    await eventually(() => assert.ok(looks > begun + times));
  };
  setup(async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    ({ port } = free.address() as AddressInfo);
    free.close();
    await once(free, 'close');
  });
  teardown(() => {
    watch?.dispose();
    server?.close();
    server = undefined;
  });
  const start = async (): Promise<void> => {
    server = createServer((_request, response) => response.end()).listen(port, '127.0.0.1');
    await once(server, 'listening');
  };

  test('one that is started is asked, and no longer once it is reachable', async () => {
    const agent = new FakeAgent(`http://127.0.0.1:${port}`, () => true);
    watch = new ReachabilityWatch({ agents: { all: [agent] }, inSight, every: 20 });
    await looked();
    assert.equal(agent.checks, 0, 'it was asked while nothing listened');
    await start();
    await eventually(() => assert.equal(agent.reachability, 'reachable'));
    await looked();
    assert.equal(agent.checks, 1);
  });

  test('one that listens and has no card is asked a few times, ever more seldom', async () => {
    const agent = new FakeAgent(`127.0.0.1:${port}`);
    await start();
    watch = new ReachabilityWatch({ agents: { all: [agent] }, inSight, every: 5 });
    await eventually(() => assert.equal(agent.checks, 5));
    // More looks than were left out before the last time.
    await looked(2 ** 6);
    assert.equal(agent.checks, 5);
  });

  test('nothing is tried where nobody looks, elsewhere, and of what is no address; one that is reachable is looked at', async () => {
    await start();
    const agents = [`http://127.0.0.1:${port}`].map(url => new FakeAgent(url, () => true));
    watch = new ReachabilityWatch({ agents: { all: agents }, inSight: () => !inSight(), every: 10 });
    await looked();
    watch.dispose();
    const reachable = new FakeAgent(`http://127.0.0.1:${port}`);
    reachable.reachability = 'reachable';
    const others = [reachable, new FakeAgent(`http://example.invalid:${port}`), new FakeAgent('http://')];
    watch = new ReachabilityWatch({ agents: { all: others }, inSight, every: 10 });
    await looked();
    assert.deepEqual(
      [...agents, ...others].map(({ checks }) => checks),
      [0, 0, 0, 0],
    );
    assert.ok(reachable.looks > 0);
    assert.deepEqual(
      others.slice(1).map(other => other.looks),
      [0, 0],
    );
  });

  test('one that is killed is asked once, and counts as restarted although it is back by then', async () => {
    await start();
    const killed = new FakeAgent(`http://127.0.0.1:${port}`);
    const back = new FakeAgent(`http://localhost:${port}`, () => true);
    killed.reachability = back.reachability = 'reachable';
    watch = new ReachabilityWatch({ agents: { all: [killed, back] }, inSight, every: 20 });
    await looked();
    assert.deepEqual([killed.checks, back.checks, killed.restarts], [0, 0, 0]);
    server!.close();
    await eventually(() => assert.ok(back.restarts > 0));
    await looked();
    assert.deepEqual([killed.checks, killed.restarts, killed.reachability, back.reachability], [1, 1, 'unreachable', 'reachable']);
  });

  test('one that accepts a connection and does nothing with it gets no other, until it is gone', async () => {
    const taken: Socket[] = [];
    const held = createTcpServer({ allowHalfOpen: true }, socket => taken.push(socket.resume())).listen(port, '127.0.0.1');
    await once(held, 'listening');
    const agent = new FakeAgent(`http://127.0.0.1:${port}`);
    agent.reachability = 'reachable';
    watch = new ReachabilityWatch({ agents: { all: [agent] }, inSight, every: 5 });
    await looked(20);
    assert.equal(taken.length, 1);
    assert.equal(agent.restarts, 0);
    held.close();
    taken[0]!.resetAndDestroy();
    await eventually(() => assert.equal(agent.reachability, 'unreachable'));
    assert.equal(agent.restarts, 1);
  });

  test('one that restarts again and again is asked at once each time', async () => {
    await start();
    const agent = new FakeAgent(`http://127.0.0.1:${port}`, () => server?.listening === true);
    agent.reachability = 'reachable';
    const check = agent.check.bind(agent);
    agent.check = async () => {
      await check();
      // It listens again before the next look.
      if (server?.listening !== true) await start();
    };
    watch = new ReachabilityWatch({ agents: { all: [agent] }, inSight, every: 5 });
    for (let restarts = 1; restarts <= 7; restarts++) {
      server!.close();
      await eventually(() => assert.deepEqual([agent.restarts, agent.reachability], [restarts, 'reachable']));
    }
  });
});
