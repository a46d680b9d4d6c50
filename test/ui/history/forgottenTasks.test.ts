import * as assert from 'node:assert/strict';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { eventually } from '../../support/eventually.ts';
import { Stage } from '../../support/vscode/stage.ts';

const waits: Task = {
  id: 'asked',
  contextId: 'c',
  status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { messageId: 'q', role: 'ROLE_AGENT', parts: [{ text: 'Which colour?' }] } },
};

suite('tasks that their agent has forgotten', () => {
  let stage: Stage;
  let agent: ScriptedAgent;
  /** What it has: nothing after it was started anew. */
  let tasks: Task[] = [];
  suiteSetup(async () => {
    agent = scriptedAgent({
      version: '1.0',
      script: {
        SendStreamingMessage: () => {
          tasks = [waits];
          return [{ event: { task: waits } }];
        },
        GetTask: ({ params }) => [
          tasks.some(({ id }) => id === params?.id) ? { answer: waits } : { error: { code: -32001, message: 'Task not found' } },
        ],
      },
    });
    await agent.start();
    stage = await Stage.open({ agents: { Painter: agent.url } });
  });
  suiteTeardown(async () => {
    await stage?.close();
    await agent.stop();
  });

  test('are lost in their row after a refresh, and no longer in the badge', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    const badge = workbench.page
      .locator('.part.activitybar .action-item', { has: workbench.page.locator('[aria-label^="A2A"]') })
      .locator('.badge-content:visible');
    await tree.item(/Painter.*reachable/).waitFor();
    const chat = await stage.newChat('Painter');
    await chat.send('Paint it');
    await tree.item(/Paint it.*waiting/).waitFor();
    await eventually(async () => assert.equal(await badge.innerText(), '1'));
    await workbench.command('A2A: Refresh Agents');
    await eventually(() => assert.ok(agent.requests.some(({ operation }) => operation === 'GetTask')));
    await tree.item(/Paint it.*waiting/).waitFor();
    const port = Number(new URL(agent.url).port);
    await agent.stop();
    tasks = [];
    await agent.start(port);
    await workbench.command('A2A: Refresh Agents');
    await tree.item(/Paint it.*lost/).waitFor();
    await eventually(async () => assert.equal(await badge.count(), 0));
    await chat.shows(/lost/);
    await workbench.screenshot('forgotten-tasks');
  });
});
