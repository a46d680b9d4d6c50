import * as vscode from 'vscode';
import { convertCard } from '../../card/convertCard.ts';
import { cardDocument, cardLanguage, cardTextOf, completeCardOf, isCardDocument, isRecording } from './documents.ts';
import type { CardPreview } from './preview.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { untitledDocument, openUntitled } from '../platform/untitledDocument.ts';
import { escapeLinks } from '../platform/untrustedText.ts';
import type { ServedCards } from './servedCards.ts';
import type { CardLoss } from '../../protocol/versions/v0_3/writeCard0_3.ts';

type CardCommands = Pick<CommandHandlers, 'a2a.newAgentCard' | 'a2a.previewAgentCard' | 'a2a.convertAgentCard' | 'a2a.serveAgentCard'>;

/** True for read-only cards too: that of an agent can be seen as a page and converted. */
const isCard = ({ languageId }: vscode.TextDocument): boolean => languageId === cardLanguage;

/** Commands for agent cards as documents. */
export function cardCommands({ served, preview }: { readonly served: ServedCards; readonly preview: CardPreview }): CardCommands {
  return {
    'a2a.newAgentCard': newAgentCard,
    'a2a.previewAgentCard': async argument => preview.open(await cardDocument(argument, isCard)),
    'a2a.convertAgentCard': async argument => {
      const document = await cardDocument(argument, isCard);
      const value = completeCardOf(document);
      const to = cardTextOf(document)?.form === '1.0' ? '0.3' : '1.0';
      const { text, losses } = convertCard(value, to);
      const target = await vscode.workspace.openTextDocument(
        await untitledDocument(to === '1.0' ? 'a2a-1.0' : 'a2a-0.3', '.agent-card.json'),
      );
      const editor = await vscode.window.showTextDocument(target, { viewColumn: vscode.ViewColumn.Beside });
      await editor.edit(edit => edit.replace(new vscode.Range(0, 0, target.lineCount, 0), text));
      if (losses.length > 0) void vscode.window.showWarningMessage(escapeLinks(conversionLossText(losses, to)));
    },
    'a2a.serveAgentCard': async argument => {
      const document = await cardDocument(argument, one => isCardDocument(one) || isRecording(one));
      const stopped = await served.stop(document.uri);
      if (stopped !== undefined) {
        void vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t('The mock agent "{0}" was stopped.', stopped)));
        return;
      }
      const name = await served.serve(document);
      // Of a file that is not shown, or shown as a preview, VS Code closes the document sooner or later, and the agent would be gone with it.
      await vscode.window.showTextDocument(document, { preview: false });
      const chat = vscode.l10n.t('Chat');
      void vscode.window
        .showInformationMessage(
          escapeLinks(
            isRecording(document)
              ? vscode.l10n.t('"{0}" plays this recording while the file is open.', name)
              : vscode.l10n.t('"{0}" serves this card while the file is open, and echoes messages.', name),
          ),
          chat,
        )
        .then(choice => {
          if (choice === chat) void vscode.commands.executeCommand('a2a.openChat', name);
        });
    },
  };
}

/** One sentence about what was lost when a card was converted. */
function conversionLossText(losses: readonly CardLoss[], to: '1.0' | '0.3'): string {
  const sentences: Readonly<Record<CardLoss['reason'], string>> = {
    'no-0.3-interface': vscode.l10n.t('no interface declares 0.3, so check that the agent supports it'),
    'version-per-interface': vscode.l10n.t('interfaces of other versions'),
    tenant: vscode.l10n.t('tenants'),
    'device-code': vscode.l10n.t('the device code flow'),
    pkce: vscode.l10n.t('the PKCE requirement'),
    signatures: vscode.l10n.t('signatures, which cover the original card'),
  };
  const reasons = [...new Set(losses.map(({ reason }) => sentences[reason]))];
  return vscode.l10n.t('Written as {0}. Lost or changed: {1}.', to, reasons.join('; '));
}

/** Tab stops of a new card, in their order, with their defaults. With the defaults, it is a card without a problem. */
const places = (): readonly (readonly [name: string, words: string])[] => [
  ['name', vscode.l10n.t('My Agent')],
  ['description', vscode.l10n.t('What the agent is for.')],
  ['url', 'http://localhost:9999'],
  ['skillId', 'answer'],
  ['skillName', vscode.l10n.t('Answer')],
  ['skillDescription', vscode.l10n.t('What the skill does.')],
  ['tag', vscode.l10n.t('questions')],
  ['example', vscode.l10n.t('What can you do?')],
];

/** JSON as a snippet: strings that are the name of a tab stop become that tab stop. */
function snippet(card: unknown): vscode.SnippetString {
  const [built, stops] = [new vscode.SnippetString(), places()];
  for (const piece of JSON.stringify(card, null, 2)
    .split(/‹(\w+)›/)
    .entries()) {
    const [index, text] = piece;
    const place = index % 2 === 1 ? stops.findIndex(([name]) => name === text) : -1;
    if (place === -1) built.appendText(text);
    else built.appendPlaceholder(stops[place]![1], place + 1);
  }
  return built.appendText('\n');
}

const card = {
  name: '‹name›',
  description: '‹description›',
  version: '1.0.0',
  supportedInterfaces: [{ url: '‹url›', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: '‹skillId›', name: '‹skillName›', description: '‹skillDescription›', tags: ['‹tag›'], examples: ['‹example›'] }],
};

/** Opens an unsaved agent card to be filled in. */
async function newAgentCard(): Promise<void> {
  const editor = await openUntitled('agent', '.agent-card.json', '');
  await editor.insertSnippet(snippet(card), new vscode.Position(0, 0), { undoStopBefore: false, undoStopAfter: false });
}
