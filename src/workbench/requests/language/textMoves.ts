import * as vscode from 'vscode';
import { fileInstead, textInstead, textPlaceAt, type TextPlace } from '../../../request/language/textPlaces.ts';
import { SandboxedFiles } from '../../../request/values/sandboxedFiles.ts';
import { isTextual, mediaTypeOfName } from '../../../request/text/mediaTypes.ts';
import { isMarkdown, isRequestDocument } from '../../documents/requestDocuments.ts';
import { rangeIn } from '../../platform/documentDiagnostics.ts';
import { oneLine } from '../../platform/untrustedText.ts';
import { foldersOf } from '../values/fileEnvironments.ts';
import { exists } from '../../platform/workspaceFiles.ts';

/** Maximum number of files of one name that are tried. */
const maxNames = 100;

class TextMove extends vscode.CodeAction {
  readonly document: vscode.TextDocument;
  readonly place: TextPlace;

  constructor(title: string, kind: vscode.CodeActionKind, document: vscode.TextDocument, place: TextPlace) {
    super(title, kind);
    this.document = document;
    this.place = place;
  }
}

/** *Move Text to File* makes a file of the text of a message, and *Move Text Here* brings it back. */
export const textMoves: Required<Pick<vscode.CodeActionProvider, 'provideCodeActions' | 'resolveCodeAction'>> = {
  provideCodeActions(document, range) {
    if (!isRequestDocument(document) || document.uri.scheme !== 'file') return [];
    const place = textPlaceAt(document.getText(), isMarkdown(document), document.offsetAt(range.start));
    if (place === undefined) return [];
    if (place.file !== undefined) {
      if (!vscode.workspace.isTrusted || !isTextual(mediaTypeOfName(place.file))) return [];
      return [new TextMove(vscode.l10n.t('Move Text Here'), vscode.CodeActionKind.RefactorInline, document, place)];
    }
    const move = new TextMove(vscode.l10n.t('Move Text to File'), vscode.CodeActionKind.RefactorExtract, document, place);
    if (place.hasTemplates) move.disabled = { reason: vscode.l10n.t('A file is sent as it is: templates in it would not be filled in.') };
    return [move];
  },
  async resolveCodeAction(action) {
    if (!(action instanceof TextMove)) return action;
    const { document, place } = action;
    const edit = new vscode.WorkspaceEdit();
    const source = document.getText();
    const folder = vscode.Uri.joinPath(document.uri, '..');
    if (place.file !== undefined) {
      const files = new SandboxedFiles(foldersOf(document.uri)!);
      const made = textInstead(place, (await files.text(place.file)).replace(/\r?\n$/, ''), source);
      edit.replace(document.uri, rangeIn(document, made.range), made.text);
    } else {
      const uri = await freeName(folder);
      await new SandboxedFiles({ root: folder.fsPath, folder: folder.fsPath }).checkNew(uri.fsPath);
      edit.createFile(uri, { contents: Buffer.from(place.text), ignoreIfExists: false });
      const made = fileInstead(place, uri.path.split('/').at(-1)!);
      edit.replace(document.uri, rangeIn(document, made.range), made.text);
    }
    action.edit = edit;
    return action;
  },
};

async function freeName(folder: vscode.Uri): Promise<vscode.Uri> {
  for (let number = 1; number <= maxNames; number++) {
    const uri = vscode.Uri.joinPath(folder, `prompt${number === 1 ? '' : `-${number}`}.md`);
    if (!(await exists(uri))) return uri;
  }
  throw new Error(vscode.l10n.t('Too many files named like {0} already exist.', oneLine('prompt.md')));
}
