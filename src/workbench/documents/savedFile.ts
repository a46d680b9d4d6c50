import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { Problem, sentence } from '../../protocol/problem.ts';
import { harText, type HarSource } from '../../request/export/har.ts';
import { safeFileName } from '../../model/fileNames.ts';
import { writeAtomically } from '../../model/writtenFile.ts';
import { secretsToMask } from '../platform/shownSecrets.ts';
import { escapeLinks } from '../platform/untrustedText.ts';

/** The version of this extension. */
export function ownVersion(): string {
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
  const target = await askWhereToSave(`${safeFileName(name.slice(0, 60), 'exchanges')}.${extension}`, {
    filters: { [kind]: [extension] },
    title: kind,
    saveLabel: vscode.l10n.t('Save'),
  });
  if (target === undefined) return;
  async function* pieces(): AsyncGenerator<string> {
    for (const piece of texts) {
      yield piece;
      // Other work of the extension host goes on between two exchanges.
      await new Promise(setImmediate);
    }
  }
  await writeExport(target, pieces());
  announceExport(target);
}

/** Asks where to save a file of this name; undefined where the person cancels. */
export function askWhereToSave(name: string, options: vscode.SaveDialogOptions): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  return vscode.window.showSaveDialog({ defaultUri: vscode.Uri.joinPath(folder, name), ...options });
}

/** Writes a file atomically; false where `goesOn` was false at the end. Rejects with a `Problem` `not-saved`. */
export async function writeExport(target: vscode.Uri, pieces: AsyncIterable<string>, goesOn?: () => boolean): Promise<boolean> {
  if (target.scheme !== 'file') {
    throw new Problem('not-saved', sentence('The history can only be exported to a folder of this machine.'), {
      nextStep: sentence('Choose another folder.'),
    });
  }
  return orNotSaved(() => writeAtomically(target.fsPath, pieces, goesOn));
}

/** Rejects with a `Problem` `not-saved` where writing fails. */
export async function orNotSaved<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem('not-saved', sentence('The file could not be saved: {0}', cause instanceof Error ? cause.message : String(cause)), {
      nextStep: sentence('Choose another folder.'),
      cause,
    });
  }
}

/** Says that a file was exported, and offers to open it. */
export function announceExport(target: vscode.Uri, lines?: number): void {
  const open = vscode.l10n.t('Open');
  const done =
    lines === undefined
      ? vscode.l10n.t('Exported to {0}.', target.fsPath)
      : vscode.l10n.t('Exported to {0}. Lines: {1}.', target.fsPath, lines);
  void vscode.window.showInformationMessage(escapeLinks(done), open).then(choice => {
    if (choice === open) void vscode.commands.executeCommand('vscode.open', target);
  });
}
