import * as assert from 'node:assert/strict';
import { SizeBound } from '../../../src/model/run/sizeBound.ts';
import type { RetentionOutcome } from '../../../src/store/changes/retention.ts';
import { eventually } from '../../support/eventually.ts';

suite('bound of the history', () => {
  test('is held where another window gave space back after the content was counted', async () => {
    const none = { tasks: { count: 0 }, contexts: { count: 0 }, exchanges: { count: 0 } } as unknown as RetentionOutcome;
    const size = { disk: 2_000, content: 900 };
    let counted = 0;
    let looks = 0;
    const bound = new SizeBound({
      history: {
        disk: {
          get now() {
            looks++;
            return size.disk;
          },
        } as never,
        content: async () => {
          counted++;
          return size.content;
        },
        retain: async ({ bytes }) => {
          size.content = bytes ?? size.content;
          size.disk = size.content;
          return none;
        },
      },
      most: () => 1_000,
      onGone: () => {},
      onStuck: () => {},
      onError: error => assert.fail(error as Error),
      timing: { tick: 1, again: 60_000 },
    });
    try {
      await eventually(() => assert.equal(counted, 1));
      size.disk = 950;
      const before = looks;
      await eventually(() => assert.ok(looks > before + 4));
      Object.assign(size, { disk: 1_150, content: 1_100 });
      await eventually(() => assert.equal(size.content, 1_000), 5_000);
    } finally {
      bound.dispose();
    }
  });
});
