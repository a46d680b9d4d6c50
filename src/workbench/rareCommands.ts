import type { CardVerifying } from '../client/card/signatures/lazyCardVerifier.ts';
import type { Agent } from '../model/agents/agent.ts';
import type { SecretOrigins } from '../model/agents/secretOrigins.ts';
import { agentSettingsCommand } from './agents/agentSettingsCommand.ts';
import { extensionCommands } from './agents/extensionCommands.ts';
import { sampleCommands, type FirstChatNeeds } from './chat/firstChat.ts';
import { interfaceCommands } from './agents/interfaceCommands.ts';
import type { Node } from './agentsView/agentNodes.ts';
import { cardChangeCommands } from './agentCards/cardChangeCommands.ts';
import { cardComparison } from './agentCards/cardComparison.ts';
import { cardCommands } from './agentCards/commands.ts';
import type { CardPreviews } from './agentCards/previews.ts';
import type { CommandHandlers } from './platform/commands.ts';
import { cleanUpHistory } from './history/cleanup.ts';
import { exportHistory } from './history/exporting.ts';
import { importTasks } from './history/importing.ts';
import { HistorySearch, type HistorySearchOptions } from './history/search.ts';
import type { PartFiles } from './documents/partDocument.ts';
import type { ReadOnlyDocuments } from './documents/readOnlyDocuments.ts';
import type { ServedCards } from './agentCards/servedCards.ts';
import { keychainCommand, settingsCredentials } from './requests/values/plainCredentials.ts';
import type { Secrets } from './requests/values/secrets.ts';
import { newRequestFile } from './requests/newRequestFile.ts';
import { openArtifact, taskCommands } from './history/taskCommands.ts';
import { versionCommands } from './history/versionCommands.ts';

/** Commands about cards, tasks, the history and files, which need most of the workbench. */
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
  drafts,
  pickAgent,
  samples,
  view,
  chosenByKey,
  secrets,
  secretOrigins,
}: {
  readonly partFiles: PartFiles;
  readonly documents: ReadOnlyDocuments;
  readonly served: ServedCards;
  readonly previews: CardPreviews;
  readonly verifier: CardVerifying;
  readonly selected: () => Node | undefined;
  readonly selection: () => readonly Node[];
  readonly search: Omit<HistorySearchOptions, 'contexts' | 'openArtifact'>;
  readonly secrets: Secrets;
  readonly secretOrigins: SecretOrigins;
  readonly meantAgent: (argument: unknown) => Promise<Agent | undefined>;
  /** The agent that an argument of a command means, or that the person picks. */
  readonly pickAgent: (argument: unknown) => Promise<Agent | undefined>;
  /** True where the row was opened with a key, which keeps the focus in the tree. */
  readonly chosenByKey: () => boolean;
} & FirstChatNeeds) {
  const credentials = settingsCredentials(secrets, secretOrigins);
  const openHit: HistorySearchOptions['openArtifact'] = async ({ context, seq }) => {
    const entry = contexts.get(context)?.entry(seq);
    if (entry?.kind === 'artifact') await openArtifact(partFiles, entry);
  };
  return {
    handlers: {
      ...cardCommands({ served, previews }),
      ...cardComparison({ agents, documents, selected }),
      ...cardChangeCommands({ agents, verifier, selected }),
      ...versionCommands({ contexts, panels, partFiles, selected }),
      ...taskCommands({ pickAgent, contexts, panels, partFiles, documents, selected, chosenByKey }),
      ...keychainCommand(credentials, selected),
      ...sampleCommands({ agents, contexts, panels, drafts, samples, view }),
      'a2a.newRequestFile': argument => newRequestFile(agents, argument, pickAgent),
      ...agentSettingsCommand(selected),
      ...interfaceCommands(meantAgent),
      ...extensionCommands(meantAgent),
      'a2a.searchHistory': text =>
        HistorySearch.open({ contexts, openArtifact: openHit, ...search }, typeof text === 'string' ? text : undefined),
      'a2a.exportHistory': (argument, rows) => exportHistory(contexts, { argument, rows, selection: selection() }),
      'a2a.importTasks': () => importTasks(contexts),
      'a2a.cleanUpHistory': () => cleanUpHistory(contexts),
    } satisfies Partial<CommandHandlers>,
    credentials,
  };
}
