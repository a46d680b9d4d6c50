import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unrelatedBuiltins } from '../../scripts/builtinExtensions.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedSampleAgents, startSampleAgents } from '../support/sampleAgents.ts';
import { launchWorkbench, type Workbench } from '../support/vscode/workbench.ts';

/** A workspace of two folders that each have an agent of the same name, first as a stranger's, then trusted. */
suite('a workspace of several folders', function () {
  // Trust is given once.
  this.bail(true);
  let temporary: string;
  let agents: StartedSampleAgents;
  let workbench: Workbench;
  let listener: Server;
  let connections = 0;
  suiteSetup(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'a2a-folders-'));
    agents = await startSampleAgents();
    listener = createServer(socket => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const stranger = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    for (const [folder, url] of [
      ['api', agents.urls.Currency],
      ['web', agents.urls.Writer],
    ] as const) {
      await mkdir(join(temporary, folder, '.vscode'), { recursive: true });
      await writeFile(
        join(temporary, folder, '.vscode', 'settings.json'),
        JSON.stringify({ 'a2a.agents': { Local: { url }, ...(folder === 'api' && { Listed: { url: stranger } }) } }),
      );
      await writeFile(
        join(temporary, folder, `${folder}.a2a`),
        JSON.stringify({ agent: 'Local', requests: [{ name: 'Ask', message: 'How much is 10 USD in INR?' }] }, undefined, 2),
      );
    }
    await writeFile(
      join(temporary, 'api', 'strange.a2a'),
      JSON.stringify(
        {
          agent: stranger,
          requests: [
            { name: 'ask', message: 'hello' },
            { name: 'card', agent: `${stranger}/.well-known/agent-card.json`, message: 'hello' },
          ],
        },
        undefined,
        2,
      ),
    );
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
      settings: {
        'a2a.agents': { Mine: { url: agents.urls.Sailboat } },
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
        'editor.minimap.enabled': false,
      },
    });
  });
  suiteTeardown(async () => {
    await workbench?.close();
    await agents?.stop();
    listener?.close();
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  });

  test('that is not trusted: lens, key and command send nothing, say why, and lead to where it is trusted', async () => {
    const { page } = workbench;
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    const tree = await workbench.view('A2A', 'Agents');
    await tree.item('Mine').waitFor();
    await workbench.openPath(join(temporary, 'api', 'strange.a2a'));
    const refused = workbench.notification('Nothing was sent, because this workspace is not trusted.');
    const ways: readonly (() => Promise<unknown>)[] = [
      () => workbench.pressLens(workbench.lens('Send All'), refused),
      () => page.keyboard.press('Control+Alt+R'),
    ];
    for (const way of ways) {
      await way();
      await refused.first().waitFor();
      await workbench.command('Notifications: Clear All Notifications');
      await refused.first().waitFor({ state: 'detached' });
    }
    await workbench.command('A2A: Send Request');
    await refused.first().getByRole('button', { name: 'Manage Workspace Trust' }).click();
    await page.getByText('You are in Restricted Mode').waitFor();
    // Nor was an agent that a folder lists asked for anything, or shown.
    assert.deepEqual([connections, await tree.item(/Listed|Local|Shared/).count()], [0, 0]);
  });

  test('once it is trusted it has the agents of every scope, and a file means those of its own folder', async () => {
    await workbench.page.getByRole('button', { name: 'Trust', exact: true }).click();
    const tree = await workbench.view('A2A', 'Agents');
    for (const name of ['Mine', 'Shared', 'Listed', 'Local (api)', 'Local (web)']) await tree.item(name).waitFor();
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
  });
});
