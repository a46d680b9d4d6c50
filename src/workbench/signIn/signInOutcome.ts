import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { escapeLinks, oneLine } from '../platform/untrustedText.ts';

/** Longest wait for the agent's answer to the new credential, in milliseconds; a later answer shows in the tree. */
const answerTimeoutMs = 5_000;

interface OutcomeNeeds {
  readonly agents: Pick<Agents, 'get'>;
  /** See `signInCommands`. */
  readonly ask: (name: string) => Promise<void>;
}

/**
 * Shows whether an agent accepted a credential that was just stored, from the same `standing` as its row in the tree.
 * @param accepted words for one that it accepted
 */
export async function showSignInOutcome(agent: Agent, { agents, ask }: OutcomeNeeds, accepted: string): Promise<void> {
  const present = agents.get(agent.name);
  if (present !== undefined) await Promise.race([ask(agent.name), new Promise(resolve => setTimeout(resolve, answerTimeoutMs))]);
  const { standing, chosen } = present ?? agent;
  const name = oneLine(agent.name);
  if (standing.signInRefused === true) {
    const status = chosen?.interface.protocolBinding === 'GRPC' ? 'UNAUTHENTICATED' : 'HTTP 401';
    const again = vscode.l10n.t('Sign In…');
    // Not awaited: the command is done before the notification is closed.
    void vscode.window
      .showWarningMessage(
        escapeLinks(vscode.l10n.t('The credential is stored, but "{0}" refused it ({1}).', name, status)),
        ...(present === undefined ? [] : [again]),
      )
      .then(choice => {
        if (choice === again) void vscode.commands.executeCommand('a2a.signIn', agent.name);
      });
    return;
  }
  const words =
    standing.signedInAt === undefined
      ? vscode.l10n.t('The credential for "{0}" is stored. Its next request is sent with it.', name)
      : accepted;
  void vscode.window.showInformationMessage(escapeLinks(words));
}
