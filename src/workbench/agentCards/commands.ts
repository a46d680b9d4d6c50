import { exactJson } from '../../protocol/json/exactJson.ts';
import * as vscode from 'vscode';
import { arrangeLike } from '../../card/arrangeLike.ts';
import { convertCard } from '../../card/convertCard.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { isObject } from '../../protocol/json.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { cardLanguage, cardTextOf, isCardDocument, liveCardScheme, completeCardOf } from './documents.ts';
import type { CardPreviews } from './previews.ts';
import { conversionLossText } from './conversionLosses.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { untitledDocument } from '../platform/untitledDocument.ts';
import { newAgentCard } from './newAgentCard.ts';
import { oneLine, escapeIcons, escapeLinks } from '../platform/untrustedText.ts';
import type { ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
import type { ServedCards } from './servedCards.ts';
import { openPickedFile } from '../platform/workspaceFiles.ts';

type CardCommands = Pick<
  CommandHandlers,
  | 'a2a.newAgentCard'
  | 'a2a.previewAgentCard'
  | 'a2a.convertAgentCard'
  | 'a2a.compareAgentCard'
  | 'a2a.serveAgentCard'
  | 'a2a.stopServingAgentCard'
>;

/** The card document that a menu names, or that of the active editor. @param isMeant which documents the command is for */
async function cardDocument(
  argument: unknown,
  isMeant: (document: vscode.TextDocument) => boolean = isCardDocument,
): Promise<vscode.TextDocument> {
  const document = argument instanceof vscode.Uri ? await openPickedFile(argument) : vscode.window.activeTextEditor?.document;
  if (document !== undefined && isMeant(document)) return document;
  throw new Problem('no-card-document', sentence('This is not an agent card.'), {
    nextStep: sentence('Open a file such as agent-card.json or harbour.agent-card.json.'),
  });
}

/** True for a card that nobody can edit, too: that of an agent can be seen as a page and converted. */
const isCard = ({ languageId }: vscode.TextDocument): boolean => languageId === cardLanguage;

/** The live card of an agent as text, its members in the order of the document's. */
export async function liveCardText(agents: Agents, key: string): Promise<string | undefined> {
  const { agent: name, document } = JSON.parse(key) as { agent: string; document: string };
  const agent = agents.get(name);
  if (agent?.cardSource === undefined) return undefined;
  const model = completeCardOf(await vscode.workspace.openTextDocument(vscode.Uri.parse(document)));
  return `${JSON.stringify(arrangeLike(exactJson(agent.cardSource), model), null, 2)}\n`;
}

/** Commands for agent cards as documents. */
export function cardCommands({
  agents,
  documents,
  served,
  previews,
}: {
  readonly agents: Agents;
  readonly documents: ReadOnlyDocuments;
  readonly served: ServedCards;
  readonly previews: CardPreviews;
}): CardCommands {
  return {
    'a2a.newAgentCard': newAgentCard,
    'a2a.previewAgentCard': async argument => previews.open(await cardDocument(argument, isCard)),
    'a2a.convertAgentCard': async argument => {
      const document = await cardDocument(argument, isCard);
      const value = completeCardOf(document);
      const to = cardTextOf(document)?.form === '1.0' ? '0.3' : '1.0';
      const { text, losses } = convertCard(value, to);
      const target = await vscode.workspace.openTextDocument(untitledDocument(to === '1.0' ? 'a2a-1.0' : 'a2a-0.3', '.agent-card.json'));
      const editor = await vscode.window.showTextDocument(target, { viewColumn: vscode.ViewColumn.Beside });
      await editor.edit(edit => edit.replace(new vscode.Range(0, 0, target.lineCount, 0), text));
      if (losses.length > 0) void vscode.window.showWarningMessage(escapeLinks(conversionLossText(losses, to)));
    },
    'a2a.compareAgentCard': async argument => {
      const document = await cardDocument(argument);
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
    },
    'a2a.serveAgentCard': async argument => {
      const document = await cardDocument(argument);
      const name = await served.serve(document);
      const chat = vscode.l10n.t('Chat');
      void vscode.window
        .showInformationMessage(
          escapeLinks(vscode.l10n.t('"{0}" shows this card while it is open here, and repeats what it is told.', name)),
          chat,
        )
        .then(choice => {
          if (choice === chat) void vscode.commands.executeCommand('a2a.openChat', name);
        });
    },
    'a2a.stopServingAgentCard': async argument => served.stop((await cardDocument(argument)).uri),
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
