import * as assert from 'node:assert/strict';
import { scriptedAgent, type ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import type { Task } from '../../src/protocol/message/task.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

/** Says something after the task is over. */
const done: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
const late = { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: 'too late' }] } };

suite('deviations from the protocol', () => {
  let stage: Stage;
  let agent: ScriptedAgent;
  suiteSetup(async () => {
    agent = scriptedAgent({
      version: '1.0',
      script: { SendStreamingMessage: [{ event: { task: done } }, { event: { artifactUpdate: late } }] },
    });
    await agent.start();
    stage = await Stage.open({ agents: { Odd: agent.url } });
  });
  suiteTeardown(async () => {
    await stage.close();
    await agent.stop();
  });

  test('a quiet mark in the chat leads to the finding in the exchange', async () => {
    const chat = await stage.newChat('Odd');
    await chat.send('Hello');
    await chat.idle();
    const mark = (await chat.frame()).getByRole('button', { name: /1 protocol finding: STRM-03/ });
    await mark.hover();
    await chat.shows('Nothing follows a terminal state');
    await stage.workbench.screenshot('deviation-chat');
    await mark.click();
    await eventually(async () => assert.match(await stage.workbench.editor().innerText(), /STRM-03\s·\sMUST\s·\sA2A\s1\.0\s§3\.1\.2/));
    await stage.workbench.screenshot('deviation-exchange');
    // VS Code says where the cursor is.
    await stage.workbench.page.locator('.statusbar-item', { hasText: /Ln 4, / }).waitFor();
  });

  test('on the wire it stands on the event that it is about, and in its details', async () => {
    const { workbench } = stage;
    await workbench.tab('Odd').click();
    const frame = await stage.chat('Odd').frame();
    await frame.getByRole('tab', { name: 'Wire' }).click();
    const row = (text: string | RegExp) => frame.locator('.wire-drawn > .wire-row').filter({ hasText: text });
    await row('too late').locator('.wire-finding').waitFor();
    assert.equal(await frame.locator('.wire-drawn .wire-finding').count(), 1, 'the end of the stream has none');
    await row('too late').click();
    await frame.locator('.wire-detail .wire-findings', { hasText: 'STRM-03' }).waitFor();
    await workbench.screenshot('deviation-wire');
    await row('task').first().click();
    await frame.locator('.wire-detail', { hasText: 'TASK_STATE_COMPLETED' }).waitFor();
    assert.equal(await frame.locator('.wire-detail .wire-findings').count(), 0);
  });
});
