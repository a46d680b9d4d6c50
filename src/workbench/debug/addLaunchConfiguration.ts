import { posix } from 'node:path';
import * as vscode from 'vscode';
import { Problem, sentence } from '../../protocol/problem.ts';
import { isObject } from '../../protocol/json.ts';
import { withItem } from '../../request/text/jsonc.ts';
import { portsIn } from '../agents/terminalPorts.ts';
import { escapeIcons } from '../platform/untrustedText.ts';
import { exists, openSearchResult } from '../platform/workspaceFiles.ts';
import { debugType } from './launch.ts';
import { otherConfigurations } from './otherConfigurations.ts';

/** Most Python files that are looked through, and how much of each in UTF-16 code units. */
const maxFiles = 100;
const maxLooked = 200_000;

/** A way to start the agent of a workspace. */
interface Candidate {
  readonly start: { readonly command: string } | { readonly configuration: string };
  readonly port: number | undefined;
}

const wordsOf = ({ start }: Candidate): string => ('command' in start ? start.command : start.configuration);

/** Adds a launch configuration for an agent to `launch.json`, and shows it there. Asks for what the workspace does not say. */
export async function addLaunchConfiguration(): Promise<void> {
  const folder = await folderMeant();
  if (folder === undefined) return;
  const others = otherConfigurations(folder);
  const candidates = [
    ...others.filter(({ type, request }) => type !== debugType && request === 'launch').map(ofConfiguration),
    ...(await scriptsOf(folder)),
    ...(await pythonAgentsIn(folder)),
  ];
  const chosen = candidates.length === 1 ? candidates[0] : await pick(candidates);
  const port = chosen && (chosen.port ?? (await askPort()));
  if (port === undefined) return;
  const name = freeName(others.map(other => other.name));
  const configuration = { name, type: debugType, request: 'launch', ...chosen!.start, port };
  await write(folder, configuration);
}

async function folderMeant(): Promise<vscode.WorkspaceFolder | undefined> {
  const { workspaceFolders: folders = [] } = vscode.workspace;
  if (folders.length === 0)
    throw new Problem('no-folder', sentence('No folder is open, so there is no place for a launch.json.'), {
      nextStep: sentence('Open the folder of the agent, then try again.'),
    });
  return folders.length === 1 ? folders[0] : vscode.window.showWorkspaceFolderPick();
}

const ofConfiguration = (other: ReturnType<typeof otherConfigurations>[number]): Candidate => {
  const env = isObject(other['env']) ? other['env']['PORT'] : undefined;
  const args = Array.isArray(other['args']) ? other['args'].join(' ') : other['args'];
  return { start: { configuration: other.name }, port: [env, args].flatMap(portsIn)[0] };
};

/** `npm start` and `npm run dev`, where the folder has them. */
async function scriptsOf({ uri }: vscode.WorkspaceFolder): Promise<readonly Candidate[]> {
  const file = vscode.Uri.joinPath(uri, 'package.json');
  if (!(await exists(file))) return [];
  const value = parsed((await openSearchResult(file)).getText());
  const scripts = isObject(value) && isObject(value['scripts']) ? value['scripts'] : {};
  return (['start', 'dev'] as const).flatMap(name => {
    const script = scripts[name];
    if (typeof script !== 'string') return [];
    return [{ start: { command: name === 'start' ? 'npm start' : `npm run ${name}` }, port: portsIn(script)[0] }];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // What is wrong with it is shown where it is open.
    return undefined;
  }
}

/** Python files that import the A2A SDK and are programs. */
async function pythonAgentsIn(folder: vscode.WorkspaceFolder): Promise<readonly Candidate[]> {
  const files = await vscode.workspace.findFiles(
    new vscode.RelativePattern(folder, '**/*.py'),
    '**/{node_modules,.venv,venv,site-packages,tests}/**',
    maxFiles,
  );
  const found: Candidate[] = [];
  for (const file of files.toSorted((one, other) => one.path.localeCompare(other.path))) {
    const text = (await openSearchResult(file)).getText().slice(0, maxLooked);
    if (!/^\s*(?:from|import) a2a[.\s]/m.test(text) || !/uvicorn\.run\(|__main__/.test(text)) continue;
    const path = posix.relative(folder.uri.path, file.path);
    const port = /\bport\s*=\s*(\d{2,5})\b/.exec(text)?.[1];
    const python = process.platform === 'win32' ? 'python' : 'python3';
    found.push({ start: { command: `${python} ${/\s/.test(path) ? JSON.stringify(path) : path}` }, port: portsIn(port)[0] });
  }
  return found;
}

async function pick(candidates: readonly Candidate[]): Promise<Candidate | undefined> {
  const other = { label: vscode.l10n.t('Other Command…'), description: '', candidate: undefined };
  const picked =
    candidates.length === 0
      ? other
      : await vscode.window.showQuickPick(
          [
            ...candidates.map(candidate => ({
              label: escapeIcons(wordsOf(candidate)),
              description: 'configuration' in candidate.start ? vscode.l10n.t('launch configuration') : '',
              candidate,
            })),
            other,
          ],
          { title: vscode.l10n.t('What starts the agent?'), ignoreFocusOut: true },
        );
  if (picked === undefined || picked.candidate !== undefined) return picked?.candidate;
  const command = await vscode.window.showInputBox({
    title: vscode.l10n.t('Command That Starts the Agent'),
    placeHolder: 'npm start',
    ignoreFocusOut: true,
    validateInput: text => (text.trim() === '' ? vscode.l10n.t('Type a command.') : undefined),
  });
  return command === undefined ? undefined : { start: { command: command.trim() }, port: portsIn(command)[0] };
}

async function askPort(): Promise<number | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Port of the Agent'),
    placeHolder: '9999',
    ignoreFocusOut: true,
    validateInput: text => (portsIn(text.trim()).length === 0 ? vscode.l10n.t('Type a port from 1 to 65535.') : undefined),
  });
  return typed === undefined ? undefined : portsIn(typed.trim())[0];
}

function freeName(taken: readonly string[]): string {
  const base = vscode.l10n.t('A2A Agent');
  let name = base;
  for (let number = 2; taken.includes(name); number++) name = `${base} ${number}`;
  return name;
}

/** Saved at once: F5 is what comes next. What was there before can be brought back by Undo. */
async function write(folder: vscode.WorkspaceFolder, configuration: object & { readonly name: string }): Promise<void> {
  const uri = vscode.Uri.joinPath(folder.uri, '.vscode', 'launch.json');
  if (!(await exists(uri))) await vscode.workspace.fs.writeFile(uri, new Uint8Array());
  const document = await openSearchResult(uri);
  const text = document.getText();
  const edit = new vscode.WorkspaceEdit();
  edit.replace(
    uri,
    new vscode.Range(document.positionAt(0), document.positionAt(text.length)),
    withItem(text, 'configurations', configuration, { version: '0.2.0' }),
  );
  await vscode.workspace.applyEdit(edit);
  await document.save();
  const editor = await vscode.window.showTextDocument(document);
  const at = document.positionAt(document.getText().lastIndexOf(JSON.stringify(configuration.name)));
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
