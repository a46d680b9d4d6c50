import * as vscode from 'vscode';

/**
 * True for a document that the person can write to. What is shown beside it for reading, such as a revision in Git's diff view (`git:`), what an
 * agent sent, or the other side of a pull request, is not checked: its problems would stand there twice, and nobody could mend them.
 */
export const isWritable = ({ uri: { scheme } }: Pick<vscode.TextDocument, 'uri'>): boolean =>
  scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
