import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { SampleAgents } from '../agents/sampleAgents.ts';
import type { AgentsView } from '../agentsView/agentsView.ts';
import type { ExchangeDocuments } from '../documents/exchangeDocuments.ts';
import type { PartFiles } from '../documents/partDocument.ts';
import { attachCommands } from './attachCommands.ts';
import { deliveryCommands } from './delivery.ts';
import { Drafts } from './drafts/drafts.ts';
import { sampleCommands } from './firstChat.ts';
import { ChatPanels } from './panels.ts';

/** Registers the tabs with chats, and the commands for what is sent in them. */
export function registerChat({
  agents,
  contexts,
  exchanges,
  partFiles,
  samples,
  view,
  extensionUri,
  storageUri,
  workspaceState,
}: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly exchanges: ExchangeDocuments;
  readonly partFiles: PartFiles;
  readonly samples: SampleAgents;
  readonly view: AgentsView;
  readonly extensionUri: vscode.Uri;
  readonly storageUri: vscode.Uri;
  readonly workspaceState: vscode.Memento;
}) {
  const drafts = new Drafts(vscode.Uri.joinPath(storageUri, 'drafts'), key => contexts.get(key) !== undefined);
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
      openExchange: (kept, finding) => exchanges.openBeside(kept, finding),
    },
    workspaceState,
  );
  return {
    panels,
    dispose: () => panels.dispose(),
    commands: {
      ...attachCommands({ agents, contexts, panels }),
      ...deliveryCommands(() => panels.active),
      ...sampleCommands({ agents, contexts, panels, drafts, samples, view }),
    },
  };
}
