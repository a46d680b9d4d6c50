import * as vscode from 'vscode';
import type { RequestHandlers } from '../../chat/host/messages.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { CommandId } from '../platform/commands.ts';

/** Handlers of the panel's requests that run a command. They do not wait for it: it may ask the person, without a limit in time. */
export function chatCommands(
  context: AgentContext,
): Pick<
  RequestHandlers,
  'runAgain' | 'compareArtifact' | 'compareRevisions' | 'fixWithChat' | 'openCard' | 'chooseInterface' | 'chooseExtensions' | 'signIn'
> {
  const run = (command: CommandId, argument: unknown): void => void vscode.commands.executeCommand(command, argument);
  return {
    runAgain: async ({ seq }) => run('a2a.runAgain', { context: context.key, seq }),
    compareArtifact: async ({ seq }) => run('a2a.compareArtifact', { context: context.key, seq, by: 'versions' }),
    compareRevisions: async ({ seq }) => run('a2a.compareArtifact', { context: context.key, seq, by: 'revisions' }),
    fixWithChat: async ({ exchangeId, finding }) => run('a2a.fixWithChat', { context: context.key, exchange: exchangeId, finding }),
    openCard: async () => run('a2a.openAgentCard', context.agentName),
    chooseInterface: async () => run('a2a.chooseInterface', context.agentName),
    chooseExtensions: async () => run('a2a.chooseExtensions', context.agentName),
    signIn: async () => run('a2a.signIn', context.agentName),
  };
}
