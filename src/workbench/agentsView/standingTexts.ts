import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import { escapeIcons, shortTitle } from '../platform/untrustedText.ts';
import { relativeTime } from '../platform/relativeTime.ts';

/** Age, in milliseconds, from which a row shows when its agent was last reachable. */
const oldMs = 120_000;

/** Time since the agent was last reachable; empty for a moment ago. */
export function ageText({ reachability, standing: { reachableAt } }: Agent, now = Date.now()): string {
  if (reachability !== 'reachable' || reachableAt === undefined || now - reachableAt < oldMs) return '';
  return vscode.l10n.t('checked {0}', relativeTime(reachableAt, now));
}

/** The account that requests are sent with, or that a sign-in is needed. */
export function signInText({ signIn, needsSignIn, standing: { signInRefused } }: Agent): string {
  if (signInRefused === true) return vscode.l10n.t('sign-in refused');
  if (needsSignIn) return vscode.l10n.t('sign in');
  if (signIn.kind !== 'signedIn') return '';
  const name = escapeIcons(shortTitle(signIn.account ?? (signIn.identity === 'default' ? '' : signIn.identity)));
  const who = name === '' ? vscode.l10n.t('signed in') : vscode.l10n.t('signed in as {0}', name);
  if (signIn.expiresAt === undefined) return who;
  const minutes = Math.max(0, Math.round((signIn.expiresAt - Date.now()) / 60_000));
  return minutes < 120 ? vscode.l10n.t('{0}, {1} min left', who, minutes) : vscode.l10n.t('{0}, {1} h left', who, Math.round(minutes / 60));
}
