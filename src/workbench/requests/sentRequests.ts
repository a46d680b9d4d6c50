import * as vscode from 'vscode';
import { Problem, sentence } from '../../protocol/problem.ts';
import { oneLine, escapeIcons } from '../platform/untrustedText.ts';
import { relativeTime } from '../platform/relativeTime.ts';
import { requestTitle } from '../documents/requestDocuments.ts';
import type { RequestSession, RequestSessions } from './session/requestSessions.ts';
import { statusOf } from './session/requestStatus.ts';

/** Maximum number of sent requests in the list. */
const most = 100;

/** Asks for one of the requests that were sent in this window, the last sent first. Rejects with a `Problem` if there is none. */
export async function pickSentRequest(
  sessions: RequestSessions,
): Promise<{ readonly session: RequestSession; readonly key: string } | undefined> {
  const sent = sessions.all
    .flatMap(session => session.runs.all.map(run => ({ session, run })))
    .sort((one, other) => other.run.startedAt - one.run.startedAt)
    .slice(0, most);
  if (sent.length === 0)
    throw new Problem('not-sent', sentence('No request has been sent yet.'), { nextStep: sentence('Send one first.') });
  const picked = await vscode.window.showQuickPick(
    sent.map(({ session, run }) => {
      const { icon, text } = statusOf(run);
      return {
        label: `$(${icon}) ${escapeIcons(requestTitle(run.entry))}`,
        description: escapeIcons(oneLine(text)),
        detail: `${escapeIcons(vscode.workspace.asRelativePath(session.uri))} · ${relativeTime(run.startedAt)}`,
        session,
        key: run.entry.key,
      };
    }),
    { title: vscode.l10n.t('Sent Requests'), matchOnDescription: true, matchOnDetail: true },
  );
  return picked;
}
