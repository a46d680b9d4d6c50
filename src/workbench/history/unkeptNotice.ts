import * as vscode from 'vscode';
import type { Problem } from '../../protocol/problem.ts';
import { log } from '../platform/log.ts';
import { explain, inARow } from '../platform/report.ts';

/** Explains why this window has no lasting history. */
export function tellUnkept(why: Problem): void {
  const { message, nextStep, details } = explain(why);
  const rest = vscode.l10n.t('Agents and chats still work, but their tasks are lost when this window closes.');
  log.warn([message, details].filter(Boolean).join('\n'));
  void vscode.window.showWarningMessage(inARow(message, nextStep, rest));
}
