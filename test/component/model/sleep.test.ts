import * as assert from 'node:assert/strict';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { AgentContextsOptions } from '../../../src/model/contexts/agentContexts.ts';
import {
  chunk,
  fast,
  first,
  looked,
  startWorld,
  status,
  task,
  taskOf,
  until,
  type Window,
  word,
  type World,
} from '../../support/model/world.ts';

const hi = { parts: [{ text: 'hi' }], target: 'new-task' } as const;
/** Longer than any test: only who is woken looks earlier. */
const long = 600_000;
const drowsy = { ...fast, silence: long, firstPoll: long, maxPollMs: long, firstRetry: long, maxRetryMs: long, giveUp: 2 * long };
const artifact = (...words: readonly string[]) => ({ artifacts: [{ artifactId: 'a', parts: words.map(text => ({ text })) }] });

suite('a machine that has slept', () => {
  let world: World;
  let window: Window;
  let asleep = 0;
  const sleep = (): void => {
    asleep += 8 * 3_600_000;
  };
  const options: Partial<AgentContextsOptions> = { timing: drowsy, now: () => Date.now() + asleep };
  const asked = (operation: string): number => world.agent.requests.filter(request => request.operation === operation).length;
  const transcript = (key: string): string[] => window.contexts.get(key)!.entries().items.map(word);
  setup(() => {
    asleep = 0;
  });
  teardown(async () => {
    assert.deepEqual(window.errors, []);
    await world.close();
  });

  test('an open stream is looked at at once: the connection is dead and nobody has said so', async () => {
    world = await startWorld({
      version: '1.0',
      script: {
        SendStreamingMessage: [task('WORKING'), chunk('x', first), { stall: true }],
        GetTask: [{ answer: taskOf('WORKING', artifact('x', 'y')) }],
        SubscribeToTask: [task('WORKING', artifact('x', 'y')), chunk('z'), status('COMPLETED')],
      },
    });
    window = world.open(options);
    window.contexts.resume();
    const context = window.contexts.create('Ann');
    const run = context.send(hi);
    await until(() => context.entries().items.map(word).includes('a=x'));
    assert.equal(asked('GetTask'), 0);
    sleep();
    assert.equal((await run.done).problem, undefined);
    assert.deepEqual(transcript(context.key), ['I: hi (sent)', 'working', 'a=xyz.', 'gap', 'completed']);
    assert.equal(asked('SendStreamingMessage'), 1);
  });

  test('a stream that is sound goes on, and nothing is said', async () => {
    const waiting = Promise.withResolvers<void>();
    world = await startWorld({
      version: '1.0',
      script: {
        async *SendStreamingMessage() {
          yield task('WORKING');
          await waiting.promise;
          yield status('COMPLETED');
        },
        GetTask: [{ answer: taskOf('WORKING') }],
      },
    });
    window = world.open(options);
    window.contexts.resume();
    const context = window.contexts.create('Ann');
    const run = context.send(hi);
    await until(() => context.tasks().length === 1);
    sleep();
    await until(() => asked('GetTask') === 1);
    waiting.resolve();
    await run.done;
    assert.deepEqual(transcript(context.key), ['I: hi (sent)', 'working', 'completed']);
    assert.equal(asked('SubscribeToTask'), 0);
  });

  test('a task that is asked for now and then is asked for at once', async () => {
    let state: 'WORKING' | 'COMPLETED' = 'WORKING';
    world = await startWorld({
      version: '1.0',
      card: url => ({ ...minimalCard(url, '1.0'), capabilities: {} }),
      script: {
        SendMessage: [{ answer: { task: taskOf('WORKING') } }],
        GetTask: () => [{ answer: taskOf(state) }],
      },
    });
    window = world.open(options);
    window.contexts.resume();
    const context = window.contexts.create('Ann');
    const run = context.send(hi);
    await until(() => asked('GetTask') === 1);
    state = 'COMPLETED';
    sleep();
    await run.done;
    assert.deepEqual(transcript(context.key), ['I: hi (sent)', 'working', 'completed']);
    assert.equal(asked('GetTask'), 2);
  });

  test('a question that was on its way over a dead connection is asked again', async () => {
    let awake = false;
    world = await startWorld({
      version: '1.0',
      script: {
        SendStreamingMessage: [task('WORKING'), { delay: 15 }, { reset: true }],
        GetTask: () => (awake ? [{ answer: taskOf('COMPLETED') }] : [{ stall: true }]),
      },
    });
    window = world.open(options);
    window.contexts.resume();
    const context = window.contexts.create('Ann');
    const run = context.send(hi);
    await until(() => asked('GetTask') === 1);
    awake = true;
    sleep();
    assert.equal((await run.done).problem, undefined);
    assert.deepEqual(transcript(context.key), ['I: hi (sent)', 'working', 'completed']);
  });

  test('an agent that cannot be reached yet is not given up for the time that was slept', async () => {
    let reachable = true;
    world = await startWorld({
      version: '1.0',
      script: {
        SendStreamingMessage: [task('WORKING'), { delay: 15 }, { reset: true }],
        GetTask: () => (reachable ? [{ answer: taskOf('COMPLETED') }] : [{ reset: true }]),
      },
    });
    reachable = false;
    window = world.open({ ...options, timing: { ...drowsy, firstRetry: 20, maxRetryMs: 20, giveUp: 5_000 } });
    window.contexts.resume();
    const context = window.contexts.create('Ann');
    const run = context.send(hi);
    await until(() => asked('GetTask') >= 2);
    sleep();
    reachable = true;
    assert.equal((await run.done).problem, undefined);
  });

  test('what another window follows, which has slept as well, is left to it', async () => {
    world = await startWorld({
      version: '1.0',
      script: {
        SendStreamingMessage: [task('WORKING'), { stall: true }],
        GetTask: [{ answer: taskOf('WORKING') }],
      },
    });
    const other = world.open(options);
    const context = other.contexts.create('Ann');
    const run = context.send(hi);
    await until(() => context.tasks().length === 1);
    // Looks first after the sleep; the other one a little later.
    window = world.open(options);
    window.contexts.resume();
    sleep();
    await looked(window, 2);
    other.contexts.resume();
    await looked(window);
    assert.equal(window.contexts.running, false);
    assert.equal(run.running, true);
    assert.deepEqual(other.errors, []);
  });
});

suite('a subscription that lasts', () => {
  let world: World;
  teardown(() => world.close());

  test('longer than an agent may be out of reach: its end is no reason to give up', async () => {
    let gone = 0;
    const giveUp = 500;
    world = await startWorld({
      version: '1.0',
      script: {
        SendStreamingMessage: [task('WORKING'), { delay: 15 }, { reset: true }],
        GetTask: () => (gone > 0 && gone++ < 3 ? [{ reset: true }] : [{ answer: taskOf(gone > 0 ? 'COMPLETED' : 'WORKING') }]),
        async *SubscribeToTask() {
          yield task('WORKING');
          yield { delay: 2 * giveUp };
          gone = 1;
          yield { reset: true };
        },
      },
    });
    const window = world.open({ timing: { ...fast, giveUp, firstRetry: 5, maxRetryMs: 10 } });
    const context = window.contexts.create('Ann');
    const { problem } = await context.send(hi).done;
    assert.equal(problem, undefined);
    assert.deepEqual(
      context
        .entries()
        .items.map(word)
        .filter(each => each !== 'gap'),
      ['I: hi (sent)', 'working', 'completed'],
    );
  });
});
