import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Http } from '../../../src/client/http/http.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { imported } from '../../../src/request/import/paste.ts';
import { requestFileText } from '../../../src/request/import/requestJson.ts';
import { openStore } from '../../../src/store/openStore.ts';

const fail = (error: unknown): void => assert.fail(String(error));

const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
const older = { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } };
const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Hi' }] };

/** A command's path, headers and body, and what the agent answers. */
const commands: Readonly<Record<string, readonly [path: string, headers: readonly string[], body: object, answer: object]>> = {
  'JSONRPC 1.0': [
    '/rpc',
    ['A2A-Version: 1.0'],
    { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message, configuration: { historyLength: 2 } } },
    { jsonrpc: '2.0', id: 1, result: { task } },
  ],
  'JSONRPC 0.3': [
    '/rpc',
    [],
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/send',
      params: { message: { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'Hi' }] } },
    },
    { jsonrpc: '2.0', id: 1, result: older },
  ],
  'HTTP+JSON 1.0': ['/rest/message:send', ['A2A-Version: 1.0'], { message }, { task }],
};

/** The body without the id of JSON-RPC, which is new each time. */
const withoutId = (body: string): unknown => JSON.parse(body, (key, value: unknown) => (key === 'id' ? undefined : value));

suite('an imported request is sent as it was', () => {
  for (const [title, [path, headers, body, answer]] of Object.entries(commands))
    test(`${title}: the same body once, and the task that still works is not asked for`, async () => {
      const asked: (readonly [url: string, body: string])[] = [];
      const server = createServer((request, response) => {
        void text(request).then(given => {
          const { id } = (given === '' ? {} : JSON.parse(given)) as { id?: unknown };
          const isCard = request.url?.startsWith('/.well-known/') === true || request.method === 'GET';
          if (!isCard) asked.push([request.url ?? '', given]);
          response.writeHead(isCard ? 404 : 200, { 'Content-Type': 'application/json' });
          response.end(JSON.stringify(id === undefined ? answer : { ...answer, id }));
        });
      });
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const folder = mkdtempSync(join(tmpdir(), 'a2a-imported-'));
      const http = new Http({});
      const agents = new Agents({ http, onError: fail });
      const store = openStore(join(folder, 'history.db'));
      const contexts = new AgentContexts({ store, agents, owner: randomUUID(), onError: fail });
      const runs = new RequestRuns({ agents, contexts }, fail);
      try {
        const options = headers.map(header => `-H '${header}' `).join('');
        const { requests } = imported(`curl ${origin}${path} ${options}-d '${JSON.stringify(body)}'`);
        const file = readRequestFile(requestFileText(requests));
        assert.deepEqual(file.problems, []);
        for (let times = 0; times < 2; times++) {
          const run = runs.send(file.requests[0]!, file);
          await run.done;
          assert.equal(run.outcome?.problem, undefined);
          assert.equal(run.outcome?.task?.status.state, 'TASK_STATE_WORKING');
        }
        assert.deepEqual(
          asked.map(([url, given]) => [url, withoutId(given)]),
          [1, 2].map(() => [path, withoutId(JSON.stringify(body))]),
        );
      } finally {
        runs.dispose();
        contexts.dispose();
        agents.dispose();
        store.close();
        await http.close();
        server.closeAllConnections();
        server.close();
        rmSync(folder, { recursive: true });
      }
    });
});
