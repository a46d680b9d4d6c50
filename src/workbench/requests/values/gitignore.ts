import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { writeAtomically } from '../../../model/writtenFile.ts';
import { environmentFileNames } from '../../../request/values/environmentFileNames.ts';
import { SandboxedFiles } from '../../../request/values/sandboxedFiles.ts';
import { report } from '../../platform/report.ts';
import { exists } from '../../platform/workspaceFiles.ts';

const decoder = new TextDecoder();
/** Maximum number of parent folders that are searched for a repository. */
const maxFolders = 64;

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

const offered = new Set<string>();

/**
 * Offers to add a private environment file to `.gitignore`; once for each folder of the workspace. Does nothing if Git ignores the file already
 * or there is no repository. Never rejects.
 */
export async function keepOutOfGit(folder: vscode.Uri, name: string): Promise<void> {
  try {
    if (!(await isInRepository(folder))) return;
    const uri = vscode.Uri.joinPath(folder, '.gitignore');
    if (ignores(await textOf(uri), name) || offered.has(folder.toString())) return;
    offered.add(folder.toString());
    const add = vscode.l10n.t('Add to .gitignore');
    if (
      (await vscode.window.showInformationMessage(
        vscode.l10n.t('{0} contains private values. Keep it out of version control?', name),
        add,
      )) !== add
    )
      return;
    // Read again: the question may have been open for long.
    const now = await textOf(uri);
    if (ignores(now, name)) return;
    const text = withLine(now, name);
    if (uri.scheme === 'file') await writeAtomically(uri.fsPath, [text]);
    else await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  } catch (error) {
    await report(error);
  }
}

/** The file's text; empty if it does not exist. Rejects for a link out of the folder, since the text is written back. */
async function textOf(uri: vscode.Uri): Promise<string> {
  if (uri.scheme === 'file') {
    const root = dirname(uri.fsPath);
    const held = new SandboxedFiles({ root, folder: root });
    const text = await held.textIfThere(uri.fsPath);
    if (text === undefined) await held.checkNew(uri.fsPath);
    return text ?? '';
  }
  return vscode.workspace.fs.readFile(uri).then(
    bytes => decoder.decode(bytes),
    () => '',
  );
}

async function isInRepository(folder: vscode.Uri): Promise<boolean> {
  let at = folder;
  for (let looked = 0; looked < maxFolders; looked += 1) {
    if (await exists(vscode.Uri.joinPath(at, '.git'))) return true;
    const above = vscode.Uri.joinPath(at, '..');
    if (above.path === at.path) return false;
    at = above;
  }
  return false;
}

/** Supports only the usual patterns for a single file; with any other the person is asked although the file is ignored. */
const ignores = (text: string, name: string): boolean =>
  text.split(/\r?\n/).some(line => [name, `/${name}`, `**/${name}`].includes(line.trim()));

function withLine(text: string, line: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  return `${text}${text === '' || text.endsWith('\n') ? '' : end}${line}${end}`;
}
