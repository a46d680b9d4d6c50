import { fstatSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { printFailure } from './failure.ts';
import { startVscodeServer, type VscodeServer } from './vscodeServer.ts';

// Takes the command line of a desktop VS Code that is to run extension tests, as `runTests` of @vscode/test-electron gives it, and runs
// them in VS Code's server with a Chromium as its window. The exit code is that of the test run.

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: 'string', multiple: true },
    extensionTestsPath: { type: 'string' },
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
  },
});
const paths = (name: string): string[] =>
  [values[name] ?? []]
    .flat()
    .filter(value => typeof value === 'string')
    .map(path => resolve(path));

let server: VscodeServer | undefined;
let browser: Browser | undefined;
const temporary = await mkdtemp(join(tmpdir(), 'a2a-vscode-'));

/** How the run ended; only the first answer counts. */
const run = Promise.withResolvers<number>();
// Whoever starts this with a pipe for its standard input holds the other end, so its end means that the starter is gone.
if (fstatSync(0).isFIFO() || fstatSync(0).isSocket()) process.stdin.on('close', () => run.resolve(130)).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => run.resolve(130));

try {
  start().catch(error => {
    printFailure(error);
    run.resolve(1);
  });
  process.exitCode = await run.promise;
} finally {
  await browser?.close();
  await server?.stop();
  await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
}
process.exit();

async function start(): Promise<void> {
  const [testsPath] = paths('extensionTestsPath');
  if (testsPath === undefined) throw new Error('--extensionTestsPath is missing');
  server = await startVscodeServer({
    userDataDir: paths('user-data-dir')[0] ?? join(temporary, 'user-data'),
    extensionsDir: paths('extensions-dir')[0] ?? join(temporary, 'extensions'),
    smokeTest: true,
  });
  void server.ended.then(() => fail("VS Code's server ended by itself."));
  browser = await launchChromium();
  browser.on('disconnected', () => fail('Chromium ended by itself.'));
  const page = await browser.newPage();
  await watch(page);
  await page.goto(windowUrl(server.url, testsPath));
}

/** The address of a window with the folder, the extensions and the tests of our command line. */
function windowUrl(base: string, testsPath: string): string {
  const remote = (path: string): string => `vscode-remote://remote${pathToFileURL(path).pathname}`;
  const url = new URL(base);
  const [folder] = positionals;
  if (folder !== undefined) url.searchParams.set('folder', pathToFileURL(resolve(folder)).pathname);
  url.searchParams.set(
    'payload',
    JSON.stringify([
      ...paths('extensionDevelopmentPath').map(path => ['extensionDevelopmentPath', remote(path)]),
      ['extensionTestsPath', remote(testsPath)],
      ['skipWelcome', 'true'],
    ]),
  );
  return url.href;
}

/** Prints what the tests write to the console and learns their end. */
async function watch(page: Page): Promise<void> {
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
    const line = format(...args);
    if (type === 'error' || type === 'warn') console.error(line);
    else console.log(line);
  });
  await page.exposeFunction('codeAutomationExit', (code: number) => run.resolve(code));
  page.on('crash', () => fail('The page of VS Code crashed.'));
  page.on('close', () => fail('The page of VS Code was closed.'));
}

/** Ends the run with a reason, unless it has ended already. */
function fail(reason: string): void {
  if (process.exitCode !== undefined) return;
  console.error(`${reason}\n${server?.log().slice(-2_000) ?? ''}`);
  run.resolve(1);
}
