import * as vscode from 'vscode';
import { saysItNotifies } from '../../model/notifications/configurations.ts';
import type { PushReceiver } from '../../model/notifications/pushReceiver.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import { isLoopback } from '../../protocol/card/agentOrigin.ts';
import { ensureCard } from '../agents/ensureCard.ts';
import { escapeLinks } from '../platform/untrustedText.ts';

/**
 * Reads the agent's card and asks whether to continue if the agent does not declare push notifications. Resolves with false if nothing is
 * to be sent.
 */
export async function confirmCapability(context: AgentContext): Promise<boolean> {
  const { agent } = context;
  // Without an agent the call itself fails with the reason.
  if (agent === undefined) return true;
  await ensureCard(agent);
  if (saysItNotifies(context) !== false) return true;
  const anyway = vscode.l10n.t('Try Anyway');
  const choice = await vscode.window.showWarningMessage(
    escapeLinks(vscode.l10n.t('According to its agent card, "{0}" does not support push notifications.', agent.name)),
    { modal: true, detail: vscode.l10n.t('Nothing was sent. The agent will likely refuse the request.') },
    anyway,
  );
  return choice === anyway;
}

/**
 * Explains that the agent must reach this machine for its notifications to arrive, and asks before VS Code forwards the receiver's port.
 * Resolves with false if nothing is to be sent.
 */
export async function confirmReach(context: AgentContext, receiver: PushReceiver): Promise<boolean> {
  const { agent } = context;
  const url = agent?.chosen?.interface.url ?? agent?.url ?? '';
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  if (agent === undefined || host === '' || isLoopback(host)) return true;
  const message = escapeLinks(vscode.l10n.t('"{0}" is on another machine, {1}.', agent.name, host));
  if (vscode.env.remoteName === undefined) {
    const anyway = vscode.l10n.t('Receive Anyway');
    const choice = await vscode.window.showWarningMessage(
      message,
      {
        modal: true,
        detail: vscode.l10n.t('Push notifications are received only on 127.0.0.1 of this machine, which other machines cannot reach.'),
      },
      anyway,
    );
    return choice === anyway;
  }
  const here = vscode.l10n.t('This Machine Only');
  const choice = await askToForward(message, here);
  if (choice === undefined) return false;
  if (choice !== here) await forwardPort(receiver);
  return true;
}

/**
 * Asks whether the port may be forwarded, and explains what that means. Resolves with the button's title; undefined if the person wants
 * neither.
 */
function askToForward(message: string, ...others: string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(
    message,
    {
      modal: true,
      detail: vscode.l10n.t(
        'Push notifications are received on 127.0.0.1 of the machine that VS Code runs on. VS Code can forward the port: depending on its settings, the address can then be reached from elsewhere. Deliveries without the secret path and token are refused all the same.',
      ),
    },
    vscode.l10n.t('Forward Port'),
    ...others,
  );
}

/** Forwards the port of a receiver that runs, if the person agrees. Resolves with the address, or with undefined. */
export async function offerForward(receiver: PushReceiver): Promise<string | undefined> {
  const choice = await askToForward(vscode.l10n.t('Forward port {0}, so that agents elsewhere can reach it?', receiver.port));
  return choice === undefined ? undefined : forwardPort(receiver);
}

/** Asks whether the port may be forwarded for a conformance check. There is nothing to ask where VS Code forwards none. */
export async function mayForward(agentName: string): Promise<boolean> {
  if (vscode.env.remoteName === undefined) return true;
  const question = vscode.l10n.t(
    '"{0}" is on another machine. Forward the port, so that its push notifications can be checked?',
    agentName,
  );
  return (await askToForward(escapeLinks(question))) !== undefined;
}

/** The address under which VS Code makes a port of this machine reachable: of a window without a remote the one on loopback. */
export async function externalAddress(port: number): Promise<string> {
  return (await vscode.env.asExternalUri(vscode.Uri.parse(`http://127.0.0.1:${port}/`))).toString(true);
}

/** Webhooks that are opened from now on have the forwarded address. Resolves with it. */
async function forwardPort(receiver: PushReceiver): Promise<string> {
  const address = await externalAddress(await receiver.start());
  receiver.reachedBy(address);
  return address;
}
