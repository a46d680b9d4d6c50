import * as vscode from 'vscode';
import type { AgentContexts } from '../model/agentContexts.ts';
import type { Agents } from '../model/agents.ts';
import { agentCommands, cardScheme } from './agentCommands.ts';
import { AgentsView } from './agentsView.ts';
import { nodeOf, type Node } from './agentNodes.ts';
import { cardCommands, liveCardScheme, liveCardText } from './cardCommands.ts';
import { cardLanguage, cardProblemsOf, isCardDocument } from './cardDocuments.ts';
import { cardFixes } from './cardFixes.ts';
import { ChatPanels } from './chatPanels.ts';
import { registerCommands } from './commands.ts';
import { DocumentDiagnostics } from './documentDiagnostics.ts';
import { exchangeText, readableBody } from './exchangeText.ts';
import { log } from './log.ts';
import { newRequestFile } from './newRequestFile.ts';
import { PartFiles } from './partDocument.ts';
import { ReadOnlyDocuments } from './readOnlyDocuments.ts';
import { registerRequests } from './requests.ts';
import { SampleAgents } from './sampleAgents.ts';
import { ServedCards } from './servedCards.ts';
import { configuredAgents, onDidChangeAgents } from './settings.ts';
import { taskCommands, taskScheme } from './taskCommands.ts';

const exchangeScheme = 'a2a-exchange';

/** Builds everything a person sees and connects it with the model. */
export function registerWorkbench({ agents, contexts, extensionUri }: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly extensionUri: vscode.Uri;
}): vscode.Disposable {
  const samples = new SampleAgents(extensionUri);
  const served = new ServedCards();
  const configure = (): void => agents.configure({ ...configuredAgents(), ...samples.agents, ...served.agents });
  configure();

  const documents = new ReadOnlyDocuments()
    .add(cardScheme, { extension: 'json', render: name => readableBody(agents.get(name)?.cardSource ?? '') || undefined })
    .add(liveCardScheme, { extension: 'json', render: key => liveCardText(agents, key) })
    .add(taskScheme, {
      extension: 'json',
      render: key => {
        const [context = '', taskId = ''] = JSON.parse(key) as string[];
        const task = contexts.get(context)?.task(taskId);
        return task === undefined ? undefined : JSON.stringify(task, null, 2);
      },
    })
    .add(exchangeScheme, {
      extension: 'txt',
      render: id => {
        const found = contexts.exchange(id);
        return found === undefined ? undefined : exchangeText(found);
      },
    });
  const partFiles = new PartFiles();
  const panels = new ChatPanels(contexts, {
    agents, extensionUri, partFiles,
    openExchange: async id => void await documents.open(
      exchangeScheme, contexts.exchange(id)?.exchange.operation ?? 'exchange', id, { viewColumn: vscode.ViewColumn.Beside }),
  });
  const view = new AgentsView(agents, contexts);
  const selected = (): Node | undefined => view.selected;
  const requests = registerRequests({ agents, contexts, openChat: context => panels.open(context, vscode.ViewColumn.Beside) });

  return vscode.Disposable.from(
    samples, served, documents, partFiles, panels, view, requests,
    onDidChangeAgents(configure),
    samples.onDidChange(configure),
    served.onDidChange(configure),
    new DocumentDiagnostics({ includes: isCardDocument, problems: cardProblemsOf }),
    vscode.languages.registerCodeActionsProvider(cardLanguage, cardFixes, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
    registerCommands({
      ...agentCommands({ agents, contexts, documents, openChat: agent => panels.open(contexts.create(agent)), selected }),
      ...taskCommands({ agents, contexts, panels, partFiles, documents, selected }),
      ...requests.commands,
      ...cardCommands({ agents, documents, served }),
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
