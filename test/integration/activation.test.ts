import * as assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionExports } from '../../src/extension.ts';
import { formerIds } from '../../src/workbench/platform/commands.ts';
import { eventually } from '../support/eventually.ts';

const id = 'a2a-workbench.a2a-workbench';
const dispatchers = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map(name => Symbol.for(name));

async function opened(extension: vscode.Extension<ExtensionExports>): Promise<void> {
  await (await extension.activate()).ready;
}

suite('activation', () => {
  test('leaves the global dispatcher of undici as it was', async () => {
    const extension = vscode.extensions.getExtension<ExtensionExports>(id);
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
    const extension = vscode.extensions.getExtension<ExtensionExports>(id);
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

  test('a former command is there and does what its successor does', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      Object.keys(formerIds).filter(id => !registered.has(id)),
      [],
    );
    const { window } = vscode;
    const before = window.showQuickPick;
    const titles: (string | undefined)[] = [];
    Object.assign(window, { showQuickPick: async (_: unknown, options?: vscode.QuickPickOptions) => void titles.push(options?.title) });
    try {
      for (const id of ['a2a.groupTasks', 'a2a.groupByTime']) await vscode.commands.executeCommand(id);
    } finally {
      Object.assign(window, { showQuickPick: before });
    }
    assert.deepEqual(titles, ['Group Tasks By', 'Group Tasks By']);
  });

  test('a terminal knows the command a2a', async () => {
    const extension = vscode.extensions.getExtension<ExtensionExports>(id);
    assert.ok(extension !== undefined);
    await opened(extension);
    const folder = mkdtempSync(join(tmpdir(), 'a2a-terminal-'));
    try {
      await eventually(async () => {
        const terminal = vscode.window.createTerminal({ cwd: folder, shellPath: '/bin/sh', shellArgs: ['-c', 'a2a --version > version'] });
        await new Promise<void>(resolve => {
          const closing = vscode.window.onDidCloseTerminal(closed => {
            if (closed !== terminal) return;
            closing.dispose();
            resolve();
          });
        });
        assert.equal(readFileSync(join(folder, 'version'), 'utf8').trim(), (extension.packageJSON as { version: string }).version);
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
