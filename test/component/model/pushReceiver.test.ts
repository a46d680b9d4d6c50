import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Script } from '../../../src/mock/script.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import { configsOf } from '../../../src/model/notifications/configurations.ts';
import { PushReceiver } from '../../../src/model/notifications/pushReceiver.ts';
import type { SendMessageParams } from '../../../src/protocol/message/operations.ts';
import type { TaskPushNotificationConfig } from '../../../src/protocol/message/pushNotificationConfig.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { notifyingAgent0_3, notifyingAgent1_0 } from '../../support/client/notifyingAgents.ts';
import { post } from '../../support/receiver/post.ts';
import {
  chunk,
  first,
  panelOf,
  startWorld,
  status,
  task,
  taskOf,
  until,
  word,
  type Window,
  type World,
} from '../../support/model/world.ts';

const ask: SendMessageParams = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Go' }] } };

suite('push notifications of tasks', () => {
  let world: World;
  let window: Window;
  let context: AgentContext;
  let receiver: PushReceiver;
  let errors: unknown[];
  /** How long an open stream may stay silent after a notification, in milliseconds. */
  let grace = 60_000;
  let config: TaskPushNotificationConfig;
  const deleted: string[] = [];

  const operations = (): readonly string[] => world.agent.requests.flatMap(({ operation }) => operation ?? []);

  /** A task `t` in that state, to which nobody listens unless the script streams it, and whose notifications are received. */
  async function begin(script: Script = {}, known: Task = taskOf('WORKING')): Promise<void> {
    deleted.length = 0;
    world = await startWorld({
      version: '1.0',
      script: {
        SendMessage: [{ answer: { task: known } }],
        CreateTaskPushNotificationConfig: ({ params }) => {
          // What is told here of the agent's answer has no secrets.
          config = params!;
          return [{ answer: config }];
        },
        DeleteTaskPushNotificationConfig: ({ params }) => {
          deleted.push(params!.id);
          return [{ answer: {} }];
        },
        ...script,
      },
    });
    open();
    context = window.contexts.create('Ann');
    if (script.SendStreamingMessage === undefined) await context.call('SendMessage', ask);
    else {
      context.send({ parts: [{ text: 'Go' }], target: 'new-task' });
      await until(() => context.task('t') !== undefined);
    }
    await receiver.receive(context, 't');
  }
  function open(): void {
    window = world.open();
    errors = [];
    receiver = new PushReceiver({ onError: error => errors.push(error), grace });
  }
  teardown(async () => {
    receiver.dispose();
    assert.deepEqual([...errors, ...window.errors], []);
    await world.close();
  });

  /** Sends a notification as the agent would. */
  const notify = async (event: StreamResponse, headers: Record<string, string> = { 'x-a2a-notification-token': config.token! }) =>
    (await post(config.url, { headers, body: JSON.stringify(event) })).status;
  const told = (event: { readonly event: StreamResponse }, timestamp?: string): StreamResponse =>
    timestamp === undefined || !('statusUpdate' in event.event)
      ? event.event
      : { statusUpdate: { ...event.event.statusUpdate, status: { ...event.event.statusUpdate.status, timestamp } } };
  const outcomes = (): readonly string[] => context.received('t').map(({ received }) => received.outcome);
  const artifact = (): string | undefined =>
    context
      .task('t')
      ?.artifacts?.[0]?.parts.map(part => ('text' in part ? part.text : '?'))
      .join('');

  test('of a second task are received at the same port, which is free once both are forgotten', async () => {
    await begin();
    const { port } = receiver;
    await receiver.receive(context, 'other');
    assert.equal(receiver.port, port);
    assert.equal(new URL(receiver.urlOf(context, 't')!).port, new URL(receiver.urlOf(context, 'other')!).port);
    await receiver.forget(context, 'other');
    await receiver.forget(context, 't');
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`));
  });

  test('update a task that nobody listens to, from its first piece to its end, without asking the agent', async () => {
    await begin();
    const panel = panelOf(context);
    for (const event of [chunk('x', first), chunk('y'), chunk('z', { lastChunk: true }), status('COMPLETED')])
      assert.equal(await notify(told(event)), 200);
    assert.deepEqual(panel.entries().map(word), ['working', 'a=xyz.', 'completed']);
    assert.equal(context.taskState('t'), 'TASK_STATE_COMPLETED');
    assert.deepEqual(outcomes(), ['applied', 'applied', 'applied', 'applied']);
    assert.equal(receiver.count, 4);
    assert.ok(!operations().includes('GetTask'));
  });

  test('are exchanges of their context, with their bytes, what was checked and no secret; also after a reload', async () => {
    await begin();
    const sent = JSON.stringify(told(status('INPUT_REQUIRED')));
    await post(config.url, {
      headers: { 'X-A2A-Notification-Token': config.token!, authorization: 'Bearer canary-authorization' },
      body: sent,
    });
    window.close();
    receiver.dispose();
    const before = context.key;
    open();
    context = window.contexts.get(before)!;
    const [delivery] = context.received('t');
    assert.ok(delivery !== undefined);
    assert.deepEqual([delivery.status, delivery.body, delivery.received.outcome], [200, sent, 'applied']);
    assert.deepEqual(
      delivery.received.verdicts.map(({ outcome }) => outcome),
      ['passed', 'passed'],
    );
    const { exchange } = context.exchange(delivery.exchangeId)!;
    assert.equal(exchange.request.body, sent);
    assert.ok(exchange.request.headers.some(([name]) => name === 'X-A2A-Notification-Token'));
    const kept = JSON.stringify(exchange);
    for (const secret of [config.token!, new URL(config.url).pathname, 'canary-authorization']) assert.ok(!kept.includes(secret), secret);
    const [listed] = context.exchanges({ limit: 1 }).items;
    assert.deepEqual(listed?.received, { outcome: 'applied' });
    assert.equal(context.entries().items.at(-1)?.exchangeId, delivery.exchangeId);
  });

  test('that are forged change nothing, and only some of them are kept', async () => {
    await begin();
    const forged = told(status('COMPLETED'));
    const number = 120;
    const statuses = new Set<number>();
    for (let index = 0; index < number; index++)
      statuses.add(await notify(forged, index % 2 === 0 ? {} : { 'x-a2a-notification-token': `wrong ${index}` }));
    assert.deepEqual([...statuses], [401]);
    assert.equal(context.taskState('t'), 'TASK_STATE_WORKING');
    assert.deepEqual([receiver.count, receiver.refusals], [0, number]);
    // They are about no task of which anybody knows.
    assert.deepEqual(outcomes(), []);
    assert.equal(context.exchanges({ limit: 200 }).items.filter(({ received }) => received?.outcome === 'refused').length, 50);
    assert.equal(await notify({ statusUpdate: { taskId: 'other', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } }), 401);
    assert.equal(context.taskSummary('other'), undefined);
  });

  test('that come again are applied once', async () => {
    await begin();
    const panel = panelOf(context);
    for (const event of [chunk('x', first), chunk('y'), chunk('y'), chunk('y')]) assert.equal(await notify(told(event)), 200);
    assert.equal(artifact(), 'xy');
    assert.deepEqual(outcomes(), ['applied', 'applied', 'repeated', 'repeated']);
    assert.deepEqual(panel.entries().map(word), ['working', 'a=xy']);
  });

  test('do not change a task whose stream is open, whichever of the two is first', async () => {
    let release = (): void => {};
    const released = new Promise<void>(resolve => (release = resolve));
    await begin({
      async *SendStreamingMessage() {
        yield task('WORKING');
        yield chunk('x', first);
        await released;
        yield chunk('y', { lastChunk: true });
        yield status('COMPLETED');
      },
    });
    await until(() => artifact() === 'x');
    // After the stream, and before it.
    for (const event of [chunk('x', first), chunk('y', { lastChunk: true }), status('COMPLETED')])
      assert.equal(await notify(told(event)), 200);
    assert.equal(artifact(), 'x');
    assert.equal(context.taskState('t'), 'TASK_STATE_WORKING');
    release();
    await until(() => context.taskState('t') === 'TASK_STATE_COMPLETED' && !context.isActive);
    assert.equal(artifact(), 'xy');
    assert.deepEqual(outcomes(), ['stream', 'stream', 'stream']);
  });

  test('end a task whose open stream stays silent, and are signs of life', async () => {
    let release = (): void => {};
    const released = new Promise<void>(resolve => (release = resolve));
    grace = 50;
    await begin({
      async *SendStreamingMessage() {
        yield task('WORKING');
        await released;
      },
    });
    const receivedAt = (): number => {
      const connection = context.connectionOf('t');
      return connection?.kind === 'open' || connection?.kind === 'quiet' ? (connection.lastReceivedAt ?? 0) : 0;
    };
    const before = receivedAt();
    await until(() => Date.now() > before + 5);
    await notify(told(status('COMPLETED')));
    grace = 60_000;
    assert.ok(receivedAt() > before);
    assert.deepEqual(outcomes(), ['stream']);
    await until(() => context.taskState('t') === 'TASK_STATE_COMPLETED');
    assert.deepEqual(outcomes(), ['applied']);
    release();
    await until(() => !context.isActive);
    assert.equal(context.taskState('t'), 'TASK_STATE_COMPLETED');
  });

  test('that come late, after the stream is over, add nothing twice: the agent is asked for the task', async () => {
    const whole = taskOf('COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'xy' }] }] });
    await begin({
      SendStreamingMessage: [task('WORKING'), chunk('x', first), chunk('y', { lastChunk: true }), status('COMPLETED')],
      GetTask: [{ answer: whole }],
    });
    await until(() => context.taskState('t') === 'TASK_STATE_COMPLETED' && !context.isActive);
    const before = operations().filter(each => each === 'GetTask').length;
    for (const event of [task('WORKING'), chunk('x', first), chunk('y', { lastChunk: true }), status('WORKING')]) await notify(told(event));
    await until(() => operations().filter(each => each === 'GetTask').length > before);
    assert.equal(artifact(), 'xy');
    assert.equal(context.taskState('t'), 'TASK_STATE_COMPLETED');
    assert.deepEqual(outcomes(), ['older', 'asked', 'asked', 'older']);
  });

  test('with an older time than what is known do not count', async () => {
    await begin();
    await notify(told(status('INPUT_REQUIRED'), '2026-01-02T00:00:02Z'));
    await notify(told(status('WORKING'), '2026-01-02T00:00:01Z'));
    assert.equal(context.taskState('t'), 'TASK_STATE_INPUT_REQUIRED');
    await notify(told(status('WORKING'), '2026-01-02T00:00:03Z'));
    assert.equal(context.taskState('t'), 'TASK_STATE_WORKING');
    assert.deepEqual(outcomes(), ['applied', 'older', 'applied']);
  });

  test('reach a task whose stream was lost and cannot be opened again', async () => {
    await begin({
      SendStreamingMessage: [task('WORKING'), chunk('x', first), { delay: 20 }, { reset: true }],
      GetTask: [{ reset: true }],
    });
    await until(() => context.connectionOf('t')?.kind === 'lost');
    assert.equal(await notify(told(status('COMPLETED'))), 200);
    await until(() => context.taskState('t') === 'TASK_STATE_COMPLETED');
    assert.equal(artifact(), 'x');
  });

  test('that are answered with a failure on purpose are applied when they come again, and say that it was a rehearsal', async () => {
    await begin({ GetTask: [{ answer: taskOf('WORKING', { artifacts: [{ artifactId: 'a', parts: [{ text: 'xy' }] }] }) }] });
    receiver.rehearse({ kind: 'error', times: 1 });
    assert.equal(await notify(told(chunk('x', first))), 500);
    assert.equal(artifact(), undefined);
    // One failure was asked for.
    assert.equal(receiver.rehearsal.kind, 'accept');
    assert.equal(await notify(told(chunk('x', first))), 200);
    assert.equal(artifact(), 'x');
    receiver.rehearse({ kind: 'redirect' });
    assert.equal(await notify(told(chunk('y'))), 307);
    // What is missing may come after what comes next, so the pieces are not put together here.
    receiver.rehearse({ kind: 'slow', ms: 1 });
    assert.equal(await notify(told(chunk('z'))), 200);
    await until(() => artifact() === 'xy');
    assert.deepEqual(
      context.received('t').map(({ status: answered, received: { outcome, rehearsed } }) => [answered, outcome, rehearsed?.kind]),
      [
        [500, 'rehearsed', 'error'],
        [200, 'applied', undefined],
        [307, 'rehearsed', 'redirect'],
        [200, 'asked', 'slow'],
      ],
    );
  });

  test('are no longer received once that is stopped, and the agent is told', async () => {
    await begin();
    assert.ok(receiver.port > 0 && receiver.isOwn(config.url));
    assert.deepEqual(await receiver.stop(), []);
    assert.deepEqual(deleted, [config.id]);
    assert.equal(receiver.port, 0);
    assert.equal(await notify(told(status('COMPLETED'))), 0);
    assert.equal(context.taskState('t'), 'TASK_STATE_WORKING');
  });

  test('whose configuration the agent does not delete are stopped all the same, and it is said which', async () => {
    await begin({ DeleteTaskPushNotificationConfig: [{ error: { code: -32603, message: 'No' } }] });
    const left = await receiver.stop();
    assert.deepEqual(
      left.map(({ taskId, problem }) => [taskId, problem.message.includes('No')]),
      [['t', true]],
    );
    assert.equal(receiver.port, 0);
  });

  test('that the agent refuses leave nothing listening', async () => {
    await assert.rejects(begin({ CreateTaskPushNotificationConfig: [{ error: { code: -32003, message: 'No push' } }] }), {
      message: /No push/,
    });
    assert.deepEqual([receiver.port, receiver.receiving.length], [0, 0]);
  });
});

suite('push notifications of tasks, from the senders of the official SDK', () => {
  for (const version of ['1.0', '0.3'] as const)
    test(`${version}: a task that nobody listens to ends as the agent tells, and the agent is not asked`, async () => {
      const agent = await (version === '1.0' ? notifyingAgent1_0() : notifyingAgent0_3());
      const { interfaces } = agent;
      const facts = { name: 'n', description: 'd', version: '1', defaultInputModes: [], defaultOutputModes: [], skills: [] };
      const capabilities = { streaming: true, pushNotifications: true };
      const card =
        version === '1.0'
          ? {
              ...facts,
              capabilities,
              supportedInterfaces: [{ url: interfaces.JSONRPC, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
            }
          : { ...facts, capabilities, protocolVersion: '0.3.0', url: interfaces.JSONRPC, preferredTransport: 'JSONRPC' };
      const server = createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const world = await startWorld({ version: '1.0', script: {} });
      const window = world.open();
      const errors: unknown[] = [];
      const receiver = new PushReceiver({ onError: error => errors.push(error) });
      const { info } = console;
      // Its sender reports each notification.
      console.info = () => {};
      try {
        window.agents.configure({ Sdk: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } });
        const context = window.contexts.create('Sdk');
        const { result } = await context.call('SendMessage', { ...ask, configuration: { returnImmediately: true } });
        assert.ok('task' in result);
        const taskId = result.task.id;
        await receiver.receive(context, taskId);
        assert.deepEqual(
          (await configsOf(context, taskId)).map(({ url }) => receiver.isOwn(url)),
          [true],
        );
        agent.finish();
        await until(() => context.taskState(taskId) === 'TASK_STATE_COMPLETED');
        assert.deepEqual(
          context
            .received(taskId)
            .map(({ received: { outcome, verdicts } }) => [outcome, verdicts.every(each => each.outcome === 'passed')]),
          context.received(taskId).map(() => ['applied', true]),
        );
        assert.ok(!context.exchanges({ limit: 200 }).items.some(({ operation }) => operation === 'GetTask'));
        assert.deepEqual(await receiver.stop(), []);
        assert.deepEqual(await configsOf(context, taskId), []);
      } finally {
        console.info = info;
        receiver.dispose();
        await world.close();
        server.close();
        server.closeAllConnections();
        await agent.stop();
      }
      assert.deepEqual(errors, []);
    });
});
