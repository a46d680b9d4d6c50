import * as assert from 'node:assert/strict';
import { textOf } from '../../../src/protocol/message/part.ts';
import { getTask, listTasks } from '../../support/askAgent.ts';
import { eventually } from '../../support/eventually.ts';
import { shownText } from '../../support/chatHarness/shownText.ts';
import { ChatView } from '../../support/vscode/chatView.ts';
import { Stage } from '../../support/vscode/stage.ts';

/** Letters and figures of a text in order: what Markdown leaves of it on the screen, whatever signs and numbers of lists it hides. */
const letters = (text: string): string => text.replaceAll(/^\s*\d+\. /gm, '').replaceAll(/[^\p{L}\p{N}]+/gu, '');

suite('windows', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open();
  });
  suiteTeardown(() => stage.close());

  async function startWriter(text: string): Promise<string> {
    const chat = await stage.newChat('Writer');
    await chat.send(text);
    await chat.busy();
    await eventually(async () => assert.ok((await chat.text()).length > 500));
    const [task] = await listTasks(stage.agents.urls.Writer);
    assert.ok(task !== undefined);
    return task.id;
  }

  /** What the panel shows of the artifact holds exactly what the agent says it holds. */
  async function assertWhole(id: string): Promise<void> {
    const chat = stage.chat('Writer');
    await chat.shows(/completed/i, 60_000);
    await chat.idle();
    const task = await getTask(stage.agents.urls.Writer, id);
    assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
    const written = textOf(task.artifacts?.[0]?.parts ?? []);
    const shown = letters((await (await chat.locator('.artifact .markdown')).first().textContent()) ?? '');
    assert.equal(shown, letters(written));
    await stage.workbench.command('View: Close All Editors');
    const tree = await stage.tree();
    await tree.expand('Writer');
    await tree.expand(/Write 500/);
    await tree.inlineAction(/completed/, 'Open Task');
    await eventually(async () => assert.ok((await stage.workbench.editor().innerText()).replaceAll('\u00a0', ' ').includes(id)));
  }

  test('a killed extension host loses nothing', async () => {
    const id = await startWriter('Write 500 chunks.');
    const hosts = stage.workbench.extensionHosts();
    assert.ok(hosts.length > 0, 'no extension host is running');
    for (const pid of hosts) process.kill(pid, 'SIGKILL');
    await stage.workbench.reload();
    // VS Code closes the tabs of a host that died; the chat is in the tree.
    const tree = await stage.tree();
    await tree.expand('Writer');
    await tree.item(/Write 500 chunks/).click();
    await assertWhole(id);
    assert.equal((await listTasks(stage.agents.urls.Writer)).length, 1, 'the message was sent once');
  });

  test('a second one on the same folder shows what the first follows, stops it, and does not take it over', async () => {
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
    const states = (await listTasks(stage.agents.urls.Writer)).map(({ status }) => status.state);
    assert.deepEqual(states.toSorted(), ['TASK_STATE_CANCELED', 'TASK_STATE_COMPLETED']);
    for (const view of [chat, second]) {
      await view.shows(/canceled/i);
      assert.doesNotMatch(await view.text(), /Another window follows|Not following|may be missing/);
    }
    await other.screenshot('two-windows-stopped');
  });
});
