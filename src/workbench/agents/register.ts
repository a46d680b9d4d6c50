import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { ReachabilityWatch, restartLookMs } from '../../model/agents/reachabilityWatch.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { ForgottenTasks } from '../../model/contexts/forgottenTasks.ts';
import type { RemoteListings } from '../../model/contexts/remoteListings.ts';
import type { Node } from '../agentsView/agentNodes.ts';
import { cardScheme } from '../agentCards/documents.ts';
import { indentedBody } from '../documents/exchangeText.ts';
import type { ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
import { logError } from '../platform/log.ts';
import { agentCommands, agentSettingsCommand } from './agentCommands.ts';
import { extensionCommands } from './extensionCommands.ts';
import { interfaceCommands } from './interfaceCommands.ts';
import { watchPrograms } from './windowPrograms.ts';
import { escapeLinks } from '../platform/untrustedText.ts';
import { translatedList } from '../platform/report.ts';

/** Registers the commands for agents, and what is watched of them. */
export function registerAgents({
  agents,
  contexts,
  listings,
  documents,
  openChat,
  revealRow,
  signIn,
  selected,
  meantAgent,
  inSight,
  runsOnRestart,
}: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly listings: RemoteListings;
  readonly documents: ReadOnlyDocuments;
  readonly openChat: (agent: string) => Promise<unknown>;
  /** Selects the row of an agent, which does not get the focus. */
  readonly revealRow: (agent: string) => Promise<void>;
  /** Signs in to an agent that is being added. */
  readonly signIn: (agent: Agent) => Promise<boolean>;
  readonly selected: () => Node | undefined;
  /** The agent of the settings that the argument names, or that the person picks. */
  readonly meantAgent: (argument: unknown) => Promise<Agent | undefined>;
  /** True for an agent that the person looks at. */
  readonly inSight: (agent: { readonly name: string }) => boolean;
  /** True for an agent whose restarts begin runs. */
  readonly runsOnRestart: (agent: { readonly name: string }) => boolean;
}) {
  documents.add(cardScheme, {
    extension: 'json',
    render: name => Promise.resolve(indentedBody(agents.get(name)?.cardSource ?? '') || undefined),
  });
  const forgotten = new ForgottenTasks({ agents, contexts, onError: logError });
  const parts = vscode.Disposable.from(
    new ReachabilityWatch({ agents, inSight }),
    new ReachabilityWatch({ agents, inSight: runsOnRestart, every: restartLookMs }),
    forgotten,
    announceReplacedCards(agents),
    watchPrograms(),
  );
  return {
    dispose: () => void parts.dispose(),
    commands: {
      ...agentCommands({ agents, contexts, listings, forgotten, documents, openChat, revealRow, signIn, selected }),
      ...agentSettingsCommand(selected),
      ...interfaceCommands(meantAgent),
      ...extensionCommands(meantAgent),
    },
  };
}

/** Announces changes of a card that was read again after a failure. */
const announceReplacedCards = (agents: Pick<Agents, 'onDidReplaceCard'>): vscode.Disposable =>
  agents.onDidReplaceCard(({ name, review: { changes } }) => {
    if (changes === undefined) return;
    const phrases = translatedList(changes.phrases);
    const words = vscode.l10n.t('The agent card of "{0}" has changed: {1}. Failed requests can be sent again.', name, phrases);
    void vscode.window.showInformationMessage(escapeLinks(words));
  });
