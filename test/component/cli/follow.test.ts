import * as assert from 'node:assert/strict';
import { Follow } from '../../../src/cli/follow.ts';
import { silent } from '../../../src/cli/terminal.ts';
import { runTiming } from '../../../src/model/runTiming.ts';
import type { Script } from '../../../src/mock/script.ts';
import { OpenThings } from '../../unit/client/support/openThings.ts';
import { task } from '../../unit/client/support/says.ts';

suite('following what an agent does, in a terminal', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  const working = { event: { task: task('TASK_STATE_WORKING') } };

  /** Exit status of following a stream that says nothing after its first event. */
  async function afterSilence(GetTask: Script['GetTask']): Promise<{ readonly status: number; readonly asked: number }> {
    const { client, http, agent } = await open.spoken({ SendStreamingMessage: [working, { stall: true }], GetTask, SubscribeToTask: [working, { event: { task: task('TASK_STATE_COMPLETED') } }] });
    const never = new AbortController().signal;
    // Raw, so that nothing is printed here.
    const follow = new Follow({ values: { raw: true }, http, signal: never, giveUp: never, log: silent }, client, { ...runTiming, silence: 100, firstRetry: 10 });
    const status = await follow.stream('SendStreamingMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } });
    return { status, asked: agent.requests.filter(({ operation }) => operation === 'GetTask').length };
  }

  test('the task of a silent stream is asked for on another connection', async () => {
    let asked = 0;
    const { status } = await afterSilence(() => [{ answer: task(asked++ < 2 ? 'TASK_STATE_WORKING' : 'TASK_STATE_FAILED') }]);
    assert.deepEqual([status, asked], [1, 3]);
  });

  test('an agent that has gone silent is taken up again', async () => {
    let asked = 0;
    const { status } = await afterSilence(() => (asked++ === 0 ? [{ close: true }] : [{ answer: task('TASK_STATE_WORKING') }]));
    assert.equal(status, 0);
  });

  test('an agent that refuses to be asked is there: its stream is listened to further', async () => {
    let asked = 0;
    const { status } = await afterSilence(() => [asked++ === 0 ? { error: { code: -32603, message: 'not now' } } : { answer: task('TASK_STATE_COMPLETED') }]);
    assert.deepEqual([status, asked], [0, 2]);
  });
});
