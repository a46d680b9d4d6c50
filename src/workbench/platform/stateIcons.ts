import * as vscode from 'vscode';
import type { ShownState } from '../../protocol/message/taskState.ts';

/** Icon and label of a state: color is never the only sign. */
interface StateLook {
  readonly icon: string;
  readonly color?: string;
  readonly label: () => string;
}

export const statePresentation: Readonly<Record<ShownState, StateLook>> = {
  TASK_STATE_UNSPECIFIED: { icon: 'question', label: () => vscode.l10n.t('unknown') },
  TASK_STATE_SUBMITTED: { icon: 'clock', label: () => vscode.l10n.t('submitted') },
  TASK_STATE_WORKING: { icon: 'sync~spin', label: () => vscode.l10n.t('working') },
  TASK_STATE_COMPLETED: { icon: 'pass', color: 'charts.green', label: () => vscode.l10n.t('completed') },
  TASK_STATE_FAILED: { icon: 'error', color: 'testing.iconFailed', label: () => vscode.l10n.t('failed') },
  TASK_STATE_CANCELED: { icon: 'circle-slash', label: () => vscode.l10n.t('canceled') },
  TASK_STATE_INPUT_REQUIRED: {
    icon: 'comment-unresolved',
    color: 'list.warningForeground',
    label: () => vscode.l10n.t('input required'),
  },
  TASK_STATE_REJECTED: { icon: 'stop', color: 'testing.iconFailed', label: () => vscode.l10n.t('rejected') },
  TASK_STATE_AUTH_REQUIRED: {
    icon: 'lock',
    color: 'list.warningForeground',
    label: () => vscode.l10n.t('authorization required'),
  },
  // The agent has answered that there is no such task.
  LOST: { icon: 'debug-disconnect', color: 'testing.iconFailed', label: () => vscode.l10n.t('lost') },
};

export function stateIcon(state: ShownState): vscode.ThemeIcon {
  const { icon, color } = statePresentation[state];
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}
