import * as vscode from 'vscode';
import type { PushReceiver, ReceivedDelivery } from '../../model/notifications/pushReceiver.ts';
import { outcomeSentence } from '../documents/deliveryText.ts';
import { translate } from '../platform/report.ts';
import { escapeIcons } from '../platform/untrustedText.ts';
import { offerForward } from './confirmations.ts';
import { pickRehearsal, rehearsalName } from './rehearsals.ts';
import { taskTitle } from './taskMeant.ts';

interface MenuNeeds {
  readonly receiver: PushReceiver;
  readonly stop: () => Promise<unknown>;
  /** Shows the exchange of a delivery. */
  readonly show: (received: ReceivedDelivery) => Promise<unknown>;
}

/** Menu of a running receiver. */
export async function showReceiverMenu({ receiver, stop, show }: MenuNeeds): Promise<void> {
  const { port, receiving, count, rehearsal } = receiver;
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: `$(list-unordered) ${vscode.l10n.t('Show Deliveries')}`,
        description: String(count),
        run: () => showDeliveries(receiver, show),
      },
      {
        label: `$(beaker) ${vscode.l10n.t('Simulate a Failure…')}`,
        description: rehearsal.kind === 'accept' ? '' : rehearsalName(rehearsal),
        run: () => pickRehearsal(receiver),
      },
      { label: `$(copy) ${vscode.l10n.t('Copy Address')}`, run: () => copyAddress(receiver) },
      ...(vscode.env.remoteName === undefined
        ? []
        : [
            {
              label: `$(globe) ${vscode.l10n.t('Forward Port…')}`,
              detail: vscode.l10n.t('For agents on other machines. Only tasks added from now on get the forwarded address.'),
              run: async () => {
                const address = await offerForward(receiver);
                if (address === undefined) return;
                await vscode.env.clipboard.writeText(address);
                void vscode.window.showInformationMessage(vscode.l10n.t('The forwarded address is on the clipboard.'));
              },
            },
          ]),
      { label: `$(debug-stop) ${vscode.l10n.t('Stop Receiving')}`, run: stop },
    ],
    {
      title: vscode.l10n.t('Push Notifications on 127.0.0.1:{0}', port),
      placeHolder:
        receiving.length === 1 ? vscode.l10n.t('Receiving for 1 task') : vscode.l10n.t('Receiving for {0} tasks', receiving.length),
    },
  );
  await picked?.run();
}

/** Copies the address of a task's webhook. Its token is not copied: without it nothing is accepted. */
async function copyAddress(receiver: PushReceiver): Promise<void> {
  const addresses = receiver.receiving.map(({ context, taskId }) => ({
    label: escapeIcons(taskTitle(context, taskId)),
    description: escapeIcons(context.agentName),
    url: receiver.urlOf(context, taskId) ?? '',
  }));
  const [only] = addresses;
  const picked =
    addresses.length === 1 ? only : await vscode.window.showQuickPick(addresses, { title: vscode.l10n.t('Address for which task?') });
  if (picked !== undefined) await vscode.env.clipboard.writeText(picked.url);
}

async function showDeliveries(receiver: PushReceiver, show: MenuNeeds['show']): Promise<void> {
  const items = receiver.deliveries.toReversed().map(received => {
    const { context, taskId, delivery, outcome } = received;
    return {
      label: `$(${delivery.isAccepted ? 'arrow-down' : 'error'}) ${delivery.status === 0 ? vscode.l10n.t('not answered') : `HTTP ${delivery.status}`}`,
      description: [new Date(delivery.at).toLocaleTimeString(vscode.env.language), escapeIcons(taskTitle(context, taskId))].join(' · '),
      detail: escapeIcons(translate(outcomeSentence(outcome))),
      received,
    };
  });
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No push notifications yet.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Deliveries, Newest First'),
    placeHolder: vscode.l10n.t('Select one to see its bytes'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked !== undefined) await show(picked.received);
}
