import * as assert from 'node:assert/strict';
import type { Script, Step } from '../../../src/mock/script.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import { english } from '../../../src/protocol/problem.ts';
import { ReachabilityWatch } from '../../../src/model/agents/reachabilityWatch.ts';
import type { TaskConnection } from '../../../src/model/run/taskConnection.ts';
import { chunk, fast, first, startWorld, status, task, taskOf, until, type Window, type World } from '../../support/model/world.ts';

const go = { parts: [{ text: 'Go' }], target: 'new-task' } as const;
const listed = { context: '', taskId: 't', state: 'TASK_STATE_WORKING' } as const;

suite('how a task is heard of', () => {
  let world: World;
  let window: Window;
  let context: AgentContext;
  /** What was told, without times. */
  const told: string[] = [];

  async function begin(script: Script, timing: Partial<typeof fast> = {}, card?: () => unknown): Promise<void> {
    world = await startWorld({ version: '1.0', script, card });
    window = world.open({ timing: { ...fast, ...timing } });
    context = window.contexts.create('Ann');
    told.length = 0;
    context.onDidChangeState(() => {
      const word = inWords(context.connection);
      if (told.at(-1) !== word) told.push(word);
    });
  }
  teardown(async () => {
    assert.deepEqual(window.errors, []);
    await world.close();
  });

  function inWords(connection: TaskConnection | undefined): string {
    if (connection?.kind !== 'lost') return connection?.kind ?? '';
    return `lost ${connection.attempt}${connection.retryAt === undefined ? '' : ' waits'}`;
  }

  test('a connection that is lost says so with the number of the attempt and when it begins, until the agent tells of the task again', async () => {
    let refused = 0;
    await begin(
      {
        SendStreamingMessage: [task('WORKING'), chunk('x', first), { delay: 15 }, { reset: true }],
        GetTask: () => (++refused < 3 ? [{ reset: true }] : [{ answer: taskOf('WORKING') }]),
        SubscribeToTask: [task('WORKING'), { stall: true }],
      },
      { quiet: 3_600_000 },
    );
    context.send(go);
    await until(() => context.connection?.kind === 'lost');
    const lost = context.connection;
    assert.ok(
      lost?.kind === 'lost' &&
        lost.lastReceivedAt !== undefined &&
        Date.now() - lost.lastReceivedAt < 15_000 &&
        lost.since >= lost.lastReceivedAt,
    );
    assert.match(lost.reason.template, /connection|broke/iu);
    await until(() => told.at(-1) === 'open');
    assert.deepEqual(told.slice(told.indexOf('open')), [
      'open',
      'lost 1',
      'lost 2',
      'lost 2 waits',
      'lost 2',
      'lost 3',
      'lost 3 waits',
      'lost 3',
      'open',
    ]);
    assert.equal(context.connectionOf('t')?.kind, 'open');
    assert.equal(window.contexts.connectionOf({ ...listed, context: context.key })?.kind, 'open');
  });

  test('an agent that answers with a state that A2A does not have is asked again, and the connection says why', async () => {
    let asked = 0;
    await begin(
      {
        SendStreamingMessage: [task('WORKING'), status('DONE' as 'WORKING')],
        SubscribeToTask: [{ error: { code: -32004, message: 'over' } }],
        GetTask: () => [{ answer: taskOf((++asked < 3 ? 'DONE' : 'COMPLETED') as 'WORKING') }],
      },
      { firstRetry: 20, maxRetryMs: 20 },
    );
    const run = context.send(go);
    await until(() => context.connection?.kind === 'unknown-state');
    const { connection } = context;
    assert.ok(connection?.kind === 'unknown-state');
    assert.deepEqual(connection.reason.args, ['"TASK_STATE_DONE"']);
    assert.equal((await run.done).task?.status.state, 'TASK_STATE_COMPLETED');
    assert.equal(context.connection, undefined);
  });

  for (const isRefused of [true, false])
    test(`a task whose stream was cut is polled until it is subscribed to, which the agent ${isRefused ? 'refuses' : 'allows'}`, async () => {
      const seen = Promise.withResolvers<void>();
      await begin(
        {
          async *SendStreamingMessage() {
            yield task('WORKING');
            await seen.promise;
            yield { reset: true };
          },
          GetTask: [{ answer: taskOf('WORKING') }],
          SubscribeToTask: isRefused ? [{ error: { code: -32004, message: 'No' } }] : [task('WORKING'), { stall: true }],
        },
        { quiet: 3_600_000 },
      );
      const polled: string[] = [];
      context.onDidChangeState(() => {
        const connection = context.connectionOf('t');
        if (connection?.kind !== 'open') return;
        const word = connection.polled === true ? 'polled' : 'streams';
        if (polled.at(-1) !== word) polled.push(word);
      });
      context.send(go);
      await until(() => polled.length === 1);
      seen.resolve();
      await until(() => polled.length === (isRefused ? 2 : 3));
      assert.deepEqual(polled, ['streams', 'polled', 'streams'].slice(0, polled.length));
    });

  test('a task whose stream its agent ended and that cannot be subscribed to is polled with the reason, until it is over', async () => {
    let finished = false;
    await begin({
      SendStreamingMessage: [task('WORKING')],
      SubscribeToTask: [{ error: { code: -32601, message: 'No such method' } }],
      GetTask: () => [{ answer: taskOf(finished ? 'COMPLETED' : 'WORKING') }],
    });
    const run = context.send(go);
    const reason = (): string | undefined => {
      const connection = context.connectionOf('t');
      return connection?.kind === 'open' && connection.reason !== undefined ? english(connection.reason) : undefined;
    };
    await until(() => reason() !== undefined);
    assert.equal(reason(), 'The agent ended the stream before the task finished. Polling every few seconds; not finished yet.');
    finished = true;
    await run.done;
    assert.equal(context.connectionOf('t'), undefined);
  });

  test('a task that was sent without a stream is polled without a reason', async () => {
    let asked = 0;
    await begin({
      SendMessage: [{ answer: { task: taskOf('WORKING') } }],
      GetTask: () => [{ answer: taskOf(++asked > 4 ? 'COMPLETED' : 'WORKING') }],
    });
    const reasons: unknown[] = [];
    context.onDidChangeState(() => {
      const connection = context.connectionOf('t');
      if (connection !== undefined && 'reason' in connection) reasons.push(connection.reason);
    });
    await context.send({ ...go, streaming: false }).done;
    assert.deepEqual([reasons, asked], [[], 5]);
  });

  test('an exchange under way when the window closes ends there in the history, and is counted with those before it', async () => {
    await begin({ SendStreamingMessage: [task('WORKING'), { stall: true }], GetTask: [{ answer: taskOf('WORKING') }] });
    context.send(go);
    await until(() => context.exchanges().items[0]?.frames === 1);
    window.close();
    const { contexts } = world.open();
    const [exchange] = contexts.get(context.key)!.exchanges().items;
    assert.equal(exchange?.failure, 'Cut off when the window closed.');
    assert.ok(exchange.endedAt! >= exchange.startedAt);
    assert.equal(contexts.get(context.key)!.exchangesBefore(exchange.id), 0);
  });

  test('a stream that its agent ends where the task waits for authorization has lost nothing, and its request is over at once', async () => {
    let subscribed = 0;
    await begin(
      {
        SendStreamingMessage: [task('WORKING'), task('AUTH_REQUIRED')],
        GetTask: [{ answer: taskOf('AUTH_REQUIRED') }],
        SubscribeToTask: () => {
          subscribed++;
          return [task('AUTH_REQUIRED')];
        },
      },
      // A run that waited for more would never be over.
      { hearOut: 3_600_000 },
    );
    assert.equal((await context.send(go).done).task?.status.state, 'TASK_STATE_AUTH_REQUIRED');
    await until(() => subscribed > 2);
    assert.deepEqual(
      told.filter(word => word.startsWith('lost')),
      [],
    );
  });

  test('what is waited for on a stream that stays open after a question is no time of the agent', async () => {
    await begin({ SendStreamingMessage: [task('WORKING'), status('INPUT_REQUIRED'), { stall: true }] }, { hearOut: 500 });
    const { endedAt, startedAt } = await context.send(go).done;
    assert.ok(endedAt >= startedAt);
    assert.ok(Date.now() - endedAt >= 450, String(Date.now() - endedAt));
  });

  test('the wait for the next attempt ends when the person says so', async () => {
    let back = false;
    await begin(
      {
        SendStreamingMessage: [task('WORKING'), { delay: 15 }, { reset: true }],
        GetTask: () => (back ? [{ answer: taskOf('COMPLETED') }] : [{ reset: true }]),
      },
      { firstRetry: 3_600_000, maxRetryMs: 3_600_000 },
    );
    const { done } = context.send(go);
    await until(() => context.connection?.kind === 'lost' && context.connection.retryAt !== undefined);
    back = true;
    context.tryNow('t');
    assert.equal((await done).task?.status.state, 'TASK_STATE_COMPLETED');
    assert.equal(context.connection, undefined);
    assert.equal(context.connectionOf('t'), undefined);
  });

  test('an agent that ends in the middle of its answer is unreachable at once, and its task is asked for at once when it is there again', async () => {
    await begin(
      {
        SendStreamingMessage: [task('WORKING'), chunk('x', first), { stall: true }],
        GetTask: [{ answer: taskOf('COMPLETED') }],
      },
      { firstRetry: 3_600_000, maxRetryMs: 3_600_000, giveUp: 3_600_000 },
    );
    const agent = window.agents.get('Ann')!;
    const watch = new ReachabilityWatch({ agents: window.agents, inSight: () => true, every: 20 });
    try {
      const { done } = context.send(go);
      await until(() => context.taskState('t') === 'TASK_STATE_WORKING');
      assert.equal(agent.reachability, 'reachable');
      await world.agent.stop();
      await until(() => context.connection?.kind === 'lost' && context.connection.retryAt !== undefined);
      assert.equal(agent.reachability, 'unreachable');
      assert.equal(agent.problem?.code, 'unreachable');
      await world.agent.start(Number(new URL(agent.url).port));
      assert.equal((await done).task?.status.state, 'TASK_STATE_COMPLETED');
      assert.equal(agent.reachability, 'reachable');
    } finally {
      watch.dispose();
    }
  });

  test('an agent that is there again without its card yet is asked about the task all the same', async () => {
    let asked = 0;
    await begin(
      {
        SendStreamingMessage: [task('WORKING'), { delay: 15 }, { reset: true }],
        GetTask: () => (++asked === 1 ? [{ reset: true }] : [{ answer: taskOf('COMPLETED') }]),
      },
      {},
      () => (asked === 0 ? undefined : { error: 'starting' }),
    );
    const { done } = context.send(go);
    assert.equal((await done).task?.status.state, 'TASK_STATE_COMPLETED');
  });

  test('an agent of which nothing is heard for a while is quiet, until a sign of it comes that may be a mere comment', async () => {
    const more = Promise.withResolvers<void>();
    await begin(
      {
        async *SendStreamingMessage() {
          yield task('WORKING');
          await more.promise;
          yield { raw: ': still here\n\n' };
          yield { stall: true };
        },
      },
      { quiet: 300 },
    );
    context.send(go);
    await until(() => context.connection?.kind === 'quiet');
    const quiet = context.connection;
    assert.ok(quiet?.kind === 'quiet' && quiet.lastReceivedAt !== undefined && Date.now() - quiet.lastReceivedAt >= 250);
    more.resolve();
    await until(() => context.connection?.kind === 'open');
    const { lastReceivedAt } = context.connection as { lastReceivedAt?: number };
    assert.ok(lastReceivedAt !== undefined && lastReceivedAt > quiet.lastReceivedAt);
  });

  test('an agent that never answers has not been heard at all', async () => {
    await begin({ SendStreamingMessage: [{ stall: true }] }, { quiet: 30 });
    context.send(go);
    await until(() => context.connection?.kind === 'quiet');
    assert.equal('lastReceivedAt' in context.connection!, false);
  });

  test('a task that is no longer followed because the agent refused the credentials is followed again after a sign-in', async () => {
    let isSignedIn = false;
    const refused: Step = { status: 401 };
    await begin({
      SendStreamingMessage: [task('WORKING'), { delay: 15 }, { reset: true }],
      GetTask: () => (isSignedIn ? [{ answer: taskOf('COMPLETED') }] : [refused]),
      SubscribeToTask: () => [refused],
    });
    await context.send(go).done.catch(() => {});
    assert.equal(context.connectionOf('t')?.kind, 'none');
    isSignedIn = true;
    window.contexts.followAgain('Bob');
    assert.equal(context.connectionOf('t')?.kind, 'none', 'another agent');
    window.contexts.followAgain('Ann');
    await until(() => context.taskState('t') === 'TASK_STATE_COMPLETED');
  });

  test('a task that another window listens to says so, and one that nobody listens to can be listened to again', async () => {
    let over = false;
    await begin({
      SendStreamingMessage: [task('WORKING'), { stall: true }],
      GetTask: () => [{ answer: taskOf(over ? 'COMPLETED' : 'WORKING') }],
      SubscribeToTask: [task('WORKING'), { stall: true }],
    });
    const other = world.open();
    context.send(go);
    await until(() => context.connectionOf('t')?.kind === 'open');
    assert.deepEqual(other.contexts.connectionOf({ ...listed, context: context.key }), { kind: 'elsewhere' });
    assert.deepEqual(other.contexts.get(context.key)?.connection, { kind: 'elsewhere' });
    window.close();
    assert.deepEqual(other.contexts.get(context.key)?.connection, { kind: 'none' });
    over = true;
    other.contexts.get(context.key)!.tryNow('t');
    await until(() => other.contexts.get(context.key)!.taskState('t') === 'TASK_STATE_COMPLETED');
  });
});
