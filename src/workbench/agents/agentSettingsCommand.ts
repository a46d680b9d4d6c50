import * as vscode from 'vscode';
import { Problem, sentence } from '../../protocol/problem.ts';
import { memberRange } from '../../request/text/memberRange.ts';
import { readEntry } from '../platform/agentEntry.ts';
import { type Node, nodeOf } from '../agentsView/agentNodes.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { notConfigured, placeOfAgent } from '../platform/settings.ts';

/** Opens the settings file at the line of an agent's entry. */
export function agentSettingsCommand(selected: () => Node | undefined): Pick<CommandHandlers, 'a2a.openAgentSettings'> {
  return {
    'a2a.openAgentSettings': async argument => {
      const name = typeof argument === 'string' ? argument : nodeOf('agent', argument ?? selected())?.name;
      if (name === undefined) throw new Problem('nothing-selected', sentence('Select an agent in the A2A view first.'));
      const place = placeOfAgent(name);
      if (place === undefined) throw notConfigured(name);
      const { mistake, ...read } = readEntry(place.name, place.value);
      const path = ['a2a.agents', place.name, ...(mistake !== undefined && 'path' in read ? read.path : [])];
      for (const open of filesOf(place)) {
        const editor = await open();
        const inside = editor?.document.uri.path.endsWith('.code-workspace') === true ? ['settings', ...path] : path;
        const least = inside.length - path.length + 2;
        const found = editor && memberRange(editor.document.getText(), inside);
        if (editor === undefined || found === undefined || found.found < least) continue;
        const { offset, length } = found.range;
        const range = new vscode.Range(editor.document.positionAt(offset), editor.document.positionAt(offset + length));
        editor.selection = new vscode.Selection(range.start, range.end);
        editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
        return;
      }
    },
  };
}

type Open = () => Promise<vscode.TextEditor | undefined>;

/** The files that can have the entry, the likeliest first: on a remote machine, the user's settings are in two files. */
function filesOf({ scope, folder }: { readonly scope: 'user' | 'workspace' | 'folder'; readonly folder?: string }): readonly Open[] {
  const file =
    (uri: vscode.Uri): Open =>
    async () =>
      vscode.window.showTextDocument(uri);
  const own = (root: vscode.Uri): Open => file(vscode.Uri.joinPath(root, '.vscode', 'settings.json'));
  const command =
    (id: string): Open =>
    async () => {
      await vscode.commands.executeCommand(id);
      return vscode.window.activeTextEditor;
    };
  const [first] = vscode.workspace.workspaceFolders ?? [];
  const { workspaceFile } = vscode.workspace;
  if (folder !== undefined) return [own(vscode.Uri.parse(folder, true))];
  if (scope !== 'user') return workspaceFile !== undefined ? [file(workspaceFile)] : first === undefined ? [] : [own(first.uri)];
  const user = command('workbench.action.openSettingsJson');
  return vscode.env.remoteName === undefined ? [user] : [user, command('workbench.action.openRemoteSettingsFile')];
}
