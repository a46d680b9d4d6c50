import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { CardDiagnoser } from './client/doctor/cardDoctor.ts';
import { lazyCardVerifier } from './client/card/signatures/lazyCardVerifier.ts';
import { Http } from './client/http/http.ts';
import { settingsNetwork } from './client/network/settingsNetwork.ts';
import type { WireLog } from './client/wireLog/wireLog.ts';
import { loadObserver, loadRules } from './conformance/rules/loadedRules.ts';
import { AgentContexts } from './model/contexts/agentContexts.ts';
import { Agents } from './model/agents/agents.ts';
import { AgentSignIns } from './model/agents/agentSignIns.ts';
import { CardReviews } from './model/agents/cardReviews.ts';
import { RemoteListings } from './model/contexts/remoteListings.ts';
import { type OpenedFolder, openFolder } from './store/openFolder.ts';
import { openStore } from './store/openStore.ts';
import { isBusy } from './store/database/storeProblem.ts';
import type { TaskStore } from './store/taskStore.ts';
import type { AgentsTree } from './workbench/agentsView/agentsTree.ts';
import { documentationCommand } from './workbench/help/documentation.ts';
import { offerMcpServer } from './workbench/assistant/mcpServer.ts';
import { isDebugged } from './workbench/agents/terminalPorts.ts';
import { registerWorkbench, type Workbench } from './workbench/register.ts';
import { log, logError } from './workbench/platform/log.ts';
import { showLockNotice } from './workbench/history/lockNotice.ts';
import { maxTaskSize } from './workbench/history/settings.ts';
import { HistoryRecovery } from './workbench/history/historyRecovery.ts';
import { offerSalvage } from './workbench/history/salvageOffer.ts';
import { tellUnkept } from './workbench/history/unkeptNotice.ts';
import { agentValues } from './workbench/requests/values/agentValues.ts';
import { secretOriginsIn } from './workbench/requests/values/secretBindings.ts';
import { Secrets } from './workbench/requests/values/secrets.ts';
import { explain, inARow, report } from './workbench/platform/report.ts';
import { secretsToMask } from './workbench/platform/shownSecrets.ts';
import { addTerminalAgents, addTerminalLauncher } from './workbench/platform/terminalLauncher.ts';
import type { SignInStore } from './auth/signInStore.ts';
import { SecretSignInStore } from './workbench/signIn/secretSignInStore.ts';
import type { SignInParts } from './workbench/signIn/signInCommands.ts';
import { trustedSigners } from './workbench/agentCards/trustedSigners.ts';
import { failingCommands, withErrorReporting } from './workbench/errorReporting.ts';
import { httpSettings, machineProxy } from './workbench/network/httpSettings.ts';

/** How long to wait while another process has the history locked at startup, and the time between two attempts; in milliseconds. */
const maxOpeningMs = 60_000;
const openingPause = 50;

/** Workspace state: the owner id of the previous extension host of this window, whose tasks the next one takes over. */
const ownerKey = 'history.owner';

/**
 * Opens the history, builds the workbench and returns it. If that fails, the error is reported with its next
 * step, the tree shows it permanently, and every command but those that show the log and the documentation reports it again.
 */
export async function open(extension: vscode.ExtensionContext, tree: AgentsTree): Promise<Workbench> {
  try {
    const lost: Lost = {};
    const { commands, api } = createWorkbench(extension, tree, lost, await openHistory(extension, () => whenLost(lost)));
    return { commands: withErrorReporting(commands), api };
  } catch (error) {
    const { message, nextStep } = explain(error);
    tree.showMessage(inARow(message, nextStep));
    void report(error);
    return {
      commands: { ...failingCommands(error), 'a2a.showLog': () => log.show(), ...documentationCommand(extension.extensionUri) },
      api: () => Promise.reject(new Error(inARow(message, nextStep), { cause: error })),
    };
  }
}

/** Dependencies of handling a lost history. */
interface Lost {
  /** Undefined until the contexts are built; before that nothing can be lost. */
  contexts?: AgentContexts;
  history?: HistoryRecovery;
}

/** Called by the store each time it finds the history's files gone; may be called any number of times. */
function whenLost(lost: Lost): void {
  const { contexts } = lost;
  if (contexts === undefined) return;
  lost.history ??= new HistoryRecovery(contexts, openStore);
  lost.history.recover();
}

interface OpenedHistory extends OpenedFolder {
  /** Path to which a damaged history was moved; undefined if it was not damaged. */
  readonly setAside: string | undefined;
}

/** Retries while another process has the history locked, such as another window that migrates it to a new schema. */
async function openHistory({ globalStorageUri }: vscode.ExtensionContext, onLost: () => void): Promise<OpenedHistory> {
  for (const end = performance.now() + maxOpeningMs; ; ) {
    let setAside: string | undefined;
    try {
      const opened = openFolder(globalStorageUri.fsPath, {
        onLost,
        onDamaged: where => {
          setAside = where;
        },
      });
      return { ...opened, setAside };
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await setTimeout(openingPause);
  }
}

/**
 * Builds history, model and workbench, in this order. Fetches nothing: agents are contacted when the tree or a chat is visible, or when a
 * command needs them.
 */
function createWorkbench(
  extension: vscode.ExtensionContext,
  tree: AgentsTree,
  lost: Lost,
  { store, folder, temporary, close, setAside }: OpenedHistory,
): Workbench {
  const storage = temporary === undefined ? extension.globalStorageUri : vscode.Uri.file(folder);
  const http = new Http({ network: () => Promise.resolve(settingsNetwork(httpSettings(), machineProxy())), loadObserver });
  const verifier = lazyCardVerifier({ http, log: looseLog(store), trusted: trustedSigners });
  const secrets = new Secrets(extension.secrets);
  const secretOrigins = secretOriginsIn(extension.globalState);
  const { signIns, store: signInStore, parts: signInParts } = signingIn(extension, storage, http);
  const agents: Agents = new Agents({
    http,
    signIns,
    values: agentValues(secrets, secretOrigins, name => agents.get(name) !== undefined),
    onError: logError,
    isDebugged,
    log: looseLog(store),
    reviewer: new CardReviews({
      verify: text => verifier.verify(text),
      folder: vscode.Uri.joinPath(storage, 'cards').fsPath,
      brokenRules: async (text, url) => (await loadRules()).cardFindings(text, url),
    }),
    doctor: new CardDiagnoser({ http, log: looseLog(store) }),
  });
  const owner = randomUUID();
  const contexts = new AgentContexts({
    store,
    agents,
    owner,
    replaces: extension.workspaceState.get<string>(ownerKey),
    maxTaskBytes: maxTaskSize,
    onError: logError,
  });
  const listings = new RemoteListings({
    contexts,
    agentOf: name => agents.get(name),
    onDidRestart: agents.onDidRestart,
    log: looseLog(store),
    onError: logError,
  });
  const workbench = registerWorkbench({
    tree,
    agents,
    contexts,
    listings,
    verifier,
    extensionUri: extension.extensionUri,
    globalStorageUri: storage,
    workspaceState: extension.workspaceState,
    globalState: extension.globalState,
    secrets,
    secretOrigins,
    signIns,
    signInParts,
    conformanceParts: () => import('./conformance/bundle/bundle.ts'),
    toolNames: toolNamesIn(extension),
  });
  void signIns.refresh();
  extension.subscriptions.push(
    workbench,
    secrets,
    signIns,
    signInStore,
    showLockNotice(contexts),
    listings,
    contexts,
    agents,
    { dispose: close },
    { dispose: () => void http.close() },
  );
  // Stored before tasks are resumed: the next process of this window takes over the tasks recorded under this id.
  extension.workspaceState
    .update(ownerKey, owner)
    .then(() => contexts.resume())
    .then(undefined, report);
  lost.contexts = contexts;
  void addTerminalLauncher(extension).catch(logError);
  extension.subscriptions.push(addTerminalAgents(extension, agents, logError));
  extension.subscriptions.push(offerMcpServer(extension, join(storage.fsPath, 'history.db')));
  if (temporary !== undefined) tellUnkept(temporary);
  if (setAside !== undefined) void offerSalvage(contexts.history, setAside);
  return workbench;
}

/** The tools for language models that the manifest has. */
function toolNamesIn({ extension: { packageJSON } }: vscode.ExtensionContext): readonly string[] {
  const { contributes } = packageJSON as { readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] } };
  return contributes.languageModelTools.map(({ name }) => name);
}

/** The sign-ins at agents: kept in VS Code's secret storage, for all windows. What they take is loaded with the first of them. */
function signingIn(extension: vscode.ExtensionContext, { fsPath }: vscode.Uri, http: Http) {
  const store = new SecretSignInStore(extension.secrets);
  const parts = async () => import('./auth/bundle/bundle.ts');
  const storeOfAll = async (): Promise<SignInStore> => {
    const { exclusiveBy } = await parts();
    mkdirSync(fsPath, { recursive: true });
    return store.with(exclusiveBy(join(fsPath, 'signIns.lock')));
  };
  const signIns = new AgentSignIns({
    isUsed: () => store.isUsed(),
    load: async () => new (await parts()).SignIns({ http, store: await storeOfAll(), onSecret: secret => secretsToMask.add(secret) }),
    onError: logError,
  });
  const signInParts: SignInParts = {
    redirects: async page => (await parts()).loopbackRedirects(page),
    plan: async (card, challenge) => (await parts()).signInPlan(card, challenge),
    doctor: async () => {
      const { askAgent, explainSignIn, fetchedFrom, SignIns: Traced, SignInTrace, tokenIn } = await parts();
      const trace = new SignInTrace(http);
      return {
        trace,
        signIns: new Traced({ http: trace.http, store: await storeOfAll() }),
        askAgent,
        tokenIn,
        fetchedFrom,
        explain: ({ requireOrigin, ...given }) => explainSignIn({ ...given, trace, context: { http: trace.http, requireOrigin } }),
      };
    },
  };
  return { signIns, store, parts: signInParts };
}

/**
 * A wire log for exchanges that belong to no context, such as card fetches and lists of tasks. Stores each when it has ended; they have no
 * event streams.
 */
function looseLog(store: TaskStore): WireLog {
  return {
    exchange: exchange => {
      if (exchange.endedAt !== undefined)
        store.writes.inTurn(() => store.putWire(undefined, { exchanges: [exchange], frames: new Map() }), logError);
    },
    frames: () => {},
  };
}
