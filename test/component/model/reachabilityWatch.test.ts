import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reachability } from '../../../src/model/agents/agentConnection.ts';
import { ReachabilityWatch } from '../../../src/model/agents/reachabilityWatch.ts';
import { eventually } from '../../support/eventually.ts';

class FakeAgent {
  reachability: Reachability = 'unreachable';
  checks = 0;
  readonly url: string;
  readonly #found: () => boolean;

  constructor(url: string, found: () => boolean = () => false) {
    this.url = url;
    this.#found = found;
  }

  async check(): Promise<void> {
    this.checks++;
    if (this.#found()) this.reachability = 'reachable';
  }
}

const rest = (ms: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, ms);
  });

suite('looking after agents that could not be reached', () => {
  let server: Server | undefined;
  let watch: ReachabilityWatch | undefined;
  let port: number;
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
    watch = new ReachabilityWatch({ agents: { all: [agent] }, inSight: () => true, every: 20 });
    await rest(150);
    assert.equal(agent.checks, 0, 'it was asked while nothing listened');
    await start();
    await eventually(() => assert.equal(agent.reachability, 'reachable'));
    await rest(100);
    assert.equal(agent.checks, 1);
  });

  test('one that listens and has no card is asked a few times, ever more seldom', async () => {
    const agent = new FakeAgent(`127.0.0.1:${port}`);
    await start();
    watch = new ReachabilityWatch({ agents: { all: [agent] }, inSight: () => true, every: 5 });
    await eventually(() => assert.equal(agent.checks, 5));
    await rest(300);
    assert.equal(agent.checks, 5);
  });

  test('nothing is tried where nobody looks, elsewhere, and of what is reachable or is no address', async () => {
    await start();
    const agents = [`http://127.0.0.1:${port}`].map(url => new FakeAgent(url, () => true));
    watch = new ReachabilityWatch({ agents: { all: agents }, inSight: () => false, every: 10 });
    await rest(100);
    watch.dispose();
    const reachable = new FakeAgent(`http://127.0.0.1:${port}`);
    reachable.reachability = 'reachable';
    const others = [reachable, new FakeAgent(`http://example.invalid:${port}`), new FakeAgent('http://')];
    watch = new ReachabilityWatch({ agents: { all: others }, inSight: () => true, every: 10 });
    await rest(100);
    assert.deepEqual(
      [...agents, ...others].map(({ checks }) => checks),
      [0, 0, 0, 0],
    );
  });
});
