import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Http } from '../../../src/client/http/http.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import type { AgentSettings } from '../../../src/model/agents/agentSettings.ts';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { shellWords } from '../../../src/request/import/shellWords.ts';
import { systemHost } from '../../../src/request/template/functions.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { requestAsCurl } = await import('../../../src/workbench/requests/requestExports.ts');

/** An HTTP request, ids of its body left out. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const withoutIds = (body: string): unknown =>
  body === '' ? undefined : JSON.parse(body, (key, value: unknown) => (['id', 'messageId'].includes(key) ? '' : value));

const selectors = ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3'] as const;
const objects = {
  'JSONRPC 1.0': { protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  'HTTP+JSON 1.0': { protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  'JSONRPC 0.3': { protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
} as const;

suite('a request that is copied as cURL is the one that is sent', () => {
  let server: Server;
  let origin: string;
  let asked: Asked[];
  let restore: () => void;
  suiteSetup(async () => {
    restore = inPlaceOf('workspace', { isTrusted: true });
    server = createServer((request, response) => {
      void (async () => {
        const { method = '', url = '' } = request;
        const body = await text(request);
        response.setHeader('Content-Type', 'application/json');
        if (url.startsWith('/.well-known/')) {
          response.end(
            JSON.stringify({
              name: 'A',
              description: 'A',
              version: '1',
              skills: [],
              capabilities: { streaming: false },
              defaultInputModes: ['text/plain'],
              defaultOutputModes: ['text/plain'],
              supportedInterfaces: [
                { url: `${origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
                { url: `${origin}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 'acme' },
                { url: `${origin}/v03`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
              ],
            }),
          );
          return;
        }
        asked.push({ method, path: url, body: withoutIds(body) });
        response.statusCode = 500;
        response.end('{}');
      })();
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  suiteTeardown(() => {
    restore();
    server.closeAllConnections();
    server.close();
  });

  let folder: string;
  let http: Http;
  setup(() => {
    asked = [];
    folder = mkdtempSync(join(tmpdir(), 'a2a-copies-'));
    http = new Http({});
  });
  teardown(async () => {
    await http.close();
    rmSync(folder, { recursive: true });
  });

  const fail = (error: unknown): void => assert.fail(String(error));

  /** What is sent, and the command that is copied. */
  const bothOf = async (file: object, settings: Partial<AgentSettings> = {}): Promise<{ sent: Asked; copied: Asked }> => {
    const agents = new Agents({ http, onError: fail });
    agents.configure({ A: { url: origin, ...settings } });
    const store = openStore(join(folder, 'history.db'));
    const contexts = new AgentContexts({ store, agents, owner: randomUUID(), onError: fail });
    const runs = new RequestRuns({ agents, contexts }, fail);
    try {
      const read = readRequestFile(JSON.stringify(file));
      const [entry] = read.requests;
      assert.ok(entry);
      const command = await requestAsCurl(entry, { file: read, functions: systemHost, result: () => undefined }, agents, undefined);
      await runs.send(entry, read).done;
      const [sent] = asked;
      assert.ok(sent);
      const words = shellWords(command).map(String);
      const url = new URL(words.find(word => word.startsWith('http'))!);
      const at = (option: string): string | undefined => (words.includes(option) ? words[words.indexOf(option) + 1] : undefined);
      const body = at('--data-raw') ?? '';
      const method = at('-X') ?? (body === '' ? 'GET' : 'POST');
      return { sent, copied: { method, path: url.pathname + url.search, body: withoutIds(body) } };
    } finally {
      runs.dispose();
      contexts.dispose();
      agents.dispose();
      store.close();
    }
  };

  const request = { agent: 'A', method: 'SendMessage', message: 'hi' };
  for (const selector of selectors) {
    const places: Readonly<Record<string, readonly [file: () => object, settings?: Partial<AgentSettings>]>> = {
      'the request': [
        () => ({ interface: 'JSONRPC 0.3', requests: [{ ...request, interface: selector }] }),
        { interface: objects['JSONRPC 0.3'] },
      ],
      'the request, as an object': [() => ({ requests: [{ ...request, interface: objects[selector] }] })],
      'the request, with its address': [() => ({ requests: [{ ...request, interface: `${selector} ${origin}/elsewhere` }] })],
      'the file': [() => ({ interface: selector, requests: [request] }), { interface: objects['JSONRPC 0.3'] }],
      'the matrix': [() => ({ requests: [{ ...request, matrix: { interface: [selector] } }] }), { interface: objects['JSONRPC 0.3'] }],
      "the agent's settings": [() => request, { interface: objects[selector] }],
    };
    for (const [place, [file, settings]] of Object.entries(places))
      test(`${selector} in ${place}`, async () => {
        const { sent, copied } = await bothOf(file(), settings);
        assert.deepEqual(copied, sent);
        const paths = { 'JSONRPC 1.0': '/rpc', 'HTTP+JSON 1.0': '/rest/acme/message:send', 'JSONRPC 0.3': '/v03' };
        if (!place.endsWith('address')) assert.equal(sent.path, paths[selector]);
      });
  }

  const operations: readonly (readonly [method: string, params: object])[] = [
    ['SendStreamingMessage', { message: { parts: [{ text: 'hi' }] } }],
    ['GetTask', { id: 't 1', historyLength: 2 }],
    ['ListTasks', { pageSize: 5 }],
    ['CancelTask', { id: 't' }],
    ['DeleteTaskPushNotificationConfig', { taskId: 't', id: 'c' }],
  ];
  for (const [method, params] of operations)
    for (const selector of ['JSONRPC 1.0', 'HTTP+JSON 1.0'])
      test(`${method} over ${selector}`, async () => {
        const { sent, copied } = await bothOf({ agent: 'A', interface: selector, method, params });
        assert.deepEqual(copied, sent);
      });
});
