import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs a script of this project under the Node version the project is developed with, which is an npm package among the dependencies,
// and installs the dependencies first where they are missing or no longer those of package-lock.json.
//
//     node scripts/bootstrap.mjs scripts/test.ts [arguments]
//
// This file alone runs under whatever Node is installed, so it uses nothing newer than Node 20 and no dependency.

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const windows = process.platform === 'win32';
const projectNode = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');

/**
 * @param {string} what
 * @param {string} nextStep
 * @returns {never}
 */
function giveUp(what, nextStep) {
  console.error(`\n${what}\n${nextStep}`);
  process.exit(1);
}

/**
 * The locked packages that are not installed in their locked version. npm keeps its own record of what it installed; it writes it
 * last, so an interrupted install is seen too. Optional packages are left out: which of them apply differs by platform.
 */
function missingPackages() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return ['all'];
  const { packages: installed } = JSON.parse(readFileSync(record, 'utf8'));
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.keys(locked).filter(
    path => path !== '' && locked[path].optional !== true && installed[path]?.version !== locked[path].version,
  );
}

/**
 * Runs a command with its output shown, and a sign of life while it says nothing.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {boolean} [shell]
 * @returns {Promise<{ code: number, stderr: string }>}
 */
function run(command, args, cwd, shell = false) {
  return new Promise(done => {
    const child = spawn(command, [...args], { cwd, shell, stdio: ['ignore', 'inherit', 'pipe'] });
    const started = Date.now();
    const timer = setInterval(() => console.log(`  still at it (${Math.round((Date.now() - started) / 1000)} s)`), 10_000);
    const forward = passSignals(child);
    let stderr = '';
    child.stderr.on('data', chunk => {
      process.stderr.write(chunk);
      stderr = (stderr + String(chunk)).slice(-20_000);
    });
    child.on('error', error => {
      stderr += error.message;
      finish(1);
    });
    child.on('close', (code, signal) => finish(signal === null ? (code ?? 1) : 130));
    /** @param {number} code */
    function finish(code) {
      clearInterval(timer);
      forward.stop();
      if (code === 130) process.exit(130);
      done({ code, stderr });
    }
  });
}

/**
 * Forwards our signals to the child and waits for its end. A terminal sends Ctrl+C to the whole process group, the child included, so there
 * it must not be sent again.
 * @param {import('node:child_process').ChildProcess} child
 */
function passSignals(child) {
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  /** @param {NodeJS.Signals} signal */
  const pass = signal => {
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, pass);
  return {
    stop: () => {
      for (const signal of signals) process.off(signal, pass);
    },
  };
}

/** npm as the program that started us, or the command on the PATH. */
function npm() {
  const own = process.env['npm_execpath'];
  return own !== undefined && basename(own) === 'npm-cli.js'
    ? { command: process.execPath, args: [own], shell: false }
    : { command: windows ? 'npm.cmd' : 'npm', args: [], shell: windows };
}

const unreachable = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|network/;

async function installDependencies() {
  const missing = missingPackages();
  if (missing.length === 0) return;
  console.log(
    missing[0] === 'all'
      ? 'Installing the dependencies (npm ci); this is done once and takes about half a minute …'
      : `Installing the dependencies anew (npm ci): ${missing.length} differ from package-lock.json …`,
  );
  const { command, args, shell } = npm();
  const { code, stderr } = await run(command, [...args, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], root, shell);
  if (code === 0) return;
  if (unreachable.test(stderr)) {
    giveUp(
      'The npm registry could not be reached, so the dependencies are not installed.',
      'Check the network and the proxy; "npm config get registry" shows the address that was asked. Then run the same command again.',
    );
  }
  giveUp(
    `"npm ci" failed with exit code ${code}; its own message is above.`,
    'Put right what it names, or delete the folder node_modules, and run the same command again.',
  );
}

/** The package `node` fetches its binary in an install script, which npm may have been told not to run. */
async function installNode() {
  if (existsSync(projectNode)) return;
  const folder = join(root, 'node_modules', 'node');
  console.log('Fetching the Node binary of the package "node", whose install script did not run …');
  const { code, stderr } = await run(process.execPath, ['installArchSpecificPackage'], folder);
  if (code === 0 && existsSync(projectNode)) return;
  giveUp(
    unreachable.test(stderr)
      ? 'The npm registry could not be reached, so there is no Node to run with.'
      : 'The Node binary could not be installed.',
    'Check the network and the proxy, then run the same command again.',
  );
}

const [script, ...scriptArguments] = process.argv.slice(2);
if (script === undefined) giveUp('No script was named.', 'Use: node scripts/bootstrap.mjs <script> [arguments]');
if (Number(process.versions.node.split('.')[0]) < 20) {
  giveUp(
    `Node ${process.versions.node} is too old to start with.`,
    'Install Node 20 or newer (any way you like) and run the same command again.',
  );
}
await installDependencies();
await installNode();

const child = spawn(projectNode, [join(root, script), ...scriptArguments], { cwd: root, stdio: 'inherit' });
passSignals(child);
child.on('error', error =>
  giveUp(`Node could not be started: ${error.message}`, 'Delete the folder node_modules and run the same command again.'),
);
child.on('close', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
