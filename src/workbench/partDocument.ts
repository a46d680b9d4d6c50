import * as vscode from 'vscode';
import type { Part } from '../protocol/part.ts';
import { extensionOf, safeFileName } from './fileNames.ts';

/** A part as a file: its name, and its bytes. */
export interface PartFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The file a part makes: text as UTF-8, data as indented JSON, bytes as they are. URL parts hold no bytes of their own. */
export function partFile(part: Part, artifactName: string | undefined): PartFile | undefined {
  if ('url' in part) return undefined;
  const bytes = 'raw' in part ? Buffer.from(part.raw, 'base64')
    : Buffer.from('text' in part ? part.text : JSON.stringify(part.data, null, 2), 'utf8');
  const wanted = part.filename ?? artifactName;
  const extension = extensionOf(part.mediaType) ?? ('data' in part ? 'json' : 'text' in part ? 'md' : 'bin');
  const name = safeFileName(wanted, 'artifact');
  return { bytes, name: /\.\w{1,8}$/.test(name) ? name : `${name}.${extension}` };
}

/** Read-only files in memory for what agents sent: opened in VS Code's own editors (text, image preview, JSON). */
export class PartFiles implements vscode.FileSystemProvider, vscode.Disposable {
  static readonly scheme = 'a2a-part';
  readonly #files = new Map<string, { readonly bytes: Uint8Array; readonly time: number }>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #registration: vscode.Disposable;
  readonly onDidChangeFile = this.#changed.event;

  constructor() {
    this.#registration = vscode.workspace.registerFileSystemProvider(PartFiles.scheme, this, { isReadonly: true, isCaseSensitive: true });
  }

  /** Puts a part under its key (replacing what was there) and opens it. Oldest files are forgotten beyond a bound. */
  async open(key: string, part: Part, artifactName: string | undefined): Promise<void> {
    if ('url' in part) {
      const { openUntrustedLink } = await import('./links.ts');
      return openUntrustedLink(part.url);
    }
    const file = partFile(part, artifactName);
    if (file === undefined) return;
    const uri = vscode.Uri.from({ scheme: PartFiles.scheme, path: `/${encodeURIComponent(key)}/${file.name}` });
    this.#files.delete(uri.path);
    this.#files.set(uri.path, { bytes: file.bytes, time: Date.now() });
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= maxFiles) break;
      this.#files.delete(oldest);
    }
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const file = this.#file(uri);
    return { type: vscode.FileType.File, ctime: file.time, mtime: file.time, size: file.bytes.length, permissions: vscode.FilePermission.Readonly };
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
    const file = this.#files.get(uri.path);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }
}

/** Files held at once; each is as large as one part. */
const maxFiles = 50;

/** Asks where to put a part and writes it there. Nothing is written where the person did not say so. */
export async function savePart(part: Part, artifactName: string | undefined): Promise<void> {
  const file = partFile(part, artifactName);
  if (file === undefined) return;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    defaultUri: folder === undefined ? undefined : vscode.Uri.joinPath(folder, file.name),
    saveLabel: vscode.l10n.t('Save Artifact'),
  });
  if (target !== undefined) await vscode.workspace.fs.writeFile(target, file.bytes);
}
