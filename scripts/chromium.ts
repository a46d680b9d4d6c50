import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { runCommand } from './command.ts';
import { Failure } from './failure.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'chrome', 'msedge'];

/**
 * The path of Chromium, Chrome or Edge: `A2A_CHROMIUM`, the usual places and the PATH, or Debian's package where it can be installed (as
 * root on Debian and Ubuntu).
 *
 * @throws {Failure} where there is none and none can be installed
 */
export async function findChromium(): Promise<string> {
  const named = process.env['A2A_CHROMIUM'];
  if (named) {
    if (await isExecutable(named)) return named;
    throw new Failure(
      `A2A_CHROMIUM names ${named}, which is not a program that can be run.`,
      'Set it to the path of a Chromium, Chrome or Edge.',
    );
  }
  const found = await firstExecutable(candidates());
  if (found !== undefined) return found;
  if (process.platform === 'linux' && process.getuid?.() === 0 && (await firstExecutable(['/usr/bin/apt-get'])) !== undefined) {
    await installDebianChromium();
    const installed = await firstExecutable(candidates());
    if (installed !== undefined) return installed;
  }
  throw new Failure(
    'No Chromium, Chrome or Edge was found; the tests that run in VS Code need one.',
    'Install one (on Debian and Ubuntu: apt-get install chromium), or set A2A_CHROMIUM to its path.',
  );
}

/**
 * Chromium features to disable. Chromium uses the last such list only, so those that Playwright disables are included. The list under the
 * address bar is two pages of its own, loaded for every page that is opened.
 */
const unwantedFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Starts headless Chromium with all network use of its own turned off. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
      `--disable-features=${unwantedFeatures.join(',')}`,
    ],
    // The calling script closes the browser on a signal, after the tests' own cleanup.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

function candidates(): string[] {
  const windows = process.platform === 'win32';
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(folder => folder !== '')
    .flatMap(folder => names.map(name => join(folder, windows ? `${name}.exe` : name)));
  const programs = [process.env['PROGRAMFILES'], process.env['PROGRAMFILES(X86)'], process.env['LOCALAPPDATA']].filter(
    folder => folder !== undefined,
  );
  const usual: Partial<Record<NodeJS.Platform, string[]>> = {
    darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(name => `/Applications/${name}.app/Contents/MacOS/${name}`),
    win32: programs.flatMap(folder => [
      join(folder, 'Google/Chrome/Application/chrome.exe'),
      join(folder, 'Microsoft/Edge/Application/msedge.exe'),
      join(folder, 'Chromium/Application/chrome.exe'),
    ]),
    linux: names.map(name => join('/usr/bin', name)),
  };
  return [...(usual[process.platform] ?? []), ...onPath];
}

async function firstExecutable(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await isExecutable(path)) return path;
  return undefined;
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function installDebianChromium(): Promise<void> {
  console.log('Installing Chromium (apt-get install chromium); this is done once and takes a minute or two …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-q'],
    ['install', '-q', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'],
  ]) {
    const { code, output } = await runCommand('/usr/bin/apt-get', args, {
      output: 'collect',
      env,
      progress: `apt-get ${args[0]} is still at it`,
    });
    if (code !== 0) {
      throw new Failure(
        `"apt-get ${args[0]}" failed with exit code ${code}.\n${output.trim().slice(-2_000)}`,
        'Install Chromium another way and set A2A_CHROMIUM to its path.',
      );
    }
  }
}
