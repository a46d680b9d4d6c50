import * as assert from 'node:assert/strict';
import { listTasks } from '../support/askAgent.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

suite('agents of A2A 0.3', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open({ interface: { protocolVersion: '0.3' } });
  });
  suiteTeardown(() => stage.close());

  test('the tree and the panel say what is spoken', async () => {
    const tree = await stage.tree();
    await tree.item(/Currency.*A2A 0\.3/).waitFor();
    const chat = await stage.newChat('Currency');
    await chat.shows(/JSONRPC 0\.3/);
  });

  test('a question is answered in its task, on the wire as 0.3 writes it', async () => {
    const chat = stage.chat('Currency');
    await chat.send('How much is 10 USD?');
    await chat.shows(/which currency/i);
    await chat.send('EUR');
    await chat.shows(/completed/i);
    assert.equal((await listTasks(stage.agents.urls.Currency)).length, 1);
    await chat.press(/Show Exchange/);
    await eventually(async () => assert.match(await stage.workbench.editor().innerText(), /message\/stream/));
    await stage.workbench.command('View: Close All Editors');
  });

  test('a picture arrives, and Stop cancels at the agent', async () => {
    const sailboat = await stage.newChat('Sailboat');
    await sailboat.send('Generate an image of a sailboat on the ocean.');
    await (await sailboat.locator('img')).first().waitFor();
    const writer = await stage.newChat('Writer');
    await writer.send('Write slowly about harbours.');
    await eventually(async () => assert.ok((await writer.text()).length > 300));
    await writer.press('Stop');
    await writer.shows(/canceled/i);
    await writer.idle();
    const [task] = await listTasks(stage.agents.urls.Writer);
    assert.equal(task?.status.state, 'TASK_STATE_CANCELED');
  });
});
