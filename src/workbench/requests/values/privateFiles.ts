import * as vscode from 'vscode';
import { environmentFileNames } from '../../../request/values/environmentFileNames.ts';
import { keepOutOfGit } from './gitignore.ts';

/** Offers to keep a private environment file out of version control when it is created. */
export function watchPrivateFiles(): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(`**/${environmentFileNames.private}`, false, true, true);
  const offer = async (uri: vscode.Uri): Promise<void> => {
    const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    if (folder === undefined || !vscode.workspace.isTrusted) return;
    await keepOutOfGit(folder, environmentFileNames.private);
  };
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(uri => void offer(uri)),
  );
}
