import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { linkBuiltins } from './builtinExtensions.ts';
import { vscodeServerProgram } from './codeServer.ts';
import { endProcess, runCommand } from './command.ts';
import { Failure } from './failure.ts';

export interface VscodeServerOptions {
  /** Settings, state and logs; made where it is missing. */
  readonly userDataDir: string;
  readonly extensionsDir: string;
  /** Written as the user's settings, over {@link quietSettings}. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Written as the user's `keybindings.json`. */
  readonly keybindings?: readonly object[];
  /** Packed extensions to install before the start. */
  readonly vsix?: readonly string[];
  /** The folder of an unpacked extension that counts as installed. */
  readonly extension?: string;
  /** Left out: a free one. */
  readonly port?: number;
  /** Lets a page name an extension under development and its tests in its address; no notifications pop up then. */
  readonly smokeTest?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** The language of the window. */
  readonly language?: string;
  /** Folder names of VS Code's own extensions that are left out. */
  readonly withoutBuiltins?: readonly string[];
}

export interface VscodeServer {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  /** What the server has written so far: its own log and that of the extension hosts. */
  log(): string;
  /** Resolves when the server is gone, asked or not. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Settings for a window without anything that asks, advertises, updates or phones home. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'git.autofetch': false,
  'json.schemaDownload.enable': false,
  'npm.fetchOnlinePackageInfo': false,
  'remote.autoForwardPorts': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.settings.enableNaturalLanguageSearch': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/** How long the server may take until it listens. It needs under a second on an idle machine. */
const startTimeoutMs = 60_000;

/**
 * Starts VS Code's own server on a loopback port and returns when it listens. It ends with this process, however that ends.
 *
 * @throws {Failure} where it cannot be installed, the port is taken or it does not come up.
 */
export async function startVscodeServer(options: VscodeServerOptions): Promise<VscodeServer> {
  const { userDataDir, extensionsDir } = options;
  const { folder, node } = await vscodeServerProgram();
  const main = join(folder, 'out', 'server-main.js');
  const folders = ['--user-data-dir', userDataDir, '--server-data-dir', userDataDir, '--extensions-dir', extensionsDir];
  await mkdir(join(userDataDir, 'User'), { recursive: true });
  await mkdir(extensionsDir, { recursive: true });
  await writeFile(join(userDataDir, 'User', 'settings.json'), JSON.stringify({ ...quietSettings, ...options.settings }, undefined, 2));
  if (options.keybindings !== undefined)
    await writeFile(join(userDataDir, 'User', 'keybindings.json'), JSON.stringify(options.keybindings));
  if (options.extension !== undefined) await registerExtension(options.extension, extensionsDir);
  if (options.withoutBuiltins !== undefined) {
    const builtins = join(userDataDir, 'builtin-extensions');
    await linkBuiltins(folder, builtins, options.withoutBuiltins);
    folders.push('--builtin-extensions-dir', builtins);
  }
  for (const vsix of options.vsix ?? [])
    await installExtension(node, [main, '--accept-server-license-terms', ...folders, '--install-extension', vsix], vsix);
  const child = spawn(
    node,
    [
      '--import',
      pathToFileURL(join(import.meta.dirname, 'vscodeServer', 'preload.mjs')).href,
      main,
      '--host',
      '127.0.0.1',
      '--port',
      String(options.port ?? 0),
      '--without-connection-token',
      '--accept-server-license-terms',
      '--telemetry-level',
      'off',
      '--disable-telemetry',
      '--disable-getting-started-override',
      ...(options.smokeTest ? ['--enable-smoke-test-driver'] : []),
      ...(options.language === undefined ? [] : ['--locale', options.language]),
      ...folders,
    ],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      // A process group of its own: a terminal's Ctrl+C does not reach it, and what it starts can be ended with it.
      detached: process.platform !== 'win32',
      env: { ...serverEnvironment(), ...options.env },
    },
  );
  let log = '';
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  const port = await listening(
    child,
    chunk => {
      log += chunk;
    },
    () => log,
    options.port,
  );
  return { url: `http://127.0.0.1:${port}/`, log: () => log, ended, stop: () => stop(child) };
}

function listening(child: ChildProcess, onLog: (chunk: string) => void, log: () => string, wanted?: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const timer = setTimeout(() => fail(`did not start within ${startTimeoutMs / 1000} s`), startTimeoutMs);
  const fail = (what: string): void => {
    clearTimeout(timer);
    void stop(child);
    const taken = log().includes('EADDRINUSE');
    reject(
      taken
        ? new Failure(`Port ${wanted ?? '?'} is taken by another program.`, 'Choose another with --port N, or leave it out for a free one.')
        : new Failure(
            `VS Code's server ${what}.\n${log().trim().slice(-2_000)}`,
            'Run the same command again; if it stays so, delete the cached server.',
          ),
    );
  };
  const read = (chunk: Buffer): void => {
    onLog(chunk.toString());
    // The server says so and stays.
    if (log().includes('EADDRINUSE')) return fail('found its port taken');
    const port = /Extension host agent listening on (\d+)/.exec(log())?.[1];
    if (port === undefined) return;
    clearTimeout(timer);
    resolve(Number(port));
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  child.once('error', error => fail(`could not be started: ${error.message}`));
  child.once('close', code => fail(`ended with exit code ${code}`));
  return promise;
}

/** Enters a folder into the list of installed extensions, so that it is used from where it is. */
async function registerExtension(folder: string, extensionsDir: string): Promise<void> {
  const { publisher, name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
  await writeFile(
    join(extensionsDir, 'extensions.json'),
    JSON.stringify([
      {
        identifier: { id: `${publisher}.${name}` },
        version,
        location: { $mid: 1, scheme: 'file', path: pathToFileURL(folder).pathname },
        metadata: { source: 'vsix' },
      },
    ]),
  );
}

async function installExtension(node: string, args: readonly string[], vsix: string): Promise<void> {
  const { code, output } = await runCommand(node, args, { output: 'collect', env: serverEnvironment() });
  if (code !== 0 || !output.includes('successfully installed')) {
    throw new Failure(
      `${vsix} could not be installed into VS Code's server.\n${output.trim().slice(-2_000)}`,
      'Build the package anew and try again.',
    );
  }
}

/** Ends the server and every process it started. */
async function stop(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  await endProcess(child);
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Without the address of an extension gallery; there is nothing to look up in one. */
const noGallery = { EXTENSIONS_GALLERY: '{"serviceUrl":""}' };

/** The environment without what a surrounding VS Code terminal or npm would hand to the server. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(VSCODE_|npm_|NODE_OPTIONS$|ELECTRON_)/.test(name));
  return { ...Object.fromEntries(own), ...noGallery };
}
