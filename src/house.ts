import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import * as vscode from 'vscode';
import { CardDoctor } from './client/doctor/cardDoctor.ts';
import { Http } from './client/http.ts';
import type { WireLog } from './client/wireLog.ts';
import { AgentContexts } from './model/agentContexts.ts';
import { Agents } from './model/agents.ts';
import { RemoteListings } from './model/remoteListings.ts';
import { openStore } from './store/openStore.ts';
import type { TaskStore } from './store/taskStore.ts';
import type { AgentsTree } from './workbench/agentsTree.ts';
import type { CommandHandlers } from './workbench/commands.ts';
import { registerWorkbench } from './workbench/register.ts';
import { log } from './workbench/log.ts';
import { offerSalvage } from './workbench/salvageOffer.ts';
import { explain, report } from './workbench/report.ts';
import { refusedCommands, toldCommands } from './workbench/toldCommands.ts';

/** Which process wrote the history last in this window; the next one takes its tasks over. */
const ownerKey = 'history.owner';

/**
 * What is behind the front door, and what its commands do. What keeps it shut is told, with its next step; the tree then says so for as
 * long as it is seen, and every command but that for the log once more.
 */
export function open(extension: vscode.ExtensionContext, tree: AgentsTree): CommandHandlers {
  try {
    return toldCommands(furnish(extension, tree));
  } catch (error) {
    const { message, nextStep } = explain(error);
    tree.explain([message, nextStep].filter(Boolean).join(' '));
    void report(error);
    return { ...refusedCommands(error), 'a2a.showLog': () => log.show() };
  }
}

/** History, then model, then workbench. Nothing is fetched until somebody looks. */
function furnish(extension: vscode.ExtensionContext, tree: AgentsTree): CommandHandlers {
  mkdirSync(extension.globalStorageUri.fsPath, { recursive: true });
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
  const workbench = registerWorkbench({
    tree, agents, contexts, listings, extensionUri: extension.extensionUri, globalStorageUri: extension.globalStorageUri, workspaceState: extension.workspaceState,
    globalState: extension.globalState, secretStorage: extension.secrets,
  });
  extension.subscriptions.push(workbench, listings, contexts, agents, { dispose: () => store.close() }, { dispose: () => void http.close() });
  // Tasks are taken up only when it is written down who has them: the window after this one takes over what it finds under that name.
  extension.workspaceState.update(ownerKey, owner).then(() => contexts.resume()).then(undefined, report);
  if (setAside !== undefined) void offerSalvage(contexts.history, setAside);
  return workbench.commands;
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
