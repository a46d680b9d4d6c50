import * as vscode from 'vscode';
import { arrangeLike } from '../../card/arrangeLike.ts';
import type { CardVerifying } from '../../client/card/signatures/lazyCardVerifier.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { nodeOf, type Node } from '../agentsView/agentNodes.ts';
import { plainTextIfSchema, type ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { escapeIcons, oneLine } from '../platform/untrustedText.ts';
import { comparedCardScheme } from './documents.ts';
import { openPickedFile } from '../platform/workspaceFiles.ts';
import { trustSigner } from './trustSigner.ts';

type CardChangeCommands = Pick<CommandHandlers, 'a2a.trustSigner' | 'a2a.compareCardChanges' | 'a2a.dismissCardChanges'>;

/** Which card of an agent is meant; the key of its document. */
interface ComparedCardKey {
  readonly agent: string;
  readonly which: 'before' | 'now';
}

/** The text of a card in a comparison, its members in the order of the present one. */
export function comparedCardText(agents: Agents, key: string): string | undefined {
  const { agent: name, which } = JSON.parse(key) as ComparedCardKey;
  const agent = agents.get(name);
  const { cardSource, review } = agent ?? {};
  const text = which === 'now' ? cardSource : review?.changes?.before;
  if (text === undefined || cardSource === undefined) return undefined;
  return `${JSON.stringify(arrangeLike(JSON.parse(text) as unknown, JSON.parse(cardSource) as unknown), null, 2)}\n`;
}

/** Commands about the signature of an agent's card, and about what changed in it. */
export function cardChangeCommands({
  agents,
  documents,
  verifier,
  selected,
}: {
  readonly agents: Agents;
  readonly documents: ReadOnlyDocuments;
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
    'a2a.compareCardChanges': async argument => {
      const { name, review } = meant(argument);
      if (review.changes === undefined) throw new Problem('no-card-changes', sentence('The card of "{0}" did not change.', name));
      if (review.changes.before === undefined)
        throw new Problem('card-not-kept', sentence('The card that was used last is too long to be kept for a comparison.'));
      const title = oneLine(name);
      const uri = (which: ComparedCardKey['which']): vscode.Uri =>
        documents.uri(comparedCardScheme, `${title}.agent-card`, JSON.stringify({ agent: name, which } satisfies ComparedCardKey));
      for (const each of [uri('before'), uri('now')]) {
        documents.refresh(each);
        await plainTextIfSchema(await vscode.workspace.openTextDocument(each));
      }
      await vscode.commands.executeCommand(
        'vscode.diff',
        uri('before'),
        uri('now'),
        vscode.l10n.t('{0} (used last) ↔ (now)', escapeIcons(title)),
      );
    },
    'a2a.dismissCardChanges': argument => meant(argument).acceptCard(),
  };
}
