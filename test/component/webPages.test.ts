import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import { scriptedAgent } from '../../src/mock/scriptedAgent.ts';
import { CardAgent } from '../../src/model/mocks/cardAgent.ts';
import { eventually } from '../support/eventually.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { post, type Posting } from '../support/receiver/post.ts';
import { startSampleAgents } from '../support/sampleAgents.ts';

/** What a page can have a browser send without being asked first (CORS), and what it can where its own name was made to point here. */
const pages: Readonly<Record<string, (url: URL) => Posting['headers']>> = {
  'a page of another site': () => ({ origin: 'https://evil.example', 'content-type': [] }),
  'a page of another server here': () => ({ origin: 'http://localhost:3000', 'content-type': [] }),
  'a page in a file or a frame without an origin': () => ({ origin: 'null', 'content-type': 'text/plain' }),
  'a page whose name points here': ({ port }) => ({ host: `evil.example:${port}`, origin: `http://evil.example:${port}` }),
  'a page whose name points here, which only reads': ({ port }) => ({ host: `localhost.evil.example:${port}` }),
  'a page behind another port': () => ({ host: '127.0.0.1:1' }),
};

suite('servers on loopback and web pages', () => {
  const open = new OpenThings();
  const closers: (() => Promise<void>)[] = [];
  /** What webhooks were told, with the path of each. */
  let told: string[];
  let webhook: string;
  setup(async () => {
    told = [];
    webhook = await open.web((message, response) => {
      let body = '';
      message.on('data', chunk => (body += String(chunk)));
      message.on('end', () => {
        told.push(`${message.url} ${body}`);
        response.end();
      });
    });
  });
  teardown(async () => {
    await Promise.all(closers.splice(0).map(close => close()));
    await open.close();
  });

  const fail = (error: unknown): never => {
    throw error;
  };

  /** The agents that take a webhook with a message, by their name and with the path for messages. */
  const agents: Readonly<Record<string, () => Promise<URL>>> = {
    'the mock of a card': () => mockOf('JSONRPC'),
    'the mock of a card over HTTP+JSON': async () => new URL('./message:send', await mockOf('HTTP+JSON')),
    'a sample agent': async () => {
      const { urls, stop } = await startSampleAgents({ pace: 0 });
      closers.push(stop);
      return new URL(urls.Currency);
    },
  };
  async function mockOf(binding: string): Promise<URL> {
    const card = { ...minimalCard('http://h/', '1.0', binding), capabilities: { streaming: true, pushNotifications: true } };
    const agent = new CardAgent(() => card, fail);
    closers.push(() => agent.stop());
    return new URL(await agent.start());
  }

  function message(url: URL, sender: string): string {
    const params = {
      message: { messageId: sender, role: 'ROLE_USER', parts: [{ text: 'How much is 100 USD in EUR?' }] },
      configuration: { taskPushNotificationConfig: { url: `${webhook}${sender}` } },
    };
    return JSON.stringify(url.pathname === '/' ? { jsonrpc: '2.0', id: 1, method: 'SendMessage', params } : params);
  }

  for (const [name, start] of Object.entries(agents))
    test(`${name} does nothing for a page, and all for a program`, async () => {
      const { info } = console;
      console.info = () => {};
      try {
        const url = await start();
        const path = `${url.pathname}?A2A-Version=1.0`;
        for (const [page, headersFor] of Object.entries(pages)) {
          const refused = await post(url.href, { path, headers: headersFor(url) ?? {}, body: message(url, 'page') });
          assert.deepEqual([page, refused.status, refused.body], [page, 403, '']);
          assert.equal(refused.headers['access-control-allow-origin'], undefined);
        }
        const cardUrl = new URL('/.well-known/agent-card.json', url).href;
        assert.equal((await post(cardUrl, { method: 'GET', headers: { host: `evil.example:${url.port}` } })).status, 403);
        for (const host of ['127.0.0.1', 'LOCALHOST', '[::1]', '[::FFFF:7f00:1]', '[::ffff:127.0.0.1]'])
          assert.equal((await post(cardUrl, { method: 'GET', headers: { host: `${host}:${url.port}` } })).status, 200);
        const taken = await post(url.href, { path, headers: { 'a2a-version': '1.0' }, body: message(url, 'program') });
        assert.equal(taken.status, 200, taken.body);
        await eventually(() => assert.ok(told.some(each => each.includes('TASK_STATE_COMPLETED'))));
        assert.ok(
          told.every(each => each.startsWith('/program ')),
          told.join(),
        );
      } finally {
        console.info = info;
      }
    });

  test('the task API, its WebSocket too, is for no page', async () => {
    const agent = scriptedAgent({ version: 'task-rest', script: { SubscribeToTask: [] } });
    await agent.start();
    closers.push(() => agent.stop());
    const url = new URL(agent.url);
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const opened = async (headers: Posting['headers']): Promise<number> => {
      const sent = request(`${agent.url}ws`, { headers: { ...upgrade, ...headers } }).end();
      return Promise.race([
        once(sent, 'response').then(([response]) => {
          response.resume();
          return response.statusCode as number;
        }),
        once(sent, 'upgrade').then(([response, socket]) => {
          socket.destroy();
          return response.statusCode as number;
        }),
      ]);
    };
    for (const [page, headersFor] of Object.entries(pages)) {
      const headers = headersFor(url) ?? {};
      assert.deepEqual([page, (await post(`${agent.url}task`, { headers, body: '{}' })).status], [page, 403]);
      assert.deepEqual([page, await opened(headers)], [page, 403]);
    }
    assert.equal(await opened({}), 101);
    assert.equal(agent.requests.length, 1);
  });

  test('a mock that is reached under another name, as over a proxy, says so', async () => {
    const agent = scriptedAgent({ version: '1.0', script: {}, isOwnHost: host => host.startsWith('agent.test:') });
    await agent.start();
    closers.push(() => agent.stop());
    const card = `${agent.url}.well-known/agent-card.json`;
    const ask = async (headers: Posting['headers']): Promise<number> =>
      (await post(card, { method: 'GET', headers: headers ?? {} })).status;
    assert.deepEqual(
      [
        await ask({ host: 'Agent.Test:80' }),
        await ask({}),
        await ask({ host: 'evil.example:80' }),
        await ask({ host: 'agent.test:80', origin: 'http://agent.test' }),
      ],
      [200, 200, 403, 403],
    );
  });
});
