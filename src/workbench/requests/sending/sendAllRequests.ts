import * as vscode from 'vscode';
import type { RequestRun } from '../../../model/requests/requestRun.ts';
import { planOf } from '../../../request/file/control.ts';
import { report } from '../../platform/report.ts';
import type { ResponseDocuments } from '../response/document.ts';
import type { RequestSession, RequestSessions } from '../session/requestSessions.ts';
import type { PreparedRequests } from './requestSender.ts';
import { failedRequests, reportFailed } from './sendAllReport.ts';

interface SendAllNeeds {
  readonly sessions: Pick<RequestSessions, 'changed'>;
  readonly responses: Pick<ResponseDocuments, 'show' | 'bring'>;
  /** Keeps the response of a request for comparisons, before the request is sent again. */
  readonly keepEarlier: (session: RequestSession, key: string) => Promise<void>;
}

/**
 * Sends all requests of a file, and reports the failed ones. The view beside the file shows each request while it is sent, and in the end
 * the first that failed; if none did, the one that was shown before, or else the last. A response that the person chooses meanwhile stays.
 */
export async function sendAllRequests(
  { session, file, options }: PreparedRequests,
  { sessions, responses, keepEarlier }: SendAllNeeds,
): Promise<void> {
  if (file.requests.length > 0 && planOf(file).sent.length === 0) {
    // The responses of before stay as they are.
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing was sent: the file skips each of its requests.'));
    return;
  }
  const { runs } = session;
  const { signal } = (session.all = new AbortController());
  sessions.changed(session);
  const before = session.shown;
  let lastShown = before;
  const begun = new WeakSet<RequestRun>();
  const registration = runs.onDidChange(run => {
    if (!run.running || begun.has(run)) return;
    begun.add(run);
    if (session.shown !== lastShown) return;
    session.shown = lastShown = run.entry.key;
    sessions.changed(session);
  });
  try {
    for (const { key } of file.requests) await keepEarlier(session, key);
    await runs.sendAll(file, options, signal);
    // Requests that the person stopped did not fail.
    const failed = signal.aborted ? [] : failedRequests(file, runs);
    const shown = failed[0]?.key ?? [before, lastShown].find(key => key !== undefined && runs.get(key) !== undefined);
    if (session.shown === lastShown && shown !== undefined) await responses.bring(session, shown);
    void reportFailed(failed, file, key => responses.show(session, key)).catch(report);
  } finally {
    registration.dispose();
    session.all = undefined;
    sessions.changed(session);
  }
}
