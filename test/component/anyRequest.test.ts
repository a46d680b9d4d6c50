import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loopbackRedirects } from '../../src/auth/oauth/loopbackRedirects.ts';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import { scriptedAgent, type ScriptedAgentOptions } from '../../src/mock/scriptedAgent.ts';
import { TaskStore } from '../../src/mock/taskStore.ts';
import { CardAgent } from '../../src/model/mocks/cardAgent.ts';
import { NotificationReceiver } from '../../src/receiver/notificationReceiver.ts';
import { readDelivery } from '../../src/receiver/readDelivery.ts';
import { caught, figure } from '../support/figure.ts';
import { update } from '../support/receiver/openReceiver.ts';
import { post } from '../support/receiver/post.ts';
import { startSampleAgents } from '../support/sampleAgents.ts';
import { attack, attacksOn, type Attacked } from '../support/servers/attacks.ts';

interface Standing extends Attacked {
  /** The status of an ordinary request. */
  readonly ordinary: () => Promise<number>;
  readonly ok: number;
  readonly stop: () => Promise<unknown>;
}

type Start = (fault: (error: unknown) => void) => Promise<Standing>;

const portOf = (url: string): number => Number(new URL(url).port);
const status = async (url: string): Promise<number> => {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
};
const mebibyte = 1024 * 1024;
const current = { 'A2A-Version': '1.0' };

const mock = (options: Omit<ScriptedAgentOptions, 'script'>): Start => {
  const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } as const;
  const isRest = options.version === 'task-rest';
  return async onError => {
    const agent = scriptedAgent({ ...options, script: { SendMessage: [{ answer: { task } }], GetTask: [{ answer: task }] }, onError });
    await agent.start();
    return {
      port: portOf(agent.url),
      path: isRest ? '/task' : options.binding === 'HTTP+JSON' ? '/message:send' : '/',
      limit: 32 * mebibyte,
      headers: current,
      ordinary: () => status(`${agent.url}.well-known/${isRest ? 'agent' : 'agent-card'}.json`),
      ok: 200,
      stop: () => agent.stop(),
    };
  };
};

const servers: Readonly<Record<string, Start>> = {
  'receiver of push notifications': async onError => {
    const receiver = new NotificationReceiver({ onDelivery: () => {}, onError });
    await receiver.start();
    const webhook = receiver.open({ token: null });
    let count = 0;
    return {
      port: receiver.port,
      path: webhook.path,
      limit: mebibyte,
      ordinary: async () => (await post(webhook.url, { body: update('t', String(count++)) })).status,
      ok: 200,
      stop: () => receiver.stop(),
    };
  },
  'redirect page of sign-in': async () => {
    const { uri, close } = await loopbackRedirects({ language: 'en', done: 'done', failed: 'failed' });
    return { port: portOf(uri), path: '/callback', limit: undefined, ordinary: () => status(`${uri}?state=x`), ok: 404, stop: close };
  },
  'agent of a card': async onError => {
    const agent = new CardAgent(() => minimalCard('http://127.0.0.1:1/', '1.0'), onError);
    const url = await agent.start();
    return {
      port: portOf(url),
      path: '/',
      limit: 32 * mebibyte,
      headers: current,
      ordinary: () => status(`${url}.well-known/agent-card.json`),
      ok: 200,
      stop: () => agent.stop(),
    };
  },
  'scripted agent over HTTP+JSON': mock({ version: '1.0', binding: 'HTTP+JSON' }),
  'scripted agent over gRPC': mock({ version: '1.0', binding: 'GRPC' }),
  'scripted agent of the task API': mock({ version: 'task-rest' }),
  'sample agent': async () => {
    const { urls, stop } = await startSampleAgents();
    return {
      port: portOf(urls.Phrasebook),
      path: '/',
      limit: 20 * mebibyte,
      headers: current,
      ordinary: () => status(`${urls.Phrasebook}.well-known/agent-card.json`),
      ok: 200,
      stop,
    };
  },
};

/** What nobody caught while the work was done. */
async function uncaughtIn(work: () => Promise<void>): Promise<readonly unknown[]> {
  const faults: unknown[] = [];
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const before = events.map(event => process.listeners(event as 'uncaughtException'));
  const add = (error: unknown): void => void faults.push(error);
  for (const event of events) process.removeAllListeners(event).on(event, add);
  try {
    await work();
  } finally {
    for (const [index, event] of events.entries()) {
      process.removeAllListeners(event);
      for (const listener of before[index] ?? []) process.on(event, listener);
    }
  }
  return faults;
}

/** What goes wrong where everything is thrown at a server. */
async function faultsOf(start: Start): Promise<{ readonly count: number; readonly faults: readonly string[] }> {
  const faults: string[] = [];
  let at = 'the start';
  let count = 0;
  const fault = (error: unknown): void => void faults.push(`${at}: told ${String(error)}`);
  const uncaught = await uncaughtIn(async () => {
    const server = await start(fault);
    for (const each of attacksOn(server)) {
      at = each.title;
      count++;
      const answer = await attack(server.port, each);
      if (each.status !== undefined && !answer.includes(`HTTP/1.1 ${each.status} `))
        faults.push(`${at}: ${JSON.stringify(answer.slice(0, 60))} for ${each.status}`);
      const next = await server.ordinary().catch(String);
      if (next !== server.ok) faults.push(`${at}: the next request is answered ${next}`);
    }
    await server.stop();
  });
  return { count, faults: [...faults, ...uncaught.map(error => `uncaught ${String(error)}`)] };
}

suite('servers of ours survive any request', () => {
  for (const [name, start] of Object.entries(servers))
    test(name, async () => {
      const { count, faults } = await faultsOf(start);
      figure(
        'F33',
        { servers: 1, exchanges: count, 'not survived': faults.length },
        `the ${name}: ${count} exchanges, ${faults.length} not survived.`,
      );
      assert.deepEqual(faults, []);
    });

  test('one that closes the connection of what it refuses does not', async () => {
    const careless: Server = createServer((message, response) => {
      void (async () => {
        let length = 0;
        for await (const chunk of message as AsyncIterable<Buffer>) if ((length += chunk.byteLength) > mebibyte) break;
        response.writeHead(length > mebibyte ? 413 : 200, { connection: 'close' });
        response.once('finish', () => message.socket.destroySoon()).end();
      })().catch(() => response.destroy());
    });
    const { faults } = await faultsOf(async () => {
      careless.listen(0, '127.0.0.1');
      await once(careless, 'listening');
      const { port } = careless.address() as AddressInfo;
      const ordinary = (): Promise<number> => status(`http://127.0.0.1:${port}/`);
      return {
        port,
        path: '/',
        limit: mebibyte,
        ordinary,
        ok: 200,
        stop: () =>
          new Promise(resolve => {
            careless.close(resolve);
            careless.closeAllConnections();
          }),
      };
    });
    assert.ok(
      faults.some(fault => fault.startsWith('uncaught TypeError')),
      faults.join('\n'),
    );
    caught('F33', 'a server that closes the connection of what it refuses');
  });

  const defect = (): never => {
    throw new Error('a defect');
  };

  test('a receiver goes on whatever those throw who are told', async () => {
    let told = 0;
    const onError = (): never => {
      told++;
      return defect();
    };
    const uncaught = await uncaughtIn(async () => {
      const receiver = new NotificationReceiver({ onDelivery: defect, onRefusal: defect, onError });
      await receiver.start();
      const webhook = receiver.open({ token: null });
      assert.equal((await post(webhook.url, { body: update('t', '1') })).status, 500);
      assert.equal((await post(webhook.url, { path: '/other' })).status, 404);
      await attack(receiver.port, { title: '', pieces: ['no HTTP\r\n\r\n'] });
      await attack(receiver.port, { title: '', pieces: [`CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`] });
      assert.equal((await post(webhook.url, { body: update('t', '2') })).status, 500);
      await receiver.stop();
    });
    assert.deepEqual(uncaught, []);
    assert.equal(told, 5);
  });

  for (const [version, path] of [
    ['1.0', '/'],
    ['task-rest', '/task/t'],
  ] as const)
    test(`a scripted agent of ${version} goes on whatever its script and its listener throw`, async () => {
      const uncaught = await uncaughtIn(async () => {
        const agent = scriptedAgent({ version, script: { AgentCard: defect, GetTask: defect, SubscribeToTask: defect }, onError: defect });
        await agent.start();
        const url = `http://127.0.0.1:${portOf(agent.url)}${path}`;
        for (let count = 0; count < 2; count++) await assert.rejects(fetch(url));
        const upgrade =
          'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
        await attack(portOf(agent.url), { title: '', pieces: [upgrade] });
        await assert.rejects(fetch(url));
        await agent.stop();
      });
      assert.deepEqual(uncaught, []);
    });

  test('what is nested too deeply to be written again is not given on as the value of a notification', () => {
    const { value, problem } = readDelivery('['.repeat(100_000) + ']'.repeat(100_000));
    assert.deepEqual([value, problem?.code], [undefined, 'nested-too-deeply']);
  });

  test('the agent of a card keeps at most 64 MiB of messages, and no requests', async () => {
    const store = new TaskStore();
    const ended = { state: 'TASK_STATE_COMPLETED' } as const;
    for (const id of ['a', 'b', 'c']) {
      store.put({ id, status: ended });
      store.weigh(id, 32 * mebibyte);
    }
    assert.deepEqual([store.shrink(200), store.shrink(1), store.all().map(({ id }) => id)], [['a'], ['b'], ['c']]);
    const agent = scriptedAgent({ version: '1.0', script: {}, keepsRequests: false });
    await agent.start();
    await status(`${agent.url}.well-known/agent-card.json`);
    assert.deepEqual(agent.requests, []);
    await agent.stop();
  });
});
