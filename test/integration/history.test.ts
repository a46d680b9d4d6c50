import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';

const names = ['keepDays', 'maxTasks', 'maxSizeMB', 'framesKeepDays', 'testRunsKeepDays', 'maxTaskSizeMB'] as const;

suite('history', () => {
  test('keeps 2 GiB, and what tests made for a week, unless the settings say otherwise, and they can be changed', async () => {
    const settings = vscode.workspace.getConfiguration('a2a.history');
    assert.deepEqual(
      names.map(name => settings.get(name)),
      [0, 0, 2048, 0, 7, 256],
    );
    await settings.update('keepDays', 30, vscode.ConfigurationTarget.Global);
    try {
      await eventually(() => assert.equal(vscode.workspace.getConfiguration('a2a.history').get('keepDays'), 30));
    } finally {
      await settings.update('keepDays', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  test('an export that the person leaves is over', async () => {
    const exporting = vscode.commands.executeCommand('a2a.exportHistory').then(() => 'over');
    const end = Date.now() + 10_000;
    let outcome: string | undefined;
    while (outcome === undefined && Date.now() < end) {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      outcome = await Promise.race([exporting, new Promise<undefined>(resolve => setTimeout(resolve, 100, undefined))]);
    }
    assert.equal(outcome, 'over');
  });
});
