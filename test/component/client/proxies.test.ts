import * as assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { configuredHeaders } from '../../../src/client/http/configuredHeaders.ts';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import type { Http, HttpRequest } from '../../../src/client/http/http.ts';
import { trustIn } from '../../../src/client/http/origin.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { environmentNetwork } from '../../../src/client/network/chooseProxy.ts';
import { openTaskSocket } from '../../../src/client/taskRest/taskSocket.ts';
import type { Endpoint } from '../../../src/client/transport/transport.ts';
import { inTerminal } from '../../../src/protocol/problem.ts';
import { asks, says } from '../../support/client/says.ts';
import { serveGrpcAgent } from '../../support/client/grpcAgents.ts';
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
  const proxies: { stop(): Promise<void> }[] = [];
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

  for (const binding of ['JSONRPC', 'HTTP+JSON'] as const)
    test(`${binding}: card, message and stream go through the proxy`, async () => {
      const { proxy, http } = await proxied({ credentials: 'alice:secret-pass' });
      const agent = await open.agent(
        { SendMessage: [{ answer: { message: says('hello') } }], SendStreamingMessage: [{ event: { message: says('hello') } }] },
        '1.0',
        { binding },
      );
      const address = agent.url.replace(/\/\/[^:/]+/, '//agent.test');
      const log = new WireRecording();
      const { card, cardUrl, agentUrl } = await resolveAgentCard(address, { http, log });
      const outside = {
        ...card,
        supportedInterfaces: card.supportedInterfaces.map(each => ({
          ...each,
          url: each.url.replace(/127\.0\.0\.1|localhost/, 'agent.test'),
        })),
      };
      const client = new AgentClient({ card: outside, http, agentUrl, chosen: chooseInterface(outside, cardUrl) });
      await client.call('SendMessage', asks('hi'), { log });
      let events = 0;
      for await (const batch of client.stream('SendStreamingMessage', asks('hi'), { log })) events += batch.events.length;
      assert.ok(events > 0);
      assert.equal(proxy.forwarded.length, 3, JSON.stringify(proxy.forwarded));
      assert.ok(proxy.forwarded.every(each => each.startsWith('http://agent.test:')));
      assert.equal(agent.requests.length, 3);
      assert.doesNotMatch(JSON.stringify(agent.requests), /proxy-authorization|secret-pass|c2VjcmV0LXBhc3/i);
      assert.doesNotMatch(JSON.stringify(log), /secret-pass|c2VjcmV0LXBhc3/);
    });

  test('gRPC goes through a tunnel: card, message and stream', async () => {
    const { proxy, http } = await proxied({ credentials: 'alice:secret-pass' });
    const agent = await serveGrpcAgent('1.0', {
      card: address => ({
        name: 'g',
        version: '1',
        description: '',
        supportedInterfaces: [{ url: address.replace('127.0.0.1', 'agent.test'), protocolBinding: 'GRPC', protocolVersion: '1.0' }],
        capabilities: { streaming: true },
        skills: [],
        defaultInputModes: [],
        defaultOutputModes: [],
      }),
    });
    proxies.push(agent as never);
    const log = new WireRecording();
    const outside = agent.address.replace('127.0.0.1', 'agent.test');
    // Plain HTTP/2: an address without a scheme would be taken for one with TLS.
    const { card, agentUrl, ownInterface } = await resolveAgentCard(`grpc://${outside}`, { http, log });
    const chosen = chooseInterface(
      card,
      agentUrl,
      { ...ownInterface, url: `http://${outside}` },
      { source: 'options', trust: trustIn(new URL(agentUrl), new Set()) },
    );
    const client = new AgentClient({ card, http, agentUrl, chosen });
    await client.call('SendMessage', asks('hello'), { log });
    let events = 0;
    for await (const batch of client.stream('SendStreamingMessage', asks('hello'), { log })) events += batch.events.length;
    assert.equal(events, 1);
    assert.deepEqual(proxy.tunnels, [outside, outside, outside]);
    assert.doesNotMatch(`${JSON.stringify(log)} ${JSON.stringify(agent.metadata())}`, /secret-pass|c2VjcmV0LXBhc3/);
  });

  test('over gRPC a proxy that refuses is told from the agent', async () => {
    for (const [options, expected] of [
      [{ refuses: 403 }, /^The proxy 127\.0\.0\.1:\d+ refuses to connect to agent\.test:1234 \(HTTP 403\)\.$/],
      [{ refuses: 'silently' }, /^The proxy 127\.0\.0\.1:\d+ did not answer within 0\.3 seconds\.$/],
    ] as const) {
      const { http } = await proxied(options, { connectTimeoutMs: 300 });
      const error: unknown = await resolveAgentCard('grpc://agent.test:1234', { http }).then(
        () => assert.fail(),
        reason => reason,
      );
      assert.ok(error instanceof ConnectionProblem, String(error));
      assert.match(error.message, expected);
      assert.deepEqual([error.code, error.reached], ['unreachable', 'no']);
    }
  });

  test('a WebSocket goes through a tunnel and the address keeps its path', async () => {
    const { proxy, http } = await proxied({ credentials: 'alice:secret-pass' });
    const asked: string[] = [];
    const url = await open.upgrading((request, socket) => {
      asked.push(`${request.headers.host} ${request.url} ${request.headers['proxy-authorization']} ${request.headers['x-key']}`);
      const accept = createHash('sha1')
        .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
        .digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      socket.write(Buffer.from([0x81, 2, 0x68, 0x69]));
    });
    const log = new WireRecording();
    const outside = `agent.test:${portOf(url)}`;
    const socket = await openTaskSocket(
      { http, url: new URL(`http://${outside}/a:b/c?d=e:f`), headers: configuredHeaders({ 'X-Key': 'k' }) } as unknown as Endpoint,
      { operation: 'SubscribeToTask', protocolBinding: 'TASK-REST', protocolVersion: '1' },
      { opening: 5_000, maxPayload: 1_000 },
      { log },
    );
    assert.deepEqual(
      (await socket?.next())?.map(({ data }) => data),
      ['hi'],
    );
    socket?.close();
    assert.deepEqual(asked, [`${outside} /a:b/c?d=e:f undefined k`]);
    assert.deepEqual(proxy.tunnels, [outside]);
    assert.equal(log.last.request.url, `ws://${outside}/a:b/c?d=e:f`);
    assert.doesNotMatch(JSON.stringify(log), /secret-pass|c2VjcmV0LXBhc3/);
  });

  test('a WebSocket that a proxy refuses or leaves waiting does not open, and the exchange says why', async () => {
    for (const [options, expected] of [
      [{ refuses: 403 }, /The proxy .* refuses to connect to agent\.test:80 \(HTTP 403\)/],
      [{ refuses: 'silently' }, /opened no WebSocket within 0\.3 seconds/],
    ] as const) {
      const { http } = await proxied(options);
      const log = new WireRecording();
      const socket = await openTaskSocket(
        { http, url: new URL('http://agent.test/'), headers: configuredHeaders() } as unknown as Endpoint,
        { operation: 'SubscribeToTask', protocolBinding: 'TASK-REST', protocolVersion: '1' },
        { opening: 300, maxPayload: 1_000 },
        { log },
      );
      assert.equal(socket, undefined);
      assert.match(log.last.failure ?? '', expected);
    }
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

  test('an answer of the proxy itself that repeats its credentials is masked', async () => {
    const { http } = await proxied({ credentials: 'alice:secret-pass', refuses: 502 });
    const log = new WireRecording();
    const response = await http.request(asking('http://agent.test:1/', { log }));
    const text = await response.text();
    response.record.end();
    assert.match(text, /^refused: Basic /);
    assert.doesNotMatch(`${text} ${JSON.stringify(log)}`, /secret-pass|YWxpY2U6c2VjcmV0/);
  });

  test('a proxy that wants credentials and got none says so', async () => {
    const { proxy, environment, http } = await proxied({ credentials: 'alice:right' });
    environment['HTTP_PROXY'] = environment['HTTPS_PROXY'] = `127.0.0.1:${proxy.port}`;
    for (const url of ['http://agent.test:1/', 'https://agent.test:1/'])
      assert.match((await failureOf(http, url)).message, /^The proxy 127\.0\.0\.1:\d+ requires credentials \(HTTP 407\)\.$/);
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
