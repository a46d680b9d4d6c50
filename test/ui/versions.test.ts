import * as assert from 'node:assert/strict';
import type { Task } from '../../src/protocol/message/task.ts';
import { listTasks } from '../support/askAgent.ts';
import { eventually } from '../support/eventually.ts';
import type { ChatView } from '../support/vscode/chatView.ts';
import { Stage } from '../support/vscode/stage.ts';
import { webviewFrames } from '../support/vscode/webviewFrame.ts';
import { shownText, shownTexts } from '../support/chatHarness/shownText.ts';

suite('versions and follow-ups', function () {
  // Each goes on where the one before ended.
  this.bail(true);
  let stage: Stage;
  let chat: ChatView;
  suiteSetup(async () => {
    stage = await Stage.open({ pace: 0.2 });
    chat = await stage.newChat('Sailboat');
  });
  suiteTeardown(() => stage.close());

  const drawn = (): Promise<readonly Task[]> => listTasks(stage.agents.urls.Sailboat);
  const cards = async () => await chat.locator('.card.artifact');
  /** Opens the menu of the newest version's card, or of the one with this count, and picks. */
  const pickOnCard = async (index: number, entry: string): Promise<void> => {
    const card = (await cards()).nth(index);
    await card.getByRole('button', { name: /Version of the artifact/ }).click();
    await (await chat.frame()).getByRole('menuitem', { name: entry }).click();
  };
  const draws = async (text: string, count: number): Promise<void> => {
    await chat.send(text);
    await eventually(async () => assert.equal(await (await cards()).count(), count));
    await chat.idle();
  };
  const close = async (title: RegExp): Promise<void> => {
    const tab = stage.workbench.tab(title);
    await tab.click({ button: 'middle' });
    await tab.waitFor({ state: 'detached' });
  };
  const target = async (): Promise<string> => shownText(await chat.locator('.target-text'));
  /** What was sent for the last message of the person, as it went over the wire. */
  const lastRequest = async (): Promise<{ params: { message: Record<string, unknown> } }> => {
    await (await chat.locator('.row.mine')).last().getByRole('button', { name: 'Show Exchange' }).click();
    let body = '';
    await eventually(async () => {
      const lines = (await stage.workbench.editor().innerText()).replaceAll('\u00a0', ' ');
      body = /\{[\s\S]*\n\}/.exec(lines)?.[0] ?? '';
      assert.match(body, /messageId/);
    });
    return JSON.parse(body) as { params: { message: Record<string, unknown> } };
  };

  test('two refinements of a sailboat are versions two and three', async () => {
    await eventually(async () => assert.match(await target(), /New conversation/));
    await draws('Generate an image of a sailboat on the ocean.', 1);
    await eventually(async () => assert.equal(await target(), 'New task'));
    await draws('Please modify the sailboat to be red.', 2);
    await draws('Now at night.', 3);
    await eventually(async () => assert.deepEqual(await shownTexts(await chat.locator('.version')), ['v1 of 3', 'v2 of 3', 'v3 of 3']));
    await stage.workbench.screenshot('versions');
  });

  test('two versions stand side by side', async () => {
    await pickOnCard(2, 'Compare with Another Version…');
    await stage.workbench.pick('v2');
    await stage.workbench.tab(/v2 sailboat_image\.png ↔ v3 sailboat_image\.png/).waitFor();
    await eventually(async () => assert.equal((await webviewFrames(stage.workbench.page, 'body.ready img')).length, 2));
    await stage.workbench.screenshot('versions-compared');
    await close(/v2 sailboat/);
  });

  test('one is rejected, one accepted, and what is refined is the accepted one: on the wire, too', async () => {
    await pickOnCard(2, 'Reject');
    await pickOnCard(1, 'Accept');
    await eventually(async () =>
      assert.deepEqual(
        await (await chat.locator('.version')).evaluateAll(marks => marks.map(mark => mark.className.trim().split(' ').at(-1))),
        ['version', 'accepted', 'rejected'],
      ),
    );
    await pickOnCard(2, 'Refine the Latest Accepted: v2');
    await (await chat.locator('.composer .chip')).getByText('sailboat_image.png v2').waitFor();
    await stage.workbench.screenshot('versions-refine');
    await draws('Give it blue sails.', 4);
    // What is left is the chip that says what the next message follows.
    await eventually(async () => assert.equal(await (await chat.locator('.composer .chip')).getByText('sailboat_image.png v2').count(), 0));
    const tasks = (await drawn()).toSorted((one, other) => (one.status.timestamp ?? '').localeCompare(other.status.timestamp ?? ''));
    const accepted = tasks[1];
    assert.deepEqual(tasks[3]?.artifacts?.[0]?.metadata, { hull: 'red', sail: 'blue', time: 'day' }, 'it goes on from the red one by day');
    const {
      params: { message },
    } = await lastRequest();
    assert.equal(message['taskId'], undefined);
    assert.deepEqual(message['referenceTaskIds'], [accepted?.id]);
    assert.deepEqual((message['parts'] as { metadata: unknown }[])[0]?.metadata, {
      referenceArtifacts: [{ artifactId: accepted?.artifacts?.[0]?.artifactId, taskId: accepted?.id }],
    });
    await close(/^SendStreamingMessage/);
  });

  test('a verdict and a version stand in the tree, too', async () => {
    const tree = await stage.tree();
    await tree.expand('Sailboat');
    await tree.expand(/Generate/);
    await tree.expand(/Please/);
    await tree.item(/v2 of 4 · accepted/).waitFor();
    await tree.contextMenu(/v2 of 4/, 'Refer to in Chat');
    await (await chat.locator('.composer .chip')).getByText('sailboat_image.png v2').waitFor();
    await chat.press('Remove Reference to sailboat_image.png v2');
  });

  test('what is unclear is asked, and answered in the same task with a reference chosen by @', async () => {
    const before = (await drawn()).length;
    await chat.send('Show the other one at sunset');
    await eventually(async () => assert.match(await target(), /Replying to/));
    const box = (await chat.frame()).getByRole('textbox');
    await box.pressSequentially('the first one: 1 @sail');
    await (await chat.frame()).getByRole('option', { name: /v1 of 4/ }).waitFor();
    await stage.workbench.screenshot('versions-mention');
    await (await chat.frame()).getByRole('option', { name: /v1 of 4/ }).click();
    await box.press('Enter');
    await eventually(async () => assert.equal(await (await cards()).count(), 5));
    await chat.idle();
    await eventually(async () => assert.equal((await drawn()).length, before + 1, 'question and answer are one task'));
    const {
      params: { message },
    } = await lastRequest();
    assert.equal(typeof message['taskId'], 'string');
    assert.deepEqual((message['parts'] as { text: string }[])[0]?.text.trim(), 'the first one: 1');
    await close(/^SendStreamingMessage/);
  });

  test('a message to a finished task goes there on purpose only, and its refusal is shown', async () => {
    const before = (await drawn()).length;
    await eventually(async () => assert.equal(await target(), 'New task'));
    await chat.press('Change Where the Message Goes');
    await stage.workbench.screenshot('versions-target');
    await (await chat.frame()).getByRole('menuitemradio', { name: /Send Anyway: Now at night/ }).click();
    await eventually(async () => assert.match(await target(), /finished task \(the agent should refuse\)/));
    await chat.send('Once more, please');
    await eventually(async () => assert.equal(await (await chat.locator('.delivery-refused')).count(), 1));
    assert.equal((await drawn()).length, before);
    await eventually(async () => assert.equal(await target(), 'New task'));
    await stage.workbench.screenshot('versions-refused');
  });

  test('the task opens as its timeline, with links to its exchanges', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await tree.inlineAction(/Now at night/, 'Open Task');
    await eventually(async () =>
      assert.match((await workbench.editor().innerText()).replaceAll('\u00a0', ' '), /── Timeline ──[\s\S]*0\.000 s +⇄1 +You/),
    );
    await workbench.editor().locator('.detected-link').first().waitFor();
    await workbench.page.locator('.codelens-decoration', { hasText: 'Read Again with History…' }).waitFor();
    await workbench.screenshot('task-document');
    await close(/^Now at night/);
  });

  test('a message can begin a new context', async () => {
    await chat.press('Change Where the Message Goes');
    await (await chat.frame()).getByRole('menuitemradio', { name: 'New Conversation' }).click();
    await eventually(async () => assert.equal(await target(), 'New conversation'));
    await chat.send('Draw a green sailboat');
    await eventually(async () => assert.equal(new Set((await drawn()).map(({ contextId }) => contextId)).size, 2));
    await stage.workbench.tab(/Draw a green/).waitFor();
  });
});
