import * as vscode from 'vscode';
import { cardProblemsOf, cardTextOf, isCardDocument } from './documents.ts';
import { isAskedFor, rangeIn } from '../platform/documentDiagnostics.ts';
import { translate } from '../platform/report.ts';
import { shapeFixes } from '../../card/cardProblems.ts';

/** Quick fixes for problems in agent cards. */
export const cardFixes: vscode.CodeActionProvider = {
  async provideCodeActions(document, range, { diagnostics }) {
    if (!isCardDocument(document)) return [];
    const card = cardTextOf(document);
    return [...(await cardProblemsOf(document)), ...(card === undefined ? [] : shapeFixes(card))]
      .filter(problem => isAskedFor(document, problem.range, range, diagnostics))
      .flatMap(problem =>
        problem.fixes.map(({ title, edits }, index) => {
          const action = new vscode.CodeAction(translate(title), vscode.CodeActionKind.QuickFix);
          action.diagnostics = diagnostics.filter(
            ({ source, code, range: at }) => source === 'a2a' && code === problem.code && at.isEqual(rangeIn(document, problem.range)),
          );
          action.isPreferred = index === 0;
          action.edit = new vscode.WorkspaceEdit();
          action.edit.set(
            document.uri,
            edits.map(edit => vscode.TextEdit.replace(rangeIn(document, edit), edit.text)),
          );
          return action;
        }),
      );
  },
};
