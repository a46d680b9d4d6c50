import * as vscode from 'vscode';
import { arrangeLike } from '../../card/arrangeLike.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { isObject } from '../../protocol/json.ts';
import { exactJson } from '../../protocol/json/exactJson.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { nodeOf, type Node } from '../agentsView/agentNodes.ts';
import { plainTextIfSchema, type ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { escapeIcons, oneLine } from '../platform/untrustedText.ts';
import { cardDocument, completeCardOf, isCardDocument } from './documents.ts';

/** URI scheme of the live card of an agent, arranged like the document it is compared with. */
const liveCardScheme = 'a2a-live-card';

/** URI scheme of the cards of an agent in a comparison with one another. */
const comparedCardScheme = 'a2a-compared-card';

/** The live card of an agent as text, its members in the order of the document's. */
async function liveCardText(agents: Agents, key: string): Promise<string | undefined> {
  const { agent: name, document } = JSON.parse(key) as { agent: string; document: string };
  const agent = agents.get(name);
  if (agent?.cardSource === undefined) return undefined;
  const model = completeCardOf(await vscode.workspace.openTextDocument(vscode.Uri.parse(document)));
  return `${JSON.stringify(arrangeLike(exactJson(agent.cardSource), model), null, 2)}\n`;
}

/** A card of an agent, as the key of its document. */
interface ComparedCardKey {
  readonly agent: string;
  readonly which: 'before' | 'now' | 'extended';
}

/** The text of a card in a comparison, its members in the order of the present one. */
function comparedCardText(agents: Agents, key: string): string | undefined {
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

/** Compares the card of an agent with its previous or its extended one, and a card document with the live card of an agent. */
export function cardComparison({
  agents,
  documents,
  selected,
}: {
  readonly agents: Agents;
  readonly documents: ReadOnlyDocuments;
  readonly selected: () => Node | undefined;
}): Pick<CommandHandlers, 'a2a.compareCard'> {
  documents.add(liveCardScheme, { extension: 'json', render: key => liveCardText(agents, key) });
  documents.add(comparedCardScheme, { extension: 'json', render: key => Promise.resolve(comparedCardText(agents, key)) });
  const compareOwn = async (agent: string, sides: readonly ComparedCardKey['which'][], title: string): Promise<void> => {
    const uris = sides.map(which =>
      documents.uri(comparedCardScheme, `${oneLine(agent)}.agent-card`, JSON.stringify({ agent, which } satisfies ComparedCardKey)),
    );
    for (const each of uris) {
      documents.refresh(each);
      await plainTextIfSchema(await vscode.workspace.openTextDocument(each));
    }
    await vscode.commands.executeCommand('vscode.diff', ...uris, title);
  };
  const compareLive = async (document: vscode.TextDocument): Promise<void> => {
    const agent = await liveAgent(agents, completeCardOf(document));
    if (agent === undefined) return;
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Fetching the card of {0}…', oneLine(agent.name)) },
      () =>
        agent.connect({ refresh: true }).catch((error: unknown) => {
          // The card itself may have been read; only the connection to the agent failed.
          if (agent.cardSource === undefined) throw error;
        }),
    );
    const live = documents.uri(
      liveCardScheme,
      `${oneLine(agent.name)}.agent-card`,
      JSON.stringify({ agent: agent.name, document: document.uri.toString() }),
    );
    documents.refresh(live);
    await vscode.commands.executeCommand(
      'vscode.diff',
      live,
      document.uri,
      vscode.l10n.t('{0} (live) ↔ {1}', escapeIcons(agent.name), escapeIcons(fileName(document.uri))),
    );
  };
  const comparePrevious = async ({ name, review }: Agent): Promise<void> => {
    if (review.changes?.before === undefined)
      throw new Problem('card-not-kept', sentence('The card that was used last is too long to be kept for a comparison.'));
    await compareOwn(name, ['before', 'now'], vscode.l10n.t('{0} (previous) ↔ (current)', escapeIcons(oneLine(name))));
  };
  const compareExtended = async ({ name, extendedCard }: Agent): Promise<void> => {
    if (extendedCard?.kind === 'failed') throw extendedCard.problem;
    await compareOwn(name, ['now', 'extended'], vscode.l10n.t('{0} (public) ↔ (extended)', escapeIcons(oneLine(name))));
  };
  const compareAgent = async (agent: Agent): Promise<void> => {
    const others = [
      ...(agent.review.changes === undefined ? [] : [{ label: vscode.l10n.t('Previous Card'), compare: comparePrevious }]),
      ...(agent.extendedCard === undefined ? [] : [{ label: vscode.l10n.t('Extended Card'), compare: compareExtended }]),
    ];
    if (others.length === 0)
      throw new Problem('no-other-card', sentence('There is no other card of "{0}" to compare with.', agent.name), {
        nextStep: sentence('An extended card is read after you sign in, if the agent card says that there is one.'),
      });
    const picked =
      others.length === 1
        ? others[0]
        : await vscode.window.showQuickPick(others, { title: vscode.l10n.t('Compare the card of "{0}" with which?', oneLine(agent.name)) });
    await picked?.compare(agent);
  };
  return {
    'a2a.compareCard': async argument => {
      const named = typeof argument === 'string' ? agents.get(argument) : nodeOf('agent', argument)?.agent;
      if (named !== undefined) return compareAgent(named);
      const active = vscode.window.activeTextEditor?.document;
      if (argument instanceof vscode.Uri || (active !== undefined && isCardDocument(active)))
        return compareLive(await cardDocument(argument));
      const row = nodeOf('agent', selected())?.agent;
      if (row === undefined) throw new Problem('nothing-selected', sentence('Select an agent in the A2A view first.'));
      return compareAgent(row);
    },
  };
}

const fileName = ({ path }: vscode.Uri): string => path.slice(path.lastIndexOf('/') + 1);

/** The agent whose origin is among the card's addresses, or the one that the person picks. */
async function liveAgent(agents: Agents, card: unknown): Promise<Agent | undefined> {
  const origins = new Set(addressesIn(card).map(address => new URL(address).origin));
  const same = agents.all.filter(agent => originOf(agent.url) !== undefined && origins.has(originOf(agent.url)!));
  if (same.length === 1) return same[0];
  const other = { label: vscode.l10n.t('Another Address…'), description: '', agent: undefined };
  const picked = await vscode.window.showQuickPick(
    [
      ...[...same, ...agents.all.filter(agent => !same.includes(agent))].map(agent => ({
        label: escapeIcons(agent.name),
        description: escapeIcons(agent.url),
        agent,
      })),
      other,
    ],
    { title: vscode.l10n.t('Compare with the card of which agent?'), matchOnDescription: true },
  );
  if (picked === undefined || picked.agent !== undefined) return picked?.agent;
  const address = await vscode.window.showInputBox({
    title: vscode.l10n.t('Compare with Live Card'),
    prompt: vscode.l10n.t('Base URL of the agent, or the address of its agent card'),
    value: [...origins][0] ?? '',
    ignoreFocusOut: true,
  });
  return address === undefined || address.trim() === '' ? undefined : agents.find(address.trim());
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

function addressesIn(card: unknown): string[] {
  if (!isObject(card)) return [];
  const list = Array.isArray(card['supportedInterfaces']) ? (card['supportedInterfaces'] as unknown[]) : [];
  return [card, ...list].flatMap(entry =>
    isObject(entry) && typeof entry['url'] === 'string' && URL.canParse(entry['url']) ? [entry['url']] : [],
  );
}
