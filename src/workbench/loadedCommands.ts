import type { ConformanceCommandId, ConformancePages } from './conformance/conformancePages.ts';
import type { CommandHandlers, CommandId } from './platform/commands.ts';
import type { PushCommandId, PushNotifications } from './push/pushNotifications.ts';
import type { SignInCommandId, SignInCommands } from './signIn/signInCommands.ts';
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
  'a2a.compareExtendedCard',
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
  'a2a.moveToKeychain',
  'a2a.openAgentSettings',
  'a2a.chooseInterface',
  'a2a.fixAgent',
  'a2a.chooseExtensions',
  'a2a.newRequestFile',
  'a2a.openNewestChat',
  'a2a.startSampleAgents',
  'a2a.openChat',
  'a2a.openContext',
  'a2a.copyId',
  'a2a.openTask',
  'a2a.refreshTask',
  'a2a.readTaskHistory',
  'a2a.cancelTask',
  'a2a.subscribeTask',
  'a2a.openArtifact',
  'a2a.saveArtifact',
] as const;

export type RareCommandId = (typeof rareCommandIds)[number];

/** The commands of `push/pushNotifications.ts`. */
const pushCommandIds = [
  'a2a.manageNotifications',
  'a2a.receiveNotifications',
  'a2a.notifyUrl',
  'a2a.showNotificationReceiver',
  'a2a.stopNotificationReceiver',
] as const satisfies readonly PushCommandId[];

/** The commands of `signIn/signInCommands.ts`. */
const signInCommandIds = ['a2a.signIn', 'a2a.signOut', 'a2a.explainSignIn'] as const satisfies readonly SignInCommandId[];

/** The commands of `conformance/conformancePages.ts`. */
const conformanceCommandIds = ['a2a.checkConformance', 'a2a.showConformance'] as const satisfies readonly ConformanceCommandId[];

/** What a part has that is loaded when it is used. */
interface Loaded<Id extends CommandId> {
  readonly handlers: Pick<CommandHandlers, Id>;
}

const loading = <Id extends CommandId>(ids: readonly Id[], load: () => Promise<Loaded<Id>>): Pick<CommandHandlers, Id> =>
  Object.fromEntries(ids.map(id => [id, async (...args: unknown[]) => (await load()).handlers[id](...args)])) as Pick<CommandHandlers, Id>;

/** Handlers whose code is loaded when the first of them runs. */
export const loadedCommands = (
  rare: () => Promise<RareCommands>,
  push: () => Promise<PushNotifications>,
  signIn: () => Promise<SignInCommands>,
  conformance: () => Promise<ConformancePages>,
): Pick<CommandHandlers, RareCommandId | PushCommandId | SignInCommandId | ConformanceCommandId> => ({
  ...loading(rareCommandIds, rare),
  ...loading(pushCommandIds, push),
  ...loading(signInCommandIds, signIn),
  ...loading(conformanceCommandIds, conformance),
});
