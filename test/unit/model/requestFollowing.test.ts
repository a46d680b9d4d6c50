import * as assert from 'node:assert/strict';
import { followed } from '../../../src/model/requestFollowing.ts';
import { RequestLimit } from '../../../src/model/requestLimit.ts';
import type { FollowedRun, RequestContext } from '../../../src/model/requestPeer.ts';
import type { RunResult } from '../../../src/model/sendOptions.ts';

suite('a request that is followed', () => {
  test('bytes that are no answer, such as comments in a stream, are no sign of life', async () => {
    const never = new Promise<never>(() => {});
    const result: RunResult = { delivery: 'sending', states: [], findings: [], startedAt: 0, endedAt: 0, exchangeIds: [] };
    const run: FollowedRun = {
      taskId: undefined, state: undefined, result, done: never, ended: never, refusal: undefined, provisional: undefined, stop: async () => 'over',
      get heardAt() {
        return performance.now();
      },
    };
    const context = { onDidUpdate: () => ({ dispose: () => {} }) } as unknown as RequestContext;
    const { problem } = await followed(run, { context, limit: new RequestLimit(undefined, { first: 50, later: 60_000 }), onDidChange: () => {} });
    assert.match(problem?.message ?? '', /kept the connection open and answered nothing within 0\.05 seconds/);
  });
});
