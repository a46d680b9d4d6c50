import * as vscode from 'vscode';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { Amount, RetentionOptions, RetentionOutcome } from '../../store/changes/retention.ts';
import { offerUndo } from '../platform/report.ts';
import { oneLine, truncated } from '../platform/untrustedText.ts';
import { retentionSettings } from './settings.ts';

interface CleanupItem extends vscode.QuickPickItem {
  /** The chosen clean-up; undefined where the person leaves. */
  readonly choose: () => Cleanup | undefined | Thenable<Cleanup | undefined>;
}

interface Cleanup {
  readonly options: RetentionOptions;
  /** True if it cannot be brought back. */
  readonly forGood?: true;
}

/** @param agent the only agent whose history is cleaned up */
function choices(contexts: AgentContexts, agent: string | undefined): CleanupItem[] {
  const of = agent === undefined ? {} : { agent };
  const set = agent === undefined ? retentionSettings() : undefined;
  const tasks: CleanupItem[] = [
    ...[7, 30, 90].map(days => ({
      label: `$(calendar) ${vscode.l10n.t('Tasks that last changed more than {0} days ago', days)}`,
      choose: () => ({ options: { ...of, days } }),
    })),
    { label: `$(calendar) ${vscode.l10n.t('Tasks Older Than…')}`, choose: () => askForDays(of) },
    {
      label: `$(trash) ${vscode.l10n.t('Everything')}`,
      description: vscode.l10n.t('including pinned and unfinished tasks'),
      choose: () => ({ options: { ...of, everything: true } }),
    },
  ];
  if (agent !== undefined) return tasks;
  return [
    ...(set === undefined
      ? []
      : [
          {
            label: `$(settings-gear) ${vscode.l10n.t('Everything past the retention limits')}`,
            choose: (): Cleanup => ({ options: set, forGood: true }),
          },
        ]),
    ...tasks,
    { label: `$(hubot) ${vscode.l10n.t('Of One Agent…')}`, choose: () => askForAgent(contexts) },
    ...[7, 30].map(wireDays => ({
      label: `$(radio-tower) ${vscode.l10n.t('Network traffic older than {0} days', wireDays)}`,
      description: vscode.l10n.t('requests, responses and events; tasks stay'),
      choose: (): Cleanup => ({ options: { wireDays }, forGood: true }),
    })),
    { label: `$(beaker) ${vscode.l10n.t('Everything under "Test Runs"')}`, choose: () => ({ options: { testDays: 0 } }) },
    {
      label: `$(gear) ${vscode.l10n.t('Open History Settings')}`,
      choose: () => vscode.commands.executeCommand<undefined>('workbench.action.openSettings', 'a2a.history'),
    },
  ];
}

async function askForDays(of: RetentionOptions): Promise<Cleanup | undefined> {
  const days = await vscode.window.showInputBox({
    title: vscode.l10n.t('Clean Up History'),
    prompt: vscode.l10n.t('Tasks unchanged for this number of days'),
    value: '1',
    ignoreFocusOut: true,
    validateInput: typed => (/^\d{1,5}$/.test(typed.trim()) ? undefined : vscode.l10n.t('Enter a number of days, such as 14.')),
  });
  return days === undefined ? undefined : { options: { ...of, days: Number(days) } };
}

async function askForAgent(contexts: AgentContexts): Promise<Cleanup | undefined> {
  const agent = await vscode.window.showQuickPick([...contexts.agentNames()], {
    title: vscode.l10n.t('The history of which agent?'),
  });
  return agent === undefined ? undefined : askWhat(contexts, agent);
}

async function askWhat(contexts: AgentContexts, agent: string | undefined): Promise<Cleanup | undefined> {
  const picked = await vscode.window.showQuickPick(choices(contexts, agent), {
    title:
      agent === undefined ? vscode.l10n.t('Clean Up History') : vscode.l10n.t('Clean Up History of "{0}"', truncated(oneLine(agent), 80)),
    placeHolder: vscode.l10n.t('Delete what? Pinned and unfinished tasks are kept.'),
  });
  return picked?.choose();
}

/** Megabytes with at most one decimal; at least 0.1 unless there is nothing. */
function megabytes(amounts: readonly Amount[]): string {
  const sum = amounts.reduce((total, { bytes }) => total + bytes, 0) / 2 ** 20;
  return (sum === 0 ? 0 : Math.max(sum, 0.1)).toLocaleString(vscode.env.language, { maximumFractionDigits: 1 });
}

const summed = ({ tasks, contexts, exchanges }: RetentionOutcome): string =>
  vscode.l10n.t(
    'tasks: {0}, contexts: {1} (with their exchanges), other exchanges: {2}, together {3} MB',
    tasks.count,
    contexts.count,
    exchanges.count,
    megabytes([tasks, contexts, exchanges]),
  );

const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase(vscode.env.language) + text.slice(1);

export const isEmpty = ({ tasks, contexts, exchanges }: RetentionOutcome): boolean => tasks.count + contexts.count + exchanges.count === 0;

/** `A2A: Clean Up History…`: shows what would be deleted before it deletes it. `agent`: the only agent whose history is cleaned up. */
export async function cleanUpHistory(contexts: AgentContexts, agent?: string): Promise<void> {
  const cleanup = await askWhat(contexts, agent);
  if (cleanup === undefined) return;
  const { history } = contexts;
  const { options, forGood } = cleanup;
  const would = await withProgress(vscode.l10n.t('Counting items to delete…'), () => history.whatWouldGo(options));
  if (isEmpty(would)) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing to delete.'));
    return;
  }
  const remove = vscode.l10n.t('Delete');
  const choice = await vscode.window.showWarningMessage(
    forGood ? vscode.l10n.t('Delete this from the history permanently?') : vscode.l10n.t('Delete this from the history?'),
    {
      modal: true,
      detail: `${vscode.l10n.t('{0}.', capitalized(summed(would)))}\n${
        forGood
          ? vscode.l10n.t('This cannot be undone. The agents keep their own copies.')
          : vscode.l10n.t('You can undo this for one hour. The agents keep their own copies.')
      }`,
    },
    remove,
  );
  if (choice !== remove) return;
  const cleaning = vscode.l10n.t('Cleaning up…');
  if (forGood) {
    const gone = await withProgress(cleaning, () => history.retain(options));
    void vscode.window.showInformationMessage(vscode.l10n.t('Deleted: {0}.', summed(gone)));
    return;
  }
  const undo = await withProgress(cleaning, () => history.clear(options));
  offerUndo(vscode.l10n.t('Deleted: {0}.', summed(would)), () => contexts.patiently(undo));
}

const withProgress = <T>(title: string, work: () => Promise<T>): Thenable<T> =>
  vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, work);
