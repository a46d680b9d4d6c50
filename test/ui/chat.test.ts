import * as assert from 'node:assert/strict';
import { textOf } from '../../src/protocol/message/part.ts';
import { getTask, listTasks } from '../support/askAgent.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

suite('chat', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open();
  });
  suiteTeardown(() => stage.close());

  test('Currency asks back and the answer goes into the same task', async () => {
    const chat = await stage.newChat('Currency');
    await chat.send('How much is 10 USD?');
    await chat.shows(/which currency/i);
    await chat.idle();
    const tree = await stage.tree();
    await tree.expand('Currency');
    await tree.item(/How much/).waitFor();
    await eventually(async () => {
      const badge = await stage.workbench.page
        .locator('.part.activitybar .action-item', { has: stage.workbench.page.locator('[aria-label^="A2A"]') })
        .innerText();
      assert.match(badge, /1/);
    });
    await stage.workbench.screenshot('currency-question');
    await chat.send('EUR');
    await chat.shows(/completed/i);
    await chat.idle();
    const tasks = await listTasks(stage.agents.urls.Currency);
    assert.equal(tasks.length, 1, 'one task for question and answer');
    assert.equal(tasks[0]?.status.state, 'TASK_STATE_COMPLETED');
    await chat.shows(/EUR/);
    await stage.workbench.screenshot('currency-done');
  });

  test('a message after a finished task starts a new task in the same context', async () => {
    const chat = stage.chat('Currency');
    await chat.send('Convert 5 USD to GBP');
    await eventually(async () => assert.equal((await listTasks(stage.agents.urls.Currency)).length, 2));
    await chat.idle();
    const [first, second] = await listTasks(stage.agents.urls.Currency);
    assert.equal(first?.contextId, second?.contextId);
  });

  test('Sailboat draws and refines: two versions of one artifact', async () => {
    const chat = await stage.newChat('Sailboat');
    await chat.send('Generate an image of a sailboat on the ocean.');
    await chat.shows('sailboat_image.png');
    await chat.idle();
    await chat.send('Please modify the sailboat to be red.');
    await eventually(async () => assert.equal(await (await chat.locator('img')).count(), 2));
    await chat.idle();
    const widths = await (await chat.locator('img')).evaluateAll(images => images.map(image => (image as HTMLImageElement).naturalWidth));
    assert.ok(
      widths.every(width => width > 100),
      widths.join(' '),
    );
    const tasks = await listTasks(stage.agents.urls.Sailboat);
    const artifacts = tasks.flatMap(task => task.artifacts ?? []);
    assert.deepEqual(
      artifacts.map(({ name }) => name),
      ['sailboat_image.png', 'sailboat_image.png'],
    );
    assert.equal(new Set(artifacts.map(({ artifactId }) => artifactId)).size, 2);
    assert.equal(new Set(tasks.map(({ contextId }) => contextId)).size, 1);
    const tree = await stage.tree();
    await tree.expand('Sailboat');
    await tree.expand(/Generate/);
    await tree.expand(/Please/);
    await tree.item(/sailboat_image\.png/).click();
    await stage.workbench.tab('sailboat_image.png').waitFor();
    await stage.workbench.screenshot('sailboat');
  });

  test('Stop cancels Writer at the agent, half-way', async () => {
    const chat = await stage.newChat('Writer');
    await chat.send('Write slowly about harbours.');
    await chat.busy();
    await eventually(async () => assert.ok((await chat.text()).length > 300));
    await chat.press('Stop');
    await chat.shows(/canceled/i);
    await chat.idle();
    const [task] = await listTasks(stage.agents.urls.Writer);
    assert.ok(task !== undefined);
    assert.equal((await getTask(stage.agents.urls.Writer, task.id)).status.state, 'TASK_STATE_CANCELED');
    await stage.workbench.screenshot('writer-canceled');
  });

  test('a long text streams in whole', async () => {
    const chat = await stage.newChat('Writer');
    await chat.send('Write 300 chunks.');
    await chat.shows(/completed/i, 60_000);
    await chat.idle();
    const [task] = await listTasks(stage.agents.urls.Writer);
    const written = textOf(task?.artifacts?.[0]?.parts ?? []);
    const lastWords = written
      .trim()
      .split(/\s+/)
      .slice(-4)
      .map(word => word.replaceAll(/[*_`|#]/g, ''))
      .filter(Boolean)
      .join(' ');
    await eventually(async () =>
      assert.ok((await chat.text()).replaceAll(/\s+/g, ' ').includes(lastWords), `the panel ends without: ${lastWords}`),
    );
  });

  test('the wire is one click away', async () => {
    const chat = stage.chat('Writer');
    await chat.press(/Show Exchange/);
    await eventually(async () => assert.match(await stage.workbench.editor().innerText(), /SendStreamingMessage/));
  });

  test('deleting a context from the history closes its tab', async () => {
    const { workbench } = stage;
    await stage.newChat('Helsinki');
    const chat = stage.chat('Helsinki');
    await chat.send('Book a flight to Helsinki');
    await chat.shows(/completed/i);
    const tree = await stage.tree();
    await tree.contextMenu(/Book a flight/, 'Delete from History');
    await tree.item(/Book a flight/).waitFor({ state: 'detached' });
    await workbench.tab(/Helsinki/).waitFor({ state: 'detached' });
  });
});
