import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import { Problem } from '../../protocol/problem.ts';
import { escapeIcons, escapeLinks } from '../platform/untrustedText.ts';
import { allowOrigin, isConfigured } from '../platform/settings.ts';

/** Maximum number of origins in one question. */
const maxOrigins = 10;

/** The origin that a `foreign-origin` problem asks to allow; undefined for any other error. */
export function foreignOriginOf(error: unknown): string | undefined {
  return error instanceof Problem && error.code === 'foreign-origin' && 'origin' in error && typeof error.origin === 'string'
    ? error.origin
    : undefined;
}

const whatIsSent = (): string => vscode.l10n.t('Messages to the agent, and the headers configured for it, are then sent there.');

/** Asks whether an agent's requests, with the headers configured for it, may go to an origin that its card names. */
export async function confirmOrigin(agent: string, origin: string): Promise<boolean> {
  const allow = vscode.l10n.t('Allow');
  const choice = await vscode.window.showWarningMessage(
    escapeLinks(vscode.l10n.t('The card of "{0}" sends requests to {1}. Allow it?', agent, origin)),
    { modal: true, detail: whatIsSent() },
    allow,
  );
  return choice === allow;
}

/**
 * Asks in one dialog about all origins of the card's interfaces that are not allowed yet, and stores a yes in the settings, which replaces
 * the agent's object. Resolves with false if the person does not want to send at all. Rejects with a `Problem`.
 */
export async function confirmOrigins(agent: Agent): Promise<boolean> {
  const urls = agent.interfaces.offered
    .filter(({ isSupported }) => isSupported)
    .map(each => new URL(each.interface.url))
    .filter(url => !agent.trusts(url));
  const origins = [...new Set(urls.map(({ origin }) => origin))].slice(0, maxOrigins);
  if (origins.length === 0 || !isConfigured(agent.name)) return true;
  const allow = vscode.l10n.t('Allow');
  const leaveOut = vscode.l10n.t('Leave Them Out');
  const choice = await vscode.window.showWarningMessage(
    escapeLinks(vscode.l10n.t('Interfaces of "{0}" are at other addresses. Allow them?', agent.name)),
    { modal: true, detail: [...origins.map(escapeIcons), whatIsSent()].join('\n') },
    allow,
    leaveOut,
  );
  if (choice === allow) for (const origin of origins) await allowOrigin(agent.name, origin);
  return choice !== undefined;
}
