import * as assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import type { RunResult } from '../../../src/model/run/sendOptions.ts';
import { chunk, fast, first, panelOf, startWorld, status, task, textOf, until, type World } from '../../support/model/world.ts';

suite('Reception', () => {
  let world: World;
  teardown(() => world.close());

  test('what begins is written and told long before a batch is over; what goes on with it is not', async () => {
    const seen = Promise.withResolvers<void>();
    world = await startWorld({
      generation: '1.0',
      script: {
        async *SendStreamingMessage () {
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

  test('a long artifact is kept once, in the frames that brought it, and is whole for everybody', async () => {
    const texts = Array.from({ length: 24 }, (_, index) => `${index} é\n`.repeat(20_000));
    world = await startWorld({
      generation: '1.0',
      script: {
        async *SendStreamingMessage () {
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
    const database = new DatabaseSync(world.path, { readOnly: true });
    const { held, bytes } = database.prepare('SELECT count(exchange) AS held, sum(coalesce(length, octet_length(text), 0)) AS bytes FROM artifact_chunks').get() as { held: number; bytes: number };
    database.close();
    assert.ok(held > 0 && bytes < texts.join('').length / 4, `${held} rows say where their text is, the others have ${bytes} bytes`);
    assert.deepEqual(window.errors, []);
  });
});

async function runThrough(context: AgentContext): Promise<{ readonly done: RunResult; readonly taskId: string }> {
  const run = context.send({ parts: [{ text: 'Write' }], target: 'new-task' });
  const done = await run.done;
  return { done, taskId: run.taskId ?? '' };
}
