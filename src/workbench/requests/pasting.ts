import * as vscode from 'vscode';
import { requestLanguage } from '../documents/requestDocuments.ts';

/** Kinds of edits that `pasteEdits` of `requestImports.ts` offers: VS Code asks for them before anything is pasted. */
const pasteKinds = ['request', 'body'].map(kind => vscode.DocumentDropOrPasteEditKind.Empty.append('a2a', kind));

/**
 * When a cURL command or a JSON-RPC body is pasted into a request file, offers to insert it as a request, or a body with small mistakes
 * repaired.
 */
export function registerPasting(): vscode.Disposable {
  return vscode.languages.registerDocumentPasteEditProvider(
    { language: requestLanguage },
    {
      async provideDocumentPasteEdits(document, ranges, data) {
        const text = await data.get('text/plain')?.asString();
        if (text === undefined || isInString(document, ranges[0])) return [];
        return (await import('./requestImports.ts')).pasteEdits(text, document);
      },
    },
    { providedPasteEditKinds: pasteKinds, pasteMimeTypes: ['text/plain'] },
  );
}

/** Inside a string, pasted text is inserted unchanged. */
function isInString(document: vscode.TextDocument, range: vscode.Range | undefined): boolean {
  if (range === undefined) return false;
  const before = document.lineAt(range.start.line).text.slice(0, range.start.character).replaceAll(/\\./g, '');
  return before.split('"').length % 2 === 0;
}
