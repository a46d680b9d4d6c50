import * as vscode from 'vscode';
import type { SignInsAtAgent } from '../../auth/signInState.ts';
import { escapeIcons, oneLine } from '../platform/untrustedText.ts';
import { canceled, showFocusedInput } from './signInPrompts.ts';

/**
 * The name under which a sign-in is kept, or an existing one to use without signing in; asks if there is any. Rejects with a `Problem`
 * `sign-in-canceled`.
 */
export async function chosenIdentity({ current, states }: SignInsAtAgent, title: string): Promise<string | { readonly use: string }> {
  if (states.size === 0) return 'default';
  const known = [...states].map(([identity, state]) => {
    const account = state.kind === 'none' ? undefined : state.account;
    const isUsable = state.kind === 'signedIn' && identity !== current;
    const what = isUsable
      ? vscode.l10n.t('signed in, use it')
      : state.kind === 'expired'
        ? vscode.l10n.t('expired, sign in again')
        : vscode.l10n.t('in use, sign in again');
    return {
      label: `$(account) ${escapeIcons(oneLine(identity))}`,
      description: escapeIcons([account === identity ? '' : oneLine(account ?? ''), what].filter(Boolean).join(' · ')),
      chosen: isUsable ? { use: identity } : identity,
    };
  });
  const other = { label: `$(add) ${vscode.l10n.t('Another Identity…')}`, chosen: undefined };
  const choice = await vscode.window.showQuickPick([...known, other], {
    title,
    placeHolder: vscode.l10n.t('Which account?'),
    ignoreFocusOut: true,
  });
  if (choice === undefined) throw canceled();
  if (choice.chosen !== undefined) return choice.chosen;
  const name = await showFocusedInput({
    title,
    prompt: vscode.l10n.t('A name for this identity, such as alice. Request files choose it with "auth".'),
    ignoreFocusOut: true,
    validateInput: text =>
      text.trim() === '' || text.trim().length > 60 || text.trim() === 'none'
        ? vscode.l10n.t('A name of 1 to 60 characters, and not "none".')
        : undefined,
  });
  if (name === undefined) throw canceled();
  return name.trim();
}
