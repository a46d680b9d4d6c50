import * as vscode from 'vscode';
import type { RequestRun } from '../../../model/requests/requestRun.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import type { RequestEntry } from '../../../request/file/requestEntry.ts';
import { beginningOf } from '../../../protocol/ownText.ts';
import { requestTitle } from '../../documents/requestDocuments.ts';
import { relativeTime } from '../../platform/relativeTime.ts';
import { report } from '../../platform/report.ts';
import { fileLabel } from '../../platform/untitledDocument.ts';
import { escapeIcons, oneLine } from '../../platform/untrustedText.ts';
import { statusOf } from '../session/requestStatus.ts';
import type { RequestSession, RequestSessions } from '../session/requestSessions.ts';
import type { KeptRequest, KeptRequests } from './keptRequests.ts';

/** A request of the list: one under way, or one that is kept. */
type SentRequest = { readonly session: RequestSession; readonly run: RequestRun } | { readonly kept: KeptRequest };

/** The person's choice for a sent request. */
type SentRequestAction = 'open' | 'send' | 'compare' | 'chat';

interface Row extends vscode.QuickPickItem {
  readonly sent: SentRequest;
  readonly actions: ReadonlyMap<vscode.QuickInputButton, SentRequestAction>;
}

/**
 * Lists the requests that were sent in this workspace, also before the window was opened, the last sent first; what is typed filters by
 * name, file and result. Rejects with a `Problem` if there is none.
 */
export async function pickSentRequest(
  sessions: RequestSessions,
  kept: KeptRequests,
): Promise<{ readonly sent: SentRequest; readonly action: SentRequestAction } | undefined> {
  const running = sessions.all.flatMap(session => session.runs.all.filter(run => run.running).map(run => ({ session, run })));
  if (running.length + kept.all.length === 0)
    throw new Problem('not-sent', sentence('No request has been sent yet.'), { nextStep: sentence('Send one first.') });
  const pick = vscode.window.createQuickPick<Row>();
  const clear = { iconPath: new vscode.ThemeIcon('clear-all'), tooltip: vscode.l10n.t('Clear Sent Requests') };
  pick.title = vscode.l10n.t('Sent Requests');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.buttons = [clear];
  pick.items = [...running.map(rowOfRunning), ...kept.all.map(each => rowOfKept(each, kept))];
  const { promise, resolve } = Promise.withResolvers<{ sent: SentRequest; action: SentRequestAction } | undefined>();
  pick.onDidAccept(() => resolve(pick.activeItems[0] && { sent: pick.activeItems[0].sent, action: 'open' }));
  pick.onDidTriggerItemButton(({ item, button }) => {
    const action = item.actions.get(button);
    if (action !== undefined) resolve({ sent: item.sent, action });
  });
  pick.onDidTriggerButton(() => {
    kept.remove(new Set(kept.all.map(({ id }) => id))).catch(report);
    resolve(undefined);
  });
  pick.onDidHide(() => resolve(undefined));
  pick.show();
  return promise.finally(() => pick.dispose());
}

/** Longest beginning of a message in place of a name, in UTF-16 code units. */
const maxWords = 60;

/** Name of a request in the list: its own, else the first words of its message as the file has them. */
export function sentTitle(entry: RequestEntry): string {
  const message = entry.members.get('message')?.value;
  const first: unknown = (message?.type === 'array' ? message.children?.[0] : message)?.value;
  return entry.name ?? (typeof first === 'string' && first.trim() !== '' ? beginningOf(first, maxWords, '…') : requestTitle(entry));
}

/** Agent, file and time. */
function detailOf(uri: vscode.Uri, agent: string | undefined, at: number): string {
  return [...(agent ? [oneLine(agent)] : []), fileLabel(uri)].map(escapeIcons).concat(relativeTime(at)).join(' · ');
}

function rowOfRunning({ session, run }: { readonly session: RequestSession; readonly run: RequestRun }): Row {
  const { icon, text } = statusOf(run);
  return {
    label: `$(${icon}) ${escapeIcons(oneLine(sentTitle(run.entry)))}`,
    description: escapeIcons(oneLine(text)),
    detail: detailOf(session.uri, run.entry.agent?.value ?? session.agent, run.startedAt),
    sent: { session, run },
    actions: new Map(),
  };
}

function rowOfKept(kept: KeptRequest, all: KeptRequests): Row {
  const actions = new Map<vscode.QuickInputButton, SentRequestAction>([
    [{ iconPath: new vscode.ThemeIcon('refresh'), tooltip: vscode.l10n.t('Send Again') }, 'send'],
    ...(kept.length > 0 && all.before(kept) !== undefined
      ? ([[{ iconPath: new vscode.ThemeIcon('diff'), tooltip: vscode.l10n.t('Compare with Last') }, 'compare']] as const)
      : []),
    ...(kept.contextKey === undefined
      ? []
      : ([[{ iconPath: new vscode.ThemeIcon('comment-discussion'), tooltip: vscode.l10n.t('Open in Chat') }, 'chat']] as const)),
  ]);
  return {
    label: `$(${/^[a-z-]+(~spin)?$/.test(kept.icon) ? kept.icon : 'circle'}) ${escapeIcons(oneLine(kept.title))}`,
    description: escapeIcons(oneLine(kept.status)),
    detail: detailOf(vscode.Uri.parse(kept.file), kept.agent, kept.at),
    buttons: [...actions.keys()],
    sent: { kept },
    actions,
  };
}
