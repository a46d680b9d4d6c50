import * as vscode from 'vscode';
import { requestFences } from '../../request/text/markdownFences.ts';
import { isMarkdown, requestSelector } from '../documents/requestDocuments.ts';
import { linesEdits, pasteEdits, pasteKinds } from './requestImports.ts';

/** Offers to insert a pasted cURL command or JSON-RPC body as a request, or to repair a body with small mistakes. */
export function registerPasting(): vscode.Disposable {
  return vscode.languages.registerDocumentPasteEditProvider(
    requestSelector,
    {
      async provideDocumentPasteEdits(document, ranges, data) {
        const text = await data.get('text/plain')?.asString();
        const [range] = ranges;
        if (text === undefined || range === undefined) return [];
        if (isInString(document, range)) return /[\r\n]/.test(text.trim()) ? linesEdits(text, document, range) : [];
        if (isMarkdown(document) && !isInFence(document, range)) return [];
        return pasteEdits(text, document);
      },
    },
    { providedPasteEditKinds: Object.values(pasteKinds), pasteMimeTypes: ['text/plain'] },
  );
}

const isInFence = (document: vscode.TextDocument, { start }: vscode.Range): boolean =>
  requestFences(document.getText()).some(({ offset, length }) => {
    const at = document.offsetAt(start);
    return at >= offset && at <= offset + length;
  });

/** Inside a string, pasted text is inserted unchanged. */
function isInString(document: vscode.TextDocument, range: vscode.Range): boolean {
  const before = document.lineAt(range.start.line).text.slice(0, range.start.character).replaceAll(/\\./g, '');
  return before.split('"').length % 2 === 0;
}
