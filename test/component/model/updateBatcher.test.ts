import * as assert from 'node:assert/strict';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import type { RunResult } from '../../../src/model/run/sendOptions.ts';
import { chunk, fast, first, panelOf, startWorld, status, task, textOf, until, type World } from '../../support/model/world.ts';

suite('UpdateBatcher', () => {
  let world: World;
  teardown(() => world.close());

  test('what begins is written and told long before a batch is over; what goes on with it is not', async () => {
    const seen = Promise.withResolvers<void>();
    world = await startWorld({
      version: '1.0',
      script: {
        async *SendStreamingMessage() {
          yield task('WORKING');
          yield { delay: 30 };
          yield chunk('first', first);
          yield { delay: 30 };
          yield chunk(' second');
          await seen.promise;
          yield status('COMPLETED');
        },
      },
    });
    const window = world.open({ timing: { ...fast, batch: 60_000 } });
    const context = window.contexts.create('Ann');
    const texts: string[] = [];
    context.onDidUpdate(updates => {
      for (const update of updates) {
        const parts = update.type === 'append' ? update.parts : update.entry.kind === 'artifact' ? update.entry.artifact.parts : [];
        if (parts.length > 0) texts.push(parts.map(part => ('text' in part ? part.text : '')).join(''));
      }
    });
    const { done } = context.send({ parts: [{ text: 'Write' }], target: 'new-task' });
    await until(() => texts.length > 0);
    assert.deepEqual(texts, ['first']);
    seen.resolve();
    await done;
    assert.deepEqual([texts.join(''), window.errors], ['first second', []]);
  });

  test('an entry has the time at which its event arrived, however long the batch was', async () => {
    world = await startWorld({
      version: '1.0',
      script: {
        SendStreamingMessage: [
          task('SUBMITTED'),
          { delay: 100 },
          status('WORKING'),
          { delay: 100 },
          status('AUTH_REQUIRED'),
          status('COMPLETED'),
        ],
      },
    });
    const window = world.open({ timing: { ...fast, batch: 60_000 } });
    const context = window.contexts.create('Ann');
    const { firstEventAt, exchangeIds } = await context.send({ parts: [{ text: 'Write' }], target: 'new-task' }).done;
    const entries = context.entries({ limit: 20 }).items.filter(({ kind }) => kind === 'status');
    const arrived = window.store.frames(context.key, exchangeIds[0]!, { limit: 20 }).map(({ at }) => at);
    assert.equal(entries.length, 4);
    for (const [index, { at }] of entries.entries())
      assert.ok(Math.abs(at - arrived[index]!) < 20, `${index}: ${at} and ${arrived[index]}`);
    assert.equal(firstEventAt, arrived[0]);
  });

  test('of a task that is told with thousands of artifacts each thousand is written in a turn of its own, in their order', async () => {
    const artifacts = Array.from({ length: 2_500 }, (_, index) => ({ artifactId: `a${index}`, parts: [{ text: `${index}` }] }));
    world = await startWorld({
      version: '1.0',
      script: {
        SendStreamingMessage: [
          task('WORKING'),
          { event: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' }, artifacts } } },
          status('COMPLETED'),
        ],
      },
    });
    const window = world.open();
    const context = window.contexts.create('Ann');
    const written: string[][] = [];
    let turn: string[] | undefined;
    context.onDidUpdate(updates => {
      if (turn === undefined) {
        turn = [];
        written.push(turn);
        setImmediate(() => {
          turn = undefined;
        });
      }
      for (const update of updates)
        if (update.type === 'put' && update.entry.kind === 'artifact') turn.push(update.entry.artifact.artifactId);
    });
    const { done } = context.send({ parts: [{ text: 'Write' }], target: 'new-task' });
    const { task: told } = await done;
    assert.deepEqual([told?.status.state, told?.artifacts?.length, window.errors], ['TASK_STATE_COMPLETED', 2_500, []]);
    assert.deepEqual(
      written.flat(),
      artifacts.map(({ artifactId }) => artifactId),
    );
    assert.ok(Math.max(...written.map(({ length }) => length)) <= 1_024, written.map(({ length }) => length).join(' '));
  });

  test('a long artifact is whole for everybody', async () => {
    const texts = Array.from({ length: 24 }, (_, index) => `${index} é\n`.repeat(20_000));
    world = await startWorld({
      version: '1.0',
      script: {
        async *SendStreamingMessage() {
          yield task('WORKING');
          for (const [index, text] of texts.entries()) yield chunk(text, { append: index > 0 });
          yield status('COMPLETED');
        },
      },
    });
    const window = world.open();
    const context = window.contexts.create('Ann');
    const panel = panelOf(context);
    const { done, taskId } = await runThrough(context);
    const parts = texts.map(text => ({ text }));
    assert.deepEqual(done.task?.artifacts?.[0]?.parts, parts);
    assert.deepEqual(window.store.taskDocument(context.key, taskId)?.task.artifacts?.[0]?.parts, parts);
    assert.ok(panel.entries().some(entry => entry.kind === 'artifact' && textOf(entry.artifact) === texts.join('')));
    assert.deepEqual(window.errors, []);
  });
});

async function runThrough(context: AgentContext): Promise<{ readonly done: RunResult; readonly taskId: string }> {
  const run = context.send({ parts: [{ text: 'Write' }], target: 'new-task' });
  const done = await run.done;
  return { done, taskId: run.taskId ?? '' };
}
