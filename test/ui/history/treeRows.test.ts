import * as assert from 'node:assert/strict';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { Step } from '../../../src/mock/script.ts';
import { eventually } from '../../support/eventually.ts';
import { Stage } from '../../support/vscode/stage.ts';
import type { TreeView } from '../../support/vscode/treeView.ts';

const agent = 'Drafter';

const status = (taskId: string, state: 'WORKING' | 'COMPLETED'): Step => ({
  event: { statusUpdate: { taskId, contextId: `c-${taskId}`, status: { state: `TASK_STATE_${state}` } } },
});
const draft = (text: string): Step => ({
  event: {
    artifactUpdate: {
      taskId: 'drafts',
      contextId: 'c-drafts',
      artifact: { artifactId: 'plan', name: 'plan.md', parts: [{ text }] },
      append: false,
      lastChunk: true,
    },
  },
});

suite('rows of tasks and artifacts', () => {
  let stage: Stage;
  let tree: TreeView;
  let drafter: ScriptedAgent;
  suiteSetup(async () => {
    drafter = scriptedAgent({
      version: '1.0',
      script: {
        SendStreamingMessage: ({ params }) =>
          JSON.stringify(params?.message.parts).includes('slowly')
            ? [{ event: { task: { id: 'slow', contextId: 'c-slow', status: { state: 'TASK_STATE_WORKING' } } } }, { stall: true }]
            : [
                { event: { task: { id: 'drafts', contextId: 'c-drafts', status: { state: 'TASK_STATE_WORKING' } } } },
                draft('# Plan\n\nSail on Monday.\n'),
                draft('# Plan\n\nSail on Tuesday.\n'),
                draft('# Plan\n\nSail on Tuesday,\nwith a crew of three.\n'),
                status('drafts', 'COMPLETED'),
              ],
      },
    });
    await drafter.start();
    stage = await Stage.open({ agents: { [agent]: drafter.url } });
    tree = await stage.tree();
  });
  suiteTeardown(async () => {
    await stage?.close();
    await drafter.stop();
  });

  const inTree = (): Promise<boolean> => stage.workbench.page.evaluate(() => document.activeElement?.closest('.part.sidebar') !== null);

  test('what was replaced within a task is counted on the card, and compared', async () => {
    const chat = await stage.newChat(agent);
    await chat.send('Draft a plan');
    await chat.idle();
    const mark = (await chat.locator('.version')).first();
    await eventually(async () => assert.equal(await mark.innerText(), 'v1 · revision 3 of 3'));
    await mark.click();
    await (await chat.frame()).getByRole('menuitem', { name: 'Compare Revisions…' }).waitFor();
    await stage.workbench.screenshot('revisions-menu');
    await (await chat.frame()).getByRole('menuitem', { name: 'Compare Revisions…' }).click();
    const rows = stage.workbench.page.locator('.quick-input-list .monaco-list-row .label-name');
    await eventually(async () =>
      assert.deepEqual(await rows.allInnerTexts(), ['revision 2 ↔ revision 3', 'revision 1 ↔ revision 3', 'revision 1 ↔ revision 2']),
    );
    await stage.workbench.screenshot('revisions-choice');
    await stage.workbench.pick('revision 1 ↔ revision 2');
    await stage.workbench.tab('plan.md: revision 1 ↔ revision 2').waitFor();
    const sides = stage.workbench.page.locator('.monaco-diff-editor');
    await eventually(async () =>
      assert.match((await sides.innerText()).replaceAll('\u00a0', ' '), /Sail on Monday\.[\s\S]*Sail on Tuesday\./),
    );
    await stage.workbench.screenshot('revisions-compared');
    await stage.workbench.command('View: Close Editor');
  });

  test('Enter opens tasks and artifacts, and the focus stays in the tree', async () => {
    const { workbench } = stage;
    await tree.expand(agent);
    await tree.expand(/Draft a plan/);
    const task = tree.item(/completed/);
    await task.waitFor();
    await task.click();
    await workbench.tab(/Draft a plan drafts/).waitFor();
    await tree.expand(/completed/);
    await tree.item(/plan\.md.*revision 3 of 3/).waitFor();
    await tree.item(/plan\.md/).click();
    await workbench.tab(/plan\.md/).waitFor();
    await stage.workbench.screenshot('tree-revisions');
    await workbench.command('View: Close All Editors');
    await workbench.tab(/plan\.md/).waitFor({ state: 'detached' });
    await workbench.focusAgents();
    await workbench.page.keyboard.press('Enter');
    await workbench.tab(/plan\.md/).waitFor();
    await workbench.page.locator('.editor-group-container', { hasText: 'crew' }).waitFor();
    await eventually(async () => assert.equal(await inTree(), true, 'the artifact took the focus'));
    await workbench.page.keyboard.press('ArrowUp');
    await workbench.page.keyboard.press('Enter');
    await workbench.tab(/Draft a plan drafts/).waitFor();
    await eventually(async () => assert.equal(await inTree(), true, 'the task took the focus'));
  });

  test('revisions are compared from the tree, too', async () => {
    await tree.expand(/completed/);
    await tree.contextMenu(/plan\.md/, 'Compare Revisions…');
    await stage.workbench.pick('revision 2 ↔ revision 3');
    await stage.workbench.tab('plan.md: revision 2 ↔ revision 3').waitFor();
    await stage.workbench.command('View: Close All Editors');
  });

  test('a row says that its connection is lost, and when it is tried again', async () => {
    const chat = await stage.newChat(agent);
    await chat.send('Draft slowly');
    await tree.expand(/Draft slowly/);
    await tree.item(/working/).waitFor();
    await drafter.stop();
    // Its title makes room for it.
    const lost = /^Draft.*connection lost, trying again in \d+ s/s;
    await eventually(async () => assert.equal((await tree.texts()).filter(text => lost.test(text)).length, 2, 'context and task'));
    await stage.workbench.screenshot('tree-connection-lost');
  });
});
