import * as vscode from 'vscode';
import { tokens, type TokenKind } from '../../../request/language/tokens.ts';
import { rangeIn } from '../../platform/documentDiagnostics.ts';
import { requestLanguage, requestSelector } from '../../documents/requestDocuments.ts';
import { requestAnswers } from './requestAnswers.ts';
import type { LanguageContexts } from './languageContexts.ts';

/** Semantic token types of VS Code's themes for the tokens of a template; undefined for no type. */
const tokenTypes: Readonly<Record<TokenKind, string | undefined>> = {
  brace: 'operator',
  function: 'function',
  argument: 'parameter',
  variable: 'variable',
  request: 'event',
  path: 'property',
  unknown: undefined,
};
const legend = new vscode.SemanticTokensLegend([...new Set(Object.values(tokenTypes).filter(type => type !== undefined))]);

/**
 * Registers the language features of request files, besides those that VS Code's JSON support derives from the schema.
 *
 * To answer another question of VS Code: the answer in `request/language/`, its provider here, a test in
 * `test/integration/requestLanguage.test.ts`.
 */
export function registerRequestLanguage(languageContexts: LanguageContexts): vscode.Disposable {
  const { languages } = vscode;
  const selector = requestSelector;
  const answers = requestAnswers(languageContexts);
  return vscode.Disposable.from(
    languages.registerCompletionItemProvider(selector, answers.completion, '"', '{', '.', '$', '[', ' '),
    languages.registerHoverProvider(selector, answers.hover),
    languages.registerDefinitionProvider(selector, answers.definition),
    languages.registerReferenceProvider(selector, answers.reference),
    languages.registerRenameProvider(selector, answers.rename),
    languages.registerCodeActionsProvider(selector, answers.fix, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
    languages.registerCodeActionsProvider(selector, answers.move, {
      providedCodeActionKinds: [vscode.CodeActionKind.RefactorExtract, vscode.CodeActionKind.RefactorInline],
    }),
    languages.registerDocumentFormattingEditProvider({ language: requestLanguage }, answers.format),
    languages.registerDocumentSemanticTokensProvider(selector, tokenProvider(languageContexts), legend),
    // Markdown has an outline of its own.
    languages.registerDocumentSymbolProvider({ language: requestLanguage }, answers.symbol, { label: 'A2A' }),
  );
}

const tokenProvider = (languageContexts: LanguageContexts): vscode.DocumentSemanticTokensProvider => ({
  provideDocumentSemanticTokens(document) {
    const built = new vscode.SemanticTokensBuilder(legend);
    const known = languageContexts.of(document);
    for (const { kind, range } of known === undefined ? [] : tokens(known.file)) {
      const type = tokenTypes[kind];
      if (type !== undefined) built.push(rangeIn(document, range), type);
    }
    return built.build();
  },
});
