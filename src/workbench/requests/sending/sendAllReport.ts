import * as vscode from 'vscode';
import type { RequestRuns } from '../../../model/requests/requestRuns.ts';
import { checkExpectations } from '../../../request/expect/expectations.ts';
import type { RequestEntry } from '../../../request/file/requestEntry.ts';
import type { RequestFile } from '../../../request/file/requestFile.ts';
import { escapeLinks } from '../../platform/untrustedText.ts';
import { listOf } from '../../../protocol/problem.ts';
import { translate } from '../../platform/report.ts';

/** Maximum number of requests that the notification names. */
const maxNames = 5;

/** The requests of a file whose last run failed, or did not meet an expectation. */
export const failedRequests = ({ requests }: Pick<RequestFile, 'requests'>, runs: Pick<RequestRuns, 'get'>): readonly RequestEntry[] =>
  requests.filter(entry => {
    const outcome = runs.get(entry.key)?.outcome;
    return outcome !== undefined && (outcome.expectations ?? checkExpectations(entry, {}, outcome)).some(({ ok }) => !ok);
  });

/**
 * Shows which requests of a file failed: their lenses may be scrolled away.
 * @param show opens the result of one of them
 */
export async function reportFailed(
  failed: readonly RequestEntry[],
  { requests }: Pick<RequestFile, 'requests'>,
  show: (key: string) => Promise<void>,
): Promise<void> {
  const [first] = failed;
  if (first === undefined) return;
  const names = listOf([
    ...failed.slice(0, maxNames).map(({ name, index }) => name ?? vscode.l10n.t('Request {0}', index + 1)),
    ...(failed.length > maxNames ? ['…'] : []),
  ]);
  const button = vscode.l10n.t('Show Response');
  const choice = await vscode.window.showErrorMessage(
    escapeLinks(vscode.l10n.t('{0} of {1} requests failed: {2}', failed.length, requests.length, translate(names))),
    button,
  );
  if (choice === button) await show(first.key);
}
