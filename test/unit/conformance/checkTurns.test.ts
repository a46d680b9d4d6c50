import * as assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { CheckTurns } from '../../../src/conformance/checkTurns.ts';
import { Problem } from '../../../src/protocol/problem.ts';

suite('turns of conformance checks', () => {
  const never = new AbortController().signal;

  test('a second check of an agent waits for the first, one of another agent does not', async () => {
    const turns = new CheckTurns();
    const order: string[] = [];
    const end = await turns.take('Ann', never);
    const second = turns.take('Ann', never).then(ended => {
      order.push('second');
      return ended;
    });
    (await turns.take('Bob', never))();
    await turn();
    assert.deepEqual([order, turns.isTaken('Ann')], [[], true]);
    end();
    (await second)();
    await turn();
    assert.deepEqual([order, turns.isTaken('Ann'), turns.isTaken('Bob')], [['second'], false, false]);
  });

  test('one that is stopped while it waits is over at once, and holds up nobody', async () => {
    const turns = new CheckTurns();
    const stop = new AbortController();
    const end = await turns.take('Ann', never);
    const stopped = turns.take('Ann', stop.signal);
    const third = turns.take('Ann', never);
    stop.abort();
    await assert.rejects(stopped, (error: unknown) => error instanceof Problem && error.code === 'cancelled');
    let isThere = false;
    void third.then(() => (isThere = true));
    await turn();
    // The first is still under way.
    assert.equal(isThere, false);
    end();
    (await third)();
    await turn();
    assert.equal(turns.isTaken('Ann'), false);
    const aborted = turns.take('Ann', AbortSignal.abort());
    await assert.rejects(aborted);
    await turn();
    assert.equal(turns.isTaken('Ann'), false);
  });
});
