import * as vscode from 'vscode';
import { isMarkdown, isRequestDocument } from '../documents/requestDocuments.ts';
import { setContextKey } from '../platform/contextKeys.ts';
import { throttled } from '../platform/throttled.ts';

const updateMs = 300;

/** Sets a context key while the active editor is a Markdown document with requests: keys and commands of request files then work in it. */
export function watchMarkdown(): vscode.Disposable {
  let shown = false;
  const update = throttled(updateMs, () => {
    const document = vscode.window.activeTextEditor?.document;
    const found = document !== undefined && isMarkdown(document) && isRequestDocument(document);
    if (found === shown) return;
    shown = found;
    setContextKey('a2a.requestsInMarkdown', found);
  });
  update();
  return vscode.Disposable.from(
    update,
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.workspace.onDidOpenTextDocument(update),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === vscode.window.activeTextEditor?.document && isMarkdown(document)) update();
    }),
  );
}
