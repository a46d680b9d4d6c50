import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { CardDiagnoser, CardDiagnoserOptions, CardDoctor } from './client/doctor/cardDoctor.ts';
import { lazyCardVerifier } from './client/card/signatures/lazyCardVerifier.ts';
import { Http } from './client/http/http.ts';
import type { Network } from './client/network/network.ts';
import type { WireLog } from './client/wireLog/wireLog.ts';
import { AgentContexts } from './model/contexts/agentContexts.ts';
import { Agents } from './model/agents/agents.ts';
import { AgentSignIns } from './model/agents/agentSignIns.ts';
import type { CardReviewer } from './model/agents/cardReview.ts';
import type { CardReviewsOptions } from './model/agents/cardReviews.ts';
import { RemoteListings } from './model/contexts/remoteListings.ts';
import { openStore } from './store/openStore.ts';
import { isBusy } from './store/database/storeProblem.ts';
import type { TaskStore } from './store/taskStore.ts';
import type { AgentsTree } from './workbench/agentsView/agentsTree.ts';
import type { CommandHandlers } from './workbench/platform/commands.ts';
import { registerWorkbench } from './workbench/register.ts';
import { log } from './workbench/platform/log.ts';
import { showLockNotice } from './workbench/history/lockNotice.ts';
import { maxTaskSize } from './workbench/history/settings.ts';
import type { HistoryRecovery } from './workbench/history/historyRecovery.ts';
import { offerSalvage } from './workbench/history/salvageOffer.ts';
import { agentValues } from './workbench/requests/values/agentValues.ts';
import { secretOriginsIn } from './workbench/requests/values/secretBindings.ts';
import { Secrets } from './workbench/requests/values/secrets.ts';
import { explain, report } from './workbench/platform/report.ts';
import { SecretSignInStore } from './workbench/signIn/secretSignInStore.ts';
import type { SignInParts } from './workbench/signIn/signInCommands.ts';
import { trustedSigners } from './workbench/agentCards/trustedSigners.ts';
import { failingCommands, withErrorReporting } from './workbench/errorReporting.ts';

/** How long to wait while another process has the history locked at startup, and the time between two attempts; in milliseconds. */
const maxOpeningMs = 60_000;
const openingPause = 50;

/** Workspace state: the owner id of the previous extension host of this window, whose tasks the next one takes over. */
const ownerKey = 'history.owner';

/**
 * Opens the history, builds the workbench and returns the handlers of its commands. If that fails, the error is reported with its next
 * step, the tree shows it permanently, and every command except `a2a.showLog` reports it again.
 */
export async function open(extension: vscode.ExtensionContext, tree: AgentsTree): Promise<CommandHandlers> {
  try {
    const lost: Lost = {};
    return withErrorReporting(createWorkbench(extension, tree, lost, await openHistory(extension, () => whenLost(lost))));
  } catch (error) {
    const { message, nextStep } = explain(error);
    tree.showMessage([message, nextStep].filter(Boolean).join(' '));
    void report(error);
    return { ...failingCommands(error), 'a2a.showLog': () => log.show() };
  }
}

/** What handling a lost history needs. */
interface Lost {
  /** Undefined until the contexts are built; before that nothing can be lost. */
  contexts?: AgentContexts;
  history?: Promise<HistoryRecovery>;
}

/** Called by the store each time it finds the history's files gone; may be called any number of times. */
function whenLost(lost: Lost): void {
  const { contexts } = lost;
  if (contexts === undefined) return;
  lost.history ??= import('./workbench/history/historyRecovery.ts').then(module => new module.HistoryRecovery(contexts, openStore));
  lost.history.then(history => history.recover(), report);
}

interface OpenedHistory {
  readonly store: TaskStore;
  /** Path to which a damaged history was moved; undefined if it was not damaged. */
  readonly setAside: string | undefined;
}

/** Retries while another process has the history locked, such as another window that migrates it to a new schema. */
async function openHistory({ globalStorageUri }: vscode.ExtensionContext, onLost: () => void): Promise<OpenedHistory> {
  mkdirSync(globalStorageUri.fsPath, { recursive: true });
  const path = vscode.Uri.joinPath(globalStorageUri, 'history.db').fsPath;
  for (const end = performance.now() + maxOpeningMs; ; ) {
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

/**
 * Builds history, model and workbench, in this order. Fetches nothing: agents are contacted when the tree or a chat is visible, or when a
 * command needs them.
 */
function createWorkbench(
  extension: vscode.ExtensionContext,
  tree: AgentsTree,
  lost: Lost,
  { store, setAside }: OpenedHistory,
): CommandHandlers {
  const http = new Http({ network });
  const onError = (error: unknown): void => log.error(error instanceof Error ? error : String(error));
  const verifier = lazyCardVerifier({ http, log: looseLog(store, onError), trusted: trustedSigners });
  const secrets = new Secrets(extension.secrets);
  const secretOrigins = secretOriginsIn(extension.globalState);
  const { signIns, store: signInStore, parts: signInParts } = signingIn(extension, http, onError);
  const agents: Agents = new Agents({
    http,
    signIns,
    values: agentValues(secrets, secretOrigins, name => agents.get(name) !== undefined),
    onError,
    log: looseLog(store, onError),
    reviewer: cardReviewer({
      verify: text => verifier.verify(text),
      folder: vscode.Uri.joinPath(extension.globalStorageUri, 'cards').fsPath,
    }),
    doctor: cardDoctor({ http, log: looseLog(store, onError) }),
  });
  const owner = randomUUID();
  const contexts = new AgentContexts({
    store,
    agents,
    owner,
    replaces: extension.workspaceState.get<string>(ownerKey),
    maxTaskBytes: maxTaskSize,
    onError,
  });
  const listings = new RemoteListings({ contexts, agentOf: name => agents.get(name), log: looseLog(store, onError), onError });
  const workbench = registerWorkbench({
    tree,
    agents,
    contexts,
    listings,
    verifier,
    extensionUri: extension.extensionUri,
    globalStorageUri: extension.globalStorageUri,
    workspaceState: extension.workspaceState,
    globalState: extension.globalState,
    secrets,
    secretOrigins,
    signIns,
    signInParts,
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
    { dispose: () => store.close() },
    { dispose: () => void http.close() },
  );
  // Stored before tasks are resumed: the next process of this window takes over the tasks recorded under this id.
  extension.workspaceState
    .update(ownerKey, owner)
    .then(() => contexts.resume())
    .then(undefined, report);
  lost.contexts = contexts;
  if (setAside !== undefined) void offerSalvage(contexts.history, setAside);
  return workbench.commands;
}

/** The sign-ins at agents: kept in VS Code's secret storage, for all windows. What they take is loaded with the first of them. */
function signingIn(extension: vscode.ExtensionContext, http: Http, onError: (error: unknown) => void) {
  const store = new SecretSignInStore(extension.secrets);
  const parts = async () => import('./auth/signIns/bundle.ts');
  const signIns = new AgentSignIns({
    isUsed: () => store.isUsed(),
    load: async () => {
      const { SignIns, exclusiveBy } = await parts();
      const { fsPath } = extension.globalStorageUri;
      mkdirSync(fsPath, { recursive: true });
      return new SignIns({ http, store: store.with(exclusiveBy(join(fsPath, 'signIns.lock'))) });
    },
    onError,
  });
  const signInParts: SignInParts = {
    redirects: async page => (await parts()).loopbackRedirects(page),
    plan: async (card, challenge) => (await parts()).signInPlan(card, challenge),
  };
  return { signIns, store, parts: signInParts };
}

/** What VS Code's settings say about proxies and certificates, at each request. */
async function network(): Promise<Network> {
  const [{ settingsNetwork }, { httpSettings, machineProxy }] = await Promise.all([
    import('./client/network/settingsNetwork.ts'),
    import('./workbench/network/httpSettings.ts'),
  ]);
  return settingsNetwork(httpSettings(), machineProxy());
}

/**
 * A wire log for exchanges that belong to no context, such as card fetches and lists of tasks. Stores each when it has ended; they have no
 * event streams.
 */
function looseLog(store: TaskStore, onError: (error: unknown) => void): WireLog {
  return {
    exchange: exchange => {
      if (exchange.endedAt !== undefined)
        store.writes.inTurn(() => store.putWire(undefined, { exchanges: [exchange], frames: new Map() }), onError);
    },
    frames: () => {},
  };
}

/** Diagnoses cards; what that takes is loaded for the first of them. */
function cardDoctor(options: CardDiagnoserOptions): CardDoctor {
  let loading: Promise<CardDiagnoser> | undefined;
  const doctor = (): Promise<CardDiagnoser> =>
    (loading ??= import('./client/doctor/cardDoctor.ts').then(module => new module.CardDiagnoser(options)));
  return {
    examine: async target => (await doctor()).examine(target),
    versionSpoken: async target => (await doctor()).versionSpoken(target),
    forgetFailures: () => void loading?.then(loaded => loaded.forgetFailures(), report),
  };
}

/** Reviews cards; what that takes is loaded for the first of them. */
function cardReviewer(options: CardReviewsOptions): CardReviewer {
  let loading: Promise<CardReviewer> | undefined;
  const reviewer = (): Promise<CardReviewer> =>
    (loading ??= import('./model/agents/cardReviews.ts').then(module => new module.CardReviews(options)));
  return { review: async card => (await reviewer()).review(card), accept: async card => (await reviewer()).accept(card) };
}

// Shared with the parts of this bundle that are loaded later (`partsOfMain` in esbuild.mjs). Whatever has state, is a class or is large
// must be exported here.
export { A2AError, isTaskNotFound } from './protocol/errors.ts';
export { detectAnswer } from './protocol/versions/detectAnswer.ts';
export { detectCard } from './protocol/versions/detectCard.ts';
export { ConnectionProblem } from './client/http/connectionProblem.ts';
export { configuredHeaders, withConfigured } from './client/http/configuredHeaders.ts';
export { isApproved, isUnspecified, sameHost, trustIn } from './client/http/origin.ts';
export { parseJson } from './client/http/parseJson.ts';
export { timeLimits } from './client/http/timeLimits.ts';
export { untilCanceled } from './client/http/timeouts.ts';
export { UnauthorizedProblem } from './client/transport/agentError.ts';
export { otherCardPlace } from './client/card/agentAddress.ts';
export { chooseInterface } from './client/interfaces/agentInterface.ts';
export { offeredInterfaces, webAddress, whyUnsupported } from './client/interfaces/offeredInterface.ts';
export { hasWebhookMethodOf, probe } from './client/interfaces/probe.ts';
export { transportFor, transports } from './client/interfaces/transports.ts';
export { originsOfHeaders } from './model/agents/agentHeaders.ts';
export { diagnoseCard } from './client/doctor/cardDiagnoses.ts';
export { diagnosisContextOf, mayAsk } from './client/doctor/diagnosisTarget.ts';
export { Emitter } from './model/emitter.ts';
export { requiredButOff } from './model/agents/agentExtensions.ts';
export { isOlder } from './model/contexts/remoteTasks.ts';
export { saysUnsupported } from './model/unsupported.ts';
export { isLoopback, originOf } from './protocol/card/agentOrigin.ts';
export { isEmptySelector } from './protocol/card/interfaceSelector.ts';
export { historyOf, latestAcceptable } from './model/contexts/artifactVersions.ts';
export { english, hint, Problem, sentence } from './protocol/problem.ts';
export { HistoryRecord, recordFormat, recordVersion } from './store/transfer/historyRecord.ts';
export { isSend, isStreaming, operations } from './protocol/message/operations.ts';
export { mask, SecretValues } from './protocol/secrets/secretValues.ts';
export { isTerminal, readTaskState, taskStates, TaskState } from './protocol/message/taskState.ts';
export { syntheticIdPrefix } from './protocol/versions/shared/readTask.ts';
export { textOf } from './protocol/message/part.ts';
export { joinText } from './protocol/message/transcript.ts';
export { formOf, readAgentCard, readStreamResponse, releases, versionOf } from './protocol/versions/index.ts';
export { textOfObserved } from './request/expect/observed.ts';
export { duration } from './workbench/requests/session/requestStatus.ts';
export { interfaceName, selectorLabel } from './workbench/platform/interfaceNames.ts';
export { comparisonScheme, plainTextIfSchema } from './workbench/documents/readOnlyDocuments.ts';
export { variableOf } from './request/resolve/fill.ts';
export { resolveHeaders, resolveInterface, resolveRequest } from './request/resolve/resolve.ts';
export { SandboxedFiles } from './request/values/sandboxedFiles.ts';
export { agentNameOf } from './model/requests/agentNameOf.ts';
export { promptVariable, secretVariable } from './request/template/variableNames.ts';
export { headerPieces } from './request/template/headerTemplate.ts';
export { plainCredential } from './request/template/plainCredential.ts';
export { functionOf, functions } from './request/template/functions.ts';
export { offeredOperations } from './request/language/offers.ts';
export { jsoncTree } from './request/text/syntaxErrors.ts';
export { exactTree } from './request/text/exactTree.ts';
export { Verbatim, writeJson } from './request/text/indentJson.ts';
export { deepNesting, maxDepth, memberOf, membersOf, nestingOf, rangeOf, valueOf } from './request/text/jsonNode.ts';
export { stepsInto, stepsIntoResult } from './request/language/valueSteps.ts';
export { methods, operationOf } from './request/text/methods.ts';
export { isSecret } from './request/resolve/preview.ts';
export { templatedKeys } from './request/file/requestEntry.ts';
export { referenceValues, resultMembers } from './request/values/requestResult.ts';
export { rowNames } from './request/file/writtenRows.ts';
export { readEntry } from './workbench/platform/agentEntry.ts';
export { isSettings } from './workbench/requests/values/settingsDocuments.ts';
export { selectedHistoryNodes, itemOf, nodeOf, titleOf } from './workbench/agentsView/agentNodes.ts';
export { arrivalText, verdictLabel } from './workbench/agentsView/agentTreeItems.ts';
export {
  cardLanguage,
  cardTextOf,
  comparedCardScheme,
  isCardDocument,
  liveCardScheme,
  completeCardOf,
} from './workbench/agentCards/documents.ts';
export { ensureCard } from './workbench/agents/ensureCard.ts';
export { confirmOrigin, foreignOriginOf } from './workbench/agentsView/foreignOrigin.ts';
export { setContextKey } from './workbench/platform/contextKeys.ts';
export { deliverySentences, outcomeSentence, rehearsalSentence } from './workbench/documents/deliveryText.ts';
export {
  addAgentToSettings,
  allowOrigin,
  isNameTaken,
  disallowOrigin,
  notConfigured,
  placeOfAgent,
  setExtensions,
  setInterface,
} from './workbench/platform/settings.ts';
export { rangeIn } from './workbench/platform/documentDiagnostics.ts';
export { untitledDocument, openUntitled } from './workbench/platform/untitledDocument.ts';
export { shownProblems } from './workbench/requests/language/shownProblems.ts';
export { log } from './workbench/platform/log.ts';
export { replaceControls, replaceInvisible, withDirectionMarksSpelledOut } from './protocol/hiddenCharacters.ts';
export { findingLines, ruleTitle } from './workbench/documents/findingLines.ts';
export { findingSentence } from './protocol/findingSentence.ts';
export { ruleOf } from './protocol/rules/index.ts';
export { joinStatuses } from './protocol/message/statusEntries.ts';
export { statePresentation } from './workbench/platform/stateIcons.ts';
export { boundedText } from './protocol/boundedText.ts';
export { oneLine, escapeAddresses, escapeIcons, escapeControls, escapeLinks, truncated } from './workbench/platform/untrustedText.ts';
export { explain, offerUndo, report, translate } from './workbench/platform/report.ts';
export { openPickedFile, openSearchResult } from './workbench/platform/workspaceFiles.ts';
