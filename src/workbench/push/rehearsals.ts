import * as vscode from 'vscode';
import type { PushReceiver } from '../../model/notifications/pushReceiver.ts';

type Rehearsal = PushReceiver['rehearsal'];

/** Duration of a slow answer, in milliseconds: senders give up after 10 to 30 s (A2A 1.0 §4.3.3). */
const slowMs = 8_000;

/** The receiver's answer, in a word or two. */
export function rehearsalName(rehearsal: Rehearsal): string {
  switch (rehearsal.kind) {
    case 'accept':
      return vscode.l10n.t('Accept');
    case 'error':
      return rehearsal.times === Infinity ? 'HTTP 500' : vscode.l10n.t('HTTP 500, {0} times', rehearsal.times);
    case 'redirect':
      return vscode.l10n.t('Redirect');
    case 'silent':
      return vscode.l10n.t('No Answer');
    case 'slow':
      return vscode.l10n.t('Slow: {0} s', rehearsal.ms / 1000);
  }
}

const rehearsals = (): readonly { readonly rehearsal: Rehearsal; readonly detail: string }[] => [
  { rehearsal: { kind: 'accept' }, detail: vscode.l10n.t('Answers with success.') },
  { rehearsal: { kind: 'error', times: 3 }, detail: vscode.l10n.t('The next three deliveries fail, those after them succeed.') },
  { rehearsal: { kind: 'error', times: Infinity }, detail: vscode.l10n.t('Every delivery fails until you change this.') },
  { rehearsal: { kind: 'redirect' }, detail: vscode.l10n.t('HTTP 307 to an address that does not exist. An agent should not follow it.') },
  { rehearsal: { kind: 'silent' }, detail: vscode.l10n.t('The agent must time out by itself.') },
  { rehearsal: { kind: 'slow', ms: slowMs }, detail: vscode.l10n.t('Answers with success, but late.') },
];

/** Lets the person choose how deliveries are answered. */
export async function pickRehearsal(receiver: PushReceiver): Promise<void> {
  const now = rehearsalName(receiver.rehearsal);
  const picked = await vscode.window.showQuickPick(
    rehearsals().map(({ rehearsal, detail }) => {
      const name = rehearsalName(rehearsal);
      return { label: name, detail, description: name === now ? vscode.l10n.t('current') : '', rehearsal };
    }),
    {
      title: vscode.l10n.t('Simulate a Failure'),
      placeHolder: vscode.l10n.t('How should push notifications be answered? The agent should send again what failed.'),
    },
  );
  if (picked !== undefined) receiver.rehearse(picked.rehearsal);
}
