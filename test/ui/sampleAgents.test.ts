import * as assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

suite('sample agents', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open({ agents: {} });
  });
  suiteTeardown(() => stage?.close());

  test('that are started from the command palette show that, and where they are; also when they run already', async () => {
    const { workbench } = stage;
    await workbench.command('View: Show Explorer');
    const explorer = workbench.page.locator('.part.sidebar .composite.title', { hasText: /explorer/i });
    await explorer.waitFor();
    const told = workbench.notification('Starting the sample agents…').first().waitFor();
    await workbench.command('A2A: Start Sample Agents');
    await told;
    const rows = workbench.page.locator('.part.sidebar').getByRole('treeitem', { name: /Currency/ });
    await rows.first().waitFor();
    const first = stage.chat('Writer');
    await eventually(async () =>
      assert.equal(
        await (await first.frame()).getByRole('textbox').inputValue(),
        'Write the harbour handbook',
        'the first prompt is filled in',
      ),
    );
    await workbench.screenshot('sample-agents-started');
    const tree = await stage.tree();
    await tree
      .item(/^New Chat/)
      .first()
      .waitFor();
    await tree.item(/Currency.*reachable/).waitFor();
    await tree.select(/Currency/);
    await stage.chat('Currency').frame();
    await workbench.screenshot('agent-clicked');
    await workbench.command('View: Show Explorer');
    await explorer.waitFor();
    await workbench.command('A2A: Start Sample Agents');
    await workbench.notified(/The sample agents run already: .*Currency/);
    await rows.first().waitFor();
    await workbench.screenshot('sample-agents-run-already');
    await workbench.command('Notifications: Clear All Notifications');
  });

  test('are there with their tasks after a reload of the window', async () => {
    const { workbench } = stage;
    let tree = await stage.tree();
    await tree.item(/Currency.*reachable/).waitFor();
    const chat = await stage.newChat('Currency');
    await chat.send('How much is 10 USD?');
    await tree.item(/How much is.*waiting/).waitFor();
    await workbench.reload();
    tree = await stage.tree();
    await tree.item(/Currency.*reachable/).waitFor();
    await tree.item(/How much is.*waiting/).waitFor();
    // The task goes on where it was; another chat with the agent may be in front.
    await tree.item(/How much is.*waiting/).click();
    const again = stage.chat('Currency');
    await eventually(() => again.shows('How much is 10 USD?', 2_000));
    await again.send('INR');
    await again.shows(/INR/);
    await eventually(async () => assert.doesNotMatch(await tree.item(/How much is/).innerText(), /waiting|lost|failed/));
    await workbench.screenshot('sample-agents-reloaded');
  });

  test('that were stopped have rows that start them again, without the tasks that waited', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    const badge = workbench.page
      .locator('.part.activitybar .action-item', { has: workbench.page.locator('[aria-label^="A2A"]') })
      .locator('.badge-content:visible');
    const chat = await stage.newChat('Currency');
    await chat.send('How much is 20 USD?');
    await tree.item(/How much is.*waiting/).waitFor();
    await eventually(async () => assert.equal(await badge.innerText(), '1'));
    await workbench.command('A2A: Stop Sample Agents');
    await tree.item(/Currency.*start it again/).waitFor();
    await workbench.screenshot('sample-agents-stopped');
    await tree.inlineAction(/Currency.*start it again/, 'Start Sample Agents');
    await tree.item(/Currency.*reachable/).waitFor();
    await tree.item(/How much is.*lost/).waitFor();
    await eventually(async () => assert.equal(await badge.count(), 0));
    await workbench.screenshot('sample-agents-lost');
    await workbench.command('A2A: Stop Sample Agents');
    await tree.item(/Currency.*start it again/).waitFor();
  });
});

suite('sample agents beside agents of the person', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open({ agents: { Recipes: 'http://127.0.0.1:9/' } });
  });
  suiteTeardown(() => stage?.close());

  test('are started while the tree shows others: the first chat is open, its row is selected, nothing went wrong', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await tree.item(/Recipes/).waitFor();
    await workbench.command('A2A: Start Sample Agents');
    const first = stage.chat('Writer');
    await eventually(async () => assert.equal(await (await first.frame()).getByRole('textbox').inputValue(), 'Write the harbour handbook'));
    await tree.item(/Writer/).waitFor();
    assert.equal(await workbench.notification(/went wrong/).count(), 0);
    await workbench.screenshot('sample-agents-beside-others');
    await workbench.command('A2A: Stop Sample Agents');
    await tree.item(/Writer/).waitFor({ state: 'detached' });
    await workbench.command('A2A: Start Sample Agents');
    await tree.item(/Writer.*reachable/).waitFor();
    assert.equal(await workbench.notification(/went wrong/).count(), 0);
    await workbench.command('A2A: Stop Sample Agents');
    await tree.item(/Writer/).waitFor({ state: 'detached' });
  });
});
