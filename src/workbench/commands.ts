import * as vscode from 'vscode';
import { report } from './report.ts';

/** Every command of the extension, once. A test compares this list with the manifest. */
export const commandIds = [
  'a2a.addAgent',
  'a2a.refreshAgents',
  'a2a.openChat',
  'a2a.openAgentCard',
  'a2a.refreshAgent',
  'a2a.renameAgent',
  'a2a.removeAgent',
  'a2a.copyAgentUrl',
  'a2a.allowOrigin',
  'a2a.chooseInterface',
  'a2a.fixAgent',
  'a2a.chooseExtensions',
  'a2a.openContext',
  'a2a.deleteFromHistory',
  'a2a.renameInHistory',
  'a2a.pin',
  'a2a.unpin',
  'a2a.filterTasks',
  'a2a.clearFilter',
  'a2a.groupByTime',
  'a2a.groupByContext',
  'a2a.searchHistory',
  'a2a.cleanUpHistory',
  'a2a.exportHistory',
  'a2a.importTasks',
  'a2a.copyId',
  'a2a.openTask',
  'a2a.refreshTask',
  'a2a.readTaskHistory',
  'a2a.cancelTask',
  'a2a.subscribeTask',
  'a2a.openArtifact',
  'a2a.saveArtifact',
  'a2a.compareArtifactVersions',
  'a2a.acceptArtifact',
  'a2a.rejectArtifact',
  'a2a.refineArtifact',
  'a2a.referInChat',
  'a2a.attachToChat',
  'a2a.attachSelectionToChat',
  'a2a.loadMore',
  'a2a.startSampleAgents',
  'a2a.stopSampleAgents',
  'a2a.newRequestFile',
  'a2a.newAgentCard',
  'a2a.previewAgentCard',
  'a2a.convertAgentCard',
  'a2a.compareAgentCard',
  'a2a.serveAgentCard',
  'a2a.stopServingAgentCard',
  'a2a.sendRequest',
  'a2a.sendLastRequest',
  'a2a.sendAllRequests',
  'a2a.stopRequest',
  'a2a.showResponse',
  'a2a.showSentRequests',
  'a2a.chooseRequestAgent',
  'a2a.selectEnvironment',
  'a2a.newEnvironmentFile',
  'a2a.setSecret',
  'a2a.deleteSecret',
  'a2a.previewRequest',
  'a2a.copyAsCurl',
  'a2a.copyAsCode',
  'a2a.importRequest',
  'a2a.requestFromTask',
  'a2a.openRequestInChat',
  'a2a.sendOnEveryInterface',
  'a2a.checkMessage',
  'a2a.showLog',
] as const;

export type CommandId = (typeof commandIds)[number];

/** Arguments come from menus, lenses and keybindings, so a handler checks what it is given. */
export type CommandHandler = (...args: unknown[]) => unknown;

/** A handler for every command; the compiler names the one that is missing. */
export type CommandHandlers = Readonly<Record<CommandId, CommandHandler>>;

/** Registers every command. What a handler throws is told to the person, with its next step. */
export function registerCommands(handlers: CommandHandlers): vscode.Disposable {
  return vscode.Disposable.from(...commandIds.map(id =>
    vscode.commands.registerCommand(id, async (...args: unknown[]) => {
      try {
        return await handlers[id](...args);
      } catch (error) {
        await report(error);
        return undefined;
      }
    })));
}
