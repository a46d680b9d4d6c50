import * as assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BindingName } from '../../../src/mock/binding.ts';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { TaskServer, type Work } from '../../../src/mock/taskServer.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { versionOf } from '../../../src/protocol/versions/index.ts';

const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };

type Body = {
  readonly result?: {
    readonly task?: Task;
    readonly message?: unknown;
    readonly tasks?: readonly Task[];
    readonly nextPageToken?: string;
    readonly totalSize?: number;
    readonly pageSize?: number;
  } & Partial<Task>;
  readonly error?: { readonly code: number };
};

/** Waits, works until it is let go on, or completes at once, as the text of the message says. */
function worker(): { readonly work: Work; readonly goOn: () => void } {
  const gate = Promise.withResolvers<void>();
  return {
    goOn: gate.resolve,
    async *work({ message, taskId, contextId, signal }) {
      const [part] = message.parts;
      const text = part !== undefined && 'text' in part ? part.text : '';
      const status = (state: TaskState, words?: string): StreamResponse => ({
        statusUpdate: {
          taskId,
          contextId,
          status: {
            state,
            timestamp: new Date().toISOString(),
            ...(words && { message: { messageId: `a-${message.messageId}`, role: 'ROLE_AGENT', parts: [{ text: words }] } }),
          },
        },
      });
      if (text === 'message') return yield { message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'direct' }] } };
      if (text === 'throw') throw new Error('my work is wrong');
      if (text === 'nothing') return;
      if (text === 'ask') return yield status('TASK_STATE_INPUT_REQUIRED', 'Which one?');
      yield status('TASK_STATE_WORKING');
      if (text === 'hang') await sleep(600_000, undefined, { signal });
      if (text === 'wait') await gate.promise;
      yield { artifactUpdate: { taskId, contextId, artifact: { artifactId: 'a', parts: [{ text: 'one ' }] } } };
      yield {
        artifactUpdate: { taskId, contextId, artifact: { artifactId: 'a', parts: [{ text: 'two' }] }, append: true, lastChunk: true },
      };
      yield status('TASK_STATE_COMPLETED');
    },
  };
}

suite('TaskServer', () => {
  let agent: ScriptedAgent;
  let server: TaskServer;
  let goOn: () => void;
  let errors: unknown[];
  let id = 0;
  async function serve(generation = '1.0', binding: BindingName = 'JSONRPC', streams = true, mostTasks?: number): Promise<void> {
    errors = [];
    const made = worker();
    goOn = made.goOn;
    server = new TaskServer({
      version: versionOf(generation)!,
      work: made.work,
      onError: error => errors.push(error),
      streams: () => streams,
      maxTasks: mostTasks,
    });
    agent = scriptedAgent({ version: generation, binding, script: server.script });
    await agent.start();
  }
  teardown(async () => {
    server.stop();
    await agent.stop();
  });

  const raw = (method: string, params: object, signal?: AbortSignal): Promise<Response> =>
    fetch(agent.url, { method: 'POST', headers, signal, body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }) });
  const call = async (method: string, params: object): Promise<Body> => (await (await raw(method, params)).json()) as Body;
  const send = (text: string, more: object = {}, configuration?: object): Promise<Body> =>
    call('SendMessage', { message: { messageId: `m${++id}`, role: 'ROLE_USER', parts: [{ text }], ...more }, configuration });
  const taskFor = async (text: string, configuration?: object): Promise<Task> =>
    (await send(text, {}, configuration)).result?.task ?? assert.fail('no task');
  const streamOf = async (response: Response): Promise<unknown[]> =>
    (await response.text())
      .trim()
      .split('\n\n')
      .map(event => (JSON.parse(event.replace(/^data: /, '')) as { result: object }).result);
  const codeOf = async (answer: Promise<Body>): Promise<number | undefined> => (await answer).error?.code;
  const stateOf = async (taskId: string): Promise<string | undefined> => (await call('GetTask', { id: taskId })).result?.status?.state;

  test('a message becomes a task, with its message, its artifacts joined and its end', async () => {
    await serve();
    const task = await taskFor('do it');
    assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
    assert.deepEqual(task.artifacts, [{ artifactId: 'a', parts: [{ text: 'one ' }, { text: 'two' }] }]);
    assert.deepEqual(
      task.history?.map(({ parts, taskId, contextId }) => [parts, taskId, contextId]),
      [[[{ text: 'do it' }], task.id, task.contextId]],
    );
    assert.deepEqual((await call('GetTask', { id: task.id })).result, task);
  });

  test('a message may be the whole answer, and leaves no task', async () => {
    await serve();
    const { result } = await send('message');
    assert.deepEqual(Object.keys(result ?? {}), ['message']);
    assert.deepEqual(
      await streamOf(await raw('SendStreamingMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'message' }] } })),
      [result],
    );
    assert.equal((await call('ListTasks', {})).result?.totalSize, 0);
  });

  test('unknown, finished and mismatching tasks are refused, each by its error', async () => {
    await serve();
    const over = await taskFor('do it');
    const waiting = await taskFor('ask');
    assert.equal(await codeOf(send('x', { taskId: 'nobody' })), -32001);
    assert.equal(await codeOf(send('x', { taskId: over.id })), -32004);
    assert.equal(await codeOf(send('x', { taskId: waiting.id, contextId: 'other' })), -32602);
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask'])
      assert.equal(await codeOf(call(method, { id: 'nobody' })), -32001, method);
    assert.equal(await codeOf(call('CancelTask', { id: over.id })), -32002);
    assert.equal(await codeOf(call('SubscribeToTask', { id: over.id })), -32004);
    assert.equal(await stateOf(waiting.id), 'TASK_STATE_INPUT_REQUIRED');
  });

  test('a task that waits goes on with the next message, in its context', async () => {
    await serve();
    const waiting = await taskFor('ask');
    assert.equal(waiting.status.message?.parts.length, 1);
    const after = (await send('do it', { taskId: waiting.id })).result?.task;
    assert.deepEqual([after?.id, after?.contextId, after?.status.state], [waiting.id, waiting.contextId, 'TASK_STATE_COMPLETED']);
    assert.deepEqual(
      after?.history?.map(({ role }) => role),
      ['ROLE_USER', 'ROLE_AGENT', 'ROLE_USER'],
    );
    const beside = await send('do it', { contextId: waiting.contextId });
    assert.equal(beside.result?.task?.contextId, waiting.contextId);
    assert.notEqual(beside.result?.task?.id, waiting.id);
  });

  test('who does not wait gets the task as it stands, and can read how it ends', async () => {
    await serve();
    const task = await taskFor('wait', { returnImmediately: true });
    assert.equal(task.status.state, 'TASK_STATE_WORKING');
    goOn();
    while ((await stateOf(task.id)) !== 'TASK_STATE_COMPLETED') await sleep(1);
  });

  test('canceling ends the work, and everybody who listens hears of it', async () => {
    await serve();
    const streamed = raw('SendStreamingMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hang' }] } });
    const response = await streamed;
    while ((await call('ListTasks', {})).result?.totalSize === 0) await sleep(1);
    const [{ id: taskId }] = (await call('ListTasks', {})).result!.tasks! as [Task];
    const subscribed = await raw('SubscribeToTask', { id: taskId });
    const blocked = send('hang', { taskId });
    // A message into a task that is canceled already would be refused.
    while (((await call('GetTask', { id: taskId })).result?.history?.length ?? 0) < 2) await sleep(1);
    const { result } = await call('CancelTask', { id: taskId });
    assert.equal(result?.status?.state, 'TASK_STATE_CANCELED');
    const events = await streamOf(response);
    assert.deepEqual(
      events.map(event => Object.keys(event as object)[0]),
      ['task', 'statusUpdate', ...events.slice(2).map(() => 'statusUpdate')],
    );
    for (const all of [events, await streamOf(subscribed)]) assert.match(JSON.stringify(all.at(-1)), /TASK_STATE_CANCELED/);
    assert.equal((await blocked).result?.task?.status.state, 'TASK_STATE_CANCELED');
    assert.deepEqual(errors, []);
  });

  test('all who subscribe hear the task as it stands, then the same in the same order; one that leaves takes nothing away', async () => {
    await serve();
    const task = await taskFor('wait', { returnImmediately: true });
    const leaves = new AbortController();
    const three = await Promise.all([
      raw('SubscribeToTask', { id: task.id }),
      raw('SubscribeToTask', { id: task.id }),
      raw('SubscribeToTask', { id: task.id }, leaves.signal),
    ]);
    await three[2].body!.getReader().read();
    leaves.abort();
    goOn();
    const [one, two] = await Promise.all(three.slice(0, 2).map(streamOf));
    assert.deepEqual(one, two);
    assert.deepEqual(
      one!.map(event => Object.keys(event as object)[0]),
      ['task', 'artifactUpdate', 'artifactUpdate', 'statusUpdate'],
    );
    assert.equal((one![0] as { task: Task }).task.id, task.id);
  });

  test('a client that leaves its stream does not end the work', async () => {
    await serve();
    const leaves = new AbortController();
    const response = await raw(
      'SendStreamingMessage',
      { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'wait' }] } },
      leaves.signal,
    );
    await response.body!.getReader().read();
    leaves.abort();
    goOn();
    while ((await call('ListTasks', { status: 'TASK_STATE_COMPLETED' })).result?.totalSize !== 1) await sleep(1);
  });

  test('a history is as long as was asked for', async () => {
    await serve();
    const { id: taskId } = await taskFor('ask');
    await send('ask', { taskId });
    const lengthOf = async (historyLength?: number): Promise<number | undefined> =>
      (await call('GetTask', { id: taskId, historyLength })).result?.history?.length;
    assert.deepEqual([await lengthOf(), await lengthOf(0), await lengthOf(1), await lengthOf(99)], [4, undefined, 1, 4]);
    assert.equal((await taskFor('do it', { historyLength: 0 })).history, undefined);
    assert.deepEqual(
      (await call('ListTasks', { historyLength: 1 })).result?.tasks?.map(({ history }) => history?.length),
      [1, 1],
    );
  });

  test('tasks are listed, those that changed last first, by page, context, state and time', async () => {
    await serve();
    const first = await taskFor('ask');
    const others = [await taskFor('do it'), await taskFor('do it'), await taskFor('do it')];
    await send('ask', { taskId: first.id });
    const listed = [first, ...others.toReversed()].map(task => task.id);
    const list = async (params: object): Promise<NonNullable<Body['result']>> =>
      (await call('ListTasks', params)).result ?? assert.fail('no list');
    const ids = async (params: object): Promise<string[]> => (await list(params)).tasks!.map(task => task.id);
    const all = await list({});
    assert.deepEqual([all.tasks?.map(task => task.id), all.nextPageToken, all.pageSize, all.totalSize], [listed, '', 50, 4]);
    assert.ok(all.tasks!.every(({ artifacts }) => artifacts === undefined));
    assert.equal((await list({ includeArtifacts: true })).tasks!.filter(({ artifacts }) => artifacts !== undefined).length, 3);
    const page = await list({ pageSize: 3 });
    assert.deepEqual([page.tasks?.length, page.pageSize, page.totalSize], [3, 3, 4]);
    const rest = await list({ pageSize: 3, pageToken: page.nextPageToken });
    assert.deepEqual([rest.tasks?.map(task => task.id), rest.nextPageToken], [listed.slice(3), '']);
    assert.equal((await list({ pageSize: 4 })).nextPageToken, '', 'a page that holds all has none after it');
    assert.deepEqual(await ids({ contextId: others[0]!.contextId }), [others[0]!.id]);
    assert.deepEqual(await ids({ status: 'TASK_STATE_INPUT_REQUIRED' }), [first.id]);
    assert.deepEqual(await ids({ statusTimestampAfter: new Date(Date.now() + 60_000).toISOString() }), []);
    assert.equal((await ids({ statusTimestampAfter: new Date(Date.now() - 60_000).toISOString() })).length, 4);
    for (const params of [
      { pageSize: 0 },
      { pageSize: 101 },
      { pageSize: -1 },
      { pageToken: 'made up' },
      { statusTimestampAfter: 'yesterday' },
      { historyLength: -1 },
    ]) {
      assert.equal(await codeOf(call('ListTasks', params)), -32602, JSON.stringify(params));
    }
  });

  test('work that throws fails its task and is told of; work that does nothing leaves it submitted', async () => {
    await serve();
    assert.equal((await taskFor('throw')).status.state, 'TASK_STATE_FAILED');
    assert.match(String(errors), /my work is wrong/);
    assert.equal((await taskFor('nothing')).status.state, 'TASK_STATE_SUBMITTED');
  });

  test('an agent whose card says that it does not stream refuses to', async () => {
    await serve('1.0', 'JSONRPC', false);
    assert.equal(
      await codeOf(call('SendStreamingMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } })),
      -32004,
    );
    assert.equal(await codeOf(call('SubscribeToTask', { id: 'nobody' })), -32004);
  });

  test('what is unknown in a message is not told on', async () => {
    await serve();
    const { result } = await send('ask', { madeUp: 1, metadata: { own: 1 } });
    assert.deepEqual(Object.keys(result?.task?.history?.[0] ?? {}).toSorted(), [
      'contextId',
      'messageId',
      'metadata',
      'parts',
      'role',
      'taskId',
    ]);
  });

  test('of many tasks those that are over are forgotten first', async () => {
    await serve('1.0', 'JSONRPC', true, 5);
    const waiting = await taskFor('ask');
    const first = await taskFor('do it');
    for (let count = 0; count < 5; count++) await taskFor('do it');
    assert.equal((await call('ListTasks', {})).result?.totalSize, 5);
    assert.deepEqual([await stateOf(waiting.id), await stateOf(first.id)], ['TASK_STATE_INPUT_REQUIRED', undefined]);
  });

  test("where clients name tasks, a name nobody has is a new task, and one that is over is refused in the generation's own words", async () => {
    await serve('0.1');
    const sendAs = (name: string): Promise<Body> =>
      call('tasks/send', { id: name, message: { role: 'user', parts: [{ type: 'text', text: 'do it' }] } });
    assert.equal((await sendAs('mine')).result?.id, 'mine');
    assert.equal(await codeOf(sendAs('mine')), -32009);
  });

  test('a finished task of 0.3 is told once more to who asks to hear of it', async () => {
    await serve('0.3');
    const { result } = await call('message/send', {
      message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'do it' }] },
    });
    const events = await streamOf(await raw('tasks/resubscribe', { id: result!.id }));
    assert.deepEqual(events, [result]);
  });

  test('the same over HTTP+JSON', async () => {
    await serve('1.0', 'HTTP+JSON');
    const at = async (
      method: string,
      path: string,
      body?: object,
    ): Promise<{
      readonly status: number;
      readonly body: Body['result'] & { readonly error?: { readonly details: readonly { readonly reason: string }[] } };
    }> => {
      const response = await fetch(agent.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return { status: response.status, body: (await response.json()) as never };
    };
    const message = (text: string, more: object = {}): object => ({
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }], ...more },
    });
    const over = (await at('POST', 'message:send', message('do it'))).body.task!;
    const waiting = (await at('POST', 'message:send', message('ask'))).body.task!;
    assert.deepEqual((await at('GET', `tasks?contextId=${over.contextId}&includeArtifacts=true`)).body.tasks, [{ ...over }]);
    const refused: readonly (readonly [number, string, ReturnType<typeof at>])[] = [
      [404, 'TASK_NOT_FOUND', at('POST', 'tasks/nobody:cancel')],
      [404, 'TASK_NOT_FOUND', at('POST', 'message:send', message('x', { taskId: 'nobody' }))],
      [400, 'TASK_NOT_CANCELABLE', at('POST', `tasks/${over.id}:cancel`)],
      [400, 'UNSUPPORTED_OPERATION', at('POST', 'message:send', message('x', { taskId: over.id }))],
      [400, 'UNSUPPORTED_OPERATION', at('POST', `tasks/${over.id}:subscribe`)],
      [400, 'INVALID_PARAMS', at('POST', 'message:send', message('x', { taskId: waiting.id, contextId: 'other' }))],
      [400, 'INVALID_PARAMS', at('GET', 'tasks?pageSize=0')],
    ];
    for (const [status, reason, answer] of refused)
      assert.deepEqual([(await answer).status, (await answer).body.error?.details[0]?.reason], [status, reason]);
    assert.equal((await at('POST', `tasks/${waiting.id}:cancel`)).body.status?.state, 'TASK_STATE_CANCELED');
  });
});
