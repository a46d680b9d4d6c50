import * as vscode from 'vscode';
import { Problem } from '../protocol/problem.ts';
import { unlinked } from './oneLine.ts';

/** The origin that a `foreign-origin` problem asks to approve; undefined for any other error. */
export function foreignOriginOf(error: unknown): string | undefined {
  return error instanceof Problem && error.code === 'foreign-origin' && 'origin' in error && typeof error.origin === 'string'
    ? error.origin
    : undefined;
}

/** Asks whether an agent's requests, and the headers configured for it, may go to an origin that its card names. */
export async function confirmOrigin(agent: string, origin: string): Promise<boolean> {
  const allow = vscode.l10n.t('Allow');
  const choice = await vscode.window.showWarningMessage(
    unlinked(vscode.l10n.t('The card of "{0}" sends requests to {1}. Allow it?', agent, origin)),
    { modal: true, detail: vscode.l10n.t('Messages to the agent, and the headers configured for it, are then sent there.') }, allow);
  return choice === allow;
}
