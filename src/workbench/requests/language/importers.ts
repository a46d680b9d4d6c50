import { dirname, resolve } from 'node:path';
import * as vscode from 'vscode';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { readRequestFile } from '../../../request/check/readRequestFile.ts';
import { renameImported, type Edit } from '../../../request/language/rename.ts';
import { SandboxedFiles } from '../../../request/values/sandboxedFiles.ts';
import { isMarkdown } from '../../documents/requestDocuments.ts';
import { openSearchResult } from '../../platform/workspaceFiles.ts';
import type { LanguageContexts } from './languageContexts.ts';

/** Maximum number of request files that are searched. */
const maxFiles = 1_000;

/**
 * Edits for a new name of a variable or request in the files that import it, as they are in the editor. Rejects with a `Problem`
 * `not-renamable` where there are too many files to look through, and those of `renameImported`.
 */
export async function editsOfImporters(
  document: vscode.TextDocument,
  names: { readonly from: string; readonly to: string },
  languageContexts: LanguageContexts,
): Promise<readonly { readonly document: vscode.TextDocument; readonly edits: readonly Edit[] }[]> {
  if (document.uri.scheme !== 'file' || vscode.workspace.getWorkspaceFolder(document.uri) === undefined) return [];
  const uris = await vscode.workspace.findFiles('**/*.{a2a,md}', '**/{node_modules,.git}/**', maxFiles + 1);
  if (uris.length > maxFiles) {
    throw new Problem('not-renamable', sentence('The workspace has more than {0} files that may use this name.', maxFiles), {
      nextStep: sentence('Open only the folder in which it is used, and rename it there.'),
    });
  }
  const found: { document: vscode.TextDocument; edits: readonly Edit[] }[] = [];
  for (const uri of uris) {
    if (uri.fsPath === document.uri.fsPath) continue;
    if (!(await textOf(uri)).includes('"import"')) continue;
    const importer = await openSearchResult(uri);
    const { imports } = readRequestFile(importer.getText(), { bounded: true, markdown: isMarkdown(importer) });
    if (!imports.some(({ value }) => resolve(dirname(uri.fsPath), value) === document.uri.fsPath)) continue;
    const edits = renameImported(await languageContexts.read(importer), {
      ...names,
      path: document.uri.fsPath,
      shown: vscode.workspace.asRelativePath(uri),
    });
    if (edits.length > 0) found.push({ document: importer, edits });
  }
  return found;
}

/** As it is in the editor, else on disk; empty for what cannot be read, and so is no file that anybody sends. */
async function textOf(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find(one => one.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(uri.fsPath);
  try {
    return await new SandboxedFiles({ root, folder: root }).text(uri.fsPath);
  } catch (error) {
    if (error instanceof Problem) return '';
    throw error;
  }
}
