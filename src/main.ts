import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { CardDoctor } from './client/doctor/cardDoctor.ts';
import { Http } from './client/http/http.ts';
import type { WireLog } from './client/wireLog/wireLog.ts';
import { AgentContexts } from './model/contexts/agentContexts.ts';
import { Agents } from './model/agents/agents.ts';
import { RemoteListings } from './model/contexts/remoteListings.ts';
import { openStore } from './store/openStore.ts';
import { isBusy } from './store/database/storeProblem.ts';
import type { TaskStore } from './store/taskStore.ts';
import type { AgentsTree } from './workbench/agentsView/agentsTree.ts';
import type { CommandHandlers } from './workbench/platform/commands.ts';
import { registerWorkbench } from './workbench/register.ts';
import { log } from './workbench/platform/log.ts';
import { sayWhenBusy } from './workbench/history/busy.ts';
import { mostOfTaskSetting } from './workbench/history/settings.ts';
import type { LostHistory } from './workbench/history/lostHistory.ts';
import { offerSalvage } from './workbench/history/salvageOffer.ts';
import { explain, report } from './workbench/platform/report.ts';
import { failingCommands, withErrorReporting } from './workbench/errorReporting.ts';

/** How long another process may keep the history to itself while it is opened, and how often that is tried; in milliseconds. */
const longestOpening = 60_000;
const openingPause = 50;

/** Which process wrote the history last in this window; the next one takes its tasks over. */
const ownerKey = 'history.owner';

/**
 * What is behind the entry point, and what its commands do. What keeps it shut is told, with its next step; the tree then says so for as
 * long as it is seen, and every command but that for the log once more.
 */
export async function open(extension: vscode.ExtensionContext, tree: AgentsTree): Promise<CommandHandlers> {
  try {
    const lost: Lost = {};
    return withErrorReporting(createWorkbench(extension, tree, lost, await openHistory(extension, () => whenLost(lost))));
  } catch (error) {
    const { message, nextStep } = explain(error);
    tree.explain([message, nextStep].filter(Boolean).join(' '));
    void report(error);
    return { ...failingCommands(error), 'a2a.showLog': () => log.show() };
  }
}

/** What a history that is lost needs. */
interface Lost {
  /** Nothing can be lost before there are any. */
  contexts?: AgentContexts;
  history?: Promise<LostHistory>;
}

/** May be called as often as one likes. */
function whenLost(lost: Lost): void {
  const { contexts } = lost;
  if (contexts === undefined) return;
  lost.history ??= import('./workbench/history/lostHistory.ts').then(module => new module.LostHistory(contexts, openStore));
  lost.history.then(history => history.found(), report);
}

interface OpenedHistory {
  readonly store: TaskStore;
  /** Where a damaged one is now. */
  readonly setAside: string | undefined;
}

/** Waits for another process that keeps the history to itself, another window that brings it to a new schema, say. */
async function openHistory({ globalStorageUri }: vscode.ExtensionContext, onLost: () => void): Promise<OpenedHistory> {
  mkdirSync(globalStorageUri.fsPath, { recursive: true });
  const path = vscode.Uri.joinPath(globalStorageUri, 'history.db').fsPath;
  for (const end = performance.now() + longestOpening; ; ) {
    let setAside: string | undefined;
    try {
      return {
        store: openStore(path, {
          onLost,
          onDamaged: where => {
            setAside = where;
          },
        }),
        setAside,
      };
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await setTimeout(openingPause);
  }
}

/** History, then model, then workbench. Nothing is fetched until somebody looks. */
function createWorkbench(
  extension: vscode.ExtensionContext,
  tree: AgentsTree,
  lost: Lost,
  { store, setAside }: OpenedHistory,
): CommandHandlers {
  const http = new Http();
  const onError = (error: unknown): void => log.error(error instanceof Error ? error : String(error));
  const agents = new Agents({
    http,
    onError,
    log: looseLog(store, onError),
    doctor: new CardDoctor({ http, log: looseLog(store, onError) }),
  });
  const owner = randomUUID();
  const contexts = new AgentContexts({
    store,
    agents,
    owner,
    replaces: extension.workspaceState.get<string>(ownerKey),
    mostOfTask: mostOfTaskSetting,
    onError,
  });
  const listings = new RemoteListings({ contexts, agentOf: name => agents.get(name), log: looseLog(store, onError), onError });
  const workbench = registerWorkbench({
    tree,
    agents,
    contexts,
    listings,
    extensionUri: extension.extensionUri,
    globalStorageUri: extension.globalStorageUri,
    workspaceState: extension.workspaceState,
    globalState: extension.globalState,
    secretStorage: extension.secrets,
  });
  extension.subscriptions.push(
    workbench,
    sayWhenBusy(contexts),
    listings,
    contexts,
    agents,
    { dispose: () => store.close() },
    { dispose: () => void http.close() },
  );
  // Tasks are taken up only when it is written down who has them: the window after this one takes over what it finds under that name.
  extension.workspaceState
    .update(ownerKey, owner)
    .then(() => contexts.resume())
    .then(undefined, report);
  lost.contexts = contexts;
  if (setAside !== undefined) void offerSalvage(contexts.history, setAside);
  return workbench.commands;
}

/** Card fetches and lists of tasks belong to no context; each is written down when it has ended. They bring no event streams. */
function looseLog(store: TaskStore, onError: (error: unknown) => void): WireLog {
  return {
    exchange: exchange => {
      if (exchange.endedAt !== undefined)
        store.writes.inTurn(() => store.putWire(undefined, { exchanges: [exchange], frames: new Map() }), onError);
    },
    frames: () => {},
  };
}

// What parts of this bundle that are loaded later take from here: fromMain in esbuild.mjs. Whatever has a state, is a class or is large has to be here.
export { historyOf, latestAcceptable } from './model/contexts/artifactVersions.ts';
export { hint, Problem, sentence } from './protocol/problem.ts';
export { mask } from './protocol/secrets/secretValues.ts';
export { isTerminal, taskStates, TaskState } from './protocol/message/taskState.ts';
export { joinText } from './protocol/message/transcript.ts';
export { readAgentCard } from './protocol/versions/index.ts';
export { textOfObserved } from './request/expect/observed.ts';
export { variableOf } from './request/resolve/fill.ts';
export { functionOf, functions } from './request/template/functions.ts';
export { offeredOperations } from './request/language/offers.ts';
export { writeJson } from './request/text/indentJson.ts';
export { deepNesting, maxDepth, memberOf, membersOf, nestingOf, rangeOf, valueOf } from './request/text/jsonNode.ts';
export { stepsInto, stepsIntoResult } from './request/language/shape.ts';
export { methods, operationOf } from './request/text/methods.ts';
export { isSecret } from './request/resolve/preview.ts';
export { templatedKeys } from './request/file/requestEntry.ts';
export { referable, resultMembers } from './request/values/requestResult.ts';
export { rowNames } from './request/file/writtenRows.ts';
export { historyNodes, itemOf, nodeOf, titleOf } from './workbench/agentsView/agentNodes.ts';
export { verdictLabel } from './workbench/agentsView/agentTreeItems.ts';
export { cardTextOf, isCardDocument, liveCardScheme, wholeCardOf } from './workbench/agentCards/documents.ts';
export { rangeIn } from './workbench/platform/documentDiagnostics.ts';
export { untitledDocument, openUntitled } from './workbench/platform/untitledDocument.ts';
export { shownProblems } from './workbench/requests/language/shownProblems.ts';
export { log } from './workbench/platform/log.ts';
export { oneLine, escapeIcons, escapeControls, escapeLinks } from './workbench/platform/untrustedText.ts';
export { explain, report, translate } from './workbench/platform/report.ts';
export { openChosen, openFound } from './workbench/platform/workspaceFiles.ts';
