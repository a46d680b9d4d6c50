import type { CardVerifying } from '../client/card/signatures/lazyCardVerifier.ts';
import type { Agent } from '../model/agents/agent.ts';
import type { AgentContexts } from '../model/contexts/agentContexts.ts';
import type { SecretOrigins } from '../model/agents/secretOrigins.ts';
import type { Agents } from '../model/agents/agents.ts';
import { agentSettingsCommand } from './agents/agentSettingsCommand.ts';
import { extensionCommands } from './agents/extensionCommands.ts';
import { interfaceCommands } from './agents/interfaceCommands.ts';
import type { Node } from './agentsView/agentNodes.ts';
import { cardChangeCommands, comparedCardText } from './agentCards/cardChangeCommands.ts';
import { cardCommands, liveCardText } from './agentCards/commands.ts';
import type { CardPreviews } from './agentCards/previews.ts';
import type { ChatPanels } from './chat/panels.ts';
import type { CommandHandlers } from './platform/commands.ts';
import { cleanUpHistory } from './history/cleanup.ts';
import { exportHistory } from './history/exporting.ts';
import { importTasks } from './history/importing.ts';
import { HistorySearch, type HistorySearchOptions } from './history/search.ts';
import type { RareCommandId } from './loadedCommands.ts';
import type { PartFiles } from './documents/partDocument.ts';
import type { ReadOnlyDocuments } from './documents/readOnlyDocuments.ts';
import type { ServedCards } from './agentCards/servedCards.ts';
import { keychainCommand, settingsCredentials } from './requests/values/plainCredentials.ts';
import type { Secrets } from './requests/values/secrets.ts';
import type { SettingsCredentials } from './requests/values/settingsDocuments.ts';
import { versionCommands } from './history/versionCommands.ts';

/** Commands that most windows never run; a bundle of their own, loaded when the first of them runs. */
export interface RareCommands {
  readonly handlers: Pick<CommandHandlers, RareCommandId>;
  /** The live card of an agent as text; see `liveCardText`. */
  readonly liveCard: (key: string) => Promise<string | undefined>;
  /** A card in a comparison with the one that was used last; see `comparedCardText`. */
  readonly comparedCard: (key: string) => string | undefined;
  readonly credentials: SettingsCredentials;
}

export function rareCommands({
  agents,
  contexts,
  panels,
  partFiles,
  documents,
  served,
  previews,
  verifier,
  selected,
  selection,
  meantAgent,
  search,
  secrets,
  secretOrigins,
}: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly panels: ChatPanels;
  readonly partFiles: PartFiles;
  readonly documents: ReadOnlyDocuments;
  readonly served: ServedCards;
  readonly previews: CardPreviews;
  readonly verifier: CardVerifying;
  readonly selected: () => Node | undefined;
  readonly selection: () => readonly Node[];
  readonly meantAgent: (argument: unknown) => Promise<Agent | undefined>;
  readonly search: Omit<HistorySearchOptions, 'contexts'>;
  readonly secrets: Secrets;
  readonly secretOrigins: SecretOrigins;
}): RareCommands {
  const credentials = settingsCredentials(secrets, secretOrigins);
  return {
    handlers: {
      ...cardCommands({ agents, documents, served, previews }),
      ...cardChangeCommands({ agents, documents, verifier, selected }),
      ...versionCommands({ contexts, panels, partFiles, selected }),
      ...keychainCommand(credentials, selected),
      ...agentSettingsCommand(selected),
      ...interfaceCommands(meantAgent),
      ...extensionCommands(meantAgent),
      'a2a.searchHistory': text => HistorySearch.open({ contexts, ...search }, typeof text === 'string' ? text : undefined),
      'a2a.exportHistory': (argument, rows) => exportHistory(contexts, { argument, rows, selection: selection() }),
      'a2a.importTasks': () => importTasks(contexts),
      'a2a.cleanUpHistory': () => cleanUpHistory(contexts),
    },
    liveCard: key => liveCardText(agents, key),
    comparedCard: key => comparedCardText(agents, key),
    credentials,
  };
}
