import * as vscode from 'vscode';
import { partsOf } from '../../request/file/olderShapes.ts';
import { memberOf } from '../../request/text/jsonNode.ts';
import { isRequestDocument } from '../documents/requestDocuments.ts';
import { throttled } from '../platform/throttled.ts';
import { oneLine, truncated } from '../platform/untrustedText.ts';
import type { LanguageContexts } from './language/languageContexts.ts';

const updateMs = 150;
const maxLength = 120;

/** Shows beside a folded `lines` the text that it is. VS Code's folds have no text of their own; what is folded is not among the visible ranges. */
export function showFoldedLines(languageContexts: LanguageContexts): vscode.Disposable {
  const look = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 1ch' },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  const shown = new WeakSet<vscode.TextEditor>();
  const update = throttled(updateMs, () => {
    for (const editor of vscode.window.visibleTextEditors) {
      const decorations = isRequestDocument(editor.document) ? foldedIn(editor, languageContexts) : [];
      if (decorations.length === 0 && !shown.has(editor)) continue;
      editor.setDecorations(look, decorations);
      shown.add(editor);
    }
  });
  update();
  return vscode.Disposable.from(
    look,
    update,
    vscode.window.onDidChangeTextEditorVisibleRanges(update),
    vscode.window.onDidChangeVisibleTextEditors(update),
  );
}

function foldedIn({ document, visibleRanges }: vscode.TextEditor, languageContexts: LanguageContexts): vscode.DecorationOptions[] {
  // Without a gap nothing is folded.
  if (visibleRanges.length < 2) return [];
  return languageContexts.fileOf(document).requests.flatMap(entry =>
    partsOf(entry).flatMap((part): vscode.DecorationOptions[] => {
      const lines = memberOf(part, 'lines')?.value;
      if (lines?.type !== 'array') return [];
      const first = document.positionAt(lines.offset).line;
      const last = document.positionAt(lines.offset + lines.length).line;
      const isFolded = last > first && visibleRanges.slice(0, -1).some(({ end }) => end.line === first);
      if (!isFolded) return [];
      const { end } = document.lineAt(first).range;
      const text = (lines.children ?? []).map(({ value }) => String(value)).join(' ');
      return [{ range: new vscode.Range(end, end), renderOptions: { after: { contentText: truncated(oneLine(text), maxLength) } } }];
    }),
  );
}
