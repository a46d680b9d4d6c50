import { exactJson } from '../../protocol/json/exactJson.ts';
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

type CardChangeCommands = Pick<
  CommandHandlers,
  'a2a.trustSigner' | 'a2a.compareCardChanges' | 'a2a.compareExtendedCard' | 'a2a.dismissCardChanges'
>;

/** Which card of an agent is meant; the key of its document. */
interface ComparedCardKey {
  readonly agent: string;
  readonly which: 'before' | 'now' | 'extended';
}

/** The text of a card in a comparison, its members in the order of the present one. */
export function comparedCardText(agents: Agents, key: string): string | undefined {
  const { agent: name, which } = JSON.parse(key) as ComparedCardKey;
  const agent = agents.get(name);
  const { cardSource } = agent ?? {};
  const text = agent && sourceOf(agent, which);
  if (text === undefined || cardSource === undefined) return undefined;
  return `${JSON.stringify(arrangeLike(exactJson(text), exactJson(cardSource)), null, 2)}\n`;
}

function sourceOf({ cardSource, review, extendedCard }: Agent, which: ComparedCardKey['which']): string | undefined {
  switch (which) {
    case 'now':
      return cardSource;
    case 'before':
      return review.changes?.before;
    case 'extended':
      return extendedCard?.kind === 'found' ? extendedCard.source : undefined;
  }
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
  const compare = async (agent: string, sides: readonly ComparedCardKey['which'][], title: string): Promise<void> => {
    const uris = sides.map(which =>
      documents.uri(comparedCardScheme, `${oneLine(agent)}.agent-card`, JSON.stringify({ agent, which } satisfies ComparedCardKey)),
    );
    for (const each of uris) {
      documents.refresh(each);
      await plainTextIfSchema(await vscode.workspace.openTextDocument(each));
    }
    await vscode.commands.executeCommand('vscode.diff', ...uris, title);
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
      await compare(name, ['before', 'now'], vscode.l10n.t('{0} (used last) ↔ (now)', escapeIcons(oneLine(name))));
    },
    'a2a.compareExtendedCard': async argument => {
      const { name, extendedCard } = meant(argument);
      if (extendedCard?.kind === 'failed') throw extendedCard.problem;
      if (extendedCard === undefined)
        throw new Problem('no-extended-card', sentence('"{0}" was not asked for an extended card.', name), {
          nextStep: sentence('Sign in first. An agent says in its card whether it has one.'),
        });
      await compare(name, ['now', 'extended'], vscode.l10n.t('{0} (public) ↔ (extended)', escapeIcons(oneLine(name))));
    },
    'a2a.dismissCardChanges': argument => meant(argument).acceptCard(),
  };
}
