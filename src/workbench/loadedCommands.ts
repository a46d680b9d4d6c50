import type { CommandHandlers } from './platform/commands.ts';
import type { RareCommands } from './rareCommands.ts';

/** The commands of `rareCommands.ts`. */
const rareCommandIds = [
  'a2a.newAgentCard',
  'a2a.previewAgentCard',
  'a2a.convertAgentCard',
  'a2a.compareAgentCard',
  'a2a.serveAgentCard',
  'a2a.stopServingAgentCard',
  'a2a.trustSigner',
  'a2a.compareCardChanges',
  'a2a.dismissCardChanges',
  'a2a.compareArtifactVersions',
  'a2a.compareArtifactRevisions',
  'a2a.acceptArtifact',
  'a2a.rejectArtifact',
  'a2a.refineArtifact',
  'a2a.referInChat',
  'a2a.searchHistory',
  'a2a.exportHistory',
  'a2a.importTasks',
  'a2a.cleanUpHistory',
] as const;

export type RareCommandId = (typeof rareCommandIds)[number];

/** Handlers whose code is loaded when the first of them runs. */
export const loadedCommands = (load: () => Promise<RareCommands>): Pick<CommandHandlers, RareCommandId> =>
  Object.fromEntries(rareCommandIds.map(id => [id, async (...args: unknown[]) => (await load()).handlers[id](...args)])) as Pick<
    CommandHandlers,
    RareCommandId
  >;
