import * as assert from 'node:assert/strict';
import { getTask, listTasks } from '../../support/askAgent.ts';
import { eventually } from '../../support/eventually.ts';
import { ChatView } from '../../support/vscode/chatView.ts';
import { Stage } from '../../support/vscode/stage.ts';
import { shownText } from '../../support/chatHarness/shownText.ts';

suite('two windows on one folder', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open();
  });
  suiteTeardown(() => stage?.close());

  test('the second one shows what the first follows, stops it, and does not take it over', async () => {
    const chat = await stage.newChat('Writer');
    await chat.send('Write 1000 chunks slowly.');
    await chat.busy();
    const other = await stage.workbench.anotherWindow();
    const tree = await other.view('A2A', 'Agents');
    await tree.expand('Writer');
    await tree.item(/Write 1000/).click();
    const second = new ChatView(other, 'Writer');
    await second.shows('Followed in another window');
    await second.busy();
    // It goes on growing there, and neither window says that the other took it.
    const grown = async (): Promise<number> => (await shownText((await second.locator('.artifact')).first())).length;
    const before = await grown();
    await eventually(async () => assert.ok((await grown()) > before));
    await other.screenshot('two-windows-second');
    await stage.workbench.screenshot('two-windows-first');
    assert.equal(await (await chat.locator('.header .connection')).count(), 0);
    await chat.busy();
    await second.press(/Stop/);
    await second.idle();
    await chat.idle();
    const [task] = await listTasks(stage.agents.urls.Writer);
    assert.equal((await getTask(stage.agents.urls.Writer, task?.id ?? '')).status.state, 'TASK_STATE_CANCELED');
    for (const view of [chat, second]) {
      await view.shows(/canceled/i);
      assert.doesNotMatch(await view.text(), /Another window follows|Not following|may be missing/);
    }
    await other.screenshot('two-windows-stopped');
  });
});
