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
import { type OpenedFolder, openFolder } from './store/openFolder.ts';
import { openStore } from './store/openStore.ts';
import { isBusy } from './store/database/storeProblem.ts';
import type { TaskStore } from './store/taskStore.ts';
import type { AgentsTree } from './workbench/agentsView/agentsTree.ts';
import type { CommandHandlers } from './workbench/platform/commands.ts';
import { documentationCommand } from './workbench/help/documentation.ts';
import { registerWorkbench } from './workbench/register.ts';
import { log } from './workbench/platform/log.ts';
import { showLockNotice } from './workbench/history/lockNotice.ts';
import { maxTaskSize } from './workbench/history/settings.ts';
import type { HistoryRecovery } from './workbench/history/historyRecovery.ts';
import { offerSalvage } from './workbench/history/salvageOffer.ts';
import { tellUnkept } from './workbench/history/unkeptNotice.ts';
import { agentValues } from './workbench/requests/values/agentValues.ts';
import { secretOriginsIn } from './workbench/requests/values/secretBindings.ts';
import { Secrets } from './workbench/requests/values/secrets.ts';
import { explain, report } from './workbench/platform/report.ts';
import { secretsToMask } from './workbench/platform/shownSecrets.ts';
import type { SignInStore } from './auth/signInStore.ts';
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
 * step, the tree shows it permanently, and every command but those that show the log and the documentation reports it again.
 */
export async function open(extension: vscode.ExtensionContext, tree: AgentsTree): Promise<CommandHandlers> {
  try {
    const lost: Lost = {};
    return withErrorReporting(createWorkbench(extension, tree, lost, await openHistory(extension, () => whenLost(lost))));
  } catch (error) {
    const { message, nextStep } = explain(error);
    tree.showMessage([message, nextStep].filter(Boolean).join(' '));
    void report(error);
    return { ...failingCommands(error), 'a2a.showLog': () => log.show(), ...documentationCommand(extension.extensionUri) };
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
): CommandHandlers {
  const storage = temporary === undefined ? extension.globalStorageUri : vscode.Uri.file(folder);
  const http = new Http({ network });
  const onError = (error: unknown): void => log.error(error instanceof Error ? error : String(error));
  const verifier = lazyCardVerifier({ http, log: looseLog(store, onError), trusted: trustedSigners });
  const secrets = new Secrets(extension.secrets);
  const secretOrigins = secretOriginsIn(extension.globalState);
  const { signIns, store: signInStore, parts: signInParts } = signingIn(extension, storage, http, onError);
  const agents: Agents = new Agents({
    http,
    signIns,
    values: agentValues(secrets, secretOrigins, name => agents.get(name) !== undefined),
    onError,
    log: looseLog(store, onError),
    reviewer: cardReviewer({
      verify: text => verifier.verify(text),
      folder: vscode.Uri.joinPath(storage, 'cards').fsPath,
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
    globalStorageUri: storage,
    workspaceState: extension.workspaceState,
    globalState: extension.globalState,
    secrets,
    secretOrigins,
    signIns,
    signInParts,
    conformanceParts: () => import('./conformance/bundle/bundle.ts'),
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
  if (temporary !== undefined) tellUnkept(temporary);
  if (setAside !== undefined) void offerSalvage(contexts.history, setAside);
  return workbench.commands;
}

/** The sign-ins at agents: kept in VS Code's secret storage, for all windows. What they take is loaded with the first of them. */
function signingIn(extension: vscode.ExtensionContext, { fsPath }: vscode.Uri, http: Http, onError: (error: unknown) => void) {
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
    onError,
  });
  const signInParts: SignInParts = {
    redirects: async page => (await parts()).loopbackRedirects(page),
    plan: async (card, challenge) => (await parts()).signInPlan(card, challenge),
    doctor: async () => {
      const { SignInTrace, SignIns: Traced, explainSignIn, fetchedFrom, seenExchange } = await parts();
      const trace = new SignInTrace(http);
      return {
        trace,
        signIns: new Traced({ http: trace.http, store: await storeOfAll() }),
        seen: seenExchange,
        fetchedFrom,
        explain: ({ requireOrigin, ...given }) => explainSignIn({ ...given, trace, context: { http: trace.http, requireOrigin } }),
      };
    },
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
export { A2AError, codeOfReason, errorNames, isTaskNotFound, reasonOf, statusNames } from './protocol/errors.ts';
export { resolveAgentCard } from './client/card/agentCardResolver.ts';
export { detectAnswer } from './protocol/versions/detectAnswer.ts';
export { detectCard } from './protocol/versions/detectCard.ts';
export { cancelled, ConnectionProblem, connectionProblem, nothingButProvisional } from './client/http/connectionProblem.ts';
export { ConfiguredHeaders, configuredHeaders, noHeaders, withConfigured } from './client/http/configuredHeaders.ts';
export { isApproved, isUnspecified, requireApproved, sameHost, trustIn } from './client/http/origin.ts';
export { isProxyFailure } from './client/network/proxyFailure.ts';
export { parseJson } from './client/http/parseJson.ts';
export { timeLimits } from './client/http/timeLimits.ts';
export { timeoutsFor, untilCanceled } from './client/http/timeouts.ts';
export { errorIn, nextSteps, unauthorized, UnauthorizedProblem, unreadableBody } from './client/transport/agentError.ts';
export { inContext, namedContext, withNames } from './client/transport/clientNames.ts';
export { ExchangeRecord, now } from './client/wireLog/exchangeRecord.ts';
export { withRedirects } from './client/http/redirects.ts';
export { askedForm, inputFormOf } from './protocol/forms/inputForm.ts';
export { secretPointers } from './protocol/forms/secretPointers.ts';
export { exampleOf, inputSchemaOf, requiredMembers } from './protocol/forms/inputSchema.ts';
export { schemaFaults } from './protocol/forms/schemaFaults.ts';
export { isTaskRestTask, taskInputOf } from './protocol/versions/taskRest/readTaskRest.ts';
export { UnimplementedProblem } from './client/grpc/problem.ts';
export { otherCardPlace, parseAddress } from './client/card/agentAddress.ts';
export { chooseInterface } from './client/interfaces/agentInterface.ts';
export { absoluteUrl, offeredInterfaces, webAddress, whyUnsupported } from './client/interfaces/offeredInterface.ts';
export { hasWebhookMethodOf, probe } from './client/interfaces/probe.ts';
export { transportFor, transports } from './client/interfaces/transports.ts';
export { isAgentAddress } from './model/agents/agents.ts';
export { originsOfHeaders } from './model/agents/agentHeaders.ts';
export { diagnoseCard } from './client/doctor/cardDiagnoses.ts';
export { diagnosisContextOf, mayAsk } from './client/doctor/diagnosisTarget.ts';
export { Emitter } from './model/emitter.ts';
export { StreamReducer } from './model/fold/streamReducer.ts';
export { TaskReducer } from './model/fold/taskReducer.ts';
export { requiredButOff } from './model/agents/agentExtensions.ts';
export { isOlder } from './model/contexts/remoteTasks.ts';
export { saysUnsupported } from './model/unsupported.ts';
export { isLoopback, originOf } from './protocol/card/agentOrigin.ts';
export { isEmptySelector, parseInterfaceSelector } from './protocol/card/interfaceSelector.ts';
export { historyOf, latestAcceptable } from './model/contexts/artifactVersions.ts';
export { english, hint, inTerminal, Problem, sentence } from './protocol/problem.ts';
export { HistoryRecord, recordFormat, recordHead, recordVersion } from './store/transfer/historyRecord.ts';
export { isSend, isStreaming, operations, subjectTask } from './protocol/message/operations.ts';
export { mask, SecretValues } from './protocol/secrets/secretValues.ts';
export { isActive, isInterrupted, isTerminal, readTaskState, taskStates, TaskState } from './protocol/message/taskState.ts';
export { noteForeignState, syntheticIdPrefix } from './protocol/versions/shared/readTask.ts';
export { Message } from './protocol/message/message.ts';
export { mediaTypeOf, Part, partKind, textOf } from './protocol/message/part.ts';
export { Artifact, Task } from './protocol/message/task.ts';
export { joinText, partsOf } from './protocol/message/transcript.ts';
export {
  formOf,
  readAgentCard,
  readResult,
  readStreamResponse,
  readStreamResponses,
  releases,
  versionOf,
} from './protocol/versions/index.ts';
export { isOfMediaType } from './request/expect/artifacts.ts';
export { textOfObserved } from './request/expect/observed.ts';
export { duration, outcomeStatus, statusOf } from './workbench/requests/session/requestStatus.ts';
export { interfaceName, selectorLabel } from './workbench/platform/interfaceNames.ts';
export { comparisonScheme, plainTextIfSchema } from './workbench/documents/readOnlyDocuments.ts';
export { fill, scopeOf, variableOf } from './request/resolve/fill.ts';
export { filledBody } from './request/resolve/filledBody.ts';
export { isPrivate } from './request/text/value.ts';
export { joined, jsonText, Pieced, piecesOf, variablesIn } from './request/text/pieced.ts';
export { copiedHeaders, copiedRequest, resolveInterface } from './request/resolve/resolve.ts';
export { SandboxedFiles } from './request/values/sandboxedFiles.ts';
export { agentNameOf } from './model/requests/agentNameOf.ts';
export { headersFor } from './model/agents/wantedConnection.ts';
export { followed } from './model/requests/requestFollowing.ts';
export { gaveAnswer } from './model/requests/requestRuns.ts';
export { checkExpectations } from './request/expect/expectations.ts';
export { RequestLimit, unheard } from './model/requests/requestLimit.ts';
export { isCredentialVariable, promptVariable, secretVariable } from './request/template/variableNames.ts';
export { headerPieces } from './request/template/headerTemplate.ts';
export { plainCredential } from './request/template/plainCredential.ts';
export { functionOf, functions } from './request/template/functions.ts';
export { offeredOperations } from './request/language/offers.ts';
export { cardValue, readCardText } from './card/cardText.ts';
export { looksLikeCard } from './card/looksLikeCard.ts';
export { jsoncTree, syntaxProblems } from './request/text/syntaxErrors.ts';
export { exactTree } from './request/text/exactTree.ts';
export { Verbatim, writeJson } from './request/text/indentJson.ts';
export { deepNesting, maxDepth, memberOf, membersOf, nestingOf, nodeAt, rangeOf, valueOf, stringsIn } from './request/text/jsonNode.ts';
export { stepsInto, stepsIntoResult } from './request/language/valueSteps.ts';
export { extendedCard, methods, operationOf } from './request/text/methods.ts';
export { templatedKeys } from './request/file/requestEntry.ts';
export { referenceValues, resultMembers } from './request/values/requestResult.ts';
export { hasRows, rowNames } from './request/file/writtenRows.ts';
export { importedMeaning, requestNamed, withNeeded } from './request/file/imports.ts';
export { readRequestFile } from './request/check/readRequestFile.ts';
export { sendOrder } from './request/file/sendOrder.ts';
export { noDefaults, defaultsFileName } from './request/file/folderDefaults.ts';
export { combined, settingsIn } from './request/file/settingsIn.ts';
export { doubledKeys } from './request/check/contentChecks.ts';
export { templateProblem, unclosedIn } from './request/template/templateProblem.ts';
export { templatesIn } from './request/template/templateUse.ts';
export { findFolderFiles } from './request/environment/findFolderFiles.ts';
export { FileAgents } from './workbench/requests/session/fileAgents.ts';
export { documentOf, requestOf } from './workbench/requests/sending/requestTargets.ts';
export { functionHostFor } from './workbench/requests/values/workbenchValueSources.ts';
export { environmentFileNames } from './request/values/environmentFileNames.ts';
export { secretsToMask } from './workbench/platform/shownSecrets.ts';
export { readSections, sectionAt } from './request/file/sections.ts';
export { fitsSchema, schemaProblems } from './request/check/schemaProblems.ts';
export { isMarkdown, isRequestDocument, parsedRequestFile, requestTitle } from './workbench/documents/requestDocuments.ts';
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
export { CheckPrompts } from './request/file/checkPrompts.ts';
export { ConformancePageMessage, KeptConformancePage } from './workbench/conformance/pageMessage.ts';
export { ensureCard } from './workbench/agents/ensureCard.ts';
export { runningPrograms } from './workbench/agents/windowPrograms.ts';
export { confirmOrigin, foreignOriginOf } from './workbench/agentsView/foreignOrigin.ts';
export { setContextKey } from './workbench/platform/contextKeys.ts';
export { deliverySentences, outcomeSentence, rehearsalSentence } from './workbench/documents/deliveryText.ts';
export {
  addAgentToSettings,
  allowOrigin,
  isConfigured,
  isNameTaken,
  disallowOrigin,
  notConfigured,
  originsOfUser,
  placeOfAgent,
  setCheckPrompts,
  setExtensions,
  setInterface,
  setTls,
} from './workbench/platform/settings.ts';
export { foldersOf } from './workbench/requests/values/fileEnvironments.ts';
export { escapedBraces, isReferable, isWhole, readTemplate } from './request/template/template.ts';
export { isTextual, knownMediaTypes, mediaTypeOfName } from './request/text/mediaTypes.ts';
export { isAskedFor, rangeIn } from './workbench/platform/documentDiagnostics.ts';
export { taskKey, taskOfKey, taskScheme } from './workbench/documents/taskDocuments.ts';
export { untitledDocument, openUntitled } from './workbench/platform/untitledDocument.ts';
export { shownProblems } from './workbench/requests/language/shownProblems.ts';
export { log } from './workbench/platform/log.ts';
export {
  jsonEscape,
  replaceControls,
  replaceInvisible,
  spelledOut,
  withDirectionMarksSpelledOut,
} from './protocol/hiddenCharacters.ts';
export { loadRules, ruleOf } from './protocol/rules/loadedRules.ts';
export { joinStatuses } from './protocol/message/statusEntries.ts';
export { repliesIn } from './protocol/message/replies.ts';
export { statePresentation } from './workbench/platform/stateIcons.ts';
export { boundedText } from './protocol/boundedText.ts';
export {
  oneLine,
  appendWords,
  escapeIcons,
  escapeControls,
  escapeLinks,
  shortTitle,
  truncated,
} from './workbench/platform/untrustedText.ts';
export { explain, explainInBox, offerUndo, report, translate } from './workbench/platform/report.ts';
export { extensionOf, safeFileName, withExtension } from './model/fileNames.ts';
export { openUntrustedLink } from './workbench/platform/links.ts';
export { pageHtml } from './workbench/platform/webviewHtml.ts';
export { savePart } from './workbench/documents/partDocument.ts';
export { turnOnRequired } from './workbench/agents/requiredExtensions.ts';
export { readChatRequest, requestId } from './workbench/chat/requests.ts';
export { chatDelivery } from './workbench/chat/delivery.ts';
export { cleanupsAfter, descriptionOf, isCleanup, isOnly, isTest, planOf, tagsOf } from './request/file/control.ts';
export { passwordsAskedFor, requirePasswords, withoutPasswords } from './model/contexts/passwords.ts';
export { matches } from './request/expect/pattern.ts';
export {
  compareNumbers,
  decimalOf,
  ExactNumber,
  hasExactNumbers,
  isInteger,
  isMultipleOf,
  isNumber,
  toExactNumber,
} from './protocol/exactNumber.ts';
export { exactJson, parseExactly, posted, writeExactly } from './protocol/json/exactJson.ts';
export { openPickedFile, openSearchResult } from './workbench/platform/workspaceFiles.ts';
export { writeAtomically, writeAtOnce } from './model/writtenFile.ts';
export { agentsOf, matrixAgents, matrixCount, matrixInterfaces, matrixTargets } from './request/file/matrix.ts';
