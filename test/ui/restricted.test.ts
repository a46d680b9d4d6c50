import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { Stage } from '../support/vscode/stage.ts';

/** In a folder that nobody has said to trust, request files are texts: nothing of them is sent, and they read nothing. */
suite('a workspace that is not trusted', () => {
  let stage: Stage;
  let listener: Server;
  let connections = 0;
  suiteSetup(async () => {
    listener = createServer(socket => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    stage = await Stage.open({
      agents: {},
      settings: {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
        'editor.minimap.enabled': false,
      },
    });
    await mkdir(join(stage.folder, '.vscode'), { recursive: true });
    await writeFile(join(stage.folder, '.vscode', 'settings.json'), JSON.stringify({ 'a2a.agents': { Listed: { url } } }));
    await writeFile(
      join(stage.folder, 'strange.a2a'),
      JSON.stringify(
        {
          agent: url,
          requests: [
            { name: 'ask', message: 'hello' },
            { name: 'card', agent: `${url}/.well-known/agent-card.json`, message: 'hello' },
          ],
        },
        null,
        2,
      ),
    );
  });
  suiteTeardown(async () => {
    await stage.close();
    listener.close();
  });

  const lens = (text: string | RegExp) =>
    stage.workbench.page.locator('.editor-group-container .codelens-decoration a').filter({ hasText: text });

  test('lens, key and command send nothing, say why, and lead to where the workspace is trusted', async () => {
    const { page } = stage.workbench;
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await stage.workbench.openFile('strange.a2a');
    const refused = stage.workbench.notification('Nothing was sent, because this workspace is not trusted.');
    const ways: readonly (() => Promise<unknown>)[] = [
      () => stage.workbench.pressLens(lens('Send All'), refused),
      () => page.keyboard.press('Control+Alt+R'),
    ];
    for (const way of ways) {
      await way();
      await refused.first().waitFor();
      await stage.workbench.screenshot('restricted');
      await stage.workbench.command('Notifications: Clear All Notifications');
      await refused.first().waitFor({ state: 'detached' });
    }
    await stage.workbench.command('A2A: Send Request');
    await refused.first().getByRole('button', { name: 'Manage Workspace Trust' }).click();
    await page.getByText('You are in Restricted Mode').waitFor();
    await page.getByRole('button', { name: 'Trust', exact: true }).waitFor();
    // Nor was an agent that the folder lists.
    assert.equal(connections, 0);
  });
});
