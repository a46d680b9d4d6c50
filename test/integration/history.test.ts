import * as assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';

const names = ['keepDays', 'maxTasks', 'maxSizeMB', 'framesKeepDays'] as const;

suite('history', () => {
  test('keeps everything unless the settings say otherwise, and they can be changed', async () => {
    const settings = vscode.workspace.getConfiguration('a2a.history');
    assert.deepEqual(names.map(name => settings.get(name)), [0, 0, 0, 0]);
    await settings.update('keepDays', 30, vscode.ConfigurationTarget.Global);
    try {
      await eventually(() => assert.equal(vscode.workspace.getConfiguration('a2a.history').get('keepDays'), 30));
    } finally {
      await settings.update('keepDays', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  test('the tree is grouped and narrowed by commands, without anything to group', async () => {
    for (const command of ['a2a.groupByTime', 'a2a.groupByContext', 'a2a.clearFilter']) await vscode.commands.executeCommand(command);
  });

  test('nothing is written where the person chose no place', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'a2a-export-'));
    try {
      const exporting = vscode.commands.executeCommand('a2a.exportHistory');
      await new Promise(resolve => setTimeout(resolve, 200));
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      await exporting;
      assert.deepEqual(await readdir(folder), []);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
