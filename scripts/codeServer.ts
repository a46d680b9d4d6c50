import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from './cache.ts';
import { runCommand } from './command.ts';
import { Failure } from './failure.ts';

interface Release {
  /** The version of the npm package `node` that the server runs on, where it is not the Node that this runs on. */
  readonly node?: string;
  /** A package that is taken instead of the one that the server names. */
  readonly replaced?: string;
}

/** Versions of the npm package `code-server`, each of which contains the VS Code server of the same minor version; the first is the usual one. */
const releases: Readonly<Record<string, Release>> = {
  '4.139.1': {},
  // The oldest VS Code that the manifest allows. It names its file watcher by a commit on GitHub, which a network with a mirror of npm alone
  // does not reach.
  '4.105.1': { node: '22.19.0', replaced: '@parcel/watcher@2.5.1' },
};

const vscodeFolder = join('node_modules', 'code-server', 'lib', 'vscode');

export interface VscodeServerProgram {
  /** The folder of VS Code's server. */
  readonly folder: string;
  /** The path of the Node that it runs on. */
  readonly node: string;
}

/**
 * VS Code's server in the version of `A2A_CODE_SERVER`, installed into the cache on first use (about 600 MB). Install scripts are off: they
 * need a compiler and system libraries, and without them the server lacks only its native logger.
 *
 * @throws {Failure} where there is no such version, the registry cannot be reached or the disk is full
 */
export async function vscodeServerProgram(): Promise<VscodeServerProgram> {
  const version = process.env['A2A_CODE_SERVER'] || Object.keys(releases)[0]!;
  const release = releases[version];
  if (release === undefined)
    throw new Failure(
      `Tests do not run in code-server ${version}, which A2A_CODE_SERVER names.`,
      `Name one of ${Object.keys(releases).join(', ')}, or add it to scripts/codeServer.ts.`,
    );
  const home = join(cacheFolder(), `code-server-${version}`);
  const folder = join(home, vscodeFolder);
  const node = release.node === undefined ? process.execPath : nodeIn(home);
  if (existsSync(folder) && existsSync(node)) return { folder, node };
  console.log(`Installing VS Code's server (code-server ${version}, about 600 MB) into ${home}; this is done once …`);
  await mkdir(cacheFolder(), { recursive: true });
  // A temporary folder and a rename at the end: an interrupted install is never used, and two installs at once do no harm.
  const building = `${home}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(building);
    await writeFile(join(building, 'package.json'), '{ "private": true }\n');
    await npmInstall(building, [`code-server@${version}`, '--save-exact']);
    await npmInstall(join(building, vscodeFolder), ['--omit=dev', ...(release.replaced === undefined ? [] : [release.replaced])]);
    await npmInstall(join(building, vscodeFolder, 'extensions'), ['--omit=dev']);
    if (release.node !== undefined) await installNode(building, release.node);
    await rename(building, home).catch((error: NodeJS.ErrnoException) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return { folder, node };
}

const nodeIn = (home: string): string => join(home, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Installs the package `node`, whose binary comes with its install script. */
async function installNode(home: string, version: string): Promise<void> {
  await npmInstall(home, [`node@${version}`, '--save-exact']);
  const { output } = await runCommand(process.execPath, ['installArchSpecificPackage'], {
    cwd: join(home, 'node_modules', 'node'),
    output: 'collect',
    env: withoutNpmSettings(),
  });
  if (!existsSync(nodeIn(home))) throw notInstalled(`there is no Node ${version}`, output);
}

async function npmInstall(cwd: string, args: readonly string[]): Promise<void> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { code, output } = await runCommand(npm, ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...args], {
    cwd,
    output: 'collect',
    progress: 'still installing',
    env: withoutNpmSettings(),
  });
  if (code === 0) return;
  throw notInstalled(`npm ended with exit code ${code}`, output);
}

function notInstalled(why: string, output: string): Failure {
  return new Failure(
    `VS Code's server could not be installed: ${why}.\n${output.trim().slice(-2_000)}`,
    'Check the network, the proxy and the free disk space, then run the same command again. With A2A_CACHE another folder can be used, ' +
      'and with A2A_VSCODE (the path of a desktop VS Code) this server is not needed.',
  );
}

/** npm passes its settings, including this project's, to child processes in the environment. */
function withoutNpmSettings(): NodeJS.ProcessEnv {
  const own = /^npm_(package|lifecycle|command|config_(local_prefix|prefix|ignore_scripts|omit|global))/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}
