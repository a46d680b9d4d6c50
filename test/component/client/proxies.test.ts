import * as assert from 'node:assert/strict';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import type { Http, HttpRequest } from '../../../src/client/http/http.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { environmentNetwork } from '../../../src/client/network/environmentNetwork.ts';
import { inTerminal } from '../../../src/protocol/problem.ts';
import { says } from '../../support/client/says.ts';
import { ForwardProxy, type ForwardProxyOptions } from '../../support/client/forwardProxy.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { selfSigned } from '../../support/client/selfSigned.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';

const asking = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url: new URL(url),
  headers: [],
  body: '{}',
  headersTimeoutMs: 5_000,
  bodyTimeoutMs: 0,
  subject: { operation: 'SendMessage', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ...more,
});

suite('proxies', () => {
  const open = new OpenThings();
  const proxies: ForwardProxy[] = [];
  const servers: { close(): void; closeAllConnections(): void }[] = [];
  teardown(async () => {
    await open.close();
    await Promise.all(proxies.splice(0).map(proxy => proxy.stop()));
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function proxied(options: ForwardProxyOptions = {}, more: { connectTimeoutMs?: number } = {}) {
    const proxy = new ForwardProxy(options);
    proxies.push(proxy);
    const address = await proxy.start();
    const environment: Record<string, string> = { HTTP_PROXY: address, HTTPS_PROXY: address };
    const http = open.http({ ...more, network: () => Promise.resolve(environmentNetwork(environment)) });
    return { proxy, http, environment, address };
  }

  async function failureOf(http: Http, url: string, log?: WireRecording): Promise<ConnectionProblem> {
    const error: unknown = await http.request(asking(url, { ...(log && { log }) })).then(
      () => assert.fail('the request should have failed'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ConnectionProblem, String(error));
    return error;
  }

  const portOf = (url: string): string => new URL(url).port;

  async function tlsServer(): Promise<string> {
    const server = createTlsServer(selfSigned(), (_request, response) => response.end('secret'));
    servers.push(server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return `https://agent.test:${(server.address() as AddressInfo).port}/`;
  }

  test('a request without TLS is forwarded with its whole address, the one to this machine is not', async () => {
    const { proxy, http } = await proxied({ credentials: 'alice:pa%20ss' });
    const hosts: (string | undefined)[] = [];
    const url = await open.web((request, response) => {
      hosts.push(request.headers.host);
      assert.equal(request.headers['proxy-authorization'], undefined);
      response.end(`${request.method} ${request.url}`);
    });
    const outside = `http://agent.test:${portOf(url)}/ask?x=1`;
    assert.equal(await (await http.request(asking(outside))).text(), 'POST /ask?x=1');
    assert.deepEqual(proxy.forwarded, [outside]);
    assert.deepEqual(hosts, [`agent.test:${portOf(url)}`]);
    assert.deepEqual(proxy.authorizations, [`Basic ${Buffer.from('alice:pa ss').toString('base64')}`]);
    await (await http.request(asking(url))).text();
    assert.equal(proxy.forwarded.length, 1);
  });

  test('other variables are effective with the next request', async () => {
    const { proxy, http, environment } = await proxied();
    const other = new ForwardProxy();
    proxies.push(other);
    const url = await open.web((_request, response) => response.end('ok'));
    const outside = `http://agent.test:${portOf(url)}/`;
    await (await http.request(asking(outside))).text();
    environment['HTTP_PROXY'] = await other.start();
    await (await http.request(asking(outside))).text();
    assert.deepEqual([proxy.forwarded.length, other.forwarded.length], [1, 1]);
    delete environment['HTTP_PROXY'];
    assert.match((await failureOf(http, outside)).message, /agent\.test/);
    assert.deepEqual([proxy.forwarded.length, other.forwarded.length], [1, 1]);
  });

  test('https goes through a tunnel, and the certificate is that of the server', async () => {
    const { proxy, http } = await proxied({ credentials: 'alice:secret-pass' });
    const url = await tlsServer();
    const problem = await failureOf(http, url);
    assert.equal(problem.code, 'tls');
    assert.match(problem.message, /^The certificate of agent\.test:\d+ is self-signed/);
    assert.deepEqual(proxy.tunnels, [new URL(url).host]);
  });

  for (const binding of ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const)
    test(`${binding}: card, message and stream go through the proxy`, async () => {
      const { proxy, http } = await proxied({ credentials: 'alice:secret-pass' });
      const agent = await open.agent(says('hello'), '1.0', { binding } as never);
      const address = agent.url.replace(/\/\/[^:/]+/, '//agent.test').replace(/^http:/, binding === 'GRPC' ? 'grpc:' : 'http:');
      const log = new WireRecording();
      const { card, cardUrl, agentUrl } = await resolveAgentCard(address, { http, log });
      const outside = {
        ...card,
        supportedInterfaces: card.supportedInterfaces.map(each => ({ ...each, url: each.url.replace(/127\.0\.0\.1|localhost/, 'agent.test') })),
      };
      const client = new AgentClient({ card: outside, http, agentUrl, chosen: chooseInterface(outside, cardUrl) });
      const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'hi' }] } as never;
      await client.call('SendMessage', { message }, { log });
      let events = 0;
      for await (const batch of client.stream('SendStreamingMessage', { message }, { log })) events += batch.events.length;
      assert.ok(events > 0);
      const through = binding === 'GRPC' ? proxy.tunnels : proxy.forwarded;
      assert.equal(through.length, 3, JSON.stringify(through));
      assert.ok(through.every(each => each.includes('agent.test')));
      assert.doesNotMatch(JSON.stringify(log), /secret-pass|c2VjcmV0LXBhc3/);
    });

  test('what a proxy does wrong is one sentence with the next step, without its credentials', async () => {
    const plain = 'http://agent.test:1234/';
    const secure = 'https://agent.test:1234/';
    for (const [options, url, expected] of [
      [{ credentials: 'alice:right' }, plain, /does not accept the credentials \(HTTP 407\)/],
      [{ credentials: 'alice:right' }, secure, /does not accept the credentials \(HTTP 407\)/],
      [{ refuses: 403 }, secure, /refuses to connect to agent\.test:1234 \(HTTP 403\)/],
      [{ refuses: 502 }, secure, /could not reach agent\.test:1234 \(HTTP 502\)/],
      [{ refuses: 'silently' }, secure, /did not answer within 0\.5 seconds/],
    ] as const) {
      const { proxy, environment, http } = await proxied(options, { connectTimeoutMs: 500 });
      environment['HTTP_PROXY'] = environment['HTTPS_PROXY'] = `http://alice:wrong-canary@127.0.0.1:${proxy.port}`;
      const log = new WireRecording();
      const problem = await failureOf(http, url, log);
      assert.match(problem.message, expected);
      assert.equal(problem.reached, 'no');
      assert.equal(problem.code, 'unreachable');
      assert.ok(problem.nextStep !== undefined && inTerminal(problem.nextStep).length > 10);
      assert.doesNotMatch(`${problem.message} ${problem.details} ${JSON.stringify(log)}`, /wrong-canary|d3JvbmctY2FuYXJ5/);
    }
  });

  test('a proxy that wants credentials and got none says so', async () => {
    const { proxy, environment, http } = await proxied({ credentials: 'alice:right' });
    environment['HTTP_PROXY'] = environment['HTTPS_PROXY'] = `127.0.0.1:${proxy.port}`;
    for (const url of ['http://agent.test:1/', 'https://agent.test:1/'])
      assert.match((await failureOf(http, url)).message, /^The proxy 127\.0\.0\.1:\d+ wants credentials \(HTTP 407\)\.$/);
  });

  test('a proxy that is not there is told from an agent that is not there', async () => {
    const dead = await open.deadPort();
    const http = open.http({
      network: () => Promise.resolve(environmentNetwork({ ALL_PROXY: `http://127.0.0.1:${String(dead).split(':').at(-1)}` })),
    });
    for (const url of ['http://agent.test/', 'https://agent.test/'])
      assert.match((await failureOf(http, url)).message, /^No proxy is listening at 127\.0\.0\.1:\d+\.$/);
    const unknown = open.http({ network: () => Promise.resolve(environmentNetwork({ ALL_PROXY: 'http://proxy.invalid:1' })) });
    assert.match((await failureOf(unknown, 'http://agent.test/')).message, /host "proxy\.invalid" of the proxy was not found/);
    const socks = open.http({ network: () => Promise.resolve(environmentNetwork({ ALL_PROXY: 'socks5://u:canary@127.0.0.1:1' })) });
    const problem = await failureOf(socks, 'http://agent.test/');
    assert.match(problem.message, /ALL_PROXY is one for socks5/);
    assert.doesNotMatch(problem.message, /canary/);
  });

  test('the certificate of a proxy with TLS is checked', async () => {
    const { proxy, http } = await proxied({ tls: selfSigned() });
    const url = await open.web((_request, response) => response.end('ok'));
    for (const address of [`http://agent.test:${portOf(url)}/`, 'https://agent.test:1/']) {
      const problem = await failureOf(http, address);
      assert.equal(problem.code, 'tls');
      assert.match(problem.message, /^The certificate of the proxy 127\.0\.0\.1:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/);
    }
    assert.deepEqual([proxy.forwarded, proxy.tunnels], [[], []]);
    const lax = open.http({
      network: () =>
        Promise.resolve({
          systemCertificates: false,
          proxyFor: () => Promise.resolve({ url: new URL(`https://127.0.0.1:${proxy.port}`), authorization: undefined, strictTls: false }),
        }),
    });
    assert.equal(await (await lax.request(asking(`http://agent.test:${portOf(url)}/`))).text(), 'ok');
    assert.match((await failureOf(lax, await tlsServer())).message, /self-signed/);
    assert.equal(proxy.tunnels.length, 1);
  });
});
