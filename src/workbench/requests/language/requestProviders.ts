import * as vscode from 'vscode';
import { tokens, type TokenKind } from '../../../request/language/tokens.ts';
import { rangeIn } from '../../platform/documentDiagnostics.ts';
import { requestLanguage, requestSelector } from '../../documents/requestDocuments.ts';
import type { RequestAnswers } from './requestAnswers.ts';
import type { LanguageContexts } from './languageContexts.ts';

/** Semantic token types for the tokens of a template, as VS Code's themes know them; undefined for no type. */
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

/** Registers the language features of request files, besides those that VS Code's JSON support derives from the schema. */
export function registerRequestLanguage(worlds: LanguageContexts): vscode.Disposable {
  const { languages } = vscode;
  const selector = requestSelector;
  let loading: Promise<RequestAnswers> | undefined;
  const answers = (): Promise<RequestAnswers> =>
    (loading ??= import('./requestAnswers.ts').then(({ requestAnswers }) => requestAnswers(worlds)));
  return vscode.Disposable.from(
    languages.registerCompletionItemProvider(
      selector,
      { provideCompletionItems: async (...asked) => (await answers()).completion.provideCompletionItems(...asked) },
      '"',
      '{',
      '.',
      '$',
      '[',
      ' ',
    ),
    languages.registerHoverProvider(selector, { provideHover: async (...asked) => (await answers()).hover.provideHover(...asked) }),
    languages.registerDefinitionProvider(selector, {
      provideDefinition: async (...asked) => (await answers()).definition.provideDefinition(...asked),
    }),
    languages.registerReferenceProvider(selector, {
      provideReferences: async (...asked) => (await answers()).reference.provideReferences(...asked),
    }),
    languages.registerRenameProvider(selector, {
      prepareRename: async (...asked) => (await answers()).rename.prepareRename(...asked),
      provideRenameEdits: async (...asked) => (await answers()).rename.provideRenameEdits(...asked),
    }),
    languages.registerCodeActionsProvider(
      selector,
      { provideCodeActions: async (...asked) => (await answers()).fix.provideCodeActions(...asked) },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    languages.registerCodeActionsProvider(
      selector,
      {
        provideCodeActions: async (...asked) => (await answers()).move.provideCodeActions(...asked),
        resolveCodeAction: async (...asked) => (await answers()).move.resolveCodeAction(...asked),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.RefactorExtract, vscode.CodeActionKind.RefactorInline] },
    ),
    languages.registerDocumentFormattingEditProvider(
      { language: requestLanguage },
      { provideDocumentFormattingEdits: async (...asked) => (await answers()).format.provideDocumentFormattingEdits(...asked) },
    ),
    languages.registerDocumentSemanticTokensProvider(selector, tokenProvider(worlds), legend),
    // Markdown has an outline of its own.
    languages.registerDocumentSymbolProvider(
      { language: requestLanguage },
      { provideDocumentSymbols: async (...asked) => (await answers()).symbol.provideDocumentSymbols(...asked) },
      { label: 'A2A' },
    ),
  );
}

const tokenProvider = (worlds: LanguageContexts): vscode.DocumentSemanticTokensProvider => ({
  provideDocumentSemanticTokens(document) {
    const built = new vscode.SemanticTokensBuilder(legend);
    const known = worlds.of(document);
    for (const { kind, range } of known === undefined ? [] : tokens(known.file)) {
      const type = tokenTypes[kind];
      if (type !== undefined) built.push(rangeIn(document, range), type);
    }
    return built.build();
  },
});
