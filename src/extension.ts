import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Http } from './client/http.ts';
import { AgentContexts } from './model/agentContexts.ts';
import { Agents } from './model/agents.ts';
import { openStore } from './store/openStore.ts';
import { registerWorkbench } from './workbench/register.ts';
import { log } from './workbench/log.ts';

/** Which process wrote the history last in this window; the next one takes its tasks over. */
const ownerKey = 'history.owner';

/** The front door: history, then model, then workbench. Nothing is fetched and no window opens until somebody looks. */
export async function activate(extension: vscode.ExtensionContext): Promise<void> {
  await vscode.workspace.fs.createDirectory(extension.globalStorageUri);
  const store = openStore(vscode.Uri.joinPath(extension.globalStorageUri, 'history.db').fsPath, {
    onDamaged: setAside => void vscode.window.showWarningMessage(
      vscode.l10n.t('The history was damaged. It was set aside as {0}, and a new one was begun.', setAside)),
  });
  const http = new Http();
  const onError = (error: unknown): void => log.error(error instanceof Error ? error : String(error));
  const agents = new Agents({ http, onError });
  const owner = randomUUID();
  const contexts = new AgentContexts({
    store, agents, owner,
    replaces: extension.workspaceState.get<string>(ownerKey),
    onError,
  });
  extension.subscriptions.push(
    registerWorkbench({ agents, contexts, extensionUri: extension.extensionUri }),
    contexts, agents, { dispose: () => store.close() }, { dispose: () => void http.close() },
  );
  await extension.workspaceState.update(ownerKey, owner);
  contexts.resume();
}
