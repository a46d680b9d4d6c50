import * as vscode from 'vscode';
import { convertCard } from '../../card/convertCard.ts';
import { cardDocument, cardLanguage, cardTextOf, completeCardOf } from './documents.ts';
import type { CardPreviews } from './previews.ts';
import { conversionLossText } from './conversionLosses.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { untitledDocument } from '../platform/untitledDocument.ts';
import { newAgentCard } from './newAgentCard.ts';
import { escapeLinks } from '../platform/untrustedText.ts';
import type { ServedCards } from './servedCards.ts';

type CardCommands = Pick<CommandHandlers, 'a2a.newAgentCard' | 'a2a.previewAgentCard' | 'a2a.convertAgentCard' | 'a2a.serveAgentCard'>;

/** True for a card that nobody can edit, too: that of an agent can be seen as a page and converted. */
const isCard = ({ languageId }: vscode.TextDocument): boolean => languageId === cardLanguage;

/** Commands for agent cards as documents. */
export function cardCommands({ served, previews }: { readonly served: ServedCards; readonly previews: CardPreviews }): CardCommands {
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
    'a2a.serveAgentCard': async argument => {
      const document = await cardDocument(argument);
      const stopped = await served.stop(document.uri);
      if (stopped !== undefined) {
        void vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t('The mock agent "{0}" was stopped.', stopped)));
        return;
      }
      const name = await served.serve(document);
      const chat = vscode.l10n.t('Chat');
      void vscode.window
        .showInformationMessage(
          escapeLinks(vscode.l10n.t('"{0}" serves this card while the file is open, and echoes messages.', name)),
          chat,
        )
        .then(choice => {
          if (choice === chat) void vscode.commands.executeCommand('a2a.openChat', name);
        });
    },
  };
}
