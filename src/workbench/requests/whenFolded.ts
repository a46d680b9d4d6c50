import * as vscode from 'vscode';
import { isRequestDocument } from '../documents/requestDocuments.ts';
import { report } from '../platform/report.ts';

/** Starts something with the first fold in a request file. */
export function whenFolded(start: () => Promise<vscode.Disposable>): vscode.Disposable {
  let started: vscode.Disposable | undefined;
  const listening = vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor: { document }, visibleRanges }) => {
    if (visibleRanges.length < 2 || !isRequestDocument(document)) return;
    listening.dispose();
    void start().then(made => (started = made), report);
  });
  return { dispose: () => (listening.dispose(), started?.dispose()) };
}
