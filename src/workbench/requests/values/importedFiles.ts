import { relative } from 'node:path';
import * as vscode from 'vscode';
import { Problem, sentence } from '../../../protocol/problem.ts';
import type { ImportSources } from '../../../request/check/readImports.ts';
import { withEnvironment } from '../../../request/file/environmentHeaders.ts';
import type { ReadImports } from '../../../request/file/imports.ts';
import type { RequestFile } from '../../../request/file/requestFile.ts';
import { SandboxedFiles } from '../../../request/values/sandboxedFiles.ts';
import { parsedRequestFile } from '../../documents/requestDocuments.ts';
import { report } from '../../platform/report.ts';
import { defaultsOf, foldersOf, type FileEnvironment, type FileEnvironments } from './fileEnvironments.ts';
import { readImports } from '../../../request/check/readImports.ts';

/** Result of one document's imports. */
interface Known {
  readonly environment: FileEnvironment;
  /** The paths as the document has them. */
  readonly written: string;
  /** Whole paths of all files that were read or looked for. */
  readonly looked: ReadonlySet<string>;
  readonly reading: Promise<ReadImports>;
  imports: ReadImports | undefined;
}

const none: ReadImports = new Map();

/** Parses request documents with the files that they import, which are read again when they change. In an untrusted workspace none is read. */
export class ImportedFiles implements vscode.Disposable {
  readonly #environments: FileEnvironments;
  readonly #known = new Map<string, Known>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #registration: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor(environments: FileEnvironments) {
    this.#environments = environments;
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.{a2a,md}');
    this.#registration = vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(uri => this.#forget(uri)),
      watcher.onDidChange(uri => this.#forget(uri)),
      watcher.onDidDelete(uri => this.#forget(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#forget(document.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#known.delete(uri.toString())),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.#known.clear();
        this.#changed.fire();
      }),
    );
  }

  /** The document as far as is known now. Imported files that were not read yet are read, and `onDidChange` fires then. */
  parse(document: vscode.TextDocument): RequestFile {
    const environment = this.#environments.of(document.uri);
    const last = this.#known.get(document.uri.toString());
    const file = parsedRequestFile(document, environment, last?.imports ?? none);
    const known = this.#knownOf(document.uri, file, environment);
    if (known === last && known !== undefined) return file;
    known?.reading.then(() => this.#changed.fire(), report);
    return parsedRequestFile(document, environment, none);
  }

  /** The document with its environment, the chosen one or the named; reads first what it imports. Rejects with a `Problem` where the environment or the folder's defaults are wrong. */
  async read(document: vscode.TextDocument, name?: string): Promise<{ readonly environment: FileEnvironment; readonly file: RequestFile }> {
    const environment = await this.#environments.read(document.uri, name);
    const before = this.#known.get(document.uri.toString())?.imports ?? none;
    const known = this.#knownOf(document.uri, parsedRequestFile(document, environment, before), environment);
    return { environment, file: parsedRequestFile(document, environment, (await known?.reading) ?? none) };
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  /** Result of the imports, or the read under way; undefined where there are none, or none is read. */
  #knownOf(uri: vscode.Uri, file: RequestFile, environment: FileEnvironment): Known | undefined {
    const key = uri.toString();
    const folders = file.imports.length > 0 && vscode.workspace.isTrusted ? foldersOf(uri) : undefined;
    if (folders === undefined) {
      this.#known.delete(key);
      return undefined;
    }
    const written = JSON.stringify(file.imports.map(({ value }) => value));
    const last = this.#known.get(key);
    if (last?.written === written && last.environment === environment) return last;
    const looked = new Set<string>();
    const path = uri.scheme === 'file' ? uri.fsPath : undefined;
    const sources = sourcesIn(folders.root, looked, environment);
    const reading = readImports(file, { path, folder: folders.folder, sources, bounded: true });
    const known: Known = { environment, written, looked, reading, imports: undefined };
    this.#known.set(key, known);
    void reading.then(
      imports => (known.imports = imports),
      () => this.#known.delete(key),
    );
    return known;
  }

  #forget({ scheme, fsPath }: vscode.Uri): void {
    if (scheme !== 'file') return;
    const outdated = [...this.#known].filter(([, { looked }]) => looked.has(fsPath));
    for (const [key] of outdated) this.#known.delete(key);
    if (outdated.length > 0) this.#changed.fire();
  }
}

/** Reads files as they are in the editor, and those that are not open from disk, inside of the root alone. */
function sourcesIn(root: string, looked: Set<string>, environment: FileEnvironment): ImportSources {
  const files = new SandboxedFiles({ root, folder: root });
  return {
    shown: path => vscode.workspace.asRelativePath(path),
    text: async path => {
      looked.add(path);
      const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === path);
      const inside = relative(root, path);
      if (open === undefined) return files.text(inside);
      await files.check(inside);
      return open.getText();
    },
    defaults: async folder => {
      const defaults = await defaultsOf({ folder, root });
      const broken = defaults.problems.find(({ severity }) => severity === 'error');
      if (broken !== undefined) throw new Problem(broken.code, sentence('{0}: {1}', broken.path, broken.sentence));
      return withEnvironment(defaults, environment.headers);
    },
  };
}
