import * as vscode from 'vscode';
import { completions } from '../../../request/language/completions.ts';
import type { CompletionKind } from '../../../request/language/completion.ts';
import { fixesFor } from '../../../request/language/fixes.ts';
import { hover } from '../../../request/language/hover.ts';
import { definitions, references } from '../../../request/language/navigation.ts';
import { outline } from '../../../request/language/outline.ts';
import { renamable, rename } from '../../../request/language/rename.ts';
import { rangeIn } from '../../platform/documentDiagnostics.ts';
import { oneLine, escapeIcons } from '../../platform/untrustedText.ts';
import { explain, translate } from '../../platform/report.ts';
import { openSearchResult } from '../../platform/workspaceFiles.ts';
import type { LanguageContexts } from './languageContexts.ts';
import { shownProblems } from './shownProblems.ts';

const completionKinds: Readonly<Record<CompletionKind, vscode.CompletionItemKind>> = {
  agent: vscode.CompletionItemKind.User,
  request: vscode.CompletionItemKind.Event,
  variable: vscode.CompletionItemKind.Variable,
  function: vscode.CompletionItemKind.Function,
  member: vscode.CompletionItemKind.Field,
  method: vscode.CompletionItemKind.Method,
  id: vscode.CompletionItemKind.Reference,
  mediaType: vscode.CompletionItemKind.Value,
  skill: vscode.CompletionItemKind.Module,
  secret: vscode.CompletionItemKind.Constant,
};

/** Language features of request files; a bundle of its own, loaded with the first request of VS Code for one. */
export interface RequestAnswers {
  readonly completion: vscode.CompletionItemProvider;
  readonly hover: vscode.HoverProvider;
  readonly definition: vscode.DefinitionProvider;
  readonly reference: vscode.ReferenceProvider;
  readonly rename: Required<vscode.RenameProvider>;
  readonly fix: vscode.CodeActionProvider;
  readonly symbol: vscode.DocumentSymbolProvider;
}

export const requestAnswers = (worlds: LanguageContexts): RequestAnswers => ({
  completion: completionProvider(worlds),
  hover: hoverProvider(worlds),
  definition: definitionProvider(worlds),
  reference: referenceProvider(worlds),
  rename: renameProvider(worlds),
  fix: fixProvider(worlds),
  symbol: symbolProvider(worlds),
});

const completionProvider = (worlds: LanguageContexts): vscode.CompletionItemProvider => ({
  provideCompletionItems(document, position) {
    const known = worlds.of(document);
    if (known === undefined) return [];
    // Names of operations are suggested by the JSON schema, with their descriptions.
    return completions(known.file, document.offsetAt(position), known.world)
      .filter(({ kind }) => kind !== 'method')
      .map(({ label, kind, insert, range, detail, rank }) => {
        const item = new vscode.CompletionItem(
          {
            label: escapeIcons(label),
            description: detail === undefined ? undefined : oneLine(typeof detail === 'string' ? detail : translate(detail)),
          },
          completionKinds[kind],
        );
        const at = rangeIn(document, range);
        item.range = at;
        item.insertText = insert;
        // VS Code filters by the text of the range, also that before the caret.
        item.filterText = document.getText(at).startsWith('"') || !insert.startsWith('"') ? insert : insert.slice(1);
        item.sortText = `0${String(rank).padStart(6, '0')}`;
        return item;
      });
  },
});

const hoverProvider = (worlds: LanguageContexts): vscode.HoverProvider => ({
  provideHover(document, position) {
    const known = worlds.of(document);
    const found = known && hover(known.file, document.offsetAt(position), known.world);
    if (found === undefined) return undefined;
    // Neither trusted nor HTML: it can quote an agent.
    const text = new vscode.MarkdownString();
    found.facts.forEach((fact, index) => text.appendText(`${index === 0 ? '' : '\n'}${oneLine(translate(fact))}`));
    if (found.value !== undefined) text.appendCodeblock(found.value, 'plaintext');
    return new vscode.Hover(text, rangeIn(document, found.range));
  },
});

const definitionProvider = (worlds: LanguageContexts): vscode.DefinitionProvider => ({
  async provideDefinition(document, position) {
    const known = worlds.of(document);
    if (known === undefined) return [];
    return Promise.all(
      definitions(known.file, document.offsetAt(position), known.world).map(async ({ path, range }) => {
        const target = path === undefined ? document : await openSearchResult(vscode.Uri.file(path));
        return new vscode.Location(target.uri, rangeIn(target, range));
      }),
    );
  },
});

const referenceProvider = (worlds: LanguageContexts): vscode.ReferenceProvider => ({
  provideReferences(document, position, { includeDeclaration }) {
    const known = worlds.of(document);
    return known === undefined
      ? []
      : references(known.file, document.offsetAt(position), { declarations: includeDeclaration }).map(
          range => new vscode.Location(document.uri, rangeIn(document, range)),
        );
  },
});

const renameProvider = (worlds: LanguageContexts): Required<vscode.RenameProvider> => ({
  prepareRename(document, position) {
    const found = toldInWords(() => renamable(worlds.fileOf(document), document.offsetAt(position)));
    return { range: rangeIn(document, found.range), placeholder: found.name };
  },
  provideRenameEdits(document, position, name) {
    const edit = new vscode.WorkspaceEdit();
    edit.set(
      document.uri,
      toldInWords(() => rename(worlds.fileOf(document), document.offsetAt(position), name)).map(({ range, text }) =>
        vscode.TextEdit.replace(rangeIn(document, range), text),
      ),
    );
    return edit;
  },
});

/** VS Code shows the message of an error that a rename throws, so it must contain the next step. */
function toldInWords<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const { message, nextStep } = explain(cause);
    throw new Error([message, nextStep].filter(Boolean).join(' '), { cause });
  }
}

const fixProvider = (worlds: LanguageContexts): vscode.CodeActionProvider => ({
  provideCodeActions(document, range, { diagnostics }) {
    const known = worlds.of(document);
    if (known === undefined) return [];
    return shownProblems(worlds, document)
      .filter(problem => rangeIn(document, problem.range).intersection(range) !== undefined)
      .flatMap(problem =>
        fixesFor(problem, known.file, known.world).map(({ title, edits, preferred }) => {
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

const symbolProvider = (worlds: LanguageContexts): vscode.DocumentSymbolProvider => ({
  provideDocumentSymbols(document) {
    const known = worlds.of(document);
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
