import * as vscode from 'vscode';
import { maxParts } from '../../../chat/host/limits.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { escapeIcons, escapeLinks } from '../../platform/untrustedText.ts';
import { requireSize } from './attachment.ts';

export interface ReadFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Asks for files in VS Code's own dialog; empty if the person cancels. */
export async function pickedFiles(): Promise<readonly vscode.Uri[]> {
  return (
    (await vscode.window.showOpenDialog({
      canSelectMany: true,
      openLabel: vscode.l10n.t('Attach'),
      title: vscode.l10n.t('Attach Files to the Message'),
    })) ?? []
  );
}

/**
 * The files that were dropped on the panel, from the URIs it sent. The panel is not trusted, so the person confirms them in VS Code's own
 * dialog; empty if the person declines.
 */
export async function confirmDropped(addresses: readonly string[]): Promise<readonly vscode.Uri[]> {
  const uris = addresses.map(address => ownUri(vscode.Uri.parse(address))).filter(({ scheme }) => isReadable(scheme));
  if (uris.length === 0)
    throw new Problem('no-files', sentence('The dropped item is not a file that VS Code can read.'), {
      nextStep: sentence('Attach them with the button instead.'),
    });
  const attach = vscode.l10n.t('Attach');
  const question =
    uris.length === 1
      ? vscode.l10n.t('Attach "{0}" to the message?', nameOf(uris[0]))
      : vscode.l10n.t('Attach {0} files to the message?', uris.length);
  const detail = uris.map(uri => vscode.workspace.asRelativePath(uri)).join('\n');
  return (await vscode.window.showInformationMessage(escapeLinks(question), { modal: true, detail: detail.slice(0, 2_000) }, attach)) ===
    attach
    ? uris
    : [];
}

const isReadable = (scheme: string): boolean => vscode.workspace.fs.isWritableFileSystem(scheme) !== undefined;

/**
 * The page sends URIs as the window sees them: a file on a remote machine has the scheme `vscode-remote`, but is `file` to extensions that
 * run there.
 */
function ownUri(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === 'vscode-remote' && !isReadable(uri.scheme) ? uri.with({ scheme: 'file', authority: '' }) : uri;
}

/** Reads files. Rejects with a `Problem`: `no-file` for a folder or an unreadable file, `file-too-large`, `too-many-files`. */
export async function readFiles(uris: readonly vscode.Uri[]): Promise<readonly ReadFile[]> {
  if (uris.length > maxParts)
    throw new Problem('too-many-files', sentence('A message can have at most {0} files.', maxParts), {
      nextStep: sentence('Choose fewer.'),
    });
  return Promise.all(
    uris.map(async uri => {
      const name = nameOf(uri);
      try {
        const { type, size } = await vscode.workspace.fs.stat(uri);
        if ((type & vscode.FileType.Directory) !== 0)
          throw new Problem('no-file', sentence('{0} is a folder.', escapeIcons(name)), { nextStep: sentence('Choose the files in it.') });
        // A named pipe has no file type; reading it would never end.
        if ((type & vscode.FileType.File) === 0)
          throw new Problem('no-file', sentence('{0} is not a regular file, so it was not read.', escapeIcons(name)));
        requireSize(name, size);
        const bytes = await vscode.workspace.fs.readFile(uri);
        requireSize(name, bytes.length);
        return { name, bytes };
      } catch (cause) {
        if (cause instanceof Problem) throw cause;
        throw new Problem(
          'no-file',
          sentence('{0} could not be read: {1}', escapeIcons(name), cause instanceof Error ? cause.message : String(cause)),
          { nextStep: sentence('Choose another file.'), cause },
        );
      }
    }),
  );
}

const nameOf = (uri: vscode.Uri | undefined): string => uri?.path.split('/').at(-1) ?? '';
