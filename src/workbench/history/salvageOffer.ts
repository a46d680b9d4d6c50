import * as vscode from 'vscode';
import type { TaskHistory } from '../../model/contexts/taskHistory.ts';
import { report } from '../platform/report.ts';

/** Says that the history was damaged and set aside, and offers to recover what can still be read of it. */
export async function offerSalvage(history: TaskHistory, setAside: string): Promise<void> {
  const bring = vscode.l10n.t('Recover What Can Be Read');
  try {
    const choice = await vscode.window.showWarningMessage(
      vscode.l10n.t('The history was damaged. It was set aside as {0}, and a new one was begun.', setAside),
      bring,
    );
    if (choice !== bring) return;
    const { tasks, unreadable } = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Reading the damaged history…') },
      () => history.salvage(setAside),
    );
    void vscode.window.showInformationMessage(
      unreadable === 0
        ? vscode.l10n.t('Tasks brought over: {0}. The damaged file stays where it is.', tasks)
        : vscode.l10n.t('Tasks brought over: {0}; not readable: {1}. The damaged file stays where it is.', tasks, unreadable),
    );
  } catch (error) {
    await report(error);
  }
}
