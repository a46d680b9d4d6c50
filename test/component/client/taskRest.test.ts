import * as assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { taskTypeOf } from '../../../src/client/taskRest/input.ts';
import { taskRestTiming, type TaskRestTiming } from '../../../src/client/taskRest/timing.ts';
import { taskRestTransport } from '../../../src/client/taskRest/taskRestTransport.ts';
import { socketUrl } from '../../../src/client/taskRest/taskSocket.ts';
import type { Script, Step } from '../../../src/mock/script.ts';
import type { ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import type { StreamBatch } from '../../../src/client/transport/transport.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Artifact, Task, TaskStatus } from '../../../src/protocol/message/task.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { eventually } from '../../support/eventually.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';

const input = {
  type: 'object',
  properties: { amount: { type: 'number' }, currency: { type: 'string' } },
  required: ['amount', 'currency'],
};
const expense = { amount: 100, currency: 'USD' };
const approved = { status: 'approved', message: 'Processed 100 USD' };
const result: Artifact = { artifactId: 'result', parts: [{ data: approved }] };

type Word = 'SUBMITTED' | 'WORKING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
const state = (word: Word): TaskState => `TASK_STATE_${word}`;
const asks = (data: unknown = expense, more: Partial<Message> = {}): { message: Message } => ({
  message: { messageId: 't', role: 'ROLE_USER', parts: [{ data }], ...more },
});
const task = (word: Word, more: Partial<Task> = {}): { readonly answer: Task } => ({
  answer: { id: 't', status: { state: state(word) }, metadata: { type: 'expense' }, ...more },
});
const done = task('COMPLETED', { artifacts: [result] });
const update = (word: Word, progress?: number, taskId = 't'): { readonly event: StreamResponse } => ({
  event: { statusUpdate: { taskId, status: { state: state(word) }, ...(progress !== undefined && { metadata: { progress } }) } },
});
const made: { readonly event: StreamResponse } = { event: { artifactUpdate: { taskId: 't', artifact: result } } };

/** A task in a word: its state, progress and result. */
function word(event: StreamResponse): string {
  const {
    status,
    metadata,
    artifacts,
  }: { status: TaskStatus; metadata?: Readonly<Record<string, unknown>>; artifacts?: readonly Artifact[] } =
    'task' in event ? event.task : 'statusUpdate' in event ? event.statusUpdate : assert.fail(JSON.stringify(event));
  const text = status.state.slice('TASK_STATE_'.length).toLowerCase();
  return [
    text,
    ...(metadata?.['progress'] === undefined ? [] : [String(metadata['progress'])]),
    ...(artifacts === undefined ? [] : ['result']),
  ].join(' ');
}

suite('task API client', () => {
  const open = new OpenThings();
  let agent: ScriptedAgent;
  let client: AgentClient;
  let log: WireRecording;
  let waits: number[];
  teardown(() => open.close());

  /** `real`: time passes as it does, a hundredth of it. Otherwise waits are over at once. */
  async function spoken(at: string, timing: Partial<TaskRestTiming> = {}, headers?: Record<string, string>): Promise<void> {
    log = new WireRecording();
    waits = [];
    const http = open.http();
    const { card, cardUrl, agentUrl } = await resolveAgentCard(at, { http });
    const transport = taskRestTransport({
      ...taskRestTiming,
      silence: 60_000,
      ...timing,
      sleep: async (ms, signal) => {
        if (ms >= 60_000) return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
        waits.push(Math.round(ms));
        await new Promise(resolve => setTimeout(resolve, 1));
        return taskRestTiming.sleep(0, signal);
      },
    });
    client = new AgentClient({ card, chosen: { ...chooseInterface(card, cardUrl), transport }, http, agentUrl, headers });
  }

  async function begin(script: Script, timing: Partial<TaskRestTiming> = {}, schema: unknown = { input }): Promise<void> {
    agent = await open.agent(script, 'task-rest', {
      card: url => ({
        name: 'ExpenseAgent',
        description: 'Processes expenses',
        url,
        capabilities: { streaming: false, pushNotifications: true, interactionModes: ['text', 'form'] },
        schema,
      }),
    });
    await spoken(agent.url, timing);
  }

  /** Each request without the card's: method and path. */
  const asked = (): string[] =>
    agent.requests.filter(({ url }) => !url.includes('well-known')).map(({ method, url }) => `${method} ${url}`);
  const streamed = async (
    more: Partial<Message> = {},
  ): Promise<{
    words: string[];
    error: unknown;
    items: Awaited<ReturnType<typeof drain<Pick<StreamBatch, 'events' | 'frameOf'>>>>['items'];
  }> => {
    const { items, error } = await drain(client.stream('SendStreamingMessage', asks(expense, more), { log }));
    return { words: items.flatMap(({ events }) => events).map(word), error, items };
  };

  /** GetTask answers these, one after the other. */
  const inTurn = (...answers: readonly (Step | readonly Step[])[]): (() => readonly Step[]) => {
    const left = [...answers];
    return () => [left.length > 1 ? left.shift()! : left[0]!].flat() as readonly Step[];
  };

  test('is chosen by the card', async () => {
    await begin({});
    const {
      version,
      interface: { protocolBinding },
    } = chooseInterface(client.card, agent.url);
    assert.deepEqual([version.protocolVersion, protocolBinding], ['task-rest', 'TASK-REST']);
  });

  test('a task is posted in the words of the API', async () => {
    await begin({ SendMessage: [done] });
    const { result: { task: told } = assert.fail(), findings } = (await client.call('SendMessage', asks(expense, { contextId: 'c' }), {
      log,
    })) as { result: { task: Task }; findings: unknown };
    assert.deepEqual(JSON.parse(agent.requests.at(-1)!.body), { taskId: 't', type: 'expense', data: expense });
    assert.deepEqual(told, {
      id: 't',
      contextId: 'c',
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [result],
      metadata: { type: 'expense' },
    });
    assert.deepEqual([findings, asked()], [[], ['POST /task']]);
    assert.deepEqual([log.last.operation, log.last.protocolBinding, log.last.protocolVersion], ['SendMessage', 'TASK-REST', 'task-rest']);
  });

  test('a task is asked for with growing waits until it is over', async () => {
    await begin({ SendMessage: [task('WORKING')], GetTask: inTurn(...Array.from({ length: 9 }, () => task('WORKING')), done) });
    const { result: told, exchangeId } = await client.call('SendMessage', asks(), { log, exchangeId: 'x' });
    assert.ok('task' in told && word(told) === 'completed result');
    assert.deepEqual(waits, [250, 400, 640, 1024, 1638, 2621, 4194, 5000, 5000, 5000]);
    assert.deepEqual(asked(), ['POST /task', ...waits.map(() => 'GET /task/t')]);
    assert.deepEqual([log.exchanges[0]!.id, log.last.id], ['x', exchangeId]);
  });

  test('a send that does not wait is answered at once', async () => {
    await begin({ SendMessage: [task('WORKING')] });
    const { result: told } = await client.call('SendMessage', { ...asks(), configuration: { returnImmediately: true } });
    assert.ok('task' in told && word(told) === 'working');
    assert.deepEqual([asked(), waits], [['POST /task'], []]);
  });

  test('the time of a send is that of all its questions', async () => {
    await begin({ SendMessage: [task('WORKING')], GetTask: [{ delay: 20 }, task('WORKING')] });
    await assert.rejects(client.call('SendMessage', asks(), { timeoutMs: 60 }), { code: 'timeout' });
  });

  test('a wait can be cancelled', async () => {
    const stop = new AbortController();
    await begin({
      SendMessage: [task('WORKING')],
      GetTask: () => {
        stop.abort();
        return [task('WORKING')];
      },
    });
    await assert.rejects(client.call('SendMessage', asks(), { signal: stop.signal }), { code: 'cancelled' });
  });

  test('updates come over the WebSocket, each once, and the result is asked for', async () => {
    await begin({
      SubscribeToTask: [],
      SendStreamingMessage: [...[10, 50, 90].map(progress => update('WORKING', progress)), made, update('COMPLETED')],
    });
    const { words, error, items } = await streamed();
    assert.equal(error, undefined);
    assert.deepEqual(
      words.filter(text => /\d/.test(text)),
      ['working 10', 'working 50', 'working 90'],
    );
    assert.equal(words.at(-1), 'completed result');
    assert.equal(words.filter(text => text.startsWith('completed')).length, 1);
    assert.deepEqual(asked(), ['GET /', 'POST /task', 'GET /task/t']);
    const [handshake] = log.exchanges;
    assert.deepEqual(
      [handshake!.request.url, handshake!.response?.status, handshake!.failure, handshake!.operation],
      [agent.url.replace('http', 'ws'), 101, 'Closed by the client.', 'SubscribeToTask'],
    );
    const frames = log.framesOf(handshake!.id);
    assert.deepEqual(
      frames.map(({ seq }) => seq),
      frames.map((_frame, index) => index),
    );
    assert.ok(frames.length >= 4);
    const told = items.flatMap(({ events, frameOf = [] }) =>
      events.map((event, index) => [word(event), frames[frameOf[index] ?? -1]?.data]),
    );
    for (const progress of [10, 50, 90])
      assert.match(told.find(([text]) => text === `working ${progress}`)?.[1] ?? '', new RegExp(`\\b${progress}\\b`));
    assert.ok(items.flatMap(item => (item as unknown as { findings: unknown[] }).findings).length === 0);
  });

  test('an agent that answers the post with the result is believed', async () => {
    await begin({
      SubscribeToTask: [],
      SendMessage: [
        update('WORKING', 50),
        { delay: 10 },
        update('COMPLETED'),
        { delay: 10 },
        { json: { status: 'completed', result: approved } },
      ],
    });
    const { words, error } = await streamed();
    assert.equal(error, undefined);
    assert.deepEqual(words, ['working 50', 'completed result']);
    assert.deepEqual(asked(), ['GET /', 'POST /task']);
  });

  test('a task that was just made is no news after one that works', async () => {
    await begin({
      SubscribeToTask: [],
      SendMessage: [update('WORKING', 1), { delay: 10 }, task('SUBMITTED'), { delay: 5 }, update('COMPLETED')],
      GetTask: [done],
    });
    assert.deepEqual((await streamed()).words, ['working 1', 'completed result']);
  });

  for (const [name, script] of [
    ['is refused', {}],
    ['is cut', { SubscribeToTask: [{ delay: 15 }, { reset: true }] }],
    ['closes', { SubscribeToTask: [{ delay: 15 }, { close: true }] }],
    ['is closed for a message too long', { SubscribeToTask: [{ delay: 15 }, { raw: 'x'.repeat(2000) }, { stall: true }] }],
  ] as const satisfies readonly (readonly [string, Script])[]) {
    test(`a task whose WebSocket ${name} is asked for`, async () => {
      await begin(
        {
          ...script,
          SendMessage: [task('WORKING')],
          GetTask: inTurn(task('WORKING'), task('WORKING', { metadata: { type: 'expense' } }), done),
        },
        { maxPayload: 1000 },
      );
      const { words, error } = await streamed();
      assert.equal(error, undefined);
      assert.deepEqual(words, ['working', 'completed result']);
      assert.deepEqual(waits, [250, 400, 640]);
      assert.ok(log.exchanges[0]!.failure !== undefined);
    });
  }

  test('a WebSocket that says nothing does not keep a task from being asked for', async () => {
    await begin(
      { SubscribeToTask: [{ stall: true }], SendMessage: [task('WORKING')], GetTask: inTurn(task('WORKING'), done) },
      { silence: 4000 },
    );
    assert.deepEqual((await streamed()).words, ['working', 'completed result']);
    assert.deepEqual(waits, [4000, 4000]);
  });

  const neverOpen: Readonly<Record<string, (response: ServerResponse) => void>> = {
    'nothing is said': () => {},
    'answers come without end that are none yet': response => {
      const flood = setInterval(() => response.writeProcessing(), 5);
      response.once('close', () => clearInterval(flood));
    },
  };
  for (const [what, upgraded] of Object.entries(neverOpen)) {
    test(`a WebSocket that never opens is not waited for: ${what}`, async () => {
      const answers = [task('WORKING'), done].map(({ answer }) => ({
        taskId: 't',
        status: answer.status.state === 'TASK_STATE_WORKING' ? 'in_progress' : 'completed',
      }));
      const url = await open.web((request, response) => {
        if (request.headers.upgrade !== undefined) return upgraded(response);
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify(
            request.url?.includes('well-known')
              ? { name: 'x', url: '/', capabilities: { interactionModes: [] } }
              : (answers.shift() ?? { status: 'completed' }),
          ),
        );
      });
      await spoken(url, { opening: 30 });
      assert.deepEqual((await streamed()).words, ['working', 'completed']);
    });
  }

  for (const [name, raw] of [
    ['another task', '{"event":"task_update","taskId":"other","status":"completed"}'],
    ['no JSON', 'hello'],
    ['no update', '{"event":"form_request","taskId":"t"}'],
    ['nothing', ''],
    ['a list', '[]'],
    ['a prototype', '{"__proto__":{"taskId":"t","status":"completed"}}'],
    ['a nest without an end', `{"taskId":"t","status":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ] as const) {
    test(`a message about ${name} is passed over`, async () => {
      await begin({ SubscribeToTask: [{ raw }], SendStreamingMessage: [{ delay: 10 }, update('WORKING', 5), made, update('COMPLETED')] });
      const { words, error } = await streamed();
      assert.equal(error, undefined);
      assert.deepEqual(
        words.filter(text => /5|completed/.test(text)),
        ['working 5', 'completed result'],
      );
      assert.equal(log.framesOf(log.exchanges[0]!.id)[0]?.data, raw);
    });
  }

  test('an end that the agent does not confirm is told at last', async () => {
    await begin({ SubscribeToTask: [], SendStreamingMessage: [{ delay: 5 }, update('COMPLETED')], GetTask: [task('WORKING')] });
    const { words } = await streamed();
    assert.equal(words.at(-1), 'completed');
    // One fewer where the answer to the post was the first to say so.
    assert.ok([3, 4].includes(asked().filter(path => path === 'GET /task/t').length));
  });

  test('an end whose question fails is told, and then the fault', async () => {
    await begin({
      SubscribeToTask: [],
      SendStreamingMessage: [{ delay: 5 }, update('COMPLETED')],
      GetTask: [{ status: 500 }, { html: 'Oops' }],
    });
    const { words, error } = await streamed();
    assert.deepEqual([words.at(-1), (error as { code: string }).code], ['completed', 'http-error']);
  });

  test('a subscription begins with the task, and ends with it', async () => {
    const first = Promise.withResolvers<void>();
    const answers = inTurn(task('WORKING'), done);
    await begin({
      async *SubscribeToTask() {
        await first.promise;
        yield { delay: 20 };
        yield* [update('WORKING', 70), update('COMPLETED')];
      },
      GetTask: () => {
        first.resolve();
        return answers();
      },
    });
    const { items, error } = await drain(client.stream('SubscribeToTask', { id: 't' }, { log }));
    assert.equal(error, undefined);
    assert.deepEqual(items.flatMap(({ events }) => events).map(word), ['working', 'working 70', 'completed result']);
    assert.deepEqual(asked(), ['GET /', 'GET /task/t', 'GET /task/t']);
  });

  test('who leaves a stream closes what it opened', async () => {
    let signal: AbortSignal | undefined;
    await begin({
      SubscribeToTask: request => {
        ({ signal } = request);
        return [{ stall: true }];
      },
      SendMessage: [update('WORKING'), { stall: true }],
    });
    for await (const { events } of client.stream('SendStreamingMessage', asks(), { log })) if (events.length > 0) break;
    await eventually(() => assert.ok(signal?.aborted === true && log.exchanges.every(({ endedAt }) => endedAt !== undefined)));
    assert.deepEqual(
      log.exchanges.map(({ failure }) => failure),
      ['Closed by the client.', 'The request was canceled.'],
    );
  });

  test('a stream that is cancelled stops at once', async () => {
    const stop = new AbortController();
    await begin({ SubscribeToTask: [{ stall: true }], SendStreamingMessage: [{ delay: 5 }, update('WORKING')] });
    const stream = client.stream('SendStreamingMessage', asks(), { signal: stop.signal, log });
    const { error } = await drain(
      (async function* () {
        for await (const batch of stream) {
          yield batch;
          stop.abort();
        }
      })(),
    );
    assert.equal((error as { code?: string } | undefined)?.code, 'cancelled');
    await eventually(() => assert.ok(log.exchanges.every(({ endedAt }) => endedAt !== undefined)));
    assert.equal(log.exchanges[0]?.failure, 'Closed by the client.');
  });

  test('credentials go with the WebSocket too, and not into the log', async () => {
    await begin({ SubscribeToTask: [], SendStreamingMessage: [made, update('COMPLETED')] });
    await spoken(agent.url, {}, { 'X-Word': 'open sesame' });
    await streamed();
    for (const request of agent.requests.slice(-3)) assert.equal(request.headers['x-word'], 'open sesame');
    assert.ok(log.exchanges.length >= 3 && !JSON.stringify(log.exchanges).includes('sesame'));
  });

  for (const [address, at] of [
    ['http://a/', 'ws://a/'],
    ['https://a:1/b?c=d#e', 'wss://a:1/b?c=d'],
  ] as const) {
    test(`the WebSocket of ${address} is at ${at}`, () => assert.equal(socketUrl(new URL(address)).href, at));
  }

  test('a failure has its code, whatever HTTP says of it', async () => {
    const error = { code: 'INVALID_INPUT', message: 'Amount must be positive' };
    for (const status of [200, 400, 422]) {
      await begin({ SendMessage: [{ status }, { json: { taskId: 't', type: 'expense', status: 'failed', error } }] });
      const { result: told } = await client.call('SendMessage', asks());
      assert.ok('task' in told);
      const {
        status: { state: how, message },
      } = told.task;
      assert.deepEqual(
        [how, message?.parts, message?.metadata],
        ['TASK_STATE_FAILED', [{ text: 'Amount must be positive (INVALID_INPUT)' }], { code: error.code }],
      );
    }
  });

  for (const [name, steps, problem] of [
    [
      'an error and no task',
      [{ status: 400 }, { json: { error: { code: 'BAD', message: 'No such type' } } }],
      { code: 'http-error', message: /No such type \(BAD\)/ },
    ],
    ['a page', [{ status: 404 }, { html: '<h1>Where?</h1>' }], { code: 'http-error' }],
    ['a demand for credentials', [{ status: 401 }, { json: { detail: 'Who?' } }], { code: 'unauthorized' }],
    ['what is not JSON', [{ raw: 'hello' }], { code: 'not-json' }],
    ['what is no task', [{ json: { hello: 1 } }], { code: 'unreadable-answer' }],
    ['a broken connection', [{ reset: true }], { code: 'connection-lost' }],
  ] as const satisfies readonly (readonly [string, readonly Step[], object])[]) {
    test(`a post that is answered with ${name} is a Problem, and posted once`, async () => {
      await begin({ SendMessage: steps });
      await assert.rejects(client.call('SendMessage', asks()), problem);
      assert.deepEqual(asked(), ['POST /task']);
    });
  }

  for (const [name, answer, words] of [
    ['in an error', { error: { code: 'NOT_FOUND', message: 'No task of that name' } }, 'No task of that name'],
    ['as an error that is a text', { error: 'Gone' }, 'Gone'],
    ['as a detail', { detail: 'Task not found' }, 'Task not found'],
    ['without words', {}, 'HTTP 404'],
  ] as const) {
    test(`a task that is not there is told ${name}`, async () => {
      await begin({ GetTask: [{ status: 404 }, { json: answer }] });
      await assert.rejects(client.call('GetTask', { id: 'x' }), {
        errorName: 'TaskNotFoundError',
        message: `The agent answered with TaskNotFoundError (HTTP 404): ${words}`,
      });
    });
  }

  test('a post that is answered with nothing is accepted', async () => {
    await begin({ SendMessage: [{ status: 202 }, { raw: '' }], GetTask: [done] });
    const { result: told } = await client.call('SendMessage', asks());
    assert.ok('task' in told && word(told) === 'completed result');
  });

  test('the same task posted again is the same task', async () => {
    let times = 0;
    await begin({
      *SendMessage() {
        times++;
        yield done;
      },
    });
    const first = await client.call('SendMessage', asks());
    const second = await client.call('SendMessage', asks(expense, { contextId: (first.result as { task: Task }).task.contextId }));
    assert.deepEqual(second.result, first.result);
    assert.deepEqual([times, asked()], [1, ['POST /task', 'POST /task']]);
  });

  test('a task that is gone is not found', async () => {
    await begin({});
    await assert.rejects(client.call('GetTask', { id: 'x/../y' }), { rpcCode: -32001, errorName: 'TaskNotFoundError' });
    assert.deepEqual(asked(), ['GET /task/x%2F..%2Fy']);
    for (const id of ['', '.', '..']) await assert.rejects(client.call('GetTask', { id }), { code: 'bad-task-id' });
  });

  test('there is no list of tasks', async () => {
    await begin({});
    await assert.rejects(client.call('ListTasks', {}), { code: 'operation-not-in-version' });
  });

  /** Routes that an agent has, and what they answer: HTTP status and body. */
  const cancels: Readonly<
    Record<string, readonly [routes: Readonly<Record<string, readonly [number, string]>>, asked: readonly string[], outcome: string]>
  > = {
    'by POST': [{ 'POST /task/t/cancel': [200, '{"taskId":"t","status":"canceled"}'] }, ['POST /task/t/cancel'], 'canceled'],
    'by POST, without a word': [
      { 'POST /task/t/cancel': [204, ''], 'GET /task/t': [200, '{"taskId":"t","status":"canceled"}'] },
      ['POST /task/t/cancel', 'GET /task/t'],
      'canceled',
    ],
    'by POST, with another word': [
      { 'POST /task/t/cancel': [200, '{"ok":true}'], 'GET /task/t': [200, '{"taskId":"t","status":"in_progress"}'] },
      ['POST /task/t/cancel', 'GET /task/t'],
      'working',
    ],
    'by DELETE': [{ 'DELETE /task/t': [200, '{"taskId":"t","status":"canceled"}'] }, ['POST /task/t/cancel', 'DELETE /task/t'], 'canceled'],
    'by DELETE, where POST is not allowed': [
      { 'POST /task/t/cancel': [405, ''], 'DELETE /task/t': [200, '{"status":"canceled"}'] },
      ['POST /task/t/cancel', 'DELETE /task/t'],
      'canceled',
    ],
    'too late': [{ 'POST /task/t/cancel': [409, '{"taskId":"t","status":"completed"}'] }, ['POST /task/t/cancel'], 'completed'],
    'in no way': [
      { 'GET /task/t': [200, '{"taskId":"t","status":"in_progress"}'] },
      ['POST /task/t/cancel', 'DELETE /task/t', 'GET /task/t'],
      'TaskNotCancelableError',
    ],
    'though nobody knows it': [{}, ['POST /task/t/cancel', 'DELETE /task/t', 'GET /task/t'], 'TaskNotFoundError'],
    'with a refusal': [{ 'POST /task/t/cancel': [403, ''] }, ['POST /task/t/cancel'], 'UnauthorizedProblem'],
  };
  for (const [name, [routes, expected, outcome]] of Object.entries(cancels)) {
    test(`a task is cancelled ${name}`, async () => {
      const calls: string[] = [];
      const url = await open.web((request, response) => {
        if (request.url?.includes('well-known'))
          return response.end(JSON.stringify({ name: 'x', url: '/', capabilities: { interactionModes: [] } }));
        const call = `${request.method} ${request.url}`;
        calls.push(call);
        const [status, body] = routes[call] ?? [404, '{"detail":"Not Found"}'];
        return response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
      await spoken(url);
      const told = await client.call('CancelTask', { id: 't' }, { log }).then(
        ({ result: task }) => word({ task }),
        (error: { errorName?: string; name: string }) => error.errorName ?? error.name,
      );
      assert.deepEqual([told, calls], [outcome, expected]);
      assert.ok(log.exchanges.every(({ endedAt }) => endedAt !== undefined));
    });
  }

  test('the scripted agent cancels as its script says', async () => {
    await begin({ CancelTask: [task('CANCELED')] });
    assert.equal((await client.call('CancelTask', { id: 't' })).result.status.state, 'TASK_STATE_CANCELED');
  });

  test('data that is not what the card asks for is not sent', async () => {
    await begin({ SendMessage: [done], SubscribeToTask: [] });
    await assert.rejects(client.call('SendMessage', asks({ amount: '100' })), {
      code: 'input-refused',
      message: 'The agent does not accept this data: /currency is missing',
      details: '/currency is missing\n/amount should be number, not "100"',
    });
    assert.equal(((await drain(client.stream('SendStreamingMessage', asks({})))).error as { code: string }).code, 'input-refused');
    assert.deepEqual(asked(), []);
  });

  test('data that is not what the card asks for is sent where the person says so', async () => {
    await begin({ SendMessage: [done] });
    await client.call('SendMessage', asks({ amount: '100' }), { unchecked: true });
    assert.deepEqual(asked().length, 1);
  });

  test('text is sent where it is the JSON of an object, else the person is told what to write', async () => {
    await begin({ SendMessage: [done] });
    await client.call('SendMessage', asks(undefined, { parts: [{ text: JSON.stringify(expense) }] }));
    assert.deepEqual((JSON.parse(agent.requests.at(-1)!.body) as { data: unknown }).data, expense);
    await assert.rejects(
      client.call('SendMessage', asks(undefined, { parts: [{ text: 'please' }] })),
      (error: { code: string; message: string; nextStep: { args: unknown[] } }) => {
        assert.equal(error.code, 'no-input');
        assert.match(error.message, /amount, currency/);
        assert.deepEqual(error.nextStep.args, ['{"amount":0,"currency":""}']);
        return true;
      },
    );
    await begin({}, {}, {});
    await assert.rejects(client.call('SendMessage', asks(undefined, { parts: [{ text: 'please' }] })), { code: 'no-input' });
  });

  test('a raw body is posted as it is', async () => {
    await begin({ SendMessage: [done] });
    const body = '{ "taskId": "t", "type": "x", "data": {} }';
    const { items, error } = await drain(client.sendRaw(body, { log }));
    assert.equal(error, undefined);
    assert.deepEqual(items.flatMap(({ events }) => events).map(word), ['completed result']);
    assert.equal(agent.requests.at(-1)!.body, body);
    assert.equal(((await drain(client.sendRaw('nonsense'))).error as { code: string }).code, 'http-error');
  });

  for (const [name, params, card, type] of [
    ['of the message', { message: { metadata: { type: 'a' } }, metadata: { type: 'b' } }, { name: 'x', skills: [{ id: 'c' }] }, 'a'],
    ['of the request', { message: { metadata: { type: 7 } }, metadata: { type: 'b' } }, { name: 'x', skills: [{ id: 'c' }] }, 'b'],
    ['of the skill', { message: {} }, { name: 'x', skills: [{ id: 'c' }, { id: 'd' }] }, 'c'],
    ['of the name', { message: {} }, { name: 'ExpenseAgent', skills: [] }, 'expense'],
    ['of a name of several words', { message: {} }, { name: 'Travel Expenses agent', skills: [] }, 'travel_expenses'],
    ['of a name in Chinese', { message: {} }, { name: '报销', skills: [] }, '报销'],
    ['of nothing', { message: {} }, { name: 'Agent', skills: [] }, 'task'],
  ] as const) {
    test(`the type of a task is that ${name}`, () => assert.equal(taskTypeOf(params as never, card as never), type));
  }
});
