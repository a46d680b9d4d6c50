import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { Problem, sentence } from '../../protocol/problem.ts';
import { harText, type HarSource } from '../../request/export/har.ts';
import { safeFileName } from '../../model/fileNames.ts';
import { writeAtomically } from '../../model/writtenFile.ts';
import { secretsToMask } from '../platform/shownSecrets.ts';
import { escapeLinks } from '../platform/untrustedText.ts';

function ownVersion(): string {
  const own = vscode.extensions.getExtension('a2a-workbench.a2a-workbench')?.packageJSON as { readonly version?: string } | undefined;
  return own?.version ?? '';
}

/**
 * Asks where to save and writes exchanges as HAR 1.2, atomically, with every known secret value masked. Resolves when the file is written,
 * or the person cancels. Rejects with a `Problem` `not-saved`.
 * @param name suggested for the file
 */
export async function saveHar(name: string, sources: Iterable<HarSource>): Promise<void> {
  const creator = { name: 'A2A Workbench', version: ownVersion() };
  await save(
    name,
    'har',
    vscode.l10n.t('HTTP Archive'),
    harText(sources, creator, value => secretsToMask.maskIn(value)),
  );
}

/** Saves a response as JSON, like `saveExchanges`. */
export async function saveText(name: string, text: string): Promise<void> {
  await save(name, 'json', 'JSON', [text]);
}

/**
 * Saves a report of any format in the same way.
 * @param kind name of the format
 */
export async function saveReport(name: string, extension: string, kind: string, text: string): Promise<void> {
  await save(name, extension, kind, [text]);
}

async function save(name: string, extension: string, kind: string, texts: Iterable<string>): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, `${safeFileName(name.slice(0, 60), 'exchanges')}.${extension}`),
    filters: { [kind]: [extension] },
    title: kind,
    saveLabel: vscode.l10n.t('Save'),
  });
  if (target === undefined) return;
  if (target.scheme !== 'file') {
    throw new Problem('not-saved', sentence('The history can only be exported to a folder of this machine.'), {
      nextStep: sentence('Choose another folder.'),
    });
  }
  async function* pieces(): AsyncGenerator<string> {
    for (const piece of texts) {
      yield piece;
      // Other work of the extension host goes on between two exchanges.
      await new Promise(setImmediate);
    }
  }
  try {
    await writeAtomically(target.fsPath, pieces());
  } catch (cause) {
    throw new Problem('not-saved', sentence('The file could not be saved: {0}', cause instanceof Error ? cause.message : String(cause)), {
      nextStep: sentence('Choose another folder.'),
      cause,
    });
  }
  const open = vscode.l10n.t('Open');
  void vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t('Exported to {0}.', target.fsPath)), open).then(choice => {
    if (choice === open) void vscode.commands.executeCommand('vscode.open', target);
  });
}
