/**
 * Commands in the palette, in menus and with keys. A test compares this list with the manifest.
 *
 * To add one: its id here (in `internalIds` where only rows and lenses run it), its handler in its subject's folder, `contributes.commands`
 * and where it is offered (`contributes.menus`), its title in `package.nls.json`. One of a row of the tree is hidden from the palette,
 * unless it asks which is meant (`askThemselves` of `manifest.test.ts`). One that goes has a row in `formerIds`.
 */
const contributedIds = [
  'a2a.addAgent',
  'a2a.refresh',
  'a2a.refreshAgents',
  'a2a.openChat',
  'a2a.openAgentCard',
  'a2a.openAgentSettings',
  'a2a.removeAgent',
  'a2a.copyAgentUrl',
  'a2a.allowOrigin',
  'a2a.chooseInterface',
  'a2a.fixAgent',
  'a2a.chooseExtensions',
  'a2a.signIn',
  'a2a.explainSignIn',
  'a2a.checkConformance',
  'a2a.signOut',
  'a2a.trustSigner',
  'a2a.dismissCardChanges',
  'a2a.openContext',
  'a2a.runAgain',
  'a2a.runAgainOnRestart',
  'a2a.recordTest',
  'a2a.openRow',
  'a2a.deleteFromHistory',
  'a2a.undoDelete',
  'a2a.rename',
  'a2a.togglePin',
  'a2a.filterTasks',
  'a2a.groupTasks',
  'a2a.searchHistory',
  'a2a.cleanUpHistory',
  'a2a.exportHistory',
  'a2a.copyIssueReport',
  'a2a.recordAgent',
  'a2a.importTasks',
  'a2a.copyId',
  'a2a.openTask',
  'a2a.cancelTask',
  'a2a.subscribeTask',
  'a2a.pushNotifications',
  'a2a.openArtifact',
  'a2a.saveArtifact',
  'a2a.compareArtifact',
  'a2a.acceptArtifact',
  'a2a.rejectArtifact',
  'a2a.refineArtifact',
  'a2a.referInChat',
  'a2a.attachToChat',
  'a2a.startSampleAgents',
  'a2a.stopSampleAgents',
  'a2a.chooseFault',
  'a2a.addLaunchConfiguration',
  'a2a.newRequestFile',
  'a2a.newAgentCard',
  'a2a.checkAgentCard',
  'a2a.previewAgentCard',
  'a2a.convertAgentCard',
  'a2a.compareCard',
  'a2a.serveAgentCard',
  'a2a.sendRequest',
  'a2a.sendLastRequest',
  'a2a.sendAllRequests',
  'a2a.stopRequest',
  'a2a.updateSnapshots',
  'a2a.previewResponse',
  'a2a.showSentRequests',
  'a2a.chooseRequestAgent',
  'a2a.selectEnvironment',
  'a2a.newEnvironmentFile',
  'a2a.setSecret',
  'a2a.deleteSecret',
  'a2a.moveToKeychain',
  'a2a.previewRequest',
  'a2a.copyRequest',
  'a2a.importRequest',
  'a2a.requestFromTask',
  'a2a.openRequestInChat',
  'a2a.sendTo',
  'a2a.compareRuns',
  'a2a.checkMessage',
  'a2a.showLog',
  'a2a.openDocumentation',
  'a2a.openTests',
  'a2a.manageToolAccess',
  'a2a.fixWithChat',
] as const;

/** Commands that only rows, lenses and links run. */
const internalIds = [
  'a2a.loadMore',
  'a2a.moreRequestActions',
  'a2a.readTaskHistory',
  'a2a.showResponse',
  'a2a.compareResponses',
  'a2a.saveResponse',
] as const;

export const commandIds = [...contributedIds, ...internalIds] as const;

export type CommandId = (typeof commandIds)[number];

/** Arguments come from menus, lenses and keybindings and are not typed: every handler checks them. */
type CommandHandler = (...args: unknown[]) => unknown;

/** One handler for each command; a missing one is a compile error. */
export type CommandHandlers = Readonly<Record<CommandId, CommandHandler>>;

/**
 * Former commands and their successors, for keys that people have bound to them. They go with the minor version after the one that replaced
 * them.
 */
export const formerIds: Readonly<Record<string, CommandId>> = {
  'a2a.pin': 'a2a.togglePin',
  'a2a.unpin': 'a2a.togglePin',
  'a2a.groupByTime': 'a2a.groupTasks',
  'a2a.groupByContext': 'a2a.groupTasks',
  'a2a.clearFilter': 'a2a.filterTasks',
  'a2a.copyAsCurl': 'a2a.copyRequest',
  'a2a.copyAsCode': 'a2a.copyRequest',
  'a2a.compareArtifactVersions': 'a2a.compareArtifact',
  'a2a.compareArtifactRevisions': 'a2a.compareArtifact',
  'a2a.compareAgentCard': 'a2a.compareCard',
  'a2a.compareCardChanges': 'a2a.compareCard',
  'a2a.compareExtendedCard': 'a2a.compareCard',
  'a2a.stopServingAgentCard': 'a2a.serveAgentCard',
  'a2a.receiveNotifications': 'a2a.pushNotifications',
  'a2a.notifyUrl': 'a2a.pushNotifications',
  'a2a.manageNotifications': 'a2a.pushNotifications',
  'a2a.showNotificationReceiver': 'a2a.pushNotifications',
  'a2a.stopNotificationReceiver': 'a2a.pushNotifications',
  'a2a.showConformance': 'a2a.checkConformance',
  'a2a.refreshAgent': 'a2a.refresh',
  'a2a.refreshTask': 'a2a.refresh',
  'a2a.renameAgent': 'a2a.rename',
  'a2a.renameInHistory': 'a2a.rename',
  'a2a.openNewestChat': 'a2a.openContext',
  'a2a.showRequestOnWire': 'a2a.openRequestInChat',
  'a2a.attachSelectionToChat': 'a2a.attachToChat',
  'a2a.sendOnEveryInterface': 'a2a.sendTo',
};
