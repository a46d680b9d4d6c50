import * as assert from 'node:assert/strict';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { Script } from '../../../src/mock/script.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { sendOnEveryInterface, type InterfaceOutcome } from '../../../src/model/requests/compareInterfaces.ts';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { says, startWorld, task, taskOf, type Window, type World } from '../../support/model/world.ts';

/** Tasks named after the generation, so that two answers never have one name. */
const script = (name: string, words: string): Script => ({
  SendStreamingMessage: [task('COMPLETED', { id: `${name}-task`, contextId: `${name}-context` }, says(`${name}-message`, words))],
  SendMessage: [
    { answer: { task: taskOf('COMPLETED', { id: `${name}-task`, contextId: `${name}-context` }, says(`${name}-message`, words)) } },
  ],
  GetTask: ({ params }) =>
    (params as { readonly id: string }).id === 'shared'
      ? [{ answer: taskOf('COMPLETED', { id: 'shared' }) }]
      : [{ error: { code: -32001, message: 'no such task' } }],
});

const onError = (error: unknown): void => assert.fail(String(error));

suite('one request on every interface', () => {
  let world: World;
  let older: ScriptedAgent;
  let window: Window;
  let olderWords: string;
  let olderIsSilent: boolean;
  let extra: object[];
  setup(async () => {
    olderWords = 'hello';
    olderIsSilent = false;
    extra = [];
    older = scriptedAgent({
      version: '0.3',
      script: {
        ...script('older', ''),
        SendStreamingMessage: () => (olderIsSilent ? [{ stall: true }] : (script('older', olderWords).SendStreamingMessage as never)),
      },
    });
    await older.start();
    world = await startWorld({
      version: '1.0',
      script: script('newer', 'hello'),
      card: url => ({
        ...minimalCard(url, '1.0'),
        supportedInterfaces: [
          { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url: `${url}smoke`, protocolBinding: 'SMOKE', protocolVersion: '1.0' },
          { url: older.url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
          ...extra,
        ],
      }),
    });
    window = world.open();
    window.agents.configure({ Ann: { url: world.agent.url, origins: [new URL(older.url).origin] } });
  });
  teardown(async () => {
    await world.close();
    await older.stop();
  });

  const message = { messageId: 'mine', role: 'ROLE_USER' as const, parts: [{ text: 'hi' }], contextId: 'c', taskId: 'other' };
  async function all(
    request: Parameters<typeof sendOnEveryInterface>[0]['request'],
    signal = new AbortController().signal,
  ): Promise<InterfaceOutcome[]> {
    const agent = window.agents.get('Ann')!;
    await agent.connect();
    const outcomes: InterfaceOutcome[] = [];
    for await (const outcome of sendOnEveryInterface({ agent, contexts: window.contexts, request, signal, onError }))
      outcomes.push(outcome);
    return outcomes;
  }

  const versionsOf = (outcomes: readonly InterfaceOutcome[]): string[] => outcomes.map(({ offered }) => offered.interface.protocolVersion);

  test('goes to each once, in a context of its own, and the same answers give the same text', async () => {
    const outcomes = await all({ operation: 'SendStreamingMessage', params: { message } });
    assert.deepEqual(versionsOf(outcomes), ['1.0', '0.3']);
    assert.deepEqual(
      outcomes.map(({ task: told }) => told?.id),
      ['newer-task', 'older-task'],
    );
    assert.equal(new Set(outcomes.map(({ contextKey }) => contextKey)).size, 2);
    assert.equal(outcomes[0]!.text, outcomes[1]!.text);
    const posts = [...world.agent.requests, ...older.requests].filter(({ method }) => method === 'POST');
    assert.deepEqual(
      posts.map(({ url, headers }) => [url, headers['a2a-version']]),
      [
        ['/', '1.0'],
        ['/', undefined],
      ],
    );
    for (const { params } of posts) {
      const { message: sent } = params as { readonly message: typeof message };
      assert.notEqual(sent.messageId, 'mine');
      assert.deepEqual([sent.taskId, sent.contextId], [undefined, undefined]);
    }
  });

  test('what differs shows', async () => {
    olderWords = 'goodbye';
    const [one, other] = await all({ operation: 'SendStreamingMessage', params: { message } });
    assert.equal(one!.text.replaceAll('hello', 'goodbye'), other!.text);
  });

  test('what fails on one is its outcome', async () => {
    await older.stop();
    extra = [{ url: 'http://elsewhere.example/', protocolBinding: 'JSONRPC', protocolVersion: '0.3' }];
    const outcomes = await all({ operation: 'SendMessage', params: { message } });
    assert.deepEqual(
      outcomes.map(({ problem }) => problem?.code),
      [undefined, 'unreachable', 'foreign-origin'],
    );
    assert.match(outcomes[1]!.text, /"code": "unreachable"/);
  });

  test('a question about a task goes to the context that has it, and one about no task leaves none behind', async () => {
    const outcomes = await all({ operation: 'GetTask', params: { id: 'shared' } });
    assert.deepEqual(
      outcomes.map(({ task: told, exchangeIds }) => [told?.status.state, exchangeIds.length]),
      [
        ['TASK_STATE_COMPLETED', 1],
        ['TASK_STATE_COMPLETED', 1],
      ],
    );
    assert.equal(new Set(outcomes.map(({ contextKey }) => contextKey)).size, 1);
    const unknown = await all({ operation: 'GetTask', params: { id: "nobody's" } });
    assert.deepEqual(
      unknown.map(({ problem, contextKey }) => [problem?.code, contextKey]),
      [
        ['agent-error', undefined],
        ['agent-error', undefined],
      ],
    );
    assert.equal(unknown[0]!.text, unknown[1]!.text);
  });

  test('none comes after a stop', async () => {
    const stop = new AbortController();
    const agent = window.agents.get('Ann')!;
    await agent.connect();
    const seen: string[] = [];
    for await (const { offered } of sendOnEveryInterface({
      agent,
      contexts: window.contexts,
      request: { operation: 'SendMessage', params: { message } },
      signal: stop.signal,
      onError,
    })) {
      seen.push(offered.interface.protocolVersion);
      stop.abort();
    }
    assert.deepEqual(seen, ['1.0']);
  });

  for (const [name, request] of Object.entries({
    'a raw body': { raw: '{}' },
    'following a task': { operation: 'SubscribeToTask', params: { id: 't' } },
  } as const)) {
    test(`${name} is not for every interface`, () => assert.rejects(all(request), { code: 'not-for-every-interface' }));
  }

  test('one that does not answer in time has failed', async () => {
    olderIsSilent = true;
    const file = readRequestFile(JSON.stringify({ agent: 'Ann', method: 'SendStreamingMessage', message: 'hi', timeoutMs: 300 }));
    const outcomes: InterfaceOutcome[] = [];
    for await (const outcome of new RequestRuns(window, onError).sendOnEveryInterface(file.requests[0]!, file)) outcomes.push(outcome);
    assert.deepEqual(
      outcomes.map(({ problem }) => problem?.code),
      [undefined, 'time-limit'],
    );
  });

  test('a request of a file, its templates filled in', async () => {
    const file = readRequestFile(
      JSON.stringify({ agent: 'Ann', variables: { who: 'you' }, requests: [{ name: 'a', message: 'hi {{who}}' }] }),
    );
    const runs = new RequestRuns(window, onError);
    const outcomes: InterfaceOutcome[] = [];
    for await (const outcome of runs.sendOnEveryInterface(file.requests[0]!, file)) outcomes.push(outcome);
    assert.deepEqual(versionsOf(outcomes), ['1.0', '0.3']);
    assert.deepEqual((older.requests[0]!.params as { readonly message: typeof message }).message.parts, [{ text: 'hi you' }]);
    assert.equal(runs.get('a'), undefined);
  });

  test('a request that asks for an interface goes there, and so do the questions after it', async () => {
    const file = readRequestFile(
      JSON.stringify({
        agent: 'Ann',
        interface: '0.3',
        requests: [
          { name: 'a', message: 'hi' },
          { name: 'b', interface: { protocolVersion: '1.0' }, message: 'hi' },
          { name: 'c', method: 'GetTask', params: { id: 'shared' } },
        ],
      }),
    );
    const runs = new RequestRuns(window, onError);
    for (const entry of file.requests) assert.equal((await runs.send(entry, file).done).problem, undefined);
    const operations = (agent: ScriptedAgent): unknown[] =>
      agent.requests.filter(({ method }) => method === 'POST').map(({ operation }) => operation);
    assert.deepEqual([operations(older), operations(world.agent)], [['SendStreamingMessage', 'GetTask'], ['SendStreamingMessage']]);
  });
});
