import * as vscode from 'vscode';
import type { RequestRun } from '../../../model/requests/requestRun.ts';
import type { CommandId } from '../../platform/commands.ts';
import type { RequestSession, RequestSessions } from '../session/requestSessions.ts';
import { isConfigured } from '../../platform/settings.ts';
import { mendedByCard } from '../../../protocol/mendedByCard.ts';
import { mendedBySignIn } from '../../../protocol/mendedBySignIn.ts';

/** The third argument of `a2a.openRequestInChat` for the tab with the wire. */
export const wireTab = 'wire';

/**
 * Code lenses in the document of a response: what can be done with it, to sign in where the agent refused the request, to read the card
 * again where that may help, and to choose another interface.
 */
export function responseLenses(
  document: vscode.TextDocument,
  sessions: RequestSessions,
  /** True if an earlier response of the same request is kept. */
  hasBefore: (session: RequestSession, run: RequestRun) => boolean,
): vscode.CodeLens[] {
  const session = sessions.peek(vscode.Uri.parse(document.uri.query, true));
  const run = session?.shown === undefined ? undefined : session.runs.get(session.shown);
  if (session === undefined || run === undefined) return [];
  const top = new vscode.Range(0, 0, 0, 0);
  const given = [session.uri.toString(), run.entry.key];
  const answers = (
    [
      ...(run.contextKey === undefined
        ? []
        : ([
            [vscode.l10n.t('Open in Chat'), 'a2a.openRequestInChat'],
            [vscode.l10n.t('Show in Wire'), 'a2a.openRequestInChat', wireTab],
          ] as const)),
      [vscode.l10n.t('Preview'), 'a2a.previewResponse'],
      ...(run.running || !hasBefore(session, run) ? [] : ([[vscode.l10n.t('Compare with Last'), 'a2a.compareResponses']] as const)),
      ...(run.running ? [] : ([[vscode.l10n.t('Save…'), 'a2a.saveResponse']] as const)),
    ] satisfies readonly (readonly [title: string, command: CommandId, more?: string])[]
  ).map(([title, command, ...more]) => new vscode.CodeLens(top, { title, command, arguments: [...given, ...more] }));
  const agent = run.agent?.name;
  const problem = run.outcome?.problem;
  if (agent === undefined || !isConfigured(agent)) return answers;
  const lens = (member: string, title: string, command: CommandId): vscode.CodeLens[] => {
    // The document is indented by two, so this matches only a member of its root, never text of an agent.
    const offset = document.getText().search(new RegExp(`^  "${member}": `, 'm'));
    if (offset < 0) return [];
    const { line } = document.positionAt(offset);
    return [new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, arguments: [agent] })];
  };
  return [
    ...answers,
    ...lens('interface', `$(plug)\u00a0${vscode.l10n.t('Choose Interface…')}`, 'a2a.chooseInterface'),
    ...(problem !== undefined && mendedBySignIn.includes(problem.code)
      ? lens('problem', `$(key)\u00a0${vscode.l10n.t('Sign In…')}`, 'a2a.signIn')
      : []),
    ...(problem !== undefined && mendedByCard(problem)
      ? lens('problem', `$(sync)\u00a0${vscode.l10n.t('Reload Card')}`, 'a2a.refresh')
      : []),
  ];
}
