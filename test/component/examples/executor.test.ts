import * as assert from 'node:assert/strict';
import { TaskState } from '@a2a-js/sdk';
import { DefaultExecutionEventBus, RequestContext, ServerCallContext, type AgentExecutionEvent } from '@a2a-js/sdk/server';
import { SampleExecutor, type Play } from '../../../examples/agents/executor.ts';
import { request } from './peer.ts';

function run(play: Play) {
  const executor = new SampleExecutor(play, 1);
  const bus = new DefaultExecutionEventBus();
  const events: AgentExecutionEvent[] = [];
  bus.on('event', event => events.push(event));
  const context = new RequestContext(request('go'), 'task-1', 'context-1', new ServerCallContext());
  return { executor, bus, events, ended: executor.execute(context, bus) };
}

suite('sample agents: executor', () => {
  test('a canceled turn ends where it is and says no more', async () => {
    let reached = '';
    const { executor, bus, events, ended } = run(async turn => {
      reached = 'pause';
      await turn.work('Waiting for ever…', 5_000);
      reached = 'after the pause';
    });
    assert.equal(executor.isRunning('task-1'), true);
    await executor.cancelTask('task-1', bus);
    await ended;
    assert.equal(reached, 'pause');
    assert.equal(executor.isRunning('task-1'), false);
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['task', 'statusUpdate', 'statusUpdate'],
    );
    const last = events.at(-1);
    assert.ok(last?.kind === 'statusUpdate');
    assert.deepEqual([last.data.contextId, last.data.status?.state], ['context-1', TaskState.TASK_STATE_CANCELED]);
  });

  test('an agent that goes on after its task was canceled is cut short by its next word', async () => {
    const { executor, bus, events, ended } = run(async turn => {
      await new Promise(resolve => setImmediate(resolve));
      turn.complete('too late');
    });
    await executor.cancelTask('task-1', bus);
    await ended;
    assert.equal(events.length, 1);
  });

  test('an error of the agent goes on to the SDK, which fails the task', async () => {
    await assert.rejects(
      run(async () => {
        throw new RangeError('broken');
      }).ended,
      /broken/,
    );
  });

  test('stopping ends every turn without an event', async () => {
    const { executor, events, ended } = run(turn => turn.work('Waiting for ever…', 5_000));
    executor.stop();
    await ended;
    assert.equal(events.length, 2);
  });
});
