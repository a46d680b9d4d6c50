import * as vscode from 'vscode';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { Amount, RetentionOptions, RetentionOutcome } from '../../store/changes/retention.ts';
import { retentionSettings } from './settings.ts';

interface CleanupItem extends vscode.QuickPickItem {
  /** Undefined for the item that opens the settings. */
  readonly options: RetentionOptions | undefined;
}

function choices(): CleanupItem[] {
  const set = retentionSettings();
  return [
    ...(set === undefined ? [] : [{ label: `$(settings-gear) ${vscode.l10n.t('What the settings no longer keep')}`, options: set }]),
    ...[30, 90, 365].map(days => ({
      label: `$(calendar) ${vscode.l10n.t('Tasks that last changed more than {0} days ago', days)}`,
      options: { days },
    })),
    ...[7, 30].map(wireDays => ({
      label: `$(radio-tower) ${vscode.l10n.t('Network traffic older than {0} days', wireDays)}`,
      description: vscode.l10n.t('requests, responses and events; tasks stay'),
      options: { wireDays },
    })),
    { label: `$(beaker) ${vscode.l10n.t('Everything that test runs left behind')}`, options: { testDays: 0 } },
    { label: `$(gear) ${vscode.l10n.t('Open History Settings')}`, options: undefined },
  ];
}

/** Megabytes with at most one decimal; at least 0.1 unless there is nothing. */
function megabytes(amounts: readonly Amount[]): string {
  const sum = amounts.reduce((total, { bytes }) => total + bytes, 0) / 2 ** 20;
  return (sum === 0 ? 0 : Math.max(sum, 0.1)).toLocaleString(vscode.env.language, { maximumFractionDigits: 1 });
}

const summed = ({ tasks, contexts, exchanges }: RetentionOutcome): string =>
  vscode.l10n.t(
    'tasks: {0}, contexts: {1}, exchanges: {2}, together {3} MB',
    tasks.count,
    contexts.count,
    exchanges.count,
    megabytes([tasks, contexts, exchanges]),
  );

const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase(vscode.env.language) + text.slice(1);

export const isEmpty = ({ tasks, contexts, exchanges }: RetentionOutcome): boolean => tasks.count + contexts.count + exchanges.count === 0;

/** `A2A: Clean Up History…`: shows what would be deleted before it deletes it. */
export async function cleanUpHistory({ history }: AgentContexts): Promise<void> {
  const picked = await vscode.window.showQuickPick(choices(), {
    title: vscode.l10n.t('Clean Up History'),
    placeHolder: vscode.l10n.t('What should go? Pinned tasks, and tasks that are not over, always stay.'),
  });
  if (picked === undefined) return;
  const { options } = picked;
  if (options === undefined) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'a2a.history');
    return;
  }
  const would = await withProgress(vscode.l10n.t('Counting what would go…'), () => history.whatWouldGo(options));
  if (isEmpty(would)) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is nothing of that kind in the history.'));
    return;
  }
  const remove = vscode.l10n.t('Delete');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Delete this from the history permanently?'),
    {
      modal: true,
      detail: `${capitalized(summed(would))}.\n${vscode.l10n.t('This cannot be undone. The agents keep their own copies.')}`,
    },
    remove,
  );
  if (choice !== remove) return;
  const gone = await withProgress(vscode.l10n.t('Cleaning up…'), () => history.retain(options));
  void vscode.window.showInformationMessage(vscode.l10n.t('Deleted: {0}.', summed(gone)));
}

const withProgress = <T>(title: string, work: () => Promise<T>): Thenable<T> =>
  vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, work);
