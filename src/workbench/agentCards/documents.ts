import * as vscode from 'vscode';
import type { CardProblem } from '../../card/cardProblem.ts';
import { cardValue, readCardText, type CardText } from '../../card/cardText.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { isWritable } from '../platform/ownDocuments.ts';

export const cardLanguage = 'a2a-card';

/** Scheme of the live card of an agent, arranged like the document it is compared with. */
export const liveCardScheme = 'a2a-live-card';

export const isCardDocument = ({ languageId, uri }: vscode.TextDocument): boolean => languageId === cardLanguage && isWritable({ uri });

const read = new WeakMap<vscode.TextDocument, { readonly version: number; readonly card: CardText | undefined }>();
const looked = new WeakMap<CardText, readonly CardProblem[]>();

/** The card of a document, read once for each of its versions: while one types, its page and its checks ask for it. */
export function cardTextOf(document: vscode.TextDocument): CardText | undefined {
  const known = read.get(document);
  if (known?.version === document.version) return known.card;
  const card = readCardText(document.getText());
  read.set(document, { version: document.version, card });
  return card;
}

/** What is wrong in a card, looked for once for each of its versions. */
export async function cardProblemsOf(document: vscode.TextDocument): Promise<readonly CardProblem[]> {
  const card = cardTextOf(document);
  const { cardProblems, problemsOf } = await import('../../card/checks/cardChecks.ts');
  if (card === undefined) return cardProblems(document.getText());
  const problems = looked.get(card) ?? problemsOf(card);
  looked.set(card, problems);
  return problems;
}

/**
 * The whole JSON of a card document, for what is made of it. @throws Problem while it is no complete JSON, and for a card that is too large to be
 * read whole.
 */
export function wholeCardOf(document: vscode.TextDocument): unknown {
  const card = cardTextOf(document);
  if (card !== undefined && card.omitted.length > 0) {
    throw new Problem('card-too-large', sentence('This card is too large to be read whole.'), {
      nextStep: sentence('The Problems view says where reading it ends. Shorten it there.'),
    });
  }
  const value = card && cardValue(card);
  if (value !== undefined) return value;
  throw new Problem('incomplete-card', sentence('This card is not complete JSON yet.'), {
    nextStep: sentence('Correct what is underlined and try again.'),
  });
}
