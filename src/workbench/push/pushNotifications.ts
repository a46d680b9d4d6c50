import * as vscode from 'vscode';
import type { OpenWebhook } from '../../conformance/checkWebhook.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { configId, confirms, createConfig, deleteConfig } from '../../model/notifications/configurations.ts';
import { PushReceiver } from '../../model/notifications/pushReceiver.ts';
import { isTaskNotFound } from '../../protocol/errors.ts';
import { isTerminal } from '../../protocol/message/taskState.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { Node } from '../agentsView/agentNodes.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { logError } from '../platform/log.ts';
import { explain, report } from '../platform/report.ts';
import { escapeLinks } from '../platform/untrustedText.ts';
import { checkWebhooks } from './checkWebhooks.ts';
import { ConfigurationPick } from './configurationPick.ts';
import { confirmCapability, confirmReach } from './confirmations.ts';
import { KeptReceivings, type KeptReceiving } from './keptReceivings.ts';
import { showReceiverMenu } from './receiverMenu.ts';
import { receiverArgument, ReceiverStatus } from './receiverStatus.ts';
import { taskMeant, type TaskMeant } from './taskMeant.ts';

interface PushNotificationsNeeds {
  readonly contexts: AgentContexts;
  readonly workspaceState: vscode.Memento;
  readonly activeChat: () => AgentContext | undefined;
  readonly selected: () => Node | undefined;
  /** Opens an exchange of the history as a document. */
  readonly openExchange: (context: AgentContext, exchangeId: string) => Promise<unknown>;
}

/** Push notifications in the workbench: configurations at agents, and a receiver on this machine that is off until it is asked for. */
export class PushNotifications implements vscode.Disposable {
  readonly handlers: Pick<CommandHandlers, 'a2a.pushNotifications'>;
  readonly #needs: PushNotificationsNeeds;
  readonly #receiver = new PushReceiver({ onError: logError });
  readonly #status = new ReceiverStatus(this.#receiver);
  readonly #kept: KeptReceivings;

  constructor(needs: PushNotificationsNeeds) {
    this.#needs = needs;
    this.#kept = new KeptReceivings(needs.workspaceState);
    this.handlers = {
      'a2a.pushNotifications': async argument => {
        if (argument === receiverArgument) return this.#menu();
        const task = await taskMeant(argument, needs);
        if (task === 'none') {
          if (this.#receiver.port !== 0) return this.#menu();
          throw new Problem('nothing-selected', sentence('Select a task in the A2A view first, or open the chat that has it.'));
        }
        if (task !== undefined) await this.#manage(task);
      },
    };
  }

  /** Reports tasks whose receiver ended with a window before this one, and offers what to do about them. */
  async reportGone(): Promise<void> {
    const gone: { readonly kept: KeptReceiving; readonly task: TaskMeant }[] = [];
    for (const kept of this.#kept.all) {
      const context = this.#needs.contexts.get(kept.context);
      const state = context?.taskState(kept.taskId);
      // A task that is over sends no more notifications.
      if (context === undefined || state === undefined || isTerminal(state)) await this.#kept.remove(kept);
      else gone.push({ kept, task: { context, taskId: kept.taskId, title: kept.taskId } });
    }
    if (gone.length === 0) return;
    const again = vscode.l10n.t('Receive Again');
    const remove = vscode.l10n.t('Delete at the Agent');
    const message =
      gone.length === 1
        ? vscode.l10n.t(
            'Push notifications for a task of "{0}" ended with the window. The agent still has the address.',
            gone[0]?.task.context.agentName ?? '',
          )
        : vscode.l10n.t('Push notifications for {0} tasks ended with the window. The agents still have the address.', gone.length);
    const choice = await vscode.window.showWarningMessage(escapeLinks(message), again, remove);
    if (choice === undefined) return;
    for (const { kept, task } of gone) {
      await this.#removeGone(kept, task);
      if (choice === again && (await confirmCapability(task.context))) await this.#receive(task);
    }
  }

  /** The receiver for a conformance check of an agent. */
  webhooksFor(agentName: string): OpenWebhook {
    return checkWebhooks(this.#receiver, agentName);
  }

  dispose(): void {
    this.#status.dispose();
    this.#receiver.dispose();
  }

  async #removeGone(kept: KeptReceiving, { context, taskId }: TaskMeant): Promise<void> {
    try {
      await askAgent(vscode.l10n.t('Deleting the old configuration at "{0}"…', context.agentName), signal =>
        deleteConfig(context, { taskId, id: kept.id }, signal),
      );
    } catch (error) {
      if (!isTaskNotFound(error)) throw error;
    }
    await this.#kept.remove(kept);
  }

  async #receive(task: TaskMeant): Promise<void> {
    const { context, taskId } = task;
    if (this.#receiver.urlOf(context, taskId) !== undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Push notifications of this task are already received here.'));
      return;
    }
    if (!(await confirmReach(context, this.#receiver))) return;
    const { config } = await askAgent(vscode.l10n.t('Setting up push notifications at "{0}"…', context.agentName), signal =>
      this.#receiver.receive(context, taskId, signal),
    );
    if (config !== undefined) await this.#kept.add({ context: context.key, taskId, id: configId(config) });
    const url = this.#receiver.urlOf(context, taskId);
    if (config !== undefined && url !== undefined && !confirms(config, { taskId, url })) {
      warnOfOther(context);
      return;
    }
    const manage = vscode.l10n.t('Manage');
    void vscode.window
      .showInformationMessage(
        escapeLinks(vscode.l10n.t('"{0}" sends push notifications of this task here. The status bar counts them.', context.agentName)),
        manage,
      )
      .then(choice => (choice === manage ? this.#menu() : undefined))
      .then(undefined, report);
  }

  async #notifyUrl({ context, taskId, title }: TaskMeant): Promise<void> {
    const url = await vscode.window.showInputBox({
      title: vscode.l10n.t('Notify a URL of "{0}"', title),
      prompt: vscode.l10n.t('The agent sends every update of the task to this address.'),
      placeHolder: 'https://example.com/webhook',
      ignoreFocusOut: true,
      validateInput: text =>
        URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
          ? undefined
          : vscode.l10n.t('An address that begins with http:// or https://'),
    });
    if (url === undefined) return;
    const token = await vscode.window.showInputBox({
      title: vscode.l10n.t('Token'),
      prompt: vscode.l10n.t('Sent with each notification so that your receiver can recognize it. Leave it empty for none.'),
      password: true,
      ignoreFocusOut: true,
    });
    if (token === undefined) return;
    const config = await askAgent(vscode.l10n.t('Setting up push notifications at "{0}"…', context.agentName), signal =>
      createConfig(context, taskId, { url, ...(token !== '' && { token }) }, signal),
    );
    if (!confirms(config, { taskId, url })) {
      warnOfOther(context);
      return;
    }
    void vscode.window.showInformationMessage(
      escapeLinks(vscode.l10n.t('"{0}" sends push notifications of this task to {1}.', context.agentName, new URL(url).host)),
    );
  }

  async #manage(task: TaskMeant): Promise<void> {
    if (!(await confirmCapability(task.context))) return;
    ConfigurationPick.open(
      {
        receiver: this.#receiver,
        kept: this.#kept,
        receive: each => this.#receive(each),
        notifyUrl: each => this.#notifyUrl(each),
        menu: () => this.#menu(),
        show: async ({ context, taskId }, config) => {
          const { exchangeId } = await context.call('GetTaskPushNotificationConfig', { taskId, id: configId(config) });
          await this.#needs.openExchange(context, exchangeId);
        },
      },
      task,
    );
  }

  async #menu(): Promise<void> {
    await showReceiverMenu({
      receiver: this.#receiver,
      stop: () => this.#stop(),
      show: ({ context, exchangeId }) => this.#needs.openExchange(context, exchangeId),
    });
  }

  /** Stops the receiver and deletes its configurations at their agents; reports those that could not be deleted. */
  async #stop(): Promise<void> {
    const receiving = [...this.#receiver.receiving];
    const left = await askAgent(vscode.l10n.t('Deleting the configurations at the agents…'), signal => this.#receiver.stop(signal));
    for (const { context, taskId, config } of receiving)
      if (config !== undefined && !left.some(each => each.context === context && each.taskId === taskId))
        await this.#kept.remove({ context: context.key, taskId, id: configId(config) });
    const [first] = left;
    if (first === undefined) return;
    void vscode.window.showWarningMessage(
      escapeLinks(
        vscode.l10n.t(
          'Push notifications are no longer received, but "{0}" did not delete its configuration: {1}',
          first.context.agentName,
          explain(first.problem).message,
        ),
      ),
    );
  }
}

/** Asks an agent, with a notification that lets the person give up. Rejects with the call's `Problem`. */
function askAgent<T>(title: string, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return Promise.resolve(
    vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, async (_, token) => {
      const enough = new AbortController();
      const listener = token.onCancellationRequested(() => enough.abort());
      try {
        return await call(enough.signal);
      } finally {
        listener.dispose();
      }
    }),
  );
}

/** The agent has answered as if it had been asked something else. */
const warnOfOther = ({ agentName }: AgentContext): void =>
  void vscode.window.showWarningMessage(
    escapeLinks(
      vscode.l10n.t('"{0}" confirmed push notifications for another task or address. See its answer in the Wire tab.', agentName),
    ),
  );
