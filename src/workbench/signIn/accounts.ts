import * as vscode from 'vscode';
import type { SignIns } from '../../auth/signIns/signIns.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentSignIns } from '../../model/agents/agentSignIns.ts';
import { report } from '../platform/report.ts';
import { oneLine } from '../platform/untrustedText.ts';
import { endSignIn } from './signInCommands.ts';

const providerId = 'a2a';

type Listed = Awaited<ReturnType<SignIns['list']>>[number];

/**
 * The sign-ins in VS Code's Accounts menu, where they can be ended. Their tokens stay here: a session has none, since the tokens of an agent
 * are for its requests alone.
 */
export function registerAccounts(agents: Pick<Agents, 'all'>, signIns: AgentSignIns): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
  let shown: readonly vscode.AuthenticationSession[] = [];
  const refresh = async (): Promise<void> => {
    const before = shown;
    shown = (await (await signIns.signIns()).list()).map(sessionOf);
    const added = shown.filter(({ id }) => !before.some(other => other.id === id));
    const removed = before.filter(({ id }) => !shown.some(other => other.id === id));
    if (added.length + removed.length > 0) changed.fire({ added: [...added], removed: [...removed], changed: [] });
  };
  const provider: vscode.AuthenticationProvider = {
    onDidChangeSessions: changed.event,
    getSessions: (_scopes, { account } = {}) =>
      Promise.resolve(shown.filter(session => account === undefined || session.account.id === account.id)),
    createSession: async () => {
      await vscode.commands.executeCommand('a2a.signIn');
      await refresh();
      const [session] = shown.toReversed();
      if (session === undefined) throw new Error(vscode.l10n.t('The sign-in was canceled.'));
      return session;
    },
    removeSession: async id => {
      const all = await signIns.signIns();
      const listed = (await all.list()).find(each => idOf(each) === id);
      if (listed !== undefined) await endSignIn(agents, all, listed);
      await refresh();
    },
  };
  refresh().catch(report);
  return vscode.Disposable.from(
    changed,
    vscode.authentication.registerAuthenticationProvider(providerId, vscode.l10n.t('A2A Agents'), provider, {
      supportsMultipleAccounts: true,
    }),
    signIns.onDidChange(() => void refresh().catch(report)),
  );
}

const idOf = ({ url, identity }: Listed): string => JSON.stringify([url, identity]);

function sessionOf(listed: Listed): vscode.AuthenticationSession {
  const { url, identity, state } = listed;
  const account = state.kind === 'none' ? undefined : state.account;
  const label = `${oneLine(account ?? identity)} (${new URL(url).host})`;
  return { id: idOf(listed), accessToken: '', account: { id: idOf(listed), label }, scopes: [] };
}
