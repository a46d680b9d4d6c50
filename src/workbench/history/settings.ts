import * as vscode from 'vscode';
import type { RetentionOptions } from '../../store/changes/retention.ts';

/** Invalid values that were reported, so that each is reported once. */
const reported = new Set<string>();

/** A setting that is a limit; undefined, for no limit, if it is 0 or not a number. The latter is reported. */
function limit(name: string): number | undefined {
  const value = vscode.workspace.getConfiguration().get<unknown>(name);
  const invalid = `${name} ${JSON.stringify(value)?.slice(0, 100)}`;
  if (value !== undefined && typeof value !== 'number' && !reported.has(invalid)) {
    reported.add(invalid);
    void vscode.window.showWarningMessage(
      vscode.l10n.t('The setting {0} is not a number, so it limits nothing. Correct it in the settings.', name),
    );
  }
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** Maximum size of what is kept of one task, in bytes. */
export const maxTaskSize = (): number => (limit('a2a.history.maxTaskSizeMB') ?? Infinity) * 2 ** 20;

/** Maximum size of the content kept in the history, in bytes; undefined for no limit. */
export function maxHistorySize(): number | undefined {
  const megabytes = limit('a2a.history.maxSizeMB');
  return megabytes === undefined ? undefined : megabytes * 2 ** 20;
}

/** The limits of the settings `a2a.history.*`; undefined if they limit nothing. */
export function retentionSettings(): RetentionOptions | undefined {
  const days = limit('a2a.history.keepDays');
  const tasks = limit('a2a.history.maxTasks');
  const bytes = maxHistorySize();
  const wireDays = limit('a2a.history.framesKeepDays');
  const testDays = limit('a2a.history.testRunsKeepDays');
  const options: RetentionOptions = {
    ...(days !== undefined && { days }),
    ...(tasks !== undefined && { tasks: Math.trunc(tasks) }),
    ...(bytes !== undefined && { bytes }),
    ...(wireDays !== undefined && { wireDays }),
    ...(testDays !== undefined && { testDays }),
  };
  return Object.keys(options).length === 0 ? undefined : options;
}
