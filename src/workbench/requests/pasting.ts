import * as vscode from 'vscode';
import { requestFences } from '../../request/text/markdownFences.ts';
import { pastedLines } from '../../request/language/textPlaces.ts';
import { isMarkdown, requestSelector } from '../documents/requestDocuments.ts';
import { translate } from '../platform/report.ts';
import { oneLine } from '../platform/untrustedText.ts';

const kindOf = (name: string): vscode.DocumentDropOrPasteEditKind => vscode.DocumentDropOrPasteEditKind.Empty.append('a2a', name);

/** Kinds of edits that are offered: VS Code asks for them before anything is pasted. */
const pasteKinds = { request: kindOf('request'), body: kindOf('body'), lines: kindOf('lines') };

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

/** Offers for a pasted text: a cURL command or JSON-RPC body as a request, a body with small mistakes repaired. */
export async function pasteEdits(text: string, document: vscode.TextDocument): Promise<vscode.DocumentPasteEdit[]> {
  const { pasted } = await import('../../request/import/paste.ts');
  const { offers, fits, remarks } = pasted(text, { whole: document.getText().trim() === '' });
  return offers.map(({ as, text: insert }) => {
    const title = as === 'request' ? vscode.l10n.t('Insert as A2A Request') : vscode.l10n.t('Insert as Written, Repaired');
    // A paste has no notification: comments say what was left out.
    const comments = as === 'request' ? remarks.map(remark => `// ${oneLine(translate(remark))}`) : [];
    const edit = new vscode.DocumentPasteEdit([...comments, insert].join('\n'), title, pasteKinds[as]);
    // A valid body can also be pasted unchanged, which is then the default.
    if (fits) edit.yieldTo = [vscode.DocumentDropOrPasteEditKind.Text];
    return edit;
  });
}

/** Offer for several lines that are pasted into the text of a message, in which JSON has no line breaks: the part `lines`. */
function linesEdits(text: string, document: vscode.TextDocument, range: vscode.Range): vscode.DocumentPasteEdit[] {
  const start = document.offsetAt(range.start);
  const at = { offset: start, length: document.offsetAt(range.end) - start };
  const made = pastedLines(document.getText(), isMarkdown(document), at, text.replace(/\r?\n$/, ''));
  if (made === undefined) return [];
  // What stands around what is pasted goes into the lines, so the whole text is replaced. With edits beside a text that VS Code inserts itself
  // nothing changed (seen in 1.139); where that text is empty, the additional edit is all there is.
  const edit = new vscode.DocumentPasteEdit('', vscode.l10n.t('Insert as Lines'), pasteKinds.lines);
  edit.additionalEdit = new vscode.WorkspaceEdit();
  const { offset, length } = made.range;
  edit.additionalEdit.replace(document.uri, new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), made.text);
  return [edit];
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
