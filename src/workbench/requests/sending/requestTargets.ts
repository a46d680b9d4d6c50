import * as vscode from 'vscode';
import { Problem, sentence } from '../../../protocol/problem.ts';
import type { RequestEntry } from '../../../request/file/requestEntry.ts';
import type { LanguageContexts } from '../language/languageContexts.ts';
import { isRequestDocument, requestAt } from '../../documents/requestDocuments.ts';
import { openPickedFile } from '../../platform/workspaceFiles.ts';

/** @throws Problem in a workspace that is not trusted: addresses and texts in its files are unreviewed, so nothing is sent */
export function requireTrust(): void {
  if (!vscode.workspace.isTrusted) {
    throw new Problem('untrusted', sentence('Nothing was sent, because this workspace is not trusted.'), {
      nextStep: sentence('Look at the request files, then trust the workspace with "Workspaces: Manage Workspace Trust".'),
    });
  }
}

/**
 * The document of a command's argument: lenses pass its URI as text, menus as `Uri`; keybindings and the palette pass nothing, which means
 * the active editor.
 */
export async function documentOf(file: unknown): Promise<vscode.TextDocument> {
  const uri =
    typeof file === 'string'
      ? vscode.Uri.parse(file, true)
      : file instanceof vscode.Uri
        ? file
        : vscode.window.activeTextEditor?.document.uri;
  const document = uri === undefined ? undefined : await openPickedFile(uri);
  if (document === undefined || !isRequestDocument(document)) {
    throw new Problem('no-request-file', sentence('This is not a request file.'), { nextStep: sentence('Open an .a2a file.') });
  }
  return document;
}

/** The request with that key, or the one at the cursor. */
export async function requestOf(
  file: unknown,
  key: unknown,
  languageContexts: LanguageContexts,
): Promise<{ document: vscode.TextDocument; entry: RequestEntry }> {
  const document = await documentOf(file);
  const requests = languageContexts.fileOf(document);
  const editor = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find(shown => shown?.document === document);
  const entry =
    typeof key === 'string'
      ? requests.requests.find(request => request.key === key)
      : requestAt(requests, editor === undefined ? 0 : document.offsetAt(editor.selection.active));
  if (entry === undefined) throw noRequest();
  return { document, entry };
}

export const noRequest = (): Problem =>
  new Problem('no-request', sentence('No request to send here.'), {
    nextStep: sentence('Write one: an agent and a message are enough.'),
  });
