import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { CardDoctor } from './client/doctor/cardDoctor.ts';
import { Http } from './client/http.ts';
import type { WireLog } from './client/wireLog.ts';
import { AgentContexts } from './model/agentContexts.ts';
import { Agents } from './model/agents.ts';
import { openStore } from './store/openStore.ts';
import type { TaskStore } from './store/taskStore.ts';
import { registerWorkbench } from './workbench/register.ts';
import { log } from './workbench/log.ts';
import { report } from './workbench/report.ts';

/** Which process wrote the history last in this window; the next one takes its tasks over. */
const ownerKey = 'history.owner';

/** The front door. What keeps it shut is told, with its next step. */
export async function activate(extension: vscode.ExtensionContext): Promise<void> {
  try {
    await open(extension);
  } catch (error) {
    void report(error);
    throw error;
  }
}

/** History, then model, then workbench. Nothing is fetched until somebody looks. */
async function open(extension: vscode.ExtensionContext): Promise<void> {
  await vscode.workspace.fs.createDirectory(extension.globalStorageUri);
  const store = openStore(vscode.Uri.joinPath(extension.globalStorageUri, 'history.db').fsPath, {
    onDamaged: setAside => void vscode.window.showWarningMessage(
      vscode.l10n.t('The history was damaged. It was set aside as {0}, and a new one was begun.', setAside)),
  });
  const http = new Http();
  const onError = (error: unknown): void => log.error(error instanceof Error ? error : String(error));
  const agents = new Agents({ http, onError, log: cardLog(store), doctor: new CardDoctor({ http, log: cardLog(store) }) });
  const owner = randomUUID();
  const contexts = new AgentContexts({
    store, agents, owner,
    replaces: extension.workspaceState.get<string>(ownerKey),
    onError,
  });
  extension.subscriptions.push(
    registerWorkbench({
      agents, contexts, extensionUri: extension.extensionUri, state: extension.workspaceState, secretStorage: extension.secrets,
    }),
    contexts, agents, { dispose: () => store.close() }, { dispose: () => void http.close() },
  );
  await extension.workspaceState.update(ownerKey, owner);
  contexts.resume();
}

/** Card fetches belong to no context; each is written down when it has ended. They bring no event streams. */
function cardLog(store: TaskStore): WireLog {
  return {
    exchange: exchange => {
      if (exchange.endedAt !== undefined) store.putWire(undefined, { exchanges: [exchange], frames: new Map() });
    },
    frames: () => {},
  };
}
