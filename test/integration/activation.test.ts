import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/extension.ts';

const id = 'a2a-workbench.a2a-workbench';
const dispatchers = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map(name => Symbol.for(name));

async function opened(extension: vscode.Extension<ExtensionApi>): Promise<void> {
  await (await extension.activate()).ready;
}

suite('activation', () => {
  test('leaves the global dispatcher of undici as it was', async () => {
    const extension = vscode.extensions.getExtension<ExtensionApi>(id);
    assert.ok(extension !== undefined);
    assert.equal(extension.isActive, false, 'the extension was active before anybody looked');
    const before = dispatchers.map(symbol => (globalThis as Record<symbol, unknown>)[symbol]);
    await opened(extension);
    assert.deepEqual(
      dispatchers.map(symbol => (globalThis as Record<symbol, unknown>)[symbol]),
      before,
    );
  });

  test('registers every command of the manifest', async () => {
    const extension = vscode.extensions.getExtension<ExtensionApi>(id);
    assert.ok(extension !== undefined);
    await extension.activate();
    const manifest = JSON.parse(readFileSync(vscode.Uri.joinPath(extension.extensionUri, 'package.json').fsPath, 'utf8')) as {
      contributes: { commands: { command: string }[] };
    };
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      manifest.contributes.commands.map(({ command }) => command).filter(command => !registered.has(command)),
      [],
    );
  });
});
