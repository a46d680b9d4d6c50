import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import { missingSecretOf } from '../../model/agents/agentHeaders.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentSignIns } from '../../model/agents/agentSignIns.ts';
import type { ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
import { registerAccounts } from './accounts.ts';
import { signInCommands, type SignInParts } from './signInCommands.ts';
import { SignInReports } from './signInReports.ts';

type Secrets = Parameters<typeof signInCommands>[0]['secrets'] & { readonly onDidChange: vscode.Event<unknown> };

/** Registers the commands to sign in, and what follows a sign-in or a secret that changed. */
export function registerSignIn({
  agents,
  signIns,
  parts,
  secrets,
  documents,
  meantAgent,
  ask,
  onChanged,
}: {
  readonly agents: Agents;
  readonly signIns: AgentSignIns;
  readonly parts: SignInParts;
  readonly secrets: Secrets;
  readonly documents: ReadOnlyDocuments;
  readonly meantAgent: (argument: unknown) => Promise<Agent | undefined>;
  /** See `signInCommands`. */
  readonly ask: (name: string) => Promise<void>;
  readonly onChanged: () => void;
}) {
  const { signIn, handlers } = signInCommands({ agents, signIns, parts, secrets, reports: new SignInReports(documents), meantAgent, ask });
  // The Accounts menu has no entry of ours before the first sign-in.
  let accounts: vscode.Disposable | undefined;
  const listeners = vscode.Disposable.from(
    secrets.onDidChange(() => {
      for (const agent of agents.all) if (missingSecretOf(agent.problem) !== undefined) void agent.check();
    }),
    signIns.onDidChange(() => {
      agents.signInChanged();
      onChanged();
      accounts ??= registerAccounts(agents, signIns);
    }),
  );
  return {
    signIn,
    commands: handlers,
    dispose: () => {
      listeners.dispose();
      accounts?.dispose();
    },
  };
}
