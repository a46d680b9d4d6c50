import * as assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localAgentAt } from '../../../src/client/card/localAgent.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';

const card = (port: number) => ({
  name: 'Harbour',
  description: 'Plans berths.',
  version: '1.0.0',
  supportedInterfaces: [
    { url: 'https://harbour.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: `http://localhost:${port}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
});

suite('agents on ports of this machine', () => {
  const http = new Http({ loadObserver });
  suiteTeardown(() => http.close());

  async function asked(answer: (request: IncomingMessage, response: ServerResponse, port: number) => void) {
    const requests: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      requests.push(request);
      answer(request, response, (server.address() as AddressInfo).port);
    });
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const found = await localAgentAt(port, http, new AbortController().signal);
    server.closeAllConnections();
    await new Promise(resolve => {
      server.close(resolve);
    });
    return { port, requests, found };
  }

  test('one is found by its card, under the name of this machine that the card has, without credentials', async () => {
    const { port, requests, found } = await asked((_, response, own) => response.end(JSON.stringify(card(own))));
    assert.deepEqual(found, { name: 'Harbour', url: `http://localhost:${port}` });
    assert.equal(requests.length, 1);
    assert.deepEqual(
      Object.keys(requests[0]!.headers).filter(name => /auth|cookie|key|token/.test(name)),
      [],
    );
  });

  test('one of an older version, at the older place', async () => {
    const { port, found } = await asked((request, response, own) => {
      if (request.url === '/.well-known/agent.json')
        response.end(JSON.stringify({ ...card(own), supportedInterfaces: undefined, url: 'http://0.0.0.0/' }));
      else response.writeHead(404).end();
    });
    assert.deepEqual(found, { name: 'Harbour', url: `http://127.0.0.1:${port}` });
  });

  const others: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse, port: number) => void>> = {
    'a web page': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>'),
    'other JSON': (_, response) => response.end('{"name":"harbour"}'),
    'no JSON': (_, response) => response.end('hello'),
    'JSON without end': (_, response) => response.end('['.repeat(100_000)),
    'a redirect, which is not followed': (_, response, port) =>
      response.writeHead(302, { location: `http://localhost:${port}/elsewhere` }).end(JSON.stringify(card(port))),
    'a broken connection': (_, response) => response.destroy(),
  };
  for (const [name, answer] of Object.entries(others)) {
    test(`nothing is found of ${name}`, async () => {
      const { requests, found } = await asked(answer);
      assert.equal(found, undefined);
      assert.ok(requests.every(({ url = '' }) => url.startsWith('/.well-known/')));
    });
  }

  test('nothing is found where nobody listens', async () => {
    assert.equal(await localAgentAt(9, http, new AbortController().signal), undefined);
  });
});
