import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import { requiredButOff } from '../../model/agents/agentExtensions.ts';
import { Problem } from '../../protocol/problem.ts';
import { ensureCard } from './ensureCard.ts';
import { escapeIcons, escapeLinks } from '../platform/untrustedText.ts';
import { isConfigured, setExtensions } from '../platform/settings.ts';

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
