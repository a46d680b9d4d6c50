import * as vscode from 'vscode';
import type { Agent } from '../model/agent.ts';
import type { AgentContexts } from '../model/agentContexts.ts';
import type { Agents } from '../model/agents.ts';
import type { RemoteListings } from '../model/remoteListings.ts';
import { agentCommands, cardScheme, configuredAgent } from './agentCommands.ts';
import { AgentDecorations } from './agentDecorations.ts';
import type { AgentsTree } from './agentsTree.ts';
import { AgentsView } from './agentsView.ts';
import { nodeOf, type Node } from './agentNodes.ts';
import { cardCommands, liveCardScheme, liveCardText } from './cardCommands.ts';
import { cardLanguage, cardProblemsOf, isCardDocument } from './cardDocuments.ts';
import { cardFixes } from './cardFixes.ts';
import { CardPreviews } from './cardPreviews.ts';
import { ChatPanels } from './chatPanels.ts';
import type { CommandHandlers } from './commands.ts';
import { DocumentDiagnostics } from './documentDiagnostics.ts';
import { exchangeText, findingLine, readableBody } from './exchangeText.ts';
import { extensionCommands } from './extensionCommands.ts';
import { InterfaceComparison } from './interfaceComparison.ts';
import { filterCommands } from './filterCommands.ts';
import { Grouping } from './grouping.ts';
import { cleanUpHistory, dailyRetention } from './historyCleanup.ts';
import { historyCommands } from './historyCommands.ts';
import { exportHistory } from './historyExporting.ts';
import { importTasks } from './historyImporting.ts';
import { HistorySearch } from './historySearch.ts';
import { interfaceCommands } from './interfaceCommands.ts';
import { deliveryCommands } from './chatDelivery.ts';
import { lastMessage } from './lastMessage.ts';
import { log } from './log.ts';
import { newRequestFile } from './newRequestFile.ts';
import { PartFiles } from './partDocument.ts';
import { ReadOnlyDocuments } from './readOnlyDocuments.ts';
import { registerRequests } from './requests.ts';
import { attachCommands } from './drafts/attachCommands.ts';
import { Drafts } from './drafts/drafts.ts';
import { translate } from './report.ts';
import { SampleAgents } from './sampleAgents.ts';
import { ServedCards } from './servedCards.ts';
import { configuredAgents, onDidChangeAgents } from './settings.ts';
import { openArtifact, taskCommands } from './taskCommands.ts';
import { TaskDocuments, taskScheme } from './taskDocuments.ts';
import { TaskFilter } from './taskFilter.ts';
import { versionCommands } from './versionCommands.ts';

const exchangeScheme = 'a2a-exchange';

/** Builds everything a person sees and connects it with the model. Returns what the commands do, for the front door to register. */
export function registerWorkbench({ tree, agents, contexts, listings, extensionUri, globalStorageUri, workspaceState, globalState, secretStorage }: {
  readonly tree: AgentsTree;
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly listings: RemoteListings;
  /** Over all windows. */
  readonly globalState: vscode.Memento;
  readonly extensionUri: vscode.Uri;
  readonly globalStorageUri: vscode.Uri;
  readonly workspaceState: vscode.Memento;
  readonly secretStorage: vscode.SecretStorage;
}): vscode.Disposable & { readonly commands: CommandHandlers } {
  const samples = new SampleAgents(extensionUri);
  const served = new ServedCards();
  const previews = new CardPreviews(extensionUri);
  const configure = (): void => agents.configure({ ...configuredAgents(), ...samples.agents, ...served.agents });
  configure();

  const taskDocuments = new TaskDocuments(contexts, exchange => documents.uri(exchangeScheme, exchange.operation, exchange.id));
  const documents: ReadOnlyDocuments = new ReadOnlyDocuments()
    .add(cardScheme, { extension: 'json', render: name => readableBody(agents.get(name)?.cardSource ?? '') || undefined })
    .add(liveCardScheme, { extension: 'json', render: key => liveCardText(agents, key) })
    .add(taskScheme, { extension: 'txt', render: key => taskDocuments.render(key) })
    .add(exchangeScheme, {
      extension: 'txt',
      render: id => {
        const found = contexts.exchange(id);
        return found === undefined ? undefined : exchangeText(found, translate);
      },
    });
  const comparison = new InterfaceComparison(documents);
  const partFiles = new PartFiles();
  const panels = new ChatPanels(contexts, {
    agents, extensionUri, partFiles, drafts: new Drafts(vscode.Uri.joinPath(globalStorageUri, 'drafts'), key => contexts.get(key) !== undefined),
    sendInNewContext: (agent, options) => {
      const context = contexts.create(agent);
      context.send(options);
      panels.open(context);
    },
    openExchange: async ({ exchange }, finding) => {
      const line = finding === undefined || finding >= exchange.findings.length ? 0 : findingLine(finding);
      await documents.open(exchangeScheme, exchange.operation, exchange.id, {
        viewColumn: vscode.ViewColumn.Beside, selection: new vscode.Range(line, 0, line, finding === undefined ? 0 : Number.MAX_SAFE_INTEGER),
      });
    },
  });
  const filter = new TaskFilter();
  const grouping = new Grouping(globalState);
  const view = new AgentsView({ tree, agents, contexts, listings, filter, grouping });
  const selected = (): Node | undefined => view.selected;
  // Where neither a row nor a name says which agent is meant, the chat in front does.
  const meantAgent = (argument: unknown): Promise<Agent | undefined> =>
    configuredAgent(agents, typeof argument === 'string' ? argument : nodeOf('agent', argument) ?? panels.active?.agentName);
  const requests = registerRequests({ agents, contexts, documents, state: workspaceState, secretStorage, openChat: context => panels.open(context, vscode.ViewColumn.Beside), activeChat: () => panels.active });

  const parts = vscode.Disposable.from(
    new AgentDecorations(), taskDocuments, samples, served, previews, documents, partFiles, panels, filter, grouping, view, requests,
    dailyRetention(contexts, globalState),
    onDidChangeAgents(configure),
    samples.onDidChange(configure),
    served.onDidChange(configure),
    new DocumentDiagnostics({ includes: isCardDocument, problems: cardProblemsOf }),
    vscode.languages.registerCodeActionsProvider(cardLanguage, cardFixes, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
  );

  return {
    dispose: () => parts.dispose(),
    commands: {
      ...agentCommands({ agents, contexts, listings, documents, openChat: agent => panels.open(contexts.create(agent)), selected }),
      ...taskCommands({ agents, contexts, panels, partFiles, documents, selected }),
      ...attachCommands({ agents, contexts, panels }),
      ...versionCommands({ contexts, panels, partFiles, selected }),
      ...requests.commands,
      ...cardCommands({ agents, documents, served, previews }),
      'a2a.sendOnEveryInterface': async (file, key) => {
        // A lens names its file; anything else means what is in front.
        const chat = typeof file === 'string' ? undefined : panels.active;
        const what = chat === undefined ? await requests.comparable(file, key) : await lastMessage(chat, contexts);
        if (what !== undefined) await comparison.run(what);
      },
      ...deliveryCommands(() => panels.active),
      ...interfaceCommands(meantAgent),
      ...extensionCommands(meantAgent),
      'a2a.loadMore': async parent => {
        const node = nodeOf('more', parent);
        if (node !== undefined) await view.loadMore(node);
      },
      ...filterCommands(filter),
      ...historyCommands({ contexts, grouping, selection: () => view.selection }),
      'a2a.searchHistory': text => HistorySearch.open({
        contexts,
        openEntry: ({ context: key, seq }) => {
          const context = contexts.get(key);
          if (context !== undefined) panels.open(context).revealEntry(seq);
        },
        openArtifact: async ({ context, seq }) => {
          const entry = contexts.get(context)?.entry(seq);
          if (entry?.kind === 'artifact') await openArtifact(partFiles, entry);
        },
      }, typeof text === 'string' ? text : undefined),
      'a2a.cleanUpHistory': () => cleanUpHistory(contexts),
      'a2a.exportHistory': (argument, rows) => exportHistory(contexts, { argument, rows, selection: view.selection }),
      'a2a.importTasks': () => importTasks(contexts),
      'a2a.startSampleAgents': () => vscode.window.withProgress(
        { location: { viewId: 'a2a.agents' } }, () => samples.start()),
      'a2a.stopSampleAgents': () => samples.stop(),
      'a2a.newRequestFile': argument => newRequestFile(agents, argument),
      'a2a.showLog': () => log.show(),
    },
  };
}
