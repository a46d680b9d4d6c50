import * as assert from 'node:assert/strict';
import { chunk, fast, first, startWorld, status, task, until, type World } from '../../unit/model/support/world.ts';

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
});
