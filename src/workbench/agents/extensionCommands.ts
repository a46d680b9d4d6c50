import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import { type ExtensionState, requiredButOff } from '../../model/agents/agentExtensions.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { ensureCard } from './interfaceCommands.ts';
import { offerUndo } from '../platform/report.ts';
import { escapeIcons, escapeLinks } from '../platform/untrustedText.ts';
import { isConfigured, setExtensions } from '../platform/settings.ts';

/** @param configured the configured agent that a command applies to; undefined if the person picks none */
export function extensionCommands(
  configured: (argument: unknown) => Promise<Agent | undefined>,
): Pick<CommandHandlers, 'a2a.chooseExtensions'> {
  return {
    'a2a.chooseExtensions': async argument => {
      const agent = await configured(argument);
      if (agent === undefined) return;
      await ensureCard(agent);
      const { extensions, name } = agent;
      if (extensions.length === 0) throw new Problem('no-extensions', sentence('The card of "{0}" has no extensions.', name));
      const picked = await vscode.window.showQuickPick(extensions.map(itemOf), {
        title: vscode.l10n.t('Extensions of "{0}"', escapeIcons(name)),
        canPickMany: true,
        placeHolder: vscode.l10n.t('Every request asks the agent for those that are checked.'),
        matchOnDetail: true,
      });
      if (picked === undefined) return;
      const uris = picked.map(({ uri }) => uri);
      const before = await setExtensions(name, uris);
      if (JSON.stringify(before) === JSON.stringify(uris)) return;
      const message =
        uris.length === 0
          ? vscode.l10n.t('All extensions of "{0}" are off.', name)
          : vscode.l10n.t('Extensions of "{0}" that are on: {1}', name, uris.join(', '));
      offerUndo(message, () => setExtensions(name, before));
    },
  };
}

function itemOf({ uri, description, required, on, activated, declared }: ExtensionState): vscode.QuickPickItem & { readonly uri: string } {
  const facts = [
    required && vscode.l10n.t('required'),
    activated === true && vscode.l10n.t('active'),
    !declared && vscode.l10n.t('not in the card'),
  ];
  return {
    label: escapeIcons(uri),
    description: facts.filter(Boolean).join(' · '),
    detail: escapeIcons(description ?? ''),
    picked: on,
    uri,
  };
}

/** Turns on the extensions that the agent requires, besides those that are on. Rejects with a `Problem`. */
export async function turnOnRequired({ name, extensions }: Agent): Promise<void> {
  await setExtensions(
    name,
    extensions.filter(({ on, required }) => on || required).map(({ uri }) => uri),
  );
}

/** Reads the card, which may require extensions. A failure is ignored: sending reports it. */
async function read(agent: Agent): Promise<void> {
  try {
    await ensureCard(agent);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

/** Asks what to do about agents whose required extensions are off. Resolves with false if nothing is to be sent. */
export async function confirmExtensions(agents: readonly Agent[]): Promise<boolean> {
  for (const agent of agents) {
    await read(agent);
    const missing = requiredButOff(agent.extensions);
    if (missing.length === 0) continue;
    const turnOn = vscode.l10n.t('Turn On and Send');
    const send = vscode.l10n.t('Send Anyway');
    const choice = await vscode.window.showWarningMessage(
      escapeLinks(vscode.l10n.t('"{0}" requires extensions that are off.', agent.name)),
      { modal: true, detail: escapeIcons(missing.map(({ uri }) => uri).join('\n')) },
      ...(isConfigured(agent.name) ? [turnOn] : []),
      send,
    );
    if (choice === undefined) return false;
    if (choice === turnOn) await turnOnRequired(agent);
  }
  return true;
}
