import * as assert from 'node:assert/strict';
import { Emitter } from '../../../src/model/emitter.ts';
import type { Agent } from '../../../src/model/agents/agent.ts';
import { ReachabilityWatch, restartLookMs } from '../../../src/model/agents/reachabilityWatch.ts';
import { RestartRuns, type RestartReport, type RestartSeries } from '../../../src/model/again/restartRuns.ts';
import { storedRun } from '../../../src/model/again/storedRun.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import type { SendOptions } from '../../../src/model/run/sendOptions.ts';
import { mask } from '../../../src/protocol/secrets/secretValues.ts';
import { says, startWorld, task, until, type Window, type World } from '../../support/model/world.ts';

const text = (words: string): SendOptions => ({ parts: [{ text: words }], target: 'new-task' });

suite('conversations that are run again on restart', () => {
  let world: World;
  let window: Window;
  let original: AgentContext;
  let kept: readonly RestartSeries[];
  let reports: RestartReport[];
  /** How many contexts there were after each run. */
  let listed: number[];
  let open: string[];
  let givenUp: string[];
  let runs: RestartRuns;
  let answer: string;
  let count: number;
  /** Done by the agent before it answers. */
  let before: () => Promise<void>;
  const begin = (agents: ConstructorParameters<typeof RestartRuns>[0]['agents']): RestartRuns =>
    new RestartRuns({
      agents,
      contexts: window.contexts,
      kept: { get: () => kept, set: series => void (kept = series) },
      titleOf: ({ title }) => `${title} (run ${reports.length + 2})`,
      isOpen: key => open.includes(key),
      onGivenUp: ({ key }) => void givenUp.push(key),
      onRun: report => {
        reports.push(report);
        listed.push(titles().length);
      },
      onError: error => assert.fail(String(error)),
    });
  setup(async () => {
    [kept, reports, listed, open, givenUp, answer, count] = [[], [], [], [], [], 'red', 0];
    before = async () => {};
    world = await startWorld({
      version: '1.0',
      script: {
        async *SendStreamingMessage() {
          count++;
          await before();
          if (answer === 'crash') return yield { reset: true };
          yield task('COMPLETED', { id: `t${count}` }, says(`m${count}`, answer));
        },
      },
    });
    window = world.open();
    original = window.contexts.create('Ann');
    await original.send(text('Which color?')).done;
    await original.send(text('Sure?')).done;
    runs = begin(window.agents);
  });
  teardown(async () => {
    runs.dispose();
    assert.deepEqual(window.errors, []);
    await world.close();
  });

  async function restart(): Promise<void> {
    const agent = window.agents.get('Ann')!;
    const { port } = new URL(world.agent.url);
    await world.agent.stop();
    await agent.check();
    assert.equal(agent.reachability, 'unreachable');
    await world.agent.start(Number(port));
    await agent.check();
    assert.equal(agent.reachability, 'reachable');
  }
  async function rerun(): Promise<RestartReport> {
    const before = reports.length;
    await restart();
    await until(() => reports.length > before);
    return reports.at(-1)!;
  }
  const titles = (): readonly string[] =>
    window.contexts
      .page({ agent: 'Ann' })
      .items.map(({ title }) => title)
      .sort();

  test('what differs is that to the run before; the original and the last two runs stay', async () => {
    assert.equal(runs.toggle(original), true);
    assert.equal((await rerun()).differs, undefined);
    assert.deepEqual(titles(), ['Which color?', 'Which color? (run 2)']);
    answer = 'blue';
    assert.equal((await rerun()).differs, 0);
    assert.equal((await rerun()).differs, undefined);
    assert.deepEqual(titles(), ['Which color?', 'Which color? (run 3)', 'Which color? (run 4)']);
    assert.equal(storedRun(reports.at(-1)!.context).turns.length, 2);
    assert.equal(window.store.context(kept[0]!.runs[1]!.context)?.madeBy, 'person');
  });

  test('a run that is pinned, open, or was written to stays', async () => {
    runs.toggle(original);
    const { context: pinned } = await rerun();
    window.contexts.pin([{ context: pinned.key }], true);
    const { context: shown } = await rerun();
    open = [shown.key];
    const { context: used } = await rerun();
    await used.send(text('And now?')).done;
    await rerun();
    await rerun();
    await rerun();
    assert.deepEqual(
      [pinned, shown, used].map(({ key }) => window.store.context(key) !== undefined),
      [true, true, true],
    );
    assert.equal(titles().length, 1 + 3 + 2);
  });

  test('nothing runs before it is turned on, after it is turned off, or for an agent that was never away', async () => {
    await restart();
    runs.toggle(original);
    await window.agents.get('Ann')!.check();
    assert.equal(runs.isOn(original.key), true);
    assert.equal(runs.watches('Ann'), true);
    assert.equal(runs.toggle(original), false);
    await restart();
    assert.equal(runs.watches('Ann'), false);
    runs.toggle(original);
    await rerun();
    assert.equal(reports.length, 1);
    assert.equal(count, 4);
  });

  test('an agent that is back before it was seen to be away counts as restarted, once', async () => {
    runs.toggle(original);
    const agent = window.agents.get('Ann')!;
    agent.expectRestart();
    await agent.check();
    await until(() => reports.length > 0);
    assert.equal(agent.reachability, 'reachable');
    await rerun();
    assert.equal(reports.length, 2);
    assert.equal(count, 2 + 2 * 2);
  });

  test('a restart begins a run, though nobody asks the agent anything meanwhile', async () => {
    runs.toggle(original);
    const watch = new ReachabilityWatch({ agents: window.agents, inSight: ({ name }) => runs.watches(name), every: restartLookMs });
    try {
      const { port } = new URL(world.agent.url);
      await world.agent.stop();
      await until(() => window.agents.get('Ann')!.reachability === 'unreachable');
      await world.agent.start(Number(port));
      await until(() => reports.length === 1);
      assert.notEqual(window.agents.get('Ann')!.standing.restartedAt, undefined);
    } finally {
      watch.dispose();
    }
  });

  test('restarts in the middle of a run begin one more when that is over, and never two at once', async () => {
    const changes = new Emitter<Agent | undefined>(error => assert.fail(String(error)));
    runs.dispose();
    runs = begin({ all: [], onDidChange: changes.event, onDidRestart: new Emitter<Agent>(error => assert.fail(String(error))).event });
    runs.toggle(original);
    const restarted = (): void => {
      for (const reachability of ['unreachable', 'reachable']) changes.fire({ name: 'Ann', reachability } as Agent);
    };
    const { promise: isUnderWay, resolve: begins } = Promise.withResolvers<void>();
    const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
    before = async () => {
      begins();
      await goesOn;
    };
    restarted();
    await isUnderWay;
    restarted();
    restarted();
    assert.equal(count, 3);
    goOn();
    await until(() => reports.length === 2);
    restarted();
    await until(() => reports.length === 3);
    assert.equal(count, 2 + 3 * 2);
    assert.deepEqual(listed, [2, 3, 3]);
  });

  test('of two conversations, one that is turned off while the other runs does not run', async () => {
    const other = window.contexts.create('Ann');
    await other.send(text('Which size?')).done;
    for (const context of [original, other]) runs.toggle(context);
    before = async () => {
      before = async () => {};
      runs.toggle(other);
    };
    await rerun();
    assert.equal((await rerun()).original, original);
    assert.equal(count, 3 + 2 * 2);
  });

  test('an agent that was away before it all began is back as well', async () => {
    const agent = window.agents.get('Ann')!;
    const { port } = new URL(world.agent.url);
    runs.toggle(original);
    runs.dispose();
    await world.agent.stop();
    await agent.check();
    runs = begin(window.agents);
    await world.agent.start(Number(port));
    await agent.check();
    await until(() => reports.length === 1);
  });

  test('a conversation with a password that was not kept is not turned on', async () => {
    const message = { ...says('pin'), role: 'ROLE_USER' as const, parts: [{ data: { pin: mask } }] };
    window.store.own.putMessage(original.key, message, { at: Date.now(), owner: 'me' });
    assert.throws(() => runs.toggle(original), { code: 'password-not-kept' });
    assert.equal(runs.isOn(original.key), false);
  });

  test('an agent that a message breaks, and that starts again by itself, ends its series', async () => {
    runs.dispose();
    const changes = new Emitter<Agent | undefined>(error => assert.fail(String(error)));
    runs = begin({ all: [], onDidChange: changes.event, onDidRestart: new Emitter<Agent>(error => assert.fail(String(error))).event });
    runs.toggle(original);
    const restarted = (): void => {
      for (const reachability of ['unreachable', 'reachable']) changes.fire({ name: 'Ann', reachability } as Agent);
    };
    before = async () => {
      if (count > 20) assert.fail('without end');
      restarted();
    };
    answer = 'crash';
    restarted();
    await until(() => givenUp.length > 0);
    assert.deepEqual(givenUp, [original.key]);
    await until(() => reports.length === 5);
    assert.equal(count, 2 + 5);
    assert.equal(runs.watches('Ann'), false);
  });

  test('a deleted original ends its series', async () => {
    runs.toggle(original);
    window.contexts.remove([{ context: original.key }]);
    assert.equal(runs.watches('Ann'), false);
    await restart();
    assert.equal(count, 2);
  });
});
