import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import type { ExtensionState } from '../../model/agents/agentExtensions.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { ensureCard } from './ensureCard.ts';
import { offerUndo, translatedList } from '../platform/report.ts';
import { escapeIcons } from '../platform/untrustedText.ts';
import { setExtensions } from '../platform/settings.ts';

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
        placeHolder: vscode.l10n.t('Every request to the agent asks for the selected ones.'),
        matchOnDetail: true,
      });
      if (picked === undefined) return;
      const uris = picked.map(({ uri }) => uri);
      const before = await setExtensions(name, uris);
      if (JSON.stringify(before) === JSON.stringify(uris)) return;
      const message =
        uris.length === 0
          ? vscode.l10n.t('All extensions of "{0}" are off.', name)
          : vscode.l10n.t('Extensions of "{0}" that are on: {1}', name, translatedList(uris));
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
