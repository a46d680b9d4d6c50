import * as vscode from 'vscode';
import type { CardVerifying } from '../../client/card/signatures/lazyCardVerifier.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { nodeOf, type Node } from '../agentsView/agentNodes.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { openPickedFile } from '../platform/workspaceFiles.ts';
import { trustSigner } from './trustSigner.ts';

type CardChangeCommands = Pick<CommandHandlers, 'a2a.trustSigner' | 'a2a.dismissCardChanges'>;

/** Commands about the signature of an agent's card, and about what changed in it. */
export function cardChangeCommands({
  agents,
  verifier,
  selected,
}: {
  readonly agents: Agents;
  readonly verifier: CardVerifying;
  readonly selected: () => Node | undefined;
}): CardChangeCommands {
  const meant = (argument: unknown): Agent => {
    const agent = typeof argument === 'string' ? agents.get(argument) : nodeOf('agent', argument ?? selected())?.agent;
    if (agent === undefined) throw new Problem('nothing-selected', sentence('Select an agent in the A2A view first.'));
    return agent;
  };
  return {
    'a2a.trustSigner': async argument => {
      if (argument instanceof vscode.Uri) {
        const document = await openPickedFile(argument);
        return trustSigner(verifier, argument.path.slice(argument.path.lastIndexOf('/') + 1), document.getText());
      }
      const { name, cardSource } = meant(argument);
      return trustSigner(verifier, name, cardSource ?? '');
    },
    'a2a.dismissCardChanges': argument => meant(argument).acceptCard(),
  };
}
