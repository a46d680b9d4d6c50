import * as assert from 'node:assert/strict';
import { createServer, createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createTlsServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { CardDiagnoser } from '../../../src/client/doctor/cardDoctor.ts';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import type { Http } from '../../../src/client/http/http.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { asks, says } from '../../support/client/says.ts';
import { readAgentCard } from '../../../src/protocol/versions/index.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';
import { selfSigned } from '../../support/client/selfSigned.ts';

const pair = selfSigned();
const result = { message: says('hello') };

suite("what an agent's settings say about connections", () => {
  const open = new OpenThings();
  const servers: { close(): void }[] = [];
  const known = getCACertificates('default');
  setup(() => setDefaultCACertificates([...known, pair.cert]));
  teardown(async () => {
    setDefaultCACertificates(known);
    await open.close();
    for (const server of servers.splice(0)) server.close();
  });

  /** An agent with TLS that says over which version of HTTP it was asked; with or without HTTP/2. */
  async function serve(withHttp2: boolean): Promise<{ url: string; versions: string[] }> {
    const versions: string[] = [];
    const answer = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
      versions.push(request.httpVersion);
      const at = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      let body = '';
      request.on('data', (chunk: Buffer) => (body += String(chunk)));
      request.on('end', () => {
        if (request.method === 'GET') {
          response.setHeader('Content-Type', 'application/json');
          response.end(JSON.stringify({ ...cardOf(at) }));
          return;
        }
        const rpc = body.startsWith('{"jsonrpc"') ? (JSON.parse(body) as { id: string; method: string }) : undefined;
        const json = (value: unknown): string => JSON.stringify(rpc === undefined ? value : { jsonrpc: '2.0', id: rpc.id, result: value });
        if (/stream/i.test(`${rpc?.method ?? ''} ${request.url}`)) {
          response.setHeader('Content-Type', 'text/event-stream');
          response.write(`data: ${json(result)}\n\n`);
          response.end();
        } else {
          response.setHeader('Content-Type', 'application/json');
          response.end(json(result));
        }
      });
    };
    const server: Server = withHttp2
      ? (createSecureServer({ ...pair, allowHTTP1: true }, answer as never) as unknown as Server)
      : createTlsServer(pair, answer as never);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, versions };
  }

  const cardOf = (url: string): object => ({
    name: 'h',
    description: '',
    version: '1',
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    capabilities: { streaming: true },
    skills: [],
    defaultInputModes: ['text'],
    defaultOutputModes: ['text'],
  });

  async function converse(http: Http, url: string, protocolBinding: string): Promise<void> {
    const { card, cardUrl, agentUrl } = await resolveAgentCard(url, { http });
    const client = new AgentClient({ card, http, agentUrl, chosen: chooseInterface(card, cardUrl, { protocolBinding }) });
    const answer = await client.call('SendMessage', asks('hi'));
    assert.deepEqual('message' in answer.result && answer.result.message.parts, result.message.parts);
    let events = 0;
    for await (const batch of client.stream('SendStreamingMessage', asks('hi'))) events += batch.events.length;
    assert.equal(events, 1);
  }

  for (const protocolBinding of ['JSONRPC', 'HTTP+JSON'])
    for (const [http2, server, expected] of [
      [true, true, '2.0'],
      [true, false, '1.1'],
      [undefined, true, '1.1'],
    ] as const)
      test(`${protocolBinding}: HTTP/2 ${http2 ? 'asked for' : 'not asked for'}, ${server ? 'offered' : 'not offered'}: ${expected}`, async () => {
        const { url, versions } = await serve(server);
        await converse(open.http().for({ http2 }), url, protocolBinding);
        assert.deepEqual(versions, [expected, expected, expected]);
      });

  test('its card is examined over the same connections', async () => {
    const { url, versions } = await serve(true);
    const http = open.http();
    const agents = new Agents({ http, doctor: new CardDiagnoser({ http }) });
    agents.configure({ Ann: { url, http2: true } });
    await agents.get('Ann')!.connect();
    await agents.get('Ann')!.diagnosed;
    assert.ok(versions.length > 1, `${versions.length} requests`);
    assert.deepEqual([...new Set(versions)], ['2.0']);
  });

  for (const binding of ['JSONRPC', 'HTTP+JSON', 'task-rest'] as const)
    test(`${binding}: an agent that does not begin to answer is given up after answerTimeoutMs`, async () => {
      const script = { SendMessage: [{ stall: true }], SendStreamingMessage: [{ stall: true }], GetTask: [{ stall: true }] } as const;
      const { agent } = binding === 'task-rest' ? await open.spoken(script, 'task-rest') : await open.spoken(script, '1.0', { binding });
      const http = open.http().for({ answerTimeoutMs: 100 });
      const { card, cardUrl, agentUrl } = await resolveAgentCard(agent.url, { http });
      const client = new AgentClient({ card, http, agentUrl, chosen: chooseInterface(card, cardUrl) });
      const error: unknown = await client.call('GetTask', { id: 't' }).then(
        () => assert.fail(),
        reason => reason,
      );
      assert.ok(error instanceof ConnectionProblem, String(error));
      assert.equal(error.code, 'timeout');
      assert.match(error.message, /within 0\.1 seconds/);
    });

  for (const streams of [false, true])
    test(`gRPC: an agent that does not begin to answer ${streams ? 'with a stream ' : ''}is given up after answerTimeoutMs`, async () => {
      const server = createServer().on('stream', stream => stream.on('error', () => {}));
      const sessions: { destroy(): void }[] = [];
      server.on('session', session => sessions.push(session));
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
      servers.push({ close: () => sessions.forEach(session => session.destroy()) }, server);
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const card = readAgentCard(
        { ...cardOf(url), supportedInterfaces: [{ url, protocolBinding: 'GRPC', protocolVersion: '1.0' }] },
        () => {},
      );
      const http = open.http().for({ answerTimeoutMs: 100 });
      const client = new AgentClient({ card, http, agentUrl: url, chosen: chooseInterface(card, url) });
      const { error } = streams
        ? await drain(client.stream('SendStreamingMessage', asks('hi')))
        : await client.call('SendMessage', asks('hi')).then(
            () => assert.fail(),
            (reason: unknown) => ({ error: reason }),
          );
      assert.ok(error instanceof ConnectionProblem, String(error));
      assert.deepEqual([error.code, error.reached], ['timeout', 'unknown']);
      assert.match(error.message, /within 0\.1 seconds/);
    });
});
