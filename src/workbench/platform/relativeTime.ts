import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';

const units: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** By how much the clock of an agent may be ahead of this machine's, in milliseconds. */
const maxAhead = 60_000;

/** Age in VS Code's display language: "3 minutes ago"; the time itself where it is in the future. `at` is milliseconds since the epoch. */
export function relativeTime(at: number, now = Date.now()): string {
  const format = new Intl.RelativeTimeFormat(vscode.env.language, { numeric: 'auto', style: 'narrow' });
  const ago = now - at;
  if (-ago > maxAhead) return new Date(at).toLocaleString(vscode.env.language, { dateStyle: 'short', timeStyle: 'short' });
  if (ago > 30 * 86_400_000) return new Date(at).toLocaleDateString(vscode.env.language);
  for (const [unit, ms] of units) if (ago >= ms) return spaced(format.format(-Math.floor(ago / ms), unit));
  return vscode.l10n.t('now');
}

/** `Intl` writes `5分钟前`; every Chinese sentence of ours has a space there. */
const spaced = (age: string): string => age.replace(/(?<=\d)(?=\p{Script=Han})/u, ' ');

/** How long a restart is shown, in milliseconds. */
const recentMs = 10 * 60_000;

/** Time since the agent was found restarted; empty for one that was not, or is not reachable, and after ten minutes. */
export function restartedText(
  { reachability, standing: { restartedAt } }: Pick<Agent, 'reachability' | 'standing'>,
  now = Date.now(),
): string {
  if (reachability !== 'reachable' || restartedAt === undefined || now - restartedAt > recentMs) return '';
  return vscode.l10n.t('restarted {0}', relativeTime(restartedAt, now));
}

/** Age, in milliseconds, from which it is shown when an agent was last reachable. */
const oldMs = 120_000;

/** Time since the agent was last reachable; empty for less than two minutes. */
export function checkedText(
  { reachability, standing: { reachableAt } }: Pick<Agent, 'reachability' | 'standing'>,
  now = Date.now(),
): string {
  if (reachability !== 'reachable' || reachableAt === undefined || now - reachableAt < oldMs) return '';
  return vscode.l10n.t('checked {0}', relativeTime(reachableAt, now));
}
