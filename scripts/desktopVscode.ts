import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcess, runCommand } from './command.ts';
import { quietSettings } from './vscodeServer.ts';

const windows = process.platform === 'win32';
const code = windows ? 'code.cmd' : 'code';

/** Why desktop VS Code cannot be used, to follow a colon; undefined where it can. */
export async function desktopUnavailable(): Promise<string | undefined> {
  const { DISPLAY, WAYLAND_DISPLAY, VSCODE_IPC_HOOK_CLI } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return 'there is no display';
  if (VSCODE_IPC_HOOK_CLI) return 'the "code" of this remote terminal opens no window of its own';
  const { code: exit, output } = await runCommand(code, ['--version'], { output: 'collect' });
  const version = /^(\d+)\.(\d+)\.\d+/m.exec(output);
  if (exit !== 0 || version === null) return 'there is no "code" on the PATH';
  const [major = 0, minor = 0] = await neededVersion();
  const enough = Number(version[1]) > major || (Number(version[1]) === major && Number(version[2]) >= minor);
  return enough ? undefined : `the "code" on the PATH is ${version[0]}, and ${major}.${minor} is needed`;
}

export interface DesktopOptions {
  readonly userDataDir: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The folder of the extension under development. */
  readonly extension: string;
  readonly folder: string;
}

export interface Desktop {
  /** Resolves when the window is closed: empty, or with a sentence where that was an error. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** Opens a window of desktop VS Code with its own settings, state and extensions. */
export async function startDesktop({ userDataDir, settings, extension, folder }: DesktopOptions): Promise<Desktop> {
  await mkdir(join(userDataDir, 'User'), { recursive: true });
  await writeFile(join(userDataDir, 'User', 'settings.json'), JSON.stringify({ ...quietSettings, ...settings }, undefined, 2));
  const child = spawn(
    code,
    [
      '--wait',
      '--new-window',
      '--disable-workspace-trust',
      '--skip-welcome',
      '--skip-release-notes',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--user-data-dir=${userDataDir}`,
      `--extensions-dir=${join(userDataDir, 'extensions')}`,
      `--extensionDevelopmentPath=${extension}`,
      folder,
    ],
    { stdio: 'ignore', shell: windows, detached: !windows },
  );
  const ended = new Promise<string>(resolve => {
    child.once('error', error => resolve(`VS Code could not be opened: ${error.message}. "npm start -- --server" uses one from npm.`));
    child.once('exit', exit =>
      resolve(exit === 0 ? '' : `VS Code ended with exit code ${exit}. "npm start -- --server" uses one from npm.`),
    );
  });
  return {
    ended,
    async stop() {
      await endMainProcess(userDataDir);
      await endProcess(child);
    },
  };
}

/** The started command only waits for the window; VS Code's main process writes its id into its data folder. */
async function endMainProcess(userDataDir: string): Promise<void> {
  const pid = Number(await readFile(join(userDataDir, 'code.lock'), 'utf8').catch(() => ''));
  if (!Number.isInteger(pid) || pid <= 0) return;
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function neededVersion(): Promise<number[]> {
  const { engines } = JSON.parse(await readFile(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
    engines: { vscode: string };
  };
  return engines.vscode.replace(/^\D+/, '').split('.').map(Number);
}
