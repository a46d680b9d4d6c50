import * as vscode from 'vscode';
import { editorVariable } from '../../assistant/openAddress.ts';
import { launcherPath, windowAgentsPath } from '../platform/terminalLauncher.ts';
import { windowAgentsVariable } from '../../model/agents/windowAgents.ts';

/** Id of the provider in the manifest. */
const providerId = 'a2a';
const setting = 'a2a.mcpServer';

/**
 * Offers `a2a mcp` to VS Code where the person has turned that on, with the agents of the window and for reading alone: VS Code's own models
 * have the tools already, and ask. Nothing is started here.
 * @param history path of the history
 */
export function offerMcpServer(
  extension: Pick<vscode.ExtensionContext, 'extension' | 'globalStorageUri' | 'storageUri'>,
  history: string,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const definition = (): vscode.McpStdioServerDefinition => {
    const { version } = extension.extension.packageJSON as { readonly version: string };
    const server = new vscode.McpStdioServerDefinition(
      'A2A Workbench',
      launcherPath(extension),
      ['mcp', '--history', history],
      { [windowAgentsVariable]: windowAgentsPath(extension), [editorVariable]: vscode.env.uriScheme },
      version,
    );
    // Paths of request files are relative to it.
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (folder?.scheme === 'file') server.cwd = folder;
    return server;
  };
  const isOffered = (): boolean => vscode.workspace.isTrusted && vscode.workspace.getConfiguration().get(setting) === true;
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration(setting)) changed.fire();
    }),
    vscode.lm.registerMcpServerDefinitionProvider(providerId, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => (isOffered() ? [definition()] : []),
    }),
  );
}
