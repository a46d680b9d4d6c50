import * as assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unrelatedBuiltins } from '../../scripts/builtinExtensions.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedSampleAgents, startSampleAgents } from '../support/sampleAgents.ts';
import { launchWorkbench, type Workbench } from '../support/vscode/workbench.ts';

suite('a workspace of several folders', () => {
  let temporary: string;
  let agents: StartedSampleAgents;
  let workbench: Workbench;
  suiteSetup(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'a2a-folders-'));
    agents = await startSampleAgents();
    for (const [folder, url] of [
      ['api', agents.urls.Currency],
      ['web', agents.urls.Writer],
    ] as const) {
      await mkdir(join(temporary, folder, '.vscode'), { recursive: true });
      await writeFile(join(temporary, folder, '.vscode', 'settings.json'), JSON.stringify({ 'a2a.agents': { Local: { url } } }));
      await writeFile(
        join(temporary, folder, `${folder}.a2a`),
        JSON.stringify({ agent: 'Local', requests: [{ name: 'Ask', message: 'How much is 10 USD in INR?' }] }, undefined, 2),
      );
    }
    const workspace = join(temporary, 'both.code-workspace');
    await writeFile(
      workspace,
      JSON.stringify({
        folders: [{ path: 'api' }, { path: 'web' }],
        settings: { 'a2a.agents': { Shared: { url: agents.urls.Helsinki } } },
      }),
    );
    workbench = await launchWorkbench({
      workspace,
      withoutBuiltins: unrelatedBuiltins,
      settings: { 'a2a.agents': { Mine: { url: agents.urls.Sailboat } } },
    });
  });
  suiteTeardown(async () => {
    await workbench?.close();
    await agents?.stop();
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  });

  test('has the agents of every scope, and a file means those of its own folder', async () => {
    const tree = await workbench.view('A2A', 'Agents');
    for (const name of ['Mine', 'Shared', 'Local (api)', 'Local (web)']) await tree.item(name).waitFor();
    for (const [folder, agent] of [
      ['api', 'Currency'],
      ['web', 'Writer'],
    ] as const) {
      await workbench.openPath(join(temporary, folder, `${folder}.a2a`));
      const lens = workbench.editor().locator('.codelens-decoration a', { hasText: `Local (${folder})` });
      await lens.waitFor();
      assert.equal(await workbench.squiggles('warning').count(), 0);
      // The lens opens the card of the agent that is meant. VS Code lets go of a lens's command a moment before it draws the next lens.
      await eventually(async () => {
        if (await lens.isVisible()) await workbench.press(lens, { timeout: 5_000 });
        assert.match(await workbench.editor().innerText(), new RegExp(`"name": "${agent}"`.replaceAll(' ', '\\s')));
      });
    }
    await workbench.screenshot('agents-of-folders');
  });
});
