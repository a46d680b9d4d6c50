import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { startWorld, type World } from '../../support/model/world.ts';

const canary = 'c0Qz-loopback-7Kx';

/** How an agent leads elsewhere; `there` is another program that listens at the same port of another address of this machine. */
interface Lead {
  readonly card: (there: string, here: string) => object;
  /** The card and the message, where they are not answered as usual. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse, there: string) => boolean;
  /** Anybody may be asked without headers. */
  readonly asks?: true;
}

const entry = (url: string, protocolBinding = 'JSONRPC', protocolVersion = '1.0'): object => ({ url, protocolBinding, protocolVersion });
const leading = (...interfaces: readonly object[]): object => ({ ...minimalCard('', '1.0'), supportedInterfaces: interfaces });
const own = (_there: string, here: string): object => minimalCard(`${here}/a`, '1.0');
const redirect =
  (isMeant: (request: IncomingMessage) => boolean, status: number): Lead['answer'] =>
  (request, response, there) => {
    if (!isMeant(request)) return false;
    response.writeHead(status, { Location: `${there}/taken` }).end();
    return true;
  };

const leads: Readonly<Record<string, Lead>> = {
  'an interface of JSON-RPC': { card: there => leading(entry(`${there}/a`)) },
  'an interface of HTTP+JSON': { card: there => leading(entry(`${there}/a`, 'HTTP+JSON')) },
  'an interface of gRPC': { card: there => leading(entry(there.slice('http://'.length), 'GRPC')) },
  'an interface of 0.3': { card: there => minimalCard(`${there}/a`, '0.3') },
  'an interface that comes first': { card: (there, here) => leading(entry(`${there}/a`), entry(`${here}/a`)) },
  'an interface of another version, once the first refuses': {
    card: (there, here) => leading(entry(`${here}/a`), entry(`${there}/a`, 'JSONRPC', '0.3')),
    answer: (request, response) => {
      if (request.method !== 'POST') return false;
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end('{"jsonrpc":"2.0","id":1,"error":{"code":-32009,"message":"version not supported"}}');
      return true;
    },
  },
  'a task that is to be listened to over WebSocket': { card: there => ({ ...minimalCard(`${there}/a`, 'task-rest') }) },
  'a card behind a redirect': { card: own, answer: redirect(({ method }) => method === 'GET', 302), asks: true },
  ...Object.fromEntries(
    [302, 307, 308].map((status): [string, Lead] => [
      `a message redirected by ${status}`,
      { card: own, answer: redirect(({ method }) => method === 'POST', status) },
    ]),
  ),
  'addresses of tokens, keys, icons and pages': {
    card: (there, here) => ({
      ...minimalCard(`${here}/a`, '1.0'),
      iconUrl: `${there}/icon.png`,
      documentationUrl: `${there}/docs`,
      provider: { organization: 'O', url: there },
      securitySchemes: {
        o: { openIdConnectSecurityScheme: { openIdConnectUrl: `${there}/openid` } },
        p: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: `${there}/token`, scopes: {} } } } },
      },
      signatures: [
        {
          protected: Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'k', jku: `${there}/jwks.json` })).toString('base64url'),
          signature: 'AAAA',
        },
      ],
    }),
  },
  'a file of an answer': {
    card: own,
    answer: (request, response, there) => {
      if (request.method !== 'POST') return false;
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          result: { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ url: `${there}/file.png`, mediaType: 'image/png' }] } },
        }),
      );
      return true;
    },
  },
};

/** Where the other program listens, and how that is written in addresses. */
const others: readonly (readonly [listens: string, name: string])[] = [
  ['::1', '[::1]'],
  ['127.0.0.2', '127.0.0.2'],
];

suite("other programs at the agent's port of this machine", () => {
  const servers: Server[] = [];
  let world: World | undefined;
  teardown(async () => {
    await world?.close();
    world = undefined;
    await Promise.all(
      servers.splice(0).map(async server => {
        server.close();
        await once(server, 'close');
      }),
    );
  });

  const listen = async (server: Server, host: string, port = 0): Promise<number> => {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
    server.listen(port, host);
    await once(server, 'listening');
    servers.push(server);
    const close = server.close.bind(server);
    server.close = () => {
      for (const socket of sockets) socket.destroy();
      return close();
    };
    return (server.address() as AddressInfo).port;
  };

  for (const [listens, name] of others) {
    test(`get no headers, at ${name}`, async () => {
      world = await startWorld({ version: '1.0', script: {} });
      const { agents, contexts } = world.open();
      for (const [title, lead] of Object.entries(leads)) {
        let [there, here] = ['', ''];
        const got: string[] = [];
        const atHome: string[] = [];
        const home = createServer((request, response) => {
          atHome.push(`${request.method} ${String(request.headers['authorization'])}`);
          request.resume().on('end', () => {
            if (lead.answer?.(request, response, there) === true) return;
            response
              .writeHead(200, { 'Content-Type': 'application/json' })
              .end(
                JSON.stringify(
                  request.method === 'GET'
                    ? lead.card(there, here)
                    : { jsonrpc: '2.0', id: 1, result: { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'fine' }] } } },
                ),
              );
          });
        });
        const port = await listen(home, '127.0.0.1');
        [there, here] = [`http://${name}:${port}`, `http://127.0.0.1:${port}`];
        await listen(
          createTcpServer(socket => {
            got.push('');
            socket.on('data', data => {
              got.push(data.toString('latin1'));
              socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
            });
          }),
          listens,
          port,
        );
        const agent = `${title} ${name}`;
        agents.configure({ [agent]: { url: `${here}/`, headers: { Authorization: `Bearer ${canary}` } } });
        const context = contexts.create(agent);
        await context.send({ parts: [{ text: 'hi' }], target: 'new-task' }).done;
        await agents.get(agent)!.diagnosed;
        context.dispose();
        assert.ok(
          atHome.some(text => text.includes(canary)),
          `${title}: the headers do not go to the agent itself`,
        );
        if (lead.asks) assert.ok(got.length > 0 && !got.join('').includes(canary), title);
        else assert.deepEqual(got, [], title);
      }
    });
  }

  test('an agent whose card names this machine in another way is spoken to: without headers as it says, with headers once that is allowed', async () => {
    world = await startWorld({ version: '1.0', script: {} });
    const { agents } = world.open();
    const seen: string[] = [];
    let named = '';
    const home = createServer((request, response) => {
      seen.push(`${request.method} ${request.headers.host}`);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(minimalCard(named, '1.0')));
    });
    const port = await listen(home, '127.0.0.1');
    const url = `http://localhost:${port}/`;
    const [other, everywhere] = [`http://127.0.0.1:${port}/rpc`, `http://0.0.0.0:${port}/rpc`];
    const headers = { 'X-Key': canary };
    const spoken = async (): Promise<string> => (await agents.get('Ann')!.connect()).chosen.interface.url;
    named = other;
    agents.configure({ Ann: { url } });
    assert.equal(await spoken(), other);
    agents.configure({ Ann: { url, headers } });
    await assert.rejects(spoken(), { code: 'foreign-origin', origin: `http://127.0.0.1:${port}` });
    agents.configure({ Ann: { url, headers, origins: [`http://127.0.0.1:${port}`] } });
    assert.equal(await spoken(), other);
    // To listen on, and not to connect to: the host is meant that has the card.
    named = everywhere;
    agents.configure({ Ann: { url, headers, extensions: [] } });
    assert.equal(await spoken(), `http://localhost:${port}/rpc`);
  });
});
