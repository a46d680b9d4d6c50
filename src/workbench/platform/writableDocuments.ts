import * as vscode from 'vscode';

/**
 * True for a document that can be edited. Read-only documents, such as a revision in Git's diff view (`git:`), text of an agent, or the
 * other side of a pull request, are not checked: their problems would be listed twice, and could not be fixed there.
 */
export const isWritable = ({ uri: { scheme } }: Pick<vscode.TextDocument, 'uri'>): boolean =>
  scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
