import * as assert from 'node:assert/strict';
import type { Script } from '../../../src/mock/script.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import { fast, startWorld, status, task, taskOf, type World } from '../../support/model/world.ts';

const go = { parts: [{ text: 'Go' }], target: 'new-task' } as const;

suite('an agent that a debugger may hold', () => {
  let world: World;
  let context: AgentContext;
  teardown(() => world.close());
  const begin = async (script: Script, isDebugged: boolean): Promise<void> => {
    world = await startWorld({ version: '1.0', script });
    const window = world.open({ timing: { ...fast, silence: 20, giveUp: 100 } }, { isDebugged: () => isDebugged });
    window.agents.configure({ Ann: { url: world.agent.url, answerTimeoutMs: 100 } });
    context = window.contexts.create('Ann');
  };

  for (const isDebugged of [true, false]) {
    test(`an answer that is later than answerTimeoutMs ${isDebugged ? 'is waited for' : 'is not, without a debugger'}`, async () => {
      await begin({ SendStreamingMessage: [{ delay: 3_000 }, task('COMPLETED')] }, isDebugged);
      const { problem } = await context.send(go).done;
      assert.equal(problem?.code, isDebugged ? undefined : 'timeout');
    });

    test(`a silent stream ${isDebugged ? 'is left alone' : 'is checked over another connection, without a debugger'}`, async () => {
      await begin(
        {
          SendStreamingMessage: [task('WORKING'), { delay: 300 }, status('COMPLETED')],
          // All of the agent stands still.
          GetTask: [{ delay: 250 }, { answer: taskOf('WORKING') }],
          SubscribeToTask: [{ event: { task: taskOf('WORKING') } }, status('COMPLETED')],
        },
        isDebugged,
      );
      await context.send(go).done;
      const asked = world.agent.requests.filter(({ operation }) => operation === 'GetTask').length;
      assert.equal(asked > 0, !isDebugged);
    });
  }

  test('the limit is that of a debugger, and again that of the settings when it is gone', async () => {
    let isDebugged = true;
    world = await startWorld({ version: '1.0', script: {} });
    const { agents } = world.open({}, { isDebugged: () => isDebugged });
    agents.configure({ Ann: { url: world.agent.url, answerTimeoutMs: 100 } });
    const ann = agents.get('Ann')!;
    assert.equal(ann.answerTimeoutMs, 24 * 60 * 60_000);
    isDebugged = false;
    assert.equal(ann.answerTimeoutMs, 100);
  });
});
