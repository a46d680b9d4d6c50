import * as vscode from 'vscode';
import type { CardVerifying } from '../client/card/signatures/lazyCardVerifier.ts';
import type { Agent } from '../model/agents/agent.ts';
import type { AgentContext } from '../model/contexts/agentContext.ts';
import type { AgentContexts } from '../model/contexts/agentContexts.ts';
import type { AgentSignIns } from '../model/agents/agentSignIns.ts';
import type { Agents } from '../model/agents/agents.ts';
import { ForgottenTasks } from '../model/contexts/forgottenTasks.ts';
import { tellReplacedCards } from './agents/replacedCards.ts';
import { ReachabilityWatch } from '../model/agents/reachabilityWatch.ts';
import type { SecretOrigins } from '../model/agents/secretOrigins.ts';
import { loadRules } from '../conformance/rules/loadedRules.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { RemoteListings } from '../model/contexts/remoteListings.ts';
import { agentCommands, cardScheme, configuredAgent, pickAgent } from './agents/agentCommands.ts';
import { AgentDecorations } from './agentsView/agentDecorations.ts';
import type { AgentsTree } from './agentsView/agentsTree.ts';
import { AgentsView } from './agentsView/agentsView.ts';
import { nodeOf, type Node } from './agentsView/agentNodes.ts';
import { cardLanguage, cardProblemsOf, isCardDocument } from './agentCards/documents.ts';
import { cardFixes } from './agentCards/fixes.ts';
import { RecognizedCards } from './agentCards/recognizedCards.ts';
import { CardPreviews } from './agentCards/previews.ts';
import { ChatPanels } from './chat/panels.ts';
import { ConformancePages } from './conformance/conformancePages.ts';
import type { ConformanceParts } from './conformance/conformanceParts.ts';
import { ConformanceTests } from './conformance/conformanceTests.ts';
import { conformanceType } from './conformance/conformanceType.ts';
import type { CommandHandlers } from './platform/commands.ts';
import { documentationCommand } from './help/documentation.ts';
import { DocumentDiagnostics } from './platform/documentDiagnostics.ts';
import { filterCommands } from './agentsView/filterCommands.ts';
import { Grouping } from './agentsView/grouping.ts';
import { dailyRetention } from './history/retention.ts';
import { enforceSizeLimit } from './history/sizeLimit.ts';
import { historyCommands } from './history/commands.ts';
import { deliveryCommands } from './chat/delivery.ts';
import { lastMessage } from './chat/lastMessage.ts';
import { log } from './platform/log.ts';
import { missingSecretOf } from '../model/agents/agentHeaders.ts';
import { PartFiles } from './documents/partDocument.ts';
import { PushNotifications } from './push/pushNotifications.ts';
import { rareCommands } from './rareCommands.ts';
import { comparisonScheme, ReadOnlyDocuments } from './documents/readOnlyDocuments.ts';
import type { Secrets } from './requests/values/secrets.ts';
import { registerRequests } from './requests/requests.ts';
import { attachCommands } from './chat/attachCommands.ts';
import { Drafts } from './chat/drafts/drafts.ts';
import { report, translate } from './platform/report.ts';
import { KeyboardRows } from './agentsView/keyboardRows.ts';
import { SampleAgents } from './agents/sampleAgents.ts';
import { watchPrograms } from './agents/windowPrograms.ts';
import { ServedCards } from './agentCards/servedCards.ts';
import { type AgentMistakes, configuredAgents, useAgentNames, onDidChangeAgents } from './platform/settings.ts';
import { TaskDocuments, taskScheme } from './documents/taskDocuments.ts';
import { settingsDiagnostics } from './requests/values/settingsDocuments.ts';
import { signInCommands, type SignInParts } from './signIn/signInCommands.ts';
import { SignInReports } from './signIn/signInReports.ts';
import { TaskFilter } from './agentsView/taskFilter.ts';
import { onDidChangeTrustedSigners } from './agentCards/trustedSigners.ts';
import { exchangeText, findingLine, indentedBody } from './documents/exchangeText.ts';
import { InterfaceComparison } from './requests/interfaceComparison.ts';
import { registerAccounts } from './signIn/accounts.ts';

const exchangeScheme = 'a2a-exchange';

/** Builds the user interface and connects it to the model. Returns the command handlers, which the entry point has registered already. */
export function registerWorkbench({
  tree,
  agents,
  contexts,
  listings,
  verifier,
  extensionUri,
  globalStorageUri,
  workspaceState,
  globalState,
  secrets,
  secretOrigins,
  signIns,
  signInParts,
  conformanceParts,
}: {
  readonly tree: AgentsTree;
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly listings: RemoteListings;
  readonly verifier: CardVerifying;
  /** State shared by all windows. */
  readonly globalState: vscode.Memento;
  readonly extensionUri: vscode.Uri;
  readonly globalStorageUri: vscode.Uri;
  readonly workspaceState: vscode.Memento;
  readonly secrets: Secrets;
  /** Where the secrets may go. */
  readonly secretOrigins: SecretOrigins;
  readonly signIns: AgentSignIns;
  readonly signInParts: SignInParts;
  readonly conformanceParts: ConformanceParts;
}): vscode.Disposable & { readonly commands: CommandHandlers } {
  const samples = new SampleAgents(extensionUri, workspaceState);
  const served = new ServedCards();
  const previews = new CardPreviews(extensionUri, verifier);
  const recognized = new RecognizedCards(workspaceState);
  let mistakes: ReadonlyMap<string, AgentMistakes> = new Map();
  const known = samples.resume();
  const naming = useAgentNames(contexts.names);
  const configure = (): void => {
    const read = configuredAgents();
    mistakes = read.mistakes;
    const running = { ...samples.agents, ...served.agents };
    // Agents that this window runs itself belong to the user, whatever port they listen on this time.
    for (const [name, settings] of Object.entries(running)) contexts.names.of({ name, settings, place: 'user', label: '' });
    agents.configure({ ...read.agents, ...running });
  };
  configure();

  const taskDocuments = new TaskDocuments(contexts, exchange => documents.uri(exchangeScheme, exchange.operation, exchange.id));
  const documents: ReadOnlyDocuments = new ReadOnlyDocuments()
    .add(cardScheme, {
      extension: 'json',
      render: name => Promise.resolve(indentedBody(agents.get(name)?.cardSource ?? '') || undefined),
    })
    .add(taskScheme, { extension: 'txt', render: key => taskDocuments.render(key) })
    .add(exchangeScheme, {
      extension: 'a2a-exchange',
      render: async id => {
        const found = contexts.exchange(id);
        await loadRules();
        return found && exchangeText(found, translate);
      },
    });
  const comparison = new InterfaceComparison(documents);
  documents.add(comparisonScheme, { extension: 'json', render: key => Promise.resolve(comparison.textOf(key)) });
  const partFiles = new PartFiles();
  const drafts = new Drafts(vscode.Uri.joinPath(globalStorageUri, 'drafts'), key => contexts.get(key) !== undefined);
  const panels = new ChatPanels(
    contexts,
    {
      agents,
      extensionUri,
      partFiles,
      drafts,
      sendInNewContext: async (agent, options) => {
        const context = await contexts.patiently(() => contexts.create(agent));
        await context.patiently(() => context.send(options));
        await panels.open(context);
      },
      openExchange: async ({ exchange }, finding) => {
        const { findings } = exchange;
        const line = finding === undefined || finding >= findings.length ? 0 : findingLine(findings, finding);
        await documents.open(exchangeScheme, exchange.operation, exchange.id, {
          viewColumn: vscode.ViewColumn.Beside,
          selection: new vscode.Range(line, 0, line, finding === undefined ? 0 : Number.MAX_SAFE_INTEGER),
        });
      },
    },
    workspaceState,
  );
  const openExchange = async (context: AgentContext, id: string): Promise<void> => {
    const kept = context.exchange(id);
    if (kept === undefined) throw new Problem('gone', sentence('This exchange is no longer in the history.'));
    await documents.open(exchangeScheme, kept.exchange.operation, id);
  };
  const filter = new TaskFilter();
  const grouping = new Grouping(globalState);
  const view = new AgentsView({
    tree,
    agents,
    contexts,
    listings,
    filter,
    grouping,
    mistakes: () => mistakes,
    isStoppedSample: name => samples.isStopped(name),
    known,
  });
  const rowKeys = new KeyboardRows();
  const selected = (): Node | undefined => view.selected;
  // If neither a row nor a name says which agent is meant, it is that of the active chat.
  const meantName = (argument: unknown): string | undefined =>
    typeof argument === 'string' ? argument : (nodeOf('agent', argument)?.name ?? agents.get(panels.active?.agentName ?? '')?.name);
  const meantAgent = (argument: unknown): Promise<Agent | undefined> => configuredAgent(agents, meantName(argument));
  const requests = registerRequests({
    agents,
    contexts,
    documents,
    partFiles,
    sentFolder: vscode.Uri.joinPath(globalStorageUri, 'sent'),
    state: workspaceState,
    secrets,
    secretOrigins,
    extensionUri,
    openChat: context => panels.open(context, vscode.ViewColumn.Beside),
    activeChat: () => panels.active,
  });

  const rare = rareCommands({
    drafts,
    samples,
    pickAgent: argument => pickAgent(agents, argument),
    view,
    chosenByKey: () => rowKeys.takeKeyPress(),
    agents,
    contexts,
    panels,
    partFiles,
    documents,
    served,
    previews,
    verifier,
    selected,
    selection: () => view.selection,
    secrets,
    secretOrigins,
    meantAgent,
    search: {
      openEntry: async ({ context: key, seq }) => {
        const context = contexts.get(key);
        if (context !== undefined) (await panels.open(context)).revealEntry(seq);
      },
    },
  });

  const reports = new SignInReports(documents);
  const signIn = signInCommands({ agents, signIns, parts: signInParts, secrets, reports, meantAgent });
  const push = new PushNotifications({ contexts, workspaceState, activeChat: () => panels.active, selected, openExchange });
  const conformance = new ConformancePages({
    contexts,
    extensionUri,
    state: workspaceState,
    agents,
    meantName,
    meantAgent,
    parts: conformanceParts,
    push,
    openExchange: async id => {
      const kept = contexts.exchange(id);
      if (kept === undefined) throw new Problem('gone', sentence('This exchange is no longer in the history.'));
      await documents.open(exchangeScheme, kept.exchange.operation, id);
    },
    onChecked: () => tree.refresh(),
  });

  push.tellGone().catch(report);

  const watch = new ReachabilityWatch({
    agents,
    inSight: ({ name }) =>
      vscode.window.state.focused &&
      (tree.view.visible || panels.shown.some(({ visible, context }) => visible && context.agentName === name)),
  });

  const forgotten = new ForgottenTasks({
    agents,
    contexts,
    onError: (error: unknown) => log.error(error instanceof Error ? error : String(error)),
  });

  // The Accounts menu has nothing of ours before somebody has signed in.
  let accounts: vscode.Disposable | undefined;

  const parts = vscode.Disposable.from(
    naming,
    watch,
    tellReplacedCards(agents),
    forgotten,
    new AgentDecorations(),
    taskDocuments,
    samples,
    watchPrograms(),
    served,
    previews,
    recognized,
    documents,
    partFiles,
    panels,
    filter,
    grouping,
    view,
    requests,
    dailyRetention(contexts, globalState),
    enforceSizeLimit(contexts.history, globalState),
    push,
    conformance,
    onDidChangeAgents(configure),
    onDidChangeTrustedSigners(() => agents.reviewAgain()),
    secrets.onDidChange(() => {
      for (const agent of agents.all) if (missingSecretOf(agent.problem) !== undefined) void agent.check();
    }),
    signIns.onDidChange(() => {
      agents.signInChanged();
      tree.refresh();
      accounts ??= registerAccounts(signIns);
    }),
    new ConformanceTests({
      agents,
      contexts,
      parts: conformanceParts,
      push,
      onChecked: agent => {
        tree.refresh();
        conformance.refresh(agent);
      },
    }),
    vscode.window.registerWebviewPanelSerializer(conformanceType, {
      deserializeWebviewPanel: (panel, state) => Promise.resolve(conformance.restore(panel, state)),
    }),
    samples.onDidChange(configure),
    served.onDidChange(configure),
    settingsDiagnostics(rare.credentials),
    new DocumentDiagnostics({ includes: isCardDocument, problems: cardProblemsOf }),
    vscode.languages.registerCodeActionsProvider(cardLanguage, cardFixes, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
  );

  return {
    dispose: () => {
      parts.dispose();
      accounts?.dispose();
    },
    commands: {
      ...agentCommands({
        agents,
        contexts,
        listings,
        forgotten,
        documents,
        openChat: async agent => panels.open(await contexts.patiently(() => contexts.create(agent))),
        signIn: agent => signIn.signIn(agent),
        selected,
      }),
      ...rowKeys.commands,
      ...attachCommands({ agents, contexts, panels }),
      ...requests.commands,
      ...rare.handlers,
      ...push.handlers,
      ...signIn.handlers,
      ...conformance.handlers,
      'a2a.sendOnEveryInterface': async (file, key) => {
        // A code lens passes the file's URI as a string; anything else means the active editor or chat.
        const chat = typeof file === 'string' ? undefined : panels.active;
        const what = chat === undefined ? await requests.comparable(file, key) : await lastMessage(chat, contexts);
        if (what !== undefined) await comparison.run(what);
      },
      ...deliveryCommands(() => panels.active),
      'a2a.loadMore': async parent => {
        const node = nodeOf('more', parent);
        if (node !== undefined) await view.loadMore(node);
      },
      ...filterCommands(filter),
      ...grouping.commands,
      ...historyCommands({ agents, contexts, selection: () => view.selection, rowsOfKey: () => rowKeys.meant(() => view.selection) }),
      'a2a.checkAgentCard': file => recognized.check(file),
      'a2a.showLog': () => log.show(),
      ...documentationCommand(extensionUri),
    },
  };
}
