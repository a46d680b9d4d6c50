import * as vscode from 'vscode';
import type { Part } from '../../protocol/message/part.ts';
import { openUntrustedLink } from '../platform/links.ts';
import { partFile, type PartFile } from '../../model/partFile.ts';
import { writeAtomically } from '../../model/writtenFile.ts';
import { plainTextIfSchema } from './readOnlyDocuments.ts';
import { askWhereToSave, orNotSaved } from './savedFile.ts';

/** Read-only in-memory files with what agents sent, opened in VS Code's own editors (text, image preview, JSON). */
export class PartFiles implements vscode.FileSystemProvider, vscode.Disposable {
  static readonly scheme = 'a2a-part';
  readonly #files = new Map<string, { readonly bytes: Uint8Array; readonly time: number }>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #registration: vscode.Disposable;
  readonly onDidChangeFile = this.#changed.event;

  constructor() {
    this.#registration = vscode.workspace.registerFileSystemProvider(PartFiles.scheme, this, { isReadonly: true, isCaseSensitive: true });
  }

  /**
   * Stores a file under a key, replacing one that is there. Beyond `maxFiles` the oldest are removed. The key is the authority of the URI:
   * as a folder it would be in the breadcrumbs, where it means nothing to a person.
   */
  put(key: string, { name, bytes }: PartFile): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: PartFiles.scheme, authority: encodeURIComponent(key), path: `/${name}` });
    this.#files.delete(fileKey(uri));
    this.#files.set(fileKey(uri), { bytes, time: Date.now() });
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= maxFiles) break;
      this.#files.delete(oldest);
    }
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    return uri;
  }

  /**
   * Stores a part under a key and opens it; the link of a URL part is opened instead.
   * @param line where a text is shown, from 1
   */
  async open(
    key: string,
    part: Part,
    artifactName: string | undefined,
    {
      preserveFocus = false,
      line,
      viewColumn = vscode.ViewColumn.Beside,
    }: { readonly preserveFocus?: boolean; readonly line?: number | undefined; readonly viewColumn?: vscode.ViewColumn | undefined } = {},
  ): Promise<void> {
    if ('url' in part) return openUntrustedLink(part.url);
    const file = partFile(part, artifactName);
    const uri = this.put(key, file);
    const options: vscode.TextDocumentShowOptions = {
      preview: true,
      preserveFocus,
      viewColumn,
      ...(line !== undefined && { selection: new vscode.Range(line - 1, 0, line - 1, 0) }),
    };
    if (shown.test(file.name)) await vscode.commands.executeCommand('vscode.open', uri, options);
    else if ('raw' in part) await vscode.commands.executeCommand('vscode.openWith', uri, 'default', options);
    else await vscode.window.showTextDocument(await plainTextIfSchema(await vscode.workspace.openTextDocument(uri)), options);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const file = this.#file(uri);
    return {
      type: vscode.FileType.File,
      ctime: file.time,
      mtime: file.time,
      size: file.bytes.length,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#file(uri).bytes;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  #file(uri: vscode.Uri): { readonly bytes: Uint8Array; readonly time: number } {
    const file = this.#files.get(fileKey(uri));
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }
}

/** VS Code's preview of pictures adds a query, so that nothing comes from a cache. */
const fileKey = ({ authority, path }: vscode.Uri): string => `${authority}${path}`;

/** Maximum number of files in memory; each is as large as one part. */
const maxFiles = 50;

/** File names that VS Code's own viewers show. All others open as text: a notebook or a custom editor might run what is in them. */
const shown = /\.(png|jpe?g|gif|webp|bmp|ico|mp3|wav|ogg|mp4|webm)$/i;

/**
 * Asks where to save a part and writes it there; writes nothing if the person cancels. For a URL part, its link is opened instead. Rejects
 * with a `Problem` `bad-link` or `not-saved`.
 */
export async function savePart(part: Part, artifactName: string | undefined): Promise<void> {
  if ('url' in part) return openUntrustedLink(part.url);
  const file = partFile(part, artifactName);
  const title = vscode.l10n.t('Save Artifact');
  const target = await askWhereToSave(file.name, { title, saveLabel: title });
  if (target === undefined) return;
  await orNotSaved(async () => {
    if (target.scheme === 'file') await writeAtomically(target.fsPath, [file.bytes]);
    else await vscode.workspace.fs.writeFile(target, file.bytes);
  });
}
