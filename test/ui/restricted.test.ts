import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
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
      env: { A2A_TEST_TOWN: 'Turku' },
      settings: {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
        'editor.minimap.enabled': false,
      },
    });
    await writeFile(join(stage.folder, 'a2a.env.json'), JSON.stringify({ $shared: { town: 'Oslo' } }));
    await writeFile(join(stage.folder, 'inside.txt'), 'inside');
    await writeFile(
      join(stage.folder, 'strange.a2a'),
      JSON.stringify(
        {
          agent: url,
          variables: { own: '{{$env A2A_TEST_TOWN}} {{$file inside.txt}}' },
          requests: [
            { name: 'ask', message: '{{own}}', expect: { state: 'completed' } },
            { name: 'card', agent: `${url}/.well-known/agent-card.json`, message: '{{town}}', expect: { state: 'completed' } },
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

  test('lens and key send nothing and say why', async () => {
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
    assert.equal(connections, 0);
  });

  test('no value is read: neither to look at nor as what is copied', async () => {
    await stage.workbench.openFile('strange.a2a');
    assert.match(await stage.workbench.hover('own'), /\{\{\$env A2A_TEST_TOWN\}\} \{\{\$file inside\.txt\}\}/);
    // The environment's files are not read, so whether this name is theirs is not known.
    assert.equal(await stage.workbench.squiggles('error').count(), 0);
    const refused = stage.workbench.notification('$env was not read, because this workspace is not trusted.');
    await stage.workbench.pressLens(lens('Copy as cURL'), refused);
    await stage.workbench.command('Notifications: Clear All Notifications');
    await stage.workbench.command('A2A: Preview Resolved Request');
    const shown = stage.workbench.page.locator('.editor-group-container').nth(1);
    await eventually(async () => assert.match(await shown.innerText(), /"message":\s"\{\{own\}\}"/));
  });

  test('what says why leads to where the workspace is trusted', async () => {
    const { page } = stage.workbench;
    await stage.workbench.openFile('strange.a2a');
    await stage.workbench.command('A2A: Send Request');
    await stage.workbench
      .notification('Nothing was sent, because this workspace is not trusted.')
      .first()
      .getByRole('button', { name: 'Manage Workspace Trust' })
      .click();
    await page.getByText('You are in Restricted Mode').waitFor();
    await page.getByRole('button', { name: 'Trust', exact: true }).waitFor();
    await stage.workbench.screenshot('restricted-trust');
    assert.equal(connections, 0);
  });
});
