import * as vscode from 'vscode';
import { configId, configsOf, deleteConfig } from '../../model/notifications/configurations.ts';
import type { PushReceiver } from '../../model/notifications/pushReceiver.ts';
import { isTaskNotFound } from '../../protocol/errors.ts';
import type { TaskPushNotificationConfig } from '../../protocol/message/pushNotificationConfig.ts';
import { Problem } from '../../protocol/problem.ts';
import { explain, report } from '../platform/report.ts';
import { escapeIcons, oneLine } from '../platform/untrustedText.ts';
import type { KeptReceivings } from './keptReceivings.ts';
import type { TaskMeant } from './taskMeant.ts';

interface Item extends vscode.QuickPickItem {
  readonly config?: TaskPushNotificationConfig;
  /** Action of the item. */
  readonly run?: () => unknown;
}

interface ConfigurationPickNeeds {
  readonly receiver: PushReceiver;
  readonly kept: KeptReceivings;
  /** Creates a configuration for this window's receiver. */
  readonly receive: (task: TaskMeant) => Promise<unknown>;
  /** Asks for an address and creates a configuration for it. */
  readonly notifyUrl: (task: TaskMeant) => Promise<unknown>;
  /** Shows what can be done with the receiver while it runs. */
  readonly menu: () => Promise<unknown>;
  /** Shows the agent's answer about one configuration, its secrets masked. */
  readonly show: (task: TaskMeant, config: TaskPushNotificationConfig) => Promise<unknown>;
}

/** Length of a shown address, in characters: the path of a receiver is secret. */
const shownUrl = 100;

/** The configurations of a task at its agent, each with a button that deletes it, and the ways to add one. */
export class ConfigurationPick {
  readonly #needs: ConfigurationPickNeeds;
  readonly #task: TaskMeant;
  readonly #pick = vscode.window.createQuickPick<Item>();
  readonly #closed = new AbortController();
  readonly #delete: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('trash'),
    tooltip: vscode.l10n.t('Delete Configuration'),
  };
  readonly #again: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('inbox'),
    tooltip: vscode.l10n.t('Receive Here Again'),
  };
  #configs: readonly TaskPushNotificationConfig[] | undefined;
  #fault: string | undefined;

  private constructor(needs: ConfigurationPickNeeds, task: TaskMeant) {
    this.#needs = needs;
    this.#task = task;
    const pick = this.#pick;
    pick.title = vscode.l10n.t('Push Notifications of "{0}"', escapeIcons(task.title));
    pick.placeholder = vscode.l10n.t('Push notification configurations of this task');
    pick.matchOnDescription = true;
    pick.ignoreFocusOut = true;
    pick.onDidAccept(() => {
      const [item] = pick.activeItems;
      if (item?.run === undefined) return;
      pick.hide();
      Promise.resolve(item.run()).catch(report);
    });
    pick.onDidTriggerItemButton(({ item, button }) => {
      if (item.config === undefined) return;
      (button === this.#delete ? this.#remove(item.config) : this.#receiveAgain(item.config)).catch(report);
    });
    pick.onDidHide(() => {
      this.#closed.abort();
      pick.dispose();
    });
    this.#draw();
    pick.show();
    void this.#read();
  }

  static open(needs: ConfigurationPickNeeds, task: TaskMeant): void {
    new ConfigurationPick(needs, task);
  }

  async #read(): Promise<void> {
    const { context, taskId } = this.#task;
    this.#pick.busy = true;
    try {
      this.#configs = await configsOf(context, taskId, this.#closed.signal);
      this.#fault = undefined;
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      // Agents' answer for a task without configurations.
      if (isTaskNotFound(error)) this.#configs = [];
      else this.#fault = explain(error).message;
    }
    if (this.#closed.signal.aborted) return;
    this.#pick.busy = false;
    this.#draw();
  }

  async #remove(config: TaskPushNotificationConfig): Promise<void> {
    const { context, taskId } = this.#task;
    const id = configId(config);
    this.#pick.busy = true;
    try {
      await deleteConfig(context, { taskId, id });
    } finally {
      this.#pick.busy = false;
    }
    await this.#needs.kept.remove({ context: context.key, taskId, id });
    if (this.#needs.receiver.isOwn(config.url)) await this.#needs.receiver.forget(context, taskId);
    this.#configs = this.#configs?.filter(other => configId(other) !== id);
    if (!this.#closed.signal.aborted) this.#draw();
  }

  async #receiveAgain(config: TaskPushNotificationConfig): Promise<void> {
    await this.#remove(config);
    this.#pick.hide();
    await this.#needs.receive(this.#task);
  }

  #draw(): void {
    const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
    const { receive, notifyUrl, menu, receiver } = this.#needs;
    const { context, taskId } = this.#task;
    const receives = receiver.urlOf(context, taskId) !== undefined;
    this.#pick.items = [
      separator(vscode.l10n.t('At the Agent')),
      ...this.#configItems(),
      separator(vscode.l10n.t('Add')),
      ...(receives
        ? []
        : [
            {
              label: `$(inbox) ${vscode.l10n.t('Receive Push Notifications Here')}`,
              detail: vscode.l10n.t('Starts a receiver on this machine and shows what the agent sends.'),
              run: () => receive(this.#task),
              alwaysShow: true,
            },
          ]),
      {
        label: `$(link-external) ${vscode.l10n.t('Notify a URL…')}`,
        detail: vscode.l10n.t('Asks the agent to notify a URL of your choice.'),
        run: () => notifyUrl(this.#task),
        alwaysShow: true,
      },
      ...(receiver.port === 0
        ? []
        : [
            separator(vscode.l10n.t('On This Machine')),
            {
              label: `$(inbox) ${vscode.l10n.t('Push Notification Receiver…')}`,
              description: `127.0.0.1:${receiver.port}`,
              run: menu,
              alwaysShow: true,
            },
          ]),
    ];
  }

  #configItems(): readonly Item[] {
    if (this.#fault !== undefined) return [{ label: `$(error) ${escapeIcons(this.#fault)}`, alwaysShow: true }];
    if (this.#configs === undefined) return [{ label: `$(loading~spin) ${vscode.l10n.t('Asking the agent…')}`, alwaysShow: true }];
    if (this.#configs.length === 0)
      return [{ label: vscode.l10n.t('The agent has no push notification configuration for this task.'), alwaysShow: true }];
    return this.#configs.map(config => this.#itemOf(config));
  }

  #itemOf(config: TaskPushNotificationConfig): Item {
    const { context, taskId } = this.#task;
    const id = configId(config);
    const isOwn = this.#needs.receiver.isOwn(config.url);
    const isGone = !isOwn && this.#needs.kept.has({ context: context.key, taskId, id });
    const address = isOwn || isGone ? originOf(config.url) : oneLine(config.url).slice(0, shownUrl);
    return {
      label: `$(${isOwn ? 'inbox' : isGone ? 'warning' : 'link'}) ${escapeIcons(address)}`,
      description: isOwn
        ? vscode.l10n.t('received here')
        : isGone
          ? vscode.l10n.t('receiver no longer running')
          : escapeIcons(oneLine(id)).slice(0, 60),
      ...(isGone && { detail: vscode.l10n.t('The window that received these notifications was closed or reloaded.') }),
      buttons: isGone ? [this.#again, this.#delete] : [this.#delete],
      alwaysShow: true,
      config,
      run: () => this.#needs.show(this.#task, config),
    };
  }
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : oneLine(url).slice(0, shownUrl));
