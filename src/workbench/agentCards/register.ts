import * as vscode from 'vscode';
import type { CardVerifying } from '../../client/card/signatures/lazyCardVerifier.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { Node } from '../agentsView/agentNodes.ts';
import type { ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
import { completeStep } from '../platform/contextKeys.ts';
import { DocumentDiagnostics } from '../platform/documentDiagnostics.ts';
import { cardChangeCommands } from './cardChangeCommands.ts';
import { cardComparison } from './cardComparison.ts';
import { cardCommands } from './commands.ts';
import { cardLanguage, cardProblemsOf, cardScheme, isCardDocument } from './documents.ts';
import { cardFixes } from './fixes.ts';
import { CardPreview } from './preview.ts';
import { RecognizedCards } from './recognizedCards.ts';
import type { ServedCards } from './servedCards.ts';
import { onDidChangeTrustedSigners } from './trustedSigners.ts';

/** True for the card of an agent: it cannot be changed here, but its faults are shown there. */
const isAgentsCard = ({ languageId, uri }: vscode.TextDocument): boolean => languageId === cardLanguage && uri.scheme === cardScheme;

/** Registers agent cards as documents: checks, fixes, preview, comparisons, signatures and mock agents. */
export function registerAgentCards({
  agents,
  documents,
  served,
  verifier,
  selected,
  extensionUri,
  workspaceState,
}: {
  readonly agents: Agents;
  readonly documents: ReadOnlyDocuments;
  readonly served: ServedCards;
  readonly verifier: CardVerifying;
  readonly selected: () => Node | undefined;
  readonly extensionUri: vscode.Uri;
  readonly workspaceState: vscode.Memento;
}) {
  const preview = new CardPreview(extensionUri, verifier);
  const recognized = new RecognizedCards(workspaceState);
  const look = (editor: vscode.TextEditor | undefined): void => {
    if (editor?.document.languageId === cardLanguage) completeStep('a2a.cardOpened');
  };
  look(vscode.window.activeTextEditor);
  const parts = vscode.Disposable.from(
    served,
    preview,
    recognized,
    vscode.window.onDidChangeActiveTextEditor(look),
    onDidChangeTrustedSigners(() => agents.reviewAgain()),
    new DocumentDiagnostics({ includes: document => isCardDocument(document) || isAgentsCard(document), problems: cardProblemsOf }),
    vscode.languages.registerCodeActionsProvider(cardLanguage, cardFixes, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
  );
  return {
    dispose: () => void parts.dispose(),
    commands: {
      ...cardCommands({ served, preview }),
      ...cardComparison({ agents, documents, selected }),
      ...cardChangeCommands({ agents, verifier, selected }),
      'a2a.checkAgentCard': (file: unknown) => recognized.check(file),
    },
  };
}
