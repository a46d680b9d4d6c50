import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { CardDoctor } from './client/doctor/cardDoctor.ts';
import { Http } from './client/http.ts';
import type { WireLog } from './client/wireLog.ts';
import { AgentContexts } from './model/agentContexts.ts';
import { Agents } from './model/agents.ts';
import { RemoteListings } from './model/remoteListings.ts';
import { openStore } from './store/openStore.ts';
import type { TaskStore } from './store/taskStore.ts';
import { registerWorkbench } from './workbench/register.ts';
import { log } from './workbench/log.ts';
import { offerSalvage } from './workbench/salvageOffer.ts';
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
  let setAside: string | undefined;
  const store = openStore(vscode.Uri.joinPath(extension.globalStorageUri, 'history.db').fsPath, {
    onDamaged: path => { setAside = path; },
  });
  const http = new Http();
  const onError = (error: unknown): void => log.error(error instanceof Error ? error : String(error));
  const agents = new Agents({ http, onError, log: looseLog(store), doctor: new CardDoctor({ http, log: looseLog(store) }) });
  const owner = randomUUID();
  const contexts = new AgentContexts({
    store, agents, owner,
    replaces: extension.workspaceState.get<string>(ownerKey),
    onError,
  });
  const listings = new RemoteListings({ contexts, agentOf: name => agents.get(name), log: looseLog(store), onError });
  extension.subscriptions.push(
    registerWorkbench({
      agents, contexts, listings, extensionUri: extension.extensionUri, globalStorageUri: extension.globalStorageUri, workspaceState: extension.workspaceState, globalState: extension.globalState,
      secretStorage: extension.secrets,
    }),
    listings, contexts, agents, { dispose: () => store.close() }, { dispose: () => void http.close() },
  );
  await extension.workspaceState.update(ownerKey, owner);
  contexts.resume();
  if (setAside !== undefined) void offerSalvage(contexts.history, setAside);
}

/** Card fetches and lists of tasks belong to no context; each is written down when it has ended. They bring no event streams. */
function looseLog(store: TaskStore): WireLog {
  return {
    exchange: exchange => {
      if (exchange.endedAt !== undefined) store.putWire(undefined, { exchanges: [exchange], frames: new Map() });
    },
    frames: () => {},
  };
}
