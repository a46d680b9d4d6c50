import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { listOf, Problem, sentence } from '../../../protocol/problem.ts';
import { readEnvironments, type Environments } from '../../../request/environment/environments.ts';
import { environmentFileNames } from '../../../request/values/environmentFileNames.ts';
import { findEnvironments } from '../../../request/environment/findEnvironments.ts';
import { environmentHeaders, withEnvironment } from '../../../request/file/environmentHeaders.ts';
import { defaultsFileName, noDefaults, type FolderDefaults, type HeadersSetting } from '../../../request/file/folderDefaults.ts';
import { noValues, type Values } from '../../../request/text/value.ts';
import { report } from '../../platform/report.ts';
import { findDefaults, readDefaults } from '../../../request/check/folderDefaults.ts';
import type { SearchedFolders } from '../../../request/environment/findFolderFiles.ts';

const stateKey = 'requests.environment';

/** The environments of a request file, and the chosen one. */
export interface FileEnvironment {
  /** Names of all environments. */
  readonly names: readonly string[];
  /** The chosen one; undefined if none is, or if the file does not have it. */
  readonly name?: string;
  /** True if the chosen one is marked as production. */
  readonly production: boolean;
  /** Variables of the environment; the same object as long as nothing changes. */
  readonly values: Values;
  /** Headers of the environment. */
  readonly headers: readonly HeadersSetting[];
  /** The folder's defaults for its request files, with the headers of the environment; the same object as long as nothing changes. */
  readonly defaults: FolderDefaults;
}

const none: FileEnvironment = { names: [], production: false, values: noValues, headers: [], defaults: noDefaults };

/** Environments and defaults that apply to a request file. */
export interface Around {
  readonly environments: Environments;
  readonly defaults: FolderDefaults;
}

const nothing: Around = { environments: readEnvironments([]), defaults: noDefaults };

async function aroundOf(folders: SearchedFolders): Promise<Around> {
  const [environments, defaults] = await Promise.all([findEnvironments(folders), defaultsOf(folders)]);
  return { environments: readEnvironments(environments), defaults };
}

/** The defaults of a folder; their paths are shown to people. */
export async function defaultsOf(folders: SearchedFolders): Promise<FolderDefaults> {
  const found = await findDefaults(folders);
  return readDefaults(found.map(({ path, text }) => ({ path: vscode.workspace.asRelativePath(path), text })));
}

/** The folders in which the environment files of a request file are searched; undefined if it is neither on disk nor in a workspace. */
export function foldersOf(uri: vscode.Uri): { readonly folder: string; readonly root: string } | undefined {
  if (uri.scheme === 'file') {
    const folder = dirname(uri.fsPath);
    return { folder, root: vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? folder };
  }
  // An unsaved file belongs to the first folder of the workspace.
  const first = uri.scheme === 'untitled' ? vscode.workspace.workspaceFolders?.[0]?.uri : undefined;
  return first?.scheme === 'file' ? { folder: first.fsPath, root: first.fsPath } : undefined;
}

/** The environment and defaults files of the workspace, read again when they change. In an untrusted workspace none is read. */
export class FileEnvironments implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #read = new Map<string, Around>();
  readonly #reading = new Map<string, Promise<Around>>();
  readonly #chosen = new Map<string, FileEnvironment>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #registration: vscode.Disposable;
  readonly onDidChange = this.#changed.event;
  readonly #aroundOf: typeof aroundOf;
  /** Number of changes of files. */
  #changes = 0;

  /** @param readAround reads the files around a request file */
  constructor(state: vscode.Memento, readAround = aroundOf) {
    this.#state = state;
    this.#aroundOf = readAround;
    const watcher = vscode.workspace.createFileSystemWatcher(
      `**/{${[...Object.values(environmentFileNames), defaultsFileName].join(',')}}`,
    );
    const forget = (): void => this.#forget();
    this.#registration = vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(forget),
      watcher.onDidChange(forget),
      watcher.onDidDelete(forget),
      vscode.workspace.onDidGrantWorkspaceTrust(forget),
    );
  }

  /** The environment of a file, as read so far. Files that were not read yet are read, and `onDidChange` fires then. */
  of(uri: vscode.Uri): FileEnvironment {
    const key = keyOf(uri);
    const known = this.#read.get(key);
    if (known !== undefined) return this.#choice(key, known);
    if (!this.#reading.has(key)) this.#load(uri).then(() => this.#changed.fire(), report);
    return none;
  }

  /** Environments for a file, as read so far; undefined in an untrusted workspace, and before they are read: `onDidChange` fires then. */
  around(uri: vscode.Uri): Environments | undefined {
    if (!vscode.workspace.isTrusted) return undefined;
    this.of(uri);
    return this.#read.get(keyOf(uri))?.environments;
  }

  /**
   * Reads the files first. Rejects with a `Problem` if one of them cannot be read or is invalid, or if none has the environment.
   * @param name an environment instead of the chosen one
   */
  async read(uri: vscode.Uri, name?: string): Promise<FileEnvironment> {
    const around = await this.#load(uri);
    const [broken] = [...around.environments.problems, ...around.defaults.problems.filter(({ severity }) => severity === 'error')];
    if (broken !== undefined) {
      throw new Problem(broken.code, sentence('{0}: {1}', vscode.workspace.asRelativePath(broken.path), broken.sentence), {
        nextStep: sentence('Correct the file and try again.'),
      });
    }
    if (name === undefined) return this.#choice(keyOf(uri), around);
    const { names } = around.environments;
    if (names.includes(name)) return environmentOf(around, name);
    throw new Problem('no-environment', sentence('No environment is named "{0}".', name), {
      nextStep: names.length === 0 ? undefined : sentence('There are: {0}.', listOf(names)),
    });
  }

  /** Chooses an environment for every file of the workspace that has it; undefined for none. */
  async choose(name: string | undefined): Promise<void> {
    await this.#state.update(stateKey, name);
    this.#chosen.clear();
    this.#changed.fire();
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  async #load(uri: vscode.Uri): Promise<Around> {
    const key = keyOf(uri);
    const folders = vscode.workspace.isTrusted ? foldersOf(uri) : undefined;
    const changes = this.#changes;
    const reading = folders === undefined ? Promise.resolve(nothing) : this.#aroundOf(folders);
    this.#reading.set(key, reading);
    const around = await reading;
    // The file may have changed after it was read.
    if (changes !== this.#changes) return this.#load(uri);
    this.#read.set(key, around);
    this.#chosen.delete(key);
    return around;
  }

  #choice(key: string, around: Around): FileEnvironment {
    const known = this.#chosen.get(key);
    if (known !== undefined) return known;
    const wanted = this.#state.get<string>(stateKey);
    const name = wanted !== undefined && around.environments.names.includes(wanted) ? wanted : undefined;
    const made = environmentOf(around, name);
    this.#chosen.set(key, made);
    return made;
  }

  #forget(): void {
    this.#changes++;
    this.#read.clear();
    this.#reading.clear();
    this.#chosen.clear();
    this.#changed.fire();
  }
}

function environmentOf({ environments, defaults }: Around, name: string | undefined): FileEnvironment {
  const { names, production, values } = environments;
  const headers = environmentHeaders(environments, name, path => vscode.workspace.asRelativePath(path));
  return {
    names,
    ...(name !== undefined && { name }),
    production: name !== undefined && production.has(name),
    values: values(name),
    headers,
    defaults: withEnvironment(defaults, headers),
  };
}

const keyOf = (uri: vscode.Uri): string => {
  const folders = foldersOf(uri);
  return folders === undefined ? '' : `${folders.folder}\n${folders.root}`;
};
