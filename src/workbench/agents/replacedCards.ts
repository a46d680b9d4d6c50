import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import { escapeLinks } from '../platform/untrustedText.ts';
import { translate } from '../platform/report.ts';

/** Says what is new in a card that was read again after a failure. */
export const tellReplacedCards = (agents: Pick<Agents, 'onDidReplaceCard'>): vscode.Disposable =>
  agents.onDidReplaceCard(({ name, review: { changes } }) => {
    if (changes === undefined) return;
    const phrases = changes.phrases.map(translate).join(', ');
    const words = vscode.l10n.t('The agent card of "{0}" has changed: {1}. What failed can be sent again.', name, phrases);
    void vscode.window.showInformationMessage(escapeLinks(words));
  });
