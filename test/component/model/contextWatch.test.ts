import * as assert from 'node:assert/strict';
import { ContextWatch } from '../../../src/model/contexts/contextWatch.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { looksOf, startWorld, task, until, type World } from '../../support/model/world.ts';

suite('what a window watches in the history that it shares', () => {
  let world: World;
  teardown(() => world.close());

  test('a task that was taken over in vain is not taken over again with every look around', async () => {
    world = await startWorld({
      version: '1.0',
      script: {
        SendStreamingMessage: [task('WORKING'), { stall: true }],
        GetTask: [{ error: { code: -32603, message: 'broken' } }],
        SubscribeToTask: [{ error: { code: -32603, message: 'broken' } }],
      },
    });
    const gone = world.open();
    const { key } = gone.contexts.create('Ann');
    gone.contexts.get(key)!.send({ parts: [{ text: 'Go' }], target: 'new-task' });
    await until(() => gone.contexts.get(key)!.taskState('t') === 'TASK_STATE_WORKING');
    gone.close();
    const next = world.open();
    const ticks = looksOf(next);
    const asked = (): number => world.agent.requests.filter(({ operation }) => operation === 'GetTask').length;
    next.contexts.resume();
    await until(() => asked() > 0 && !next.contexts.running);
    const [before, begun] = [asked(), ticks()];
    await until(() => ticks() > begun + 10);
    assert.equal(next.contexts.get(key)!.taskState('t'), 'TASK_STATE_WORKING');
    assert.deepEqual([asked(), next.contexts.running], [before, false]);
  });

  test('what another window wrote is read later where it cannot be read at once, and once alone', async () => {
    world = await startWorld({ version: '1.0', script: {} });
    const store = openStore(world.path);
    const ticks = looksOf({ store });
    const other = openStore(world.path);
    const errors: string[] = [];
    let [read, inVain] = [0, 0];
    const watch = new ContextWatch({
      store,
      owner: 'this window',
      replaces: undefined,
      tick: 5,
      contextOf: () => undefined,
      hasAgent: () => true,
      isActive: () => false,
      onTick: () => undefined,
      onWake: () => undefined,
      now: Date.now,
      onStale: () => {
        if (inVain < 3) throw new Error(`not now ${inVain++}`);
        read++;
      },
      onError: error => errors.push(String(error)),
    });
    try {
      watch.start();
      other.putContext({ key: 'k', agent: 'Ann', at: Date.now() });
      await until(() => read > 0);
      const begun = ticks();
      await until(() => ticks() > begun + 5);
      assert.deepEqual([inVain, read], [3, 1]);
      assert.deepEqual(errors, ['Error: not now 0', 'Error: not now 1', 'Error: not now 2']);
    } finally {
      watch.dispose();
      store.close();
      other.close();
    }
  });
});
