import * as assert from 'node:assert/strict';
import type { Step } from '../../../src/mock/script.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import { caught, figure, full } from '../../support/figure.ts';
import { retained } from '../../support/retained.ts';
import { startWorld } from '../../support/model/world.ts';

const MiB = 1024 * 1024;
const events = full ? 1_000_000 : 20_000;
/** What a task may make a process hold on to, in bytes: 200 MiB for a million events, and a share of that with some room for what any task takes. */
const most = full ? 200 * MiB : 8 * MiB;

const task = (state: 'WORKING' | 'COMPLETED'): StreamResponse => ({
  task: { id: 't', contextId: 'c', status: { state: `TASK_STATE_${state}` } },
});

/** One event after the other, a few kinds by turns, each with a text of its own. */
async function* told(keep: (event: StreamResponse) => void, count: number): AsyncGenerator<Step> {
  yield { event: task('WORKING') };
  for (let index = 0; index < count; index++) {
    const append = {
      taskId: 't',
      contextId: 'c',
      artifact: { artifactId: 'a', parts: [{ text: `word ${index} of many more to come, ` }] },
      append: index > 0,
    };
    const event: StreamResponse =
      index % 100 === 99
        ? { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } }
        : { artifactUpdate: append };
    keep(event);
    yield { event };
  }
  yield { event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } } };
}

suite('a task of very many events', function () {
  this.timeout(full ? 3_600_000 : 300_000);

  /** What is held on to at the end of the task, while its context is still there. `keep` gets each event. */
  async function growth(keep: (event: StreamResponse) => void, count = events): Promise<number> {
    const world = await startWorld({ version: '1.0', script: { SendStreamingMessage: () => told(keep, count) } });
    try {
      const window = world.open();
      const context = window.contexts.create('Ann');
      let seen = 0;
      context.onDidUpdate(updates => {
        seen += updates.length;
      });
      const before = retained();
      const outcome = await context.send({ parts: [{ text: 'go' }], target: 'new-task' }).done;
      assert.equal(outcome.problem, undefined);
      assert.equal(outcome.task?.status.state, 'TASK_STATE_COMPLETED');
      assert.ok(seen > 0);
      const grown = retained() - before;
      assert.deepEqual(window.errors, []);
      return grown;
    } finally {
      await world.close();
    }
  }

  // What is loaded with the first task, and compiled for many events, is kept for all that follow.
  suiteSetup(() => growth(() => {}, 5_000));

  test('leaves little behind in the process that reads it', async () => {
    const grown = await growth(() => {});
    figure(
      'F17',
      { events, 'MiB more memory': Math.round(grown / MiB) },
      `${events} events in one task, ${(grown / MiB).toFixed(1)} MiB more held on to`,
    );
    assert.ok(grown <= most, `${grown} bytes`);
  });

  test('a process that keeps every event is caught', async () => {
    // Several times: what tests before have left behind is let go of meanwhile, some MiB.
    const kept: (readonly StreamResponse[])[] = [];
    const grown = await growth(event => void kept.push(Array.from({ length: 4 }, () => structuredClone(event))));
    assert.equal(kept.length, events);
    assert.ok(grown > most, `${grown} bytes`);
    caught('F17', 'a process that keeps every event');
  });
});
