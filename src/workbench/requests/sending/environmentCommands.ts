import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { environmentFileNames } from '../../../request/values/environmentFileNames.ts';
import { SandboxedFiles } from '../../../request/values/sandboxedFiles.ts';
import type { CommandHandlers } from '../../platform/commands.ts';
import { escapeIcons } from '../../platform/untrustedText.ts';
import { documentOf } from './requestTargets.ts';
import type { FileEnvironments } from '../values/fileEnvironments.ts';
import { exists } from '../../platform/workspaceFiles.ts';

const templates: Readonly<Record<keyof typeof environmentFileNames, object>> = {
  shared: {
    $shared: { greeting: 'Hello' },
    local: { agentUrl: 'http://localhost:9999' },
    prod: { production: true, agentUrl: 'https://agent.example' },
  },
  private: { local: { customer: '' } },
};

/** Commands that choose and create environments. */
export function environmentCommands(
  environments: FileEnvironments,
): Pick<CommandHandlers, 'a2a.selectEnvironment' | 'a2a.newEnvironmentFile'> {
  const newFile = async (given: unknown): Promise<void> => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (folder === undefined) {
      throw new Problem('no-folder', sentence('Environment files are kept next to request files, and no folder is open.'), {
        nextStep: sentence('Open a folder first.'),
      });
    }
    const kinds = [
      { file: 'shared', label: environmentFileNames.shared, description: vscode.l10n.t('for everyone with access to the folder') },
      { file: 'private', label: environmentFileNames.private, description: vscode.l10n.t('only for you, kept out of version control') },
    ] as const;
    const picked =
      kinds.find(({ file }) => file === given) ??
      (await vscode.window.showQuickPick(kinds, { title: vscode.l10n.t('New Environment File') }));
    if (picked === undefined) return;
    const uri = vscode.Uri.joinPath(folder, picked.label);
    // An existing file is opened unchanged.
    const there = await exists(uri);
    if (!there && uri.scheme === 'file') await new SandboxedFiles({ root: folder.fsPath, folder: folder.fsPath }).checkNew(uri.fsPath);
    const text = `${JSON.stringify(templates[picked.file], null, 2)}\n`;
    // Nothing that came there since it was looked for is written over, and no link is followed.
    if (!there && uri.scheme === 'file') await writeFile(uri.fsPath, text, { flag: 'wx' });
    else if (!there) await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    await vscode.window.showTextDocument(uri);
  };
  return {
    'a2a.newEnvironmentFile': newFile,
    'a2a.selectEnvironment': async (file, given) => {
      const { names, name } = await environments.read((await documentOf(file)).uri);
      if (typeof given === 'string') return environments.choose(given);
      interface Choice extends vscode.QuickPickItem {
        readonly name?: string;
      }
      const make: Choice = { label: vscode.l10n.t('New Environment File…'), alwaysShow: true };
      const none: Choice = { label: vscode.l10n.t('No Environment'), picked: name === undefined };
      const picked = await vscode.window.showQuickPick<Choice>(
        [...names.map(each => ({ label: escapeIcons(each), name: each, picked: each === name })), none, make],
        {
          title: vscode.l10n.t('Select Environment'),
          placeHolder: name === undefined ? vscode.l10n.t('No environment selected') : vscode.l10n.t('Selected: {0}', escapeIcons(name)),
        },
      );
      if (picked === make) return newFile(undefined);
      return picked === undefined ? undefined : environments.choose(picked.name);
    },
  };
}
