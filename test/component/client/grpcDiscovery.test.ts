import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ServerCredentials } from '@grpc/grpc-js';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { resolveAgentCard, type ResolvedAgentCard, type ResolveOptions } from '../../../src/client/card/agentCardResolver.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { english, inTerminal, Problem } from '../../../src/protocol/problem.ts';
import { serveGrpcAgent, type ServeOptions } from '../../support/client/grpcAgents.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { serveRaw } from '../../support/client/rawGrpc.ts';
import { asks } from '../../support/client/says.ts';
import { selfSigned } from '../../support/client/selfSigned.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';

type Generation = '1.0' | '0.3';
const generations: readonly Generation[] = ['1.0', '0.3'];

/** A card in the words of a generation, for an agent at that address; `hidden` of its addresses are other ones. */
const cardOf =
  (generation: Generation, listed: (address: string) => string) =>
  (address: string): object => ({
    name: 'Harbour master',
    description: 'Knows every ship.',
    version: '7',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'berth', name: 'Berth', description: 'Finds a berth.', tags: ['harbour'] }],
    ...(generation === '1.0'
      ? {
          supportedInterfaces: [
            { url: 'https://harbour.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
            { url: listed(address), protocolBinding: 'GRPC', protocolVersion: '1.0' },
          ],
        }
      : {
          protocolVersion: '0.3.0',
          url: listed(address),
          preferredTransport: 'GRPC',
          additionalInterfaces: [{ url: 'https://harbour.example/rpc', transport: 'JSONRPC' }],
        }),
  });

suite('an agent found by the address of its gRPC service', () => {
  const open = new OpenThings();
  const servers: { stop(): Promise<void> }[] = [];
  const trusted = getCACertificates('default');
  const { key, cert } = selfSigned();
  const withTls: ServeOptions = {
    credentials: ServerCredentials.createSsl(null, [{ private_key: Buffer.from(key), cert_chain: Buffer.from(cert) }]),
  };
  teardown(async () => {
    setDefaultCACertificates(trusted);
    await open.close();
    await Promise.all(servers.splice(0).map(server => server.stop()));
  });

  async function addressOf(generation: Generation, options?: ServeOptions): Promise<string> {
    const agent = await serveGrpcAgent(generation, options);
    servers.push(agent);
    return agent.address;
  }

  const resolve = (address: string, options: Partial<ResolveOptions> = {}): Promise<ResolvedAgentCard> =>
    resolveAgentCard(address, { http: open.http(), ...options });

  async function problemAt(address: string, options?: Partial<ResolveOptions>): Promise<Problem> {
    const problem: unknown = await resolve(address, options).then(
      () => assert.fail('a card'),
      (error: unknown) => error,
    );
    assert.ok(problem instanceof Problem, String(problem));
    assert.ok(problem.nextStep !== undefined, problem.code);
    return problem;
  }

  /** What the agent answers to a greeting over what was found. */
  async function greeted(
    { card, cardUrl, agentUrl, ownInterface }: ResolvedAgentCard,
    headers?: Readonly<Record<string, string>>,
  ): Promise<unknown> {
    const client = new AgentClient({
      card,
      agentUrl,
      http: open.http(),
      chosen: chooseInterface(card, cardUrl, ownInterface, { source: 'address' }),
      ...(headers && { headers }),
    });
    const { result } = await client.call('SendMessage', asks('hello'));
    return 'message' in result ? result.message.parts[0] : result;
  }

  for (const generation of generations) {
    for (const [how, options, scheme] of [
      ['h2c', {}, 'http'],
      ['h2 over TLS', withTls, 'https'],
    ] as const) {
      test(`${generation} over ${how}: its card is got by gRPC, and it is spoken to`, async () => {
        setDefaultCACertificates([...trusted, cert]);
        const address = await addressOf(generation, { ...options, card: cardOf(generation, at => `${scheme}://${at}`) });
        const log = new WireRecording();
        const found = await resolve(`${scheme}://${address}/`, { log });
        assert.deepEqual([found.card.name, found.card.skills.map(({ id }) => id), found.findings], ['Harbour master', ['berth'], []]);
        assert.equal((JSON.parse(found.source) as { name: string }).name, 'Harbour master');
        assert.deepEqual(chooseInterface(found.card, found.cardUrl, found.ownInterface).interface, {
          url: `${scheme}://${address}/`,
          protocolBinding: 'GRPC',
          protocolVersion: generation,
        });
        assert.deepEqual(await greeted(found), { text: 'hi' });
        const asked = log.exchanges.at(-1)!;
        assert.deepEqual([asked.operation, asked.protocolBinding, asked.protocolVersion], ['AgentCard', 'GRPC', generation]);
        assert.match(asked.response?.body ?? '', /Harbour master/);
      });

      test(`${generation} over ${how} without a card: what was found is said, and one who asks for gRPC speaks to it`, async () => {
        setDefaultCACertificates([...trusted, cert]);
        const address = `${scheme}://${await addressOf(generation, options)}`;
        const problem = await problemAt(address);
        assert.equal(problem.code, 'grpc-without-card');
        assert.ok(
          problem.message.startsWith(`${address} is an A2A ${generation} agent over gRPC without an agent card. `),
          problem.message,
        );
        assert.match(problem.message, /extended card/);
        assert.match(english(problem.nextStep!), new RegExp(`the interface GRPC ${generation} .*"interface" in the agent's settings`));
        assert.match(inTerminal(problem.nextStep!), new RegExp(`the interface GRPC ${generation} with --interface`));
        const found = await resolve(address, { wanted: { protocolBinding: 'grpc', protocolVersion: generation } });
        assert.deepEqual([found.card.name, found.card.supportedInterfaces.length, found.findings], [new URL(address).host, 1, []]);
        assert.deepEqual(await greeted(found), { text: 'hi' });
      });
    }
  }

  test('a certificate that is not trusted is what is told', async () => {
    const problem = await problemAt(`https://${await addressOf('1.0', withTls)}`);
    assert.deepEqual([problem.code, /self-signed/.test(problem.message)], ['tls', true]);
  });

  test('an address with the schemes of gRPC', async () => {
    const address = await addressOf('1.0', { card: cardOf('1.0', at => at) });
    for (const typed of [`grpc://${address}`, `dns:///${address}`]) {
      const log = new WireRecording();
      const found = await resolve(typed, { log });
      assert.deepEqual(
        [found.card.name, found.agentUrl, log.exchanges.map(({ protocolBinding }) => protocolBinding)],
        ['Harbour master', `http://${address}/`, ['GRPC']],
      );
      assert.deepEqual(await greeted(found), { text: 'hi' });
    }
  });

  for (const generation of generations) {
    test(`${generation}: a card that does not list the address it came from is given it; so is one that lists none`, async () => {
      for (const listed of ['http://elsewhere.example:50051', '']) {
        const address = await addressOf(generation, { card: cardOf(generation, () => listed) });
        const found = await resolve(`http://${address}`);
        assert.equal(chooseInterface(found.card, found.cardUrl, found.ownInterface).interface.url, `http://${address}/`);
        assert.deepEqual(await greeted(found), { text: 'hi' });
      }
    });
  }

  test('an interface in another version than that of the service that gives the card', async () => {
    const older = await addressOf('0.3');
    const address = await addressOf('1.0', {
      card: at => ({
        ...cardOf('1.0', () => at)(at),
        supportedInterfaces: [
          { url: at, protocolBinding: 'GRPC', protocolVersion: '1.0' },
          { url: older, protocolBinding: 'GRPC', protocolVersion: '0.3' },
        ],
      }),
    });
    const wanted = { protocolBinding: 'GRPC', protocolVersion: '0.3' };
    const found = await resolve(address, { wanted });
    assert.deepEqual(
      [found.card.name, chooseInterface(found.card, found.cardUrl, wanted).interface.url],
      ['Harbour master', `http://${older}/`],
    );
    assert.deepEqual(await greeted({ ...found, ownInterface: wanted }), { text: 'hi' });
  });

  test('a card behind credentials: they are asked for, and go along', async () => {
    const address = await addressOf('1.0', { authorization: 'Bearer abc', card: cardOf('1.0', at => at) });
    const problem = await problemAt(address);
    assert.equal(problem.code, 'grpc-without-card');
    assert.match(problem.message, /requires credentials \(gRPC UNAUTHENTICATED\): show your ticket/);
    assert.match(english(problem.nextStep!), /^Set its credentials/);
    const headers = { Authorization: 'Bearer abc' };
    const found = await resolve(address, { headers });
    assert.equal(found.card.name, 'Harbour master');
    assert.deepEqual(await greeted(found, headers), { text: 'hi' });
  });

  test('a service of HTTP/2 that is no agent, and one of neither', async () => {
    const page = await serveRaw({ head: { ':status': 404 } });
    servers.push(page);
    for (const wanted of [undefined, { protocolBinding: 'GRPC' }]) {
      const problem = await problemAt(page.address, { wanted });
      assert.deepEqual([problem.code, /only over HTTP\/2, and not as an A2A agent/.test(problem.message)], ['http2-instead-of-card', true]);
    }
    const other = await serveRaw({ head: { 'grpc-status': '12', 'grpc-message': 'unknown service' } });
    servers.push(other);
    assert.equal((await problemAt(other.address)).code, 'http2-instead-of-card');
    const neither = await open.tcp(socket => socket.once('data', () => socket.end('220 ready, are you?\r\n')));
    assert.equal((await problemAt(neither)).code, 'unreachable');
  });

  test('a server that has pages over HTTP/1.1 and a gRPC service: whoever asks for gRPC gets it', async () => {
    setDefaultCACertificates([...trusted, cert]);
    const server = createSecureServer({ key, cert, allowHTTP1: true }, (request: Http2ServerRequest, response: Http2ServerResponse) => {
      if (request.httpVersionMajor < 2) response.writeHead(404).end('no page');
      // NOT_FOUND of a task nobody has; UNIMPLEMENTED of the card.
      else
        response
          .writeHead(200, {
            'content-type': 'application/grpc',
            'grpc-status': request.url.endsWith('/GetTask') ? '5' : '12',
            'grpc-message': 'no',
          })
          .end();
    });
    const sessions = new Set<{ destroy(): void }>();
    server.on('session', session => sessions.add(session)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push({
      stop: async () => {
        for (const session of sessions) session.destroy();
        server.close();
      },
    });
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    assert.equal((await problemAt(address)).code, 'no-card');
    const { card, ownInterface } = await resolve(address, { wanted: { protocolBinding: 'GRPC' } });
    assert.deepEqual([card.supportedInterfaces[0]?.url, ownInterface], [address, { protocolBinding: 'GRPC', protocolVersion: '1.0' }]);
  });

  test('whoever cancels hears so', async () => {
    const silent = await serveRaw({ cut: 'hang' });
    servers.push(silent);
    const cancel = new AbortController();
    const cancelled = assert.rejects(resolve(`grpc://${silent.address}`, { signal: cancel.signal }), {
      name: 'AbortError',
      code: 'cancelled',
    });
    await silent.asked;
    cancel.abort();
    await cancelled;
  });
});
