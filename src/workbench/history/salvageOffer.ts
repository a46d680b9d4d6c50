import * as vscode from 'vscode';
import type { TaskHistory } from '../../model/contexts/taskHistory.ts';
import { report } from '../platform/report.ts';

/** Announces that the history was damaged and set aside, and offers to recover its readable part. */
export async function offerSalvage(history: TaskHistory, setAside: string): Promise<void> {
  const bring = vscode.l10n.t('Recover Readable Data');
  try {
    const choice = await vscode.window.showWarningMessage(
      vscode.l10n.t('The history was damaged. It was set aside as {0}, and a new one was started.', setAside),
      bring,
    );
    if (choice !== bring) return;
    const { tasks, unreadable } = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Reading the damaged history…') },
      () => history.salvage(setAside),
    );
    void vscode.window.showInformationMessage(outcomeText(tasks, unreadable));
  } catch (error) {
    await report(error);
  }
}

function outcomeText(tasks: number, unreadable: number): string {
  if (unreadable > 0) {
    return vscode.l10n.t('Tasks recovered: {0}; tasks and contexts lost or incomplete: {1}. The damaged file is kept.', tasks, unreadable);
  }
  return tasks > 0
    ? vscode.l10n.t('Tasks recovered: {0}. The damaged file is kept.', tasks)
    : vscode.l10n.t(
        'Nothing could be recovered from the damaged history: its index pages are destroyed, or it was empty. The damaged file is kept.',
      );
}
