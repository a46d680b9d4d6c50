import * as vscode from 'vscode';
import { completions } from '../../../request/language/completions.ts';
import type { CompletionKind } from '../../../request/language/completion.ts';
import { fixesFor } from '../../../request/language/fixes.ts';
import { hover } from '../../../request/language/hover.ts';
import { definitions, references } from '../../../request/language/navigation.ts';
import { outline } from '../../../request/language/outline.ts';
import { renamable, rename } from '../../../request/language/rename.ts';
import { tokens, type TokenKind } from '../../../request/language/tokens.ts';
import { schemaCompletions, schemaHover } from '../../../request/language/schemaOffers.ts';
import { isAskedFor, rangeIn } from '../../platform/documentDiagnostics.ts';
import { formatRequests } from '../../../request/text/formatRequests.ts';
import { jsoncTree } from '../../../request/text/syntaxErrors.ts';
import { editsOfImporters } from './importers.ts';
import { textMoves } from './textMoves.ts';
import { isMarkdown, requestLanguage, requestSelector } from '../../documents/requestDocuments.ts';
import { oneLine, escapeIcons } from '../../platform/untrustedText.ts';
import { explain, inARow, translate } from '../../platform/report.ts';
import { shippedSchema } from '../../platform/shippedSchema.ts';
import { openSearchResult } from '../../platform/workspaceFiles.ts';
import type { LanguageContexts } from './languageContexts.ts';
import { shownProblems } from './shownProblems.ts';

const completionKinds: Readonly<Record<CompletionKind, vscode.CompletionItemKind>> = {
  agent: vscode.CompletionItemKind.User,
  request: vscode.CompletionItemKind.Event,
  variable: vscode.CompletionItemKind.Variable,
  function: vscode.CompletionItemKind.Function,
  member: vscode.CompletionItemKind.Field,
  id: vscode.CompletionItemKind.Reference,
  mediaType: vscode.CompletionItemKind.Value,
  skill: vscode.CompletionItemKind.Module,
  secret: vscode.CompletionItemKind.Constant,
  key: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.Value,
  snippet: vscode.CompletionItemKind.Snippet,
};

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
  return vscode.Disposable.from(
    languages.registerCompletionItemProvider(selector, completionProvider(languageContexts), '"', '{', '.', '$', '[', ' '),
    languages.registerHoverProvider(selector, hoverProvider(languageContexts)),
    languages.registerDefinitionProvider(selector, definitionProvider(languageContexts)),
    languages.registerReferenceProvider(selector, referenceProvider(languageContexts)),
    languages.registerRenameProvider(selector, renameProvider(languageContexts)),
    languages.registerCodeActionsProvider(selector, fixProvider(languageContexts), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
    languages.registerCodeActionsProvider(selector, textMoves, {
      providedCodeActionKinds: [vscode.CodeActionKind.RefactorExtract, vscode.CodeActionKind.RefactorInline],
    }),
    languages.registerDocumentFormattingEditProvider({ language: requestLanguage }, format),
    languages.registerDocumentSemanticTokensProvider(selector, tokenProvider(languageContexts), legend),
    // Markdown has an outline of its own.
    languages.registerDocumentSymbolProvider({ language: requestLanguage }, symbolProvider(languageContexts), { label: 'A2A' }),
  );
}

const format: vscode.DocumentFormattingEditProvider = {
  provideDocumentFormattingEdits(document, { insertSpaces, tabSize }) {
    const text = document.getText();
    const { root, errors } = jsoncTree(text);
    // A file that cannot be read as a whole is left as it is.
    if (root === undefined || errors.length > 0) return [];
    return formatRequests(text, root, {
      indent: insertSpaces ? ' '.repeat(tabSize) : '\t',
      eol: document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n',
    }).map(({ range, text: inserted }) => vscode.TextEdit.replace(rangeIn(document, range), inserted));
  },
};

const completionProvider = (languageContexts: LanguageContexts): vscode.CompletionItemProvider => ({
  async provideCompletionItems(document, position) {
    const known = languageContexts.of(document);
    if (known === undefined) return [];
    const offset = document.offsetAt(position);
    // In a request file those of the schema come from VS Code's JSON support.
    const ofSchema = isMarkdown(document) ? await schemaCompletions(known.file, offset, await shippedSchema('*.a2a')) : [];
    return [...completions(known.file, offset, known.context), ...ofSchema].map(
      ({ label, title, kind, insert, range, detail, rank, snippet, documentation }) => {
        const item = new vscode.CompletionItem(
          {
            label: escapeIcons(title === undefined ? label : translate(title)),
            description: detail === undefined ? undefined : oneLine(typeof detail === 'string' ? detail : translate(detail)),
          },
          completionKinds[kind],
        );
        const at = rangeIn(document, range);
        item.range = at;
        item.insertText = snippet === true ? new vscode.SnippetString(insert) : insert;
        if (documentation !== undefined) item.documentation = new vscode.MarkdownString(documentation);
        // VS Code filters by the text of the range, also that before the caret.
        const isQuoted = document.getText(at).startsWith('"');
        item.filterText =
          snippet === true ? (isQuoted ? JSON.stringify(label) : label) : isQuoted || !insert.startsWith('"') ? insert : insert.slice(1);
        // A key whose value has several kinds: they are offered at once.
        if (snippet === true && /\$1,?$/.test(insert)) item.command = { title: '', command: 'editor.action.triggerSuggest' };
        item.sortText = `0${String(rank).padStart(6, '0')}`;
        return item;
      },
    );
  },
});

const hoverProvider = (languageContexts: LanguageContexts): vscode.HoverProvider => ({
  async provideHover(document, position) {
    const known = languageContexts.of(document);
    const offset = document.offsetAt(position);
    const found = known && hover(known.file, offset, known.context);
    if (found === undefined) {
      const key = known && isMarkdown(document) ? await schemaHover(known.file, offset, await shippedSchema('*.a2a')) : undefined;
      return key && new vscode.Hover(new vscode.MarkdownString(key.description), rangeIn(document, key.range));
    }
    // Neither trusted nor HTML: it can quote an agent.
    const text = new vscode.MarkdownString();
    found.facts.forEach((fact, index) => text.appendText(`${index === 0 ? '' : '\n'}${oneLine(translate(fact))}`));
    if (found.value !== undefined) text.appendCodeblock(found.value, 'plaintext');
    return new vscode.Hover(text, rangeIn(document, found.range));
  },
});

const definitionProvider = (languageContexts: LanguageContexts): vscode.DefinitionProvider => ({
  async provideDefinition(document, position) {
    const known = languageContexts.of(document);
    if (known === undefined) return [];
    return Promise.all(
      definitions(known.file, document.offsetAt(position), known.context).map(async ({ path, range }) => {
        const target = path === undefined ? document : await openSearchResult(vscode.Uri.file(path));
        return new vscode.Location(target.uri, rangeIn(target, range));
      }),
    );
  },
});

const referenceProvider = (languageContexts: LanguageContexts): vscode.ReferenceProvider => ({
  provideReferences(document, position, { includeDeclaration }) {
    const known = languageContexts.of(document);
    return known === undefined
      ? []
      : references(known.file, document.offsetAt(position), { declarations: includeDeclaration }).map(
          range => new vscode.Location(document.uri, rangeIn(document, range)),
        );
  },
});

const renameProvider = (languageContexts: LanguageContexts): Required<vscode.RenameProvider> => ({
  async prepareRename(document, position) {
    const found = await withExplainedErrors(() => renamable(languageContexts.fileOf(document), document.offsetAt(position)));
    return { range: rangeIn(document, found.range), placeholder: found.name };
  },
  provideRenameEdits: (document, position, name) =>
    withExplainedErrors(async () => {
      const file = languageContexts.fileOf(document);
      const offset = document.offsetAt(position);
      const edits = rename(file, offset, name);
      const names = { from: renamable(file, offset).name, to: name };
      const all = [{ document, edits }, ...(edits.length === 0 ? [] : await editsOfImporters(document, names, languageContexts))];
      const edit = new vscode.WorkspaceEdit();
      for (const one of all)
        edit.set(
          one.document.uri,
          one.edits.map(({ range, text }) => vscode.TextEdit.replace(rangeIn(one.document, range), text)),
        );
      return edit;
    }),
});

/** VS Code shows the message of an error that a rename throws, so it must contain the next step. */
async function withExplainedErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { message, nextStep } = explain(cause);
    throw new Error(inARow(message, nextStep), { cause });
  }
}

const fixProvider = (languageContexts: LanguageContexts): vscode.CodeActionProvider => ({
  provideCodeActions(document, range, { diagnostics }) {
    const known = languageContexts.of(document);
    if (known === undefined) return [];
    return shownProblems(languageContexts, document)
      .filter(problem => isAskedFor(document, problem.range, range, diagnostics))
      .flatMap(problem =>
        fixesFor(problem, known.file, known.context).map(({ title, edits, preferred }) => {
          const action = new vscode.CodeAction(oneLine(translate(title)), vscode.CodeActionKind.QuickFix);
          action.diagnostics = diagnostics.filter(
            ({ source, code, range: at }) => source === 'a2a' && code === problem.code && at.isEqual(rangeIn(document, problem.range)),
          );
          action.isPreferred = preferred === true;
          action.edit = new vscode.WorkspaceEdit();
          action.edit.set(
            document.uri,
            edits.map(edit => vscode.TextEdit.replace(rangeIn(document, edit.range), edit.text)),
          );
          return action;
        }),
      );
  },
});

const symbolProvider = (languageContexts: LanguageContexts): vscode.DocumentSymbolProvider => ({
  provideDocumentSymbols(document) {
    const known = languageContexts.of(document);
    return known === undefined
      ? []
      : outline(known.file).map(
          ({ name, detail, kind, range, nameRange }) =>
            new vscode.DocumentSymbol(
              typeof name === 'string' ? escapeIcons(name) || '…' : translate(name),
              oneLine(detail),
              kind === 'variable' ? vscode.SymbolKind.Variable : vscode.SymbolKind.Event,
              rangeIn(document, range),
              rangeIn(document, nameRange),
            ),
        );
  },
});

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
