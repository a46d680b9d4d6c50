import * as assert from 'node:assert/strict';
import type { Step } from '../../../src/mock/script.ts';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { ignoreFindings } from '../../../src/protocol/finding.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { readAgentCard } from '../../../src/protocol/versions/index.ts';
import { error } from '../../../src/request/expect/error.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { serveRaw } from '../../support/client/rawGrpc.ts';
import { asks } from '../../support/client/says.ts';

/** Which of some expectations hold of what an agent refused with. */
async function holding(call: Promise<unknown>, wanted: readonly (number | string)[]): Promise<readonly (number | string)[]> {
  const problem: unknown = await call.then(
    () => assert.fail('an answer'),
    (thrown: unknown) => thrown,
  );
  assert.ok(problem instanceof Problem, String(problem));
  return wanted.filter(each => error.check(each, { problem, startedAt: 0, endedAt: 0 }).every(({ failure }) => failure === undefined));
}

suite('an expected error by its status', () => {
  const open = new OpenThings();
  const servers: { stop(): Promise<void> }[] = [];
  teardown(async () => {
    await open.close();
    await Promise.all(servers.splice(0).map(server => server.stop()));
  });

  const all = [401, 404, 429, 500, 503, -32603, 'unauthorized', 'http-error', 'InternalError', 'TaskNotFoundError'] as const;
  const refusals: Readonly<
    Record<
      string,
      { readonly binding: 'JSONRPC' | 'HTTP+JSON'; readonly steps: readonly Step[]; readonly holds: readonly (number | string)[] }
    >
  > = {
    'HTTP 500 without an error of JSON-RPC': { binding: 'JSONRPC', steps: [{ status: 500 }, { raw: 'oops' }], holds: [500, 'http-error'] },
    'HTTP 503 with an error in JSON': {
      binding: 'JSONRPC',
      steps: [{ status: 503 }, { json: { error: 'warming up' } }],
      holds: [503, 'http-error'],
    },
    'HTTP 401': { binding: 'JSONRPC', steps: [{ status: 401 }], holds: [401, 'unauthorized'] },
    'an error of JSON-RPC in HTTP 200': {
      binding: 'JSONRPC',
      steps: [{ error: { code: -32603, message: 'no' } }],
      holds: [-32603, 'InternalError'],
    },
    'HTTP+JSON: HTTP 500': {
      binding: 'HTTP+JSON',
      steps: [{ status: 500 }, { json: { error: { code: 500, status: 'INTERNAL', message: 'no' } } }],
      holds: [500, 'http-error'],
    },
    'HTTP+JSON: HTTP 429 and nothing': { binding: 'HTTP+JSON', steps: [{ status: 429 }], holds: [429, 'http-error'] },
  };
  for (const [name, { binding, steps, holds }] of Object.entries(refusals)) {
    for (const operation of ['SendMessage', 'SendStreamingMessage'] as const) {
      test(`${name}, ${operation}`, async () => {
        const { client } = await open.spoken({ [operation]: steps }, '1.0', { binding });
        const call =
          operation === 'SendMessage'
            ? client.call(operation, asks('x'))
            : (async () => {
                for await (const _ of client.stream(operation, asks('x')));
              })();
        assert.deepEqual(await holding(call, all), holds);
      });
    }
  }

  test('HTTP+JSON: a task that is not found is that, and HTTP 404', async () => {
    const { client } = await open.spoken({ GetTask: [{ error: { code: -32001, message: 'no such task' } }] }, '1.0', {
      binding: 'HTTP+JSON',
    });
    assert.deepEqual(await holding(client.call('GetTask', { id: 't' }), all), [404, 'TaskNotFoundError']);
  });

  const card = readAgentCard(minimalCard('http://127.0.0.1/', '1.0'), ignoreFindings);
  const statuses: readonly (readonly [head: Readonly<Record<string, string | number>>, holds: readonly (number | string)[]])[] = [
    [{ 'grpc-status': '14' }, [14, 'UNAVAILABLE']],
    [{ 'grpc-status': '5' }, [5, 'NOT_FOUND', 'TaskNotFoundError']],
    [{ 'grpc-status': '16' }, [16, 'UNAUTHENTICATED', 'unauthorized']],
    [{ ':status': 503, 'content-type': 'text/plain' }, [503]],
  ];
  for (const [head, holds] of statuses) {
    test(`gRPC: ${JSON.stringify(head)}`, async () => {
      const server = await serveRaw({ head });
      servers.push(server);
      const found = { ...card, supportedInterfaces: [{ url: server.address, protocolBinding: 'GRPC', protocolVersion: '1.0' }] };
      const chosen = chooseInterface(found, 'http://127.0.0.1/card');
      const client = new AgentClient({ card: found, chosen, http: open.http(), agentUrl: new URL(chosen.interface.url).origin });
      assert.deepEqual(
        await holding(client.call('GetTask', { id: 't' }), [
          14,
          5,
          16,
          503,
          'UNAVAILABLE',
          'NOT_FOUND',
          'UNAUTHENTICATED',
          'TaskNotFoundError',
          'unauthorized',
        ]),
        holds,
      );
    });
  }
});
