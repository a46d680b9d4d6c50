import * as vscode from 'vscode';
import type { PushReceiver } from '../../model/notifications/pushReceiver.ts';
import type { CommandId } from '../platform/commands.ts';
import { rehearsalName } from './rehearsals.ts';
import { translatedList } from '../platform/report.ts';

/** The argument of `a2a.pushNotifications` for the receiver instead of a task. */
export const receiverArgument = 'receiver';

/** Status bar item while push notifications are received: how many came, and whether failures are rehearsed. */
export class ReceiverStatus implements vscode.Disposable {
  readonly #receiver: PushReceiver;
  readonly #item = vscode.window.createStatusBarItem('a2a.notificationReceiver', vscode.StatusBarAlignment.Right, 91);
  readonly #listener: vscode.Disposable;

  constructor(receiver: PushReceiver) {
    this.#receiver = receiver;
    this.#item.name = vscode.l10n.t('A2A Push Notifications');
    this.#item.command = {
      command: 'a2a.pushNotifications' satisfies CommandId,
      title: vscode.l10n.t('Push Notification Receiver…'),
      arguments: [receiverArgument],
    };
    this.#listener = receiver.onDidChange(() => this.#update());
    this.#update();
  }

  dispose(): void {
    this.#listener.dispose();
    this.#item.dispose();
  }

  #update(): void {
    const { port, count, refusals, rehearsal, receiving, lent } = this.#receiver;
    if (port === 0) {
      this.#item.hide();
      return;
    }
    const rehearses = rehearsal.kind !== 'accept';
    this.#item.text = `$(inbox) ${count}${rehearses ? ` · ${rehearsalName(rehearsal)}` : ''}`;
    this.#item.backgroundColor = rehearses ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    const facts = [
      vscode.l10n.t('Receiving push notifications on 127.0.0.1:{0}', port),
      receiving.length === 1 ? vscode.l10n.t('1 task') : vscode.l10n.t('{0} tasks', receiving.length),
      count === 1 ? vscode.l10n.t('1 delivery') : vscode.l10n.t('{0} deliveries', count),
      ...(lent === 0 ? [] : [vscode.l10n.t('in use by a conformance check')]),
      ...(refusals === 0 ? [] : [refusals === 1 ? vscode.l10n.t('1 refused') : vscode.l10n.t('{0} refused', refusals)]),
    ];
    this.#item.tooltip = facts.join(' · ');
    this.#item.accessibilityInformation = { label: translatedList(facts), role: 'button' };
    this.#item.show();
  }
}
