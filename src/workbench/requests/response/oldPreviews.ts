import * as vscode from 'vscode';
import { previewType } from './previewType.ts';

/**
 * Closes the previews of responses that VS Code has kept over a reload: a reloaded window has no responses. VS Code drops panels without a
 * serializer, but leaves their columns behind, empty.
 */
export function closeOldPreviews(): vscode.Disposable {
  // Those out of sight would ask only once they are looked at.
  const old = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(previewType)),
  );
  if (old.length > 0) void vscode.window.tabGroups.close(old, true);
  return vscode.window.registerWebviewPanelSerializer(previewType, { deserializeWebviewPanel: async panel => panel.dispose() });
}
