import * as assert from 'node:assert/strict';
import { completeOldNode } from '../../../src/cli/terminal/nodeVersion.ts';

suite('a Node.js that lacks what commands use', () => {
  test('gets promises with their functions, and groups', async () => {
    const { groupBy } = Map;
    const { withResolvers } = Promise;
    try {
      Object.assign(Map, { groupBy: undefined });
      Object.assign(Promise, { withResolvers: undefined });
      completeOldNode();
      assert.notEqual(Map.groupBy, groupBy);
      assert.deepEqual(
        [...Map.groupBy(['a', 'bb', 'c'], ({ length }) => length)],
        [
          [1, ['a', 'c']],
          [2, ['bb']],
        ],
      );
      const { promise, resolve } = Promise.withResolvers<number>();
      resolve(1);
      assert.equal(await promise, 1);
    } finally {
      Object.assign(Map, { groupBy });
      Object.assign(Promise, { withResolvers });
    }
  });
});
