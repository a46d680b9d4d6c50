import * as vscode from 'vscode';
import { cardProblems } from '../card/cardChecks.ts';
import type { CardProblem } from '../card/cardProblem.ts';

export const cardLanguage = 'a2a-card';

/** Earlier versions of a card that Git shows are past. */
export const isCardDocument = ({ languageId, uri }: vscode.TextDocument): boolean => languageId === cardLanguage && uri.scheme !== 'git';

const looked = new WeakMap<vscode.TextDocument, { readonly version: number; readonly problems: readonly CardProblem[] }>();

/** What is wrong in a card, looked for once for each of its versions. */
export function cardProblemsOf(document: vscode.TextDocument): readonly CardProblem[] {
  const known = looked.get(document);
  if (known?.version === document.version) return known.problems;
  const problems = cardProblems(document.getText());
  looked.set(document, { version: document.version, problems });
  return problems;
}
