import * as assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { BindingName } from '../../../src/mock/binding.ts';
import { bodyOf } from '../../../src/mock/body.ts';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { Script } from '../../../src/mock/script.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Task } from '../../../src/protocol/message/task.ts';

const working: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
const script: Script = { GetTask: [{ answer: working }], CancelTask: [{ answer: working }], SendMessage: [{ answer: { task: working } }] };
const errorInfo = 'type.googleapis.com/google.rpc.ErrorInfo';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly id?: unknown;
    readonly jsonrpc?: unknown;
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown; readonly details?: unknown };
    readonly code?: number;
  };
}

suite('what a scripted agent refuses', () => {
  let agent: ScriptedAgent | undefined;
  teardown(() => agent?.stop());

  async function serving(generation: string, binding: BindingName = 'JSONRPC', card?: (url: string) => unknown): Promise<string> {
    agent = scriptedAgent({ version: generation, binding, script, card });
    await agent.start();
    return agent.url;
  }

  async function asked(url: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(url, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? {} : (JSON.parse(text) as Answer['body']) };
  }

  const json = { 'content-type': 'application/json' };
  const current = { ...json, 'a2a-version': '1.0' };
  const call = (
    url: string,
    headers: Readonly<Record<string, string>>,
    body: object = { jsonrpc: '2.0', id: 7, method: 'GetTask', params: { id: 't' } },
  ): Promise<Answer> => asked(url, { method: 'POST', headers, body: JSON.stringify(body) });

  const versions: Readonly<Record<string, readonly [said: string | undefined, accepted: boolean]>> = {
    'the version it offers': ['1.0', true],
    'a patch of it': ['1.0.3', true],
    'an earlier one': ['0.3', false],
    'a later one': ['1.1', false],
    'one nobody has': ['99.0', false],
    'what is no version': ['1.0x', false],
    'an empty one, which means 0.3': ['', false],
    'none, which means 0.3': [undefined, false],
  };
  for (const [name, [said, accepted]] of Object.entries(versions)) {
    const version: Record<string, string> = said === undefined ? {} : { 'a2a-version': said };
    test(`1.0: ${name} is ${accepted ? 'accepted' : 'refused'}, over both bindings`, async () => {
      const { body } = await call(await serving('1.0'), { ...json, ...version });
      assert.deepEqual([body.id, body.error?.code], [7, accepted ? undefined : -32009]);
      if (!accepted)
        assert.deepEqual(body.error?.data, [
          { '@type': errorInfo, reason: 'VERSION_NOT_SUPPORTED', domain: 'a2a-protocol.org', metadata: { supportedVersions: '1.0' } },
        ]);
      await agent!.stop();
      const rest = await asked(`${await serving('1.0', 'HTTP+JSON')}tasks/t`, { headers: version });
      assert.deepEqual([rest.status, rest.body.error?.code], accepted ? [200, undefined] : [400, 400]);
      if (!accepted) assert.deepEqual(rest.body.error?.details, body.error?.data);
    });
  }

  test('the version may stand in the query instead', async () => {
    const url = await serving('1.0', 'HTTP+JSON');
    assert.equal((await asked(`${url}tasks/t?A2A-Version=1.0`, {})).status, 200);
    assert.equal((await asked(`${url}tasks/t?A2A-Version=0.3`, {})).status, 400);
  });

  test('a body is read up to 32 MiB, and no byte more', async () => {
    const mebibyte = Buffer.alloc(1024 * 1024, 'x');
    const mebibytes = (count: number, ...more: readonly Buffer[]): Readable =>
      Object.assign(Readable.from([...Array.from({ length: count }, () => mebibyte), ...more]), { headers: {} });
    assert.equal((await bodyOf(mebibytes(32) as never))?.length, 32 * 1024 * 1024);
    const longer = mebibytes(32, Buffer.from('x'), Buffer.from('never read'));
    assert.equal(await bodyOf(longer as never), undefined);
    assert.ok(!longer.destroyed && !longer.readableEnded, 'the rest is not waited for, and it can still be answered');
  });

  test('a longer body is answered 413, in every generation and binding', async () => {
    const body = Buffer.alloc(32 * 1024 * 1024 + 1, 'x');
    for (const [generation, binding] of [
      ['1.0', 'JSONRPC'],
      ['1.0', 'HTTP+JSON'],
      ['task-rest', undefined],
    ] as const) {
      agent = scriptedAgent({ version: generation, binding, script });
      await agent.start();
      assert.equal((await asked(agent.url, { method: 'POST', headers: current, body })).status, 413, `${generation} ${binding}`);
      await agent.stop();
    }
  });

  test('generations without that header take any value of it', async () => {
    const { body } = await call(
      await serving('0.3'),
      { ...json, 'a2a-version': '99.0' },
      { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 't' } },
    );
    assert.ok(body.result !== undefined);
  });

  const requests: Readonly<Record<string, readonly [body: object, code: number, id: unknown]>> = {
    'no "jsonrpc"': [{ id: 1, method: 'GetTask', params: { id: 't' } }, -32600, 1],
    '"jsonrpc" of another version': [{ jsonrpc: '1.0', id: 'a', method: 'GetTask', params: { id: 't' } }, -32600, 'a'],
    '"jsonrpc" as a number': [{ jsonrpc: 2, id: 1, method: 'GetTask', params: { id: 't' } }, -32600, 1],
    'no method': [{ jsonrpc: '2.0', id: 5, params: {} }, -32600, 5],
    'an id that is an object': [{ jsonrpc: '2.0', id: { bad: 'id' }, method: 'GetTask', params: { id: 't' } }, -32600, null],
    'params that are a list': [{ jsonrpc: '2.0', id: 1, method: 'GetTask', params: ['t'] }, -32602, 1],
    'params that are a text': [{ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: 't' }, -32602, 1],
    webhooks: [
      { jsonrpc: '2.0', id: 1, method: 'CreateTaskPushNotificationConfig', params: { taskId: 't', url: 'https://a.example' } },
      -32003,
      1,
    ],
    'an extended card': [{ jsonrpc: '2.0', id: 1, method: 'GetExtendedAgentCard' }, -32004, 1],
    'the extended card of 0.3': [{ jsonrpc: '2.0', id: 1, method: 'agent/getAuthenticatedExtendedCard' }, -32601, 1],
  };
  for (const [name, [body, code, id]] of Object.entries(requests)) {
    test(`${name}: ${code}, with the id where it can be read`, async () => {
      const answer = await call(await serving('1.0'), current, body);
      assert.deepEqual([answer.status, answer.body.jsonrpc, answer.body.id, answer.body.error?.code], [200, '2.0', id, code]);
      const isOfA2A = code > -32_100;
      assert.equal(Array.isArray(answer.body.error?.data), isOfA2A);
    });
  }

  for (const [generation, code] of [
    ['1.0', -32004],
    ['0.3', -32007],
  ] as const) {
    test(`${generation}: the extended card is the card where it says that there is one, else ${code}`, async () => {
      const says = {
        '1.0': { capabilities: { streaming: true, extendedAgentCard: true } },
        '0.3': { supportsAuthenticatedExtendedCard: true },
      }[generation];
      const method = { '1.0': 'GetExtendedAgentCard', '0.3': 'agent/getAuthenticatedExtendedCard' }[generation];
      const place = { '1.0': 'extendedAgentCard', '0.3': 'v1/card' }[generation];
      for (const [card, found] of [
        [says, true],
        [{}, false],
      ] as const) {
        const shown = (url: string): object => ({ ...minimalCard(url, generation), ...card });
        const { body } = await call(await serving(generation, 'JSONRPC', shown), current, { jsonrpc: '2.0', id: 1, method });
        assert.deepEqual(found ? body.result : body.error?.code, found ? shown(agent!.url) : code);
        await agent!.stop();
        const rest = await asked(`${await serving(generation, 'HTTP+JSON', shown)}${place}`, { headers: current });
        assert.deepEqual([rest.status, found ? rest.body : undefined], found ? [200, shown(agent!.url)] : [400, undefined]);
        await agent!.stop();
      }
    });
  }

  test('webhooks over HTTP+JSON are refused by their error, in both generations', async () => {
    for (const [generation, at] of [
      ['1.0', ''],
      ['0.3', 'v1/'],
    ] as const) {
      const url = await serving(generation, 'HTTP+JSON');
      for (const [method, path] of [
        ['POST', ''],
        ['GET', ''],
        ['GET', '/x'],
        ['DELETE', '/x'],
      ] as const) {
        const answer = await asked(`${url}${at}tasks/t/pushNotificationConfigs${path}`, {
          method,
          headers: current,
          ...(method === 'POST' && { body: '{"url":"http://127.0.0.1:1/"}' }),
        });
        assert.equal(answer.status, 400);
        assert.match(JSON.stringify(answer.body), generation === '1.0' ? /"PUSH_NOTIFICATION_NOT_SUPPORTED"/ : /"code":-32003/);
      }
      await agent!.stop();
    }
  });

  test('a body of another media type', async () => {
    for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
      const url = await serving('1.0', binding);
      for (const [mediaType, refused] of [
        ['text/plain', true],
        ['application/xml', true],
        ['multipart/form-data', true],
        ['application/json; charset=utf-8', false],
        ['application/a2a+json', false],
      ] as const) {
        const body = JSON.stringify(
          binding === 'JSONRPC'
            ? {
                jsonrpc: '2.0',
                id: 1,
                method: 'SendMessage',
                params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } },
              }
            : { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } },
        );
        const answer = await asked(binding === 'JSONRPC' ? url : `${url}message:send`, {
          method: 'POST',
          headers: { ...current, 'content-type': mediaType },
          body,
        });
        assert.deepEqual([mediaType, JSON.stringify(answer.body).includes('CONTENT_TYPE_NOT_SUPPORTED')], [mediaType, refused]);
      }
      await agent!.stop();
    }
  });

  test('a request whose path says all there is to say needs no body', async () => {
    for (const [generation, at] of [
      ['1.0', ''],
      ['0.3', 'v1/'],
    ] as const) {
      const url = await serving(generation, 'HTTP+JSON');
      assert.equal((await asked(`${url}${at}tasks/t:cancel`, { method: 'POST', headers: { 'a2a-version': '1.0' } })).status, 200);
      assert.equal((await asked(`${url}${at}tasks/t:cancel`, { method: 'POST', headers: current, body: ' ' })).status, 200);
      assert.deepEqual(
        agent!.requests.map(({ params }) => params),
        [{ id: 't' }, { id: 't' }],
      );
      await agent!.stop();
    }
  });

  test('parameters may have the names of the protobuf', async () => {
    const message = {
      message_id: 'm',
      role: 'ROLE_USER',
      context_id: 'c',
      parts: [{ text: 'x', media_type: 'text/plain', metadata: { own_name: 1 } }],
    };
    await call(await serving('1.0'), current, {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: { message, configuration: { history_length: 2, return_immediately: true } },
    });
    assert.deepEqual(agent!.requests.at(-1)?.params, {
      message: {
        messageId: 'm',
        role: 'ROLE_USER',
        contextId: 'c',
        parts: [{ text: 'x', mediaType: 'text/plain', metadata: { own_name: 1 } }],
      },
      configuration: { historyLength: 2, returnImmediately: true },
    });
    await agent!.stop();
    await asked(`${await serving('1.0', 'HTTP+JSON')}tasks/t?history_length=3`, { headers: current });
    assert.deepEqual(agent!.requests.at(-1)?.params, { id: 't', historyLength: 3 });
  });

  test("an error's details begin with its reason, unless the script has one or another shape", async () => {
    const reason = { '@type': errorInfo, reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' };
    const own = { '@type': errorInfo, reason: 'GONE', domain: 'agent.example' };
    const rows: readonly (readonly [data: unknown, told: unknown])[] = [
      [undefined, [reason]],
      [[{ '@type': 'x' }], [reason, { '@type': 'x' }]],
      [[own], [own]],
      ['words', 'words'],
    ];
    for (const [data, told] of rows) {
      agent = scriptedAgent({ version: '1.0', script: { GetTask: [{ error: { code: -32001, message: 'gone', data } }] } });
      await agent.start();
      assert.deepEqual((await call(agent.url, current)).body.error, { code: -32001, message: 'gone', data: told });
      await agent.stop();
    }
  });

  test('the card may be kept, and is not sent again while it is the same', async () => {
    let name = 'One';
    const place = `${await serving('1.0', 'JSONRPC', url => ({ ...minimalCard(url, '1.0'), name }))}.well-known/agent-card.json`;
    const first = await asked(place, {});
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]{22}"$/);
    assert.match(first.headers.get('cache-control') ?? '', /\bmax-age=0\b/);
    assert.ok(Math.abs(Date.parse(first.headers.get('last-modified') ?? '') - Date.now()) < 60_000);
    for (const named of [etag, `"x", W/${etag}`, '*']) {
      const again = await asked(place, { headers: { 'if-none-match': named } });
      assert.deepEqual([again.status, again.headers.get('etag'), again.body], [304, etag, {}]);
    }
    name = 'Two';
    const changed = await asked(place, { headers: { 'if-none-match': etag } });
    assert.deepEqual(
      [changed.status, (changed.body as { name?: unknown }).name, changed.headers.get('etag') === etag],
      [200, 'Two', false],
    );
  });
});
