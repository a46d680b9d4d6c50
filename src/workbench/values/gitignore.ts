import * as vscode from 'vscode';
import { report } from '../report.ts';

const decoder = new TextDecoder();

/** Offers to keep a file out of version control, unless it is already. Never rejects. */
export async function keepOutOfGit(folder: vscode.Uri, name: string): Promise<void> {
  try {
    const uri = vscode.Uri.joinPath(folder, '.gitignore');
    const before = await vscode.workspace.fs.readFile(uri).then(bytes => decoder.decode(bytes), () => '');
    if (ignores(before, name)) return;
    const add = vscode.l10n.t('Add to .gitignore');
    if (await vscode.window.showInformationMessage(vscode.l10n.t('{0} holds private values. Keep it out of version control?', name), add) !== add) return;
    await vscode.workspace.fs.writeFile(uri, Buffer.from(withLine(before, name)));
  } catch (error) {
    await report(error);
  }
}

/** The patterns that people write for one file; others are not understood, and then the question is one too many. */
const ignores = (text: string, name: string): boolean => text.split(/\r?\n/).some(line => [name, `/${name}`, `**/${name}`].includes(line.trim()));

function withLine(text: string, line: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  return `${text}${text === '' || text.endsWith('\n') ? '' : end}${line}${end}`;
}
