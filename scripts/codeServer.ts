import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from './cache.ts';
import { runCommand } from './command.ts';
import { Failure } from './failure.ts';

/** Version of the npm package `code-server`, which contains the VS Code server of the same minor version. */
export const codeServerVersion = '4.139.1';

const vscodeFolder = join('node_modules', 'code-server', 'lib', 'vscode');

/**
 * The folder of VS Code's server, installed into the cache on first use (about 600 MB). Install scripts are off: they need a compiler and
 * system libraries, and without them the server lacks only its native logger.
 *
 * @throws {Failure} where the registry cannot be reached or the disk is full
 */
export async function vscodeServerFolder(): Promise<string> {
  const home = join(cacheFolder(), `code-server-${codeServerVersion}`);
  const found = join(home, vscodeFolder);
  if (existsSync(found)) return found;
  console.log(`Installing VS Code's server (code-server ${codeServerVersion}, about 600 MB) into ${home}; this is done once …`);
  await mkdir(cacheFolder(), { recursive: true });
  // A temporary folder and a rename at the end: an interrupted install is never used, and two installs at once do no harm.
  const building = `${home}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(building);
    await writeFile(join(building, 'package.json'), '{ "private": true }\n');
    await npmInstall(building, [`code-server@${codeServerVersion}`, '--save-exact']);
    await npmInstall(join(building, vscodeFolder), ['--omit=dev']);
    await npmInstall(join(building, vscodeFolder, 'extensions'), ['--omit=dev']);
    await rename(building, home).catch((error: NodeJS.ErrnoException) => {
      if (!existsSync(found)) throw error;
    });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return found;
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
  throw new Failure(
    `VS Code's server could not be installed: npm ended with exit code ${code}.\n${output.trim().slice(-2_000)}`,
    'Check the network, the proxy and the free disk space, then run the same command again. With A2A_CACHE another folder can be used, ' +
      'and with A2A_VSCODE (the path of a desktop VS Code) this server is not needed.',
  );
}

/** npm passes its settings, including this project's, to child processes in the environment. */
function withoutNpmSettings(): NodeJS.ProcessEnv {
  const own = /^npm_(package|lifecycle|command|config_(local_prefix|prefix|ignore_scripts|omit|global))/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}
