import { chmod, mkdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join, win32 } from 'node:path';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import { windowAgentsText, windowAgentsVariable } from '../../model/agents/windowAgents.ts';
import { writeAtomically } from '../../model/writtenFile.ts';

/** Paths that a launcher is made of. */
interface LauncherPaths {
  /** Folder of the launcher. */
  readonly folder: string;
  /** Node.js, or an Electron that can be run as it. */
  readonly node: string;
  /** The program. */
  readonly program: string;
}

/** A shell script, on Windows for Git Bash. */
function shellLauncher({ node, program }: LauncherPaths): string {
  const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;
  return `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec ${quoted(node)} ${quoted(program)} "$@"\n`;
}

/** A batch file. cmd.exe reads it in the code page of the console, so the name of the user's folder, of any script, is not in it. */
export function batchLauncher({ folder, node, program }: LauncherPaths): string {
  const quoted = (path: string): string => {
    const relative = win32.relative(folder, path);
    const escaped = relative.replaceAll('%', '%%');
    return win32.isAbsolute(relative) ? `"${escaped}"` : `"%~dp0${escaped}"`;
  };
  return `@echo off\r\nsetlocal\r\nset ELECTRON_RUN_AS_NODE=1\r\n${quoted(node)} ${quoted(program)} %*\r\n`;
}

const folderOf = ({ globalStorageUri }: Pick<vscode.ExtensionContext, 'globalStorageUri'>): string => join(globalStorageUri.fsPath, 'bin');

/** Path of the launcher of `a2a` for this system. */
export const launcherPath = (extension: Pick<vscode.ExtensionContext, 'globalStorageUri'>): string =>
  join(folderOf(extension), process.platform === 'win32' ? 'a2a.cmd' : 'a2a');

/** Path of the file of the window's agents. */
export const windowAgentsPath = ({
  globalStorageUri,
  storageUri = globalStorageUri,
}: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'storageUri'>): string => join(storageUri.fsPath, 'agents.json');

/**
 * Makes `a2a` a command of VS Code's terminals. The launcher runs the program of this version of the extension with VS Code's own Node.js,
 * and stays where it is when either is updated: terminals that VS Code opens before the extension runs have the folder from last time.
 * Rejects with the system's error where the storage cannot be written.
 */
export async function addTerminalLauncher({
  environmentVariableCollection: variables,
  extensionUri,
  globalStorageUri,
}: Pick<vscode.ExtensionContext, 'environmentVariableCollection' | 'extensionUri' | 'globalStorageUri'>): Promise<void> {
  const folder = folderOf({ globalStorageUri });
  const paths = { folder, node: process.execPath, program: join(extensionUri.fsPath, 'dist', 'cli.cjs') };
  await mkdir(folder, { recursive: true });
  await writeIfOther(join(folder, 'a2a'), shellLauncher(paths), 0o755);
  if (process.platform === 'win32') await writeIfOther(join(folder, 'a2a.cmd'), batchLauncher(paths), 0o755);
  variables.description = vscode.l10n.t('Adds the command "a2a"');
  // At the end: another program of that name is not hidden.
  variables.append('PATH', `${delimiter}${folder}`);
}

/**
 * Makes the window's agents known to `a2a` in VS Code's terminals, as the settings have them, until disposed. Workspaces have files of their
 * own.
 */
export function addTerminalAgents(
  extension: Pick<vscode.ExtensionContext, 'environmentVariableCollection' | 'globalStorageUri' | 'storageUri'>,
  agents: Pick<Agents, 'all' | 'onDidChange'>,
  onError: (error: unknown) => void,
): vscode.Disposable {
  const path = windowAgentsPath(extension);
  extension.environmentVariableCollection.replace(windowAgentsVariable, path);
  let written: string | undefined;
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const text = windowAgentsText(agents.all);
    if (text === written) return;
    await mkdir(dirname(path), { recursive: true });
    await writeIfOther(path, text, 0o600);
    written = text;
  };
  const update = (): void => void (writing = writing.then(write).catch(onError));
  update();
  return agents.onDidChange(update);
}

async function writeIfOther(path: string, text: string, mode: number): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return;
  await writeAtomically(path, [text]);
  await chmod(path, mode);
}
