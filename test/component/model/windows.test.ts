import * as assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { LiveTask } from '../../support/model/liveTask.ts';
import {
  looked,
  panelOf,
  says,
  startWorld,
  status,
  task,
  taskOf,
  textOf,
  until,
  type Window,
  word,
  type World,
} from '../../support/model/world.ts';

const text = (words: string) => ({ parts: [{ text: words }], target: 'new-task' }) as const;

suite('windows that share a history', () => {
  let world: World;
  let live: LiveTask;
  setup(async () => {
    live = new LiveTask();
    world = await startWorld({ version: '1.0', script: live.script });
  });
  const children: ChildProcess[] = [];
  teardown(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await world.close();
  });

  const artifactText = (window: Window, key: string): string => {
    const document = window.contexts.get(key)?.task('t');
    return document?.artifacts?.map(textOf).join('') ?? '';
  };
  const transcript = (window: Window, key: string): string[] => window.contexts.get(key)!.entries().items.map(word);
  const asked = (): string[] => world.agent.requests.flatMap(({ operation }) => operation ?? []);
  const sends = (): number => world.agent.requests.filter(({ operation }) => operation === 'SendStreamingMessage').length;

  test('a reload that missed nothing leaves no gap', async () => {
    const one = world.open();
    const { key } = one.contexts.create('Ann');
    const run = one.contexts.get(key)!.send(text('Write'));
    await until(() => transcript(one, key).includes('working'));
    one.close();
    await run.done;
    const two = world.open();
    two.contexts.resume();
    await until(() => asked().includes('SubscribeToTask'));
    live.end();
    await until(() => transcript(two, key).includes('completed'));
    assert.deepEqual(transcript(two, key), ['I: Write (sent)', 'working', 'completed']);
  });

  test('a task goes on in the next window when the first is closed', async () => {
    const one = world.open();
    const { key } = one.contexts.create('Ann');
    const run = one.contexts.get(key)!.send(text('Write'));
    await until(() => sends() === 1);
    live.say('one ');
    await until(() => artifactText(one, key) === 'one ');
    one.close();
    await run.done;
    live.say('two ');
    const two = world.open();
    two.contexts.resume();
    await until(() => artifactText(two, key) === 'one two ');
    live.say('three');
    live.end();
    await until(() => transcript(two, key).includes('completed'));
    assert.deepEqual(transcript(two, key), ['I: Write (sent)', 'working', 'a=one two three.', 'gap', 'completed']);
    assert.deepEqual(two.contexts.get(key)!.task('t')!.artifacts, live.task.artifacts);
    assert.equal(sends(), 1);
    assert.deepEqual([...one.errors, ...two.errors], []);
  });

  test('a second window of the same folder leaves alone what the first one follows, and takes it over when that is gone', async () => {
    const owner = 'the first window';
    const one = world.open({ owner });
    one.contexts.resume();
    const { key } = one.contexts.create('Ann');
    one.contexts.get(key)!.send(text('Write'));
    await until(() => sends() === 1);
    live.say('one ');
    await until(() => artifactText(one, key) === 'one ');
    const two = world.open({ replaces: owner });
    const panel = panelOf(two.contexts.get(key)!);
    two.contexts.resume();
    live.say('two ');
    await until(() => panel.entries().map(word).includes('a=one two '));
    await looked(two);
    assert.deepEqual(
      [one.contexts.get(key)!.running, two.contexts.get(key)!.running, two.contexts.get(key)!.runningElsewhere],
      [true, false, true],
    );
    assert.deepEqual(transcript(two, key), ['I: Write (sent)', 'working', 'a=one two ']);
    assert.deepEqual(asked(), ['SendStreamingMessage']);
    one.close();
    await until(() => two.contexts.get(key)!.running);
    live.say('three ');
    live.end();
    await until(() => transcript(two, key).includes('completed'));
    assert.deepEqual(transcript(two, key), ['I: Write (sent)', 'working', 'a=one two three .', 'gap', 'completed']);
    assert.deepEqual(panel.entries(), two.contexts.get(key)!.entries().items);
    assert.deepEqual([...one.errors, ...two.errors], []);
  });

  test('the next window of a folder takes over at once from one whose process id another process has by now', async () => {
    const gone = world.open({ owner: 'gone' });
    const { key } = gone.contexts.create('Ann');
    gone.contexts.get(key)!.send(text('Write'));
    await until(() => gone.contexts.get(key)!.tasks().length === 1);
    const now = (): number => Date.now() + 2 * 60_000;
    const other = world.open({ now });
    other.contexts.resume();
    assert.equal(other.contexts.get(key)!.running, false);
    const next = world.open({ replaces: 'gone', now });
    next.contexts.resume();
    assert.equal(next.contexts.get(key)!.running, true);
  });

  test('what another window follows can be stopped here', async () => {
    const one = world.open();
    const two = world.open();
    one.contexts.resume();
    two.contexts.resume();
    const { key } = one.contexts.create('Ann');
    const { done } = one.contexts.get(key)!.send(text('Write'));
    let told = 0;
    two.contexts.get(key)!.onDidChangeState(() => {
      told++;
    });
    await until(() => told > 0 && two.contexts.get(key)!.runningElsewhere);
    assert.equal(await two.contexts.get(key)!.stop(), 'canceled');
    assert.equal((await done).task?.status.state, 'TASK_STATE_CANCELED');
    await until(() => transcript(two, key).includes('canceled'));
    assert.deepEqual([two.contexts.get(key)!.runningElsewhere, transcript(two, key)], [false, ['I: Write (sent)', 'working', 'canceled']]);
    assert.equal(asked().filter(operation => operation === 'CancelTask').length, 1);
    assert.deepEqual([...one.errors, ...two.errors], []);
  });

  test('that another window is gone shows, also where this one cannot go on with the task', async () => {
    const one = await otherProcess('send');
    const two = world.open();
    two.agents.configure({});
    two.contexts.resume();
    await until(() => two.contexts.page({ agent: 'Ann' }).items[0]?.tasks === 1);
    const { key } = two.contexts.page({ agent: 'Ann' }).items[0]!;
    const shown: unknown[] = [];
    const context = two.contexts.get(key)!;
    context.onDidChangeState(() => shown.push(context.connection?.kind));
    live.say('one ');
    await until(() => shown.at(-1) === 'elsewhere');
    await looked(two);
    await one.kill();
    await until(() => shown.at(-1) === 'none');
  });

  test('a window leaves alone what another one follows, and shows what that one writes', async () => {
    const one = world.open();
    const two = world.open();
    one.contexts.resume();
    two.contexts.resume();
    const { key } = one.contexts.create('Ann');
    one.contexts.get(key)!.send(text('Write'));
    const panel = panelOf(two.contexts.get(key)!);
    live.say('one ');
    await until(() => panel.entries().map(word).includes('a=one '));
    live.say('two');
    live.end();
    await until(() => panel.entries().map(word).includes('completed'));
    assert.deepEqual(panel.entries(), one.contexts.get(key)!.entries().items);
    assert.deepEqual(
      world.agent.requests.flatMap(({ operation }) => operation ?? []),
      ['SendStreamingMessage'],
    );
  });

  test('a context that another window deletes is gone here too', async () => {
    const one = world.open();
    const two = world.open();
    two.contexts.resume();
    const { key } = one.contexts.create('Ann');
    one.contexts.get(key)!.send(text('Write'));
    assert.notEqual(two.contexts.get(key), undefined);
    one.contexts.delete(key);
    await until(() => two.contexts.get(key) === undefined);
  });

  /** A window in a process of its own, which has begun: until then much time may pass on a busy machine. */
  async function otherProcess(what: 'send' | 'resume'): Promise<{ readonly lines: readonly string[]; readonly kill: () => Promise<void> }> {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../support/model/windowProcess.ts'), world.path, world.agent.url, what],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    children.push(child);
    const lines: string[] = [];
    const output = createInterface(child.stdout).on('line', line => lines.push(line));
    await once(output, 'line');
    return {
      lines,
      kill: async () => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      },
    };
  }

  test('what another process does shows here, is left to it, and is taken up once when it is gone', async () => {
    const here = world.open();
    here.contexts.resume();
    const sending = await otherProcess('send');
    await until(() => sends() === 1);
    live.say('one ');
    await until(() => here.contexts.page({ agent: 'Ann' }).items.length === 1);
    const { key } = here.contexts.page({ agent: 'Ann' }).items[0]!;
    await until(() => artifactText(here, key) === 'one ');
    assert.equal(here.contexts.running, false);
    assert.deepEqual(asked(), ['SendStreamingMessage']);

    const third = await otherProcess('resume');
    await sending.kill();
    live.say('two ');
    await until(() => artifactText(here, key) === 'one two ');
    live.end();
    await until(() => transcript(here, key).includes('completed'));
    assert.deepEqual([asked().filter(operation => operation === 'SubscribeToTask').length, sends()], [1, 1]);
    assert.deepEqual(transcript(here, key), ['I: Write (sent)', 'working', 'a=one two .', 'gap', 'completed']);
    assert.deepEqual(here.errors, []);
    await third.kill();
  });

  test('of two windows that find the same task at the same moment, one takes it up', async () => {
    const gone = world.open();
    const { key } = gone.contexts.create('Ann');
    gone.contexts.get(key)!.send(text('Write'));
    await until(() => gone.contexts.get(key)!.tasks().length === 1);
    gone.close();
    const one = world.open();
    const two = world.open();
    const unfinished = two.store.leases.unfinished.bind(two.store.leases);
    two.store.leases.unfinished = (...args) => {
      const found = unfinished(...args);
      one.contexts.resume();
      return found;
    };
    two.contexts.resume();
    await until(() => asked().includes('SubscribeToTask'));
    assert.deepEqual([one.contexts.running, two.contexts.running], [true, false]);
    live.end();
    await until(() => transcript(one, key).includes('completed'));
    assert.equal(asked().filter(operation => operation === 'SubscribeToTask').length, 1);
  });

  test('a killed window loses nothing, doubles nothing and sends nothing again', async () => {
    const { lines, kill } = await otherProcess('send');
    await until(() => sends() === 1);
    live.say('one ');
    live.say('two ');
    await until(() => lines.some(line => line.includes('two ')));
    await kill();
    live.say('three ');
    const window = world.open();
    window.contexts.resume();
    const key = window.contexts.page({ agent: 'Ann' }).items[0]?.key ?? '';
    await until(() => artifactText(window, key) === live.text);
    live.end();
    await until(() => transcript(window, key).includes('completed'));
    assert.deepEqual(transcript(window, key), ['I: Write (sent)', 'working', 'a=one two three .', 'gap', 'completed']);
    assert.equal(sends(), 1);
  });
});

suite('what a window finds at its start', () => {
  let world: World;
  teardown(() => world.close());

  test('a message whose window went away while it was sent may have arrived or not', async () => {
    world = await startWorld({ version: '1.0', script: { SendMessage: [{ stall: true }] } });
    const one = world.open();
    const { key } = one.contexts.create('Ann');
    one.contexts.get(key)!.send({ ...text('hi'), streaming: false });
    await until(() => world.agent.requests.some(({ operation }) => operation === 'SendMessage'));
    one.close();
    const two = world.open();
    assert.deepEqual(two.contexts.get(key)!.entries().items.map(word), ['I: hi (sending)']);
    two.contexts.resume();
    assert.deepEqual(two.contexts.get(key)!.entries().items.map(word), ['I: hi (unknown)']);
    assert.equal(world.agent.requests.filter(({ operation }) => operation === 'SendMessage').length, 1);
  });

  test('a task that the agent has forgotten says so once, and is not asked for again', async () => {
    world = await startWorld({
      version: '1.0',
      script: {
        SendStreamingMessage: [task('WORKING'), { stall: true }],
        GetTask: [{ error: { code: -32001, message: 'Which?' } }],
      },
    });
    const one = world.open();
    const { key } = one.contexts.create('Ann');
    one.contexts.get(key)!.send(text('hi'));
    await until(() => one.contexts.get(key)!.tasks().length === 1);
    one.close();
    for (let start = 0; start < 3; start++) {
      const next = world.open();
      const context = next.contexts.get(key)!;
      next.contexts.resume();
      await until(() => context.taskState('t') === 'LOST');
      assert.equal(context.running, false);
      assert.deepEqual(next.contexts.get(key)!.entries().items.map(word), ['I: hi (sent)', 'working', 'problem agent-error', 'lost']);
      next.close();
    }
    assert.equal(world.agent.requests.filter(({ operation }) => operation === 'GetTask').length, 1);
  });

  test('a task that waits is not asked for again', async () => {
    world = await startWorld({
      version: '1.0',
      script: { SendStreamingMessage: [task('WORKING'), status('INPUT_REQUIRED', says('q', 'Which?'))] },
    });
    const one = world.open();
    const { key } = one.contexts.create('Ann');
    await one.contexts.get(key)!.send(text('hi')).done;
    one.close();
    const before = world.agent.requests.length;
    const two = world.open();
    two.contexts.resume();
    await looked(two);
    assert.equal(world.agent.requests.length, before);
    assert.equal(two.contexts.get(key)!.waitingTask?.taskId, 't');
  });

  test('an agent that is no longer configured is left alone', async () => {
    world = await startWorld({
      version: '1.0',
      script: { SendStreamingMessage: [task('WORKING'), { stall: true }], GetTask: [{ answer: taskOf('WORKING') }] },
    });
    const one = world.open();
    const { key } = one.contexts.create('Ann');
    one.contexts.get(key)!.send(text('hi'));
    await until(() => one.contexts.get(key)!.tasks().length === 1);
    one.close();
    const two = world.open();
    two.agents.configure({});
    two.contexts.resume();
    assert.equal(two.contexts.get(key)!.running, false);
    assert.equal(two.contexts.get(key)!.title, 'hi');
  });
});
