import * as vscode from 'vscode';
import type { Agent } from '../model/agent.ts';
import type { AgentContexts } from '../model/agentContexts.ts';
import type { Agents } from '../model/agents.ts';
import { agentCommands, cardScheme, configuredAgent } from './agentCommands.ts';
import { AgentDecorations } from './agentDecorations.ts';
import { AgentsView } from './agentsView.ts';
import { nodeOf, type Node } from './agentNodes.ts';
import { cardCommands, liveCardScheme, liveCardText } from './cardCommands.ts';
import { cardLanguage, cardProblemsOf, isCardDocument } from './cardDocuments.ts';
import { cardFixes } from './cardFixes.ts';
import { CardPreviews } from './cardPreviews.ts';
import { ChatPanels } from './chatPanels.ts';
import { registerCommands } from './commands.ts';
import { DocumentDiagnostics } from './documentDiagnostics.ts';
import { exchangeText, findingLine, readableBody } from './exchangeText.ts';
import { extensionCommands } from './extensionCommands.ts';
import { InterfaceComparison } from './interfaceComparison.ts';
import { interfaceCommands } from './interfaceCommands.ts';
import { lastMessage } from './lastMessage.ts';
import { log } from './log.ts';
import { newRequestFile } from './newRequestFile.ts';
import { PartFiles } from './partDocument.ts';
import { ReadOnlyDocuments } from './readOnlyDocuments.ts';
import { registerRequests } from './requests.ts';
import { translate } from './report.ts';
import { SampleAgents } from './sampleAgents.ts';
import { ServedCards } from './servedCards.ts';
import { configuredAgents, onDidChangeAgents } from './settings.ts';
import { taskCommands } from './taskCommands.ts';
import { TaskDocuments, taskScheme } from './taskDocuments.ts';
import { versionCommands } from './versionCommands.ts';

const exchangeScheme = 'a2a-exchange';

/** Builds everything a person sees and connects it with the model. */
export function registerWorkbench({ agents, contexts, extensionUri }: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly extensionUri: vscode.Uri;
}): vscode.Disposable {
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
    agents, extensionUri, partFiles,
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
  const view = new AgentsView(agents, contexts);
  const selected = (): Node | undefined => view.selected;
  // Where neither a row nor a name says which agent is meant, the chat in front does.
  const meantAgent = (argument: unknown): Promise<Agent | undefined> =>
    configuredAgent(agents, typeof argument === 'string' ? argument : nodeOf('agent', argument) ?? panels.active?.agentName);
  const requests = registerRequests({ agents, contexts, openChat: context => panels.open(context, vscode.ViewColumn.Beside) });

  return vscode.Disposable.from(
    new AgentDecorations(), taskDocuments, samples, served, previews, documents, partFiles, panels, view, requests,
    onDidChangeAgents(configure),
    samples.onDidChange(configure),
    served.onDidChange(configure),
    new DocumentDiagnostics({ includes: isCardDocument, problems: cardProblemsOf }),
    vscode.languages.registerCodeActionsProvider(cardLanguage, cardFixes, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
    registerCommands({
      ...agentCommands({ agents, contexts, documents, openChat: agent => panels.open(contexts.create(agent)), selected }),
      ...taskCommands({ agents, contexts, panels, partFiles, documents, selected }),
      ...versionCommands({ contexts, panels, partFiles, selected }),
      ...requests.commands,
      ...cardCommands({ agents, documents, served, previews }),
      'a2a.sendOnEveryInterface': async (file, key) => {
        // A lens names its file; anything else means what is in front.
        const chat = typeof file === 'string' ? undefined : panels.active;
        const what = chat === undefined ? await requests.comparable(file, key) : await lastMessage(chat, contexts);
        if (what !== undefined) await comparison.run(what);
      },
      ...interfaceCommands(meantAgent),
      ...extensionCommands(meantAgent),
      'a2a.loadMore': parent => {
        const node = nodeOf('agent', parent) ?? nodeOf('context', parent);
        if (node !== undefined) view.loadMore(node);
      },
      'a2a.startSampleAgents': () => vscode.window.withProgress(
        { location: { viewId: 'a2a.agents' } }, () => samples.start()),
      'a2a.stopSampleAgents': () => samples.stop(),
      'a2a.newRequestFile': () => newRequestFile(agents),
      'a2a.showLog': () => log.show(),
    }),
  );
}
