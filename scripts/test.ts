import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium } from './chromium.ts';
import { vscodeServerProgram } from './codeServer.ts';
import { type CommandResult, runCommand } from './command.ts';
import { Failure } from './failure.ts';
import { follow } from './follow.ts';
import { failurePicture, type MochaOptions, mochaArguments, uiTimeoutMs } from './mocha.ts';
import { untranslated } from './translations.ts';
import { failedOnce, maxFlakyFiles, type Outcome, passedOnce, runFiles, together } from './testFiles.ts';

// Everything that has to hold, in one run: types, lint, unit tests, tests of parts together with servers and files, tests of whole programs, the build, tests inside VS Code, tests that
// use it like a person. "npm test" runs all of it; "npm test -- unit", "… component", "… process", "… integration", "… ui", "… types", "… lint" a part.
//
//     --grep TEXT    only the tests whose title matches
//     --file NAME    only the test files with NAME in their path, of any part
//     --repeat N     N times, without a second try
//     --busy         beside a busy loop
//     --no-retry     without a second try
//
// A file of component, process, integration or UI tests in which a test failed is run once more by itself; what passes then is listed as flaky. The last line is "N passed, N failed",
// where types, lint and build count as one test each.

const root = join(import.meta.dirname, '..');
const output = join(root, 'test-output');
/** The compiler in native code, which takes a third of the time; `typescript` itself is for its parser. */
const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
/** knip: finds unused exports, files and dependencies. */
const linters = [
  [join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'format', '--error-on-warnings'],
  [join(root, 'node_modules', 'oxlint', 'bin', 'oxlint'), '--deny-warnings'],
  [join(root, 'node_modules', 'knip', 'bin', 'knip.js'), '--no-progress'],
];

/** Longer than any test may take, in milliseconds. */
const idleMs = 16 * 60_000;

const parts = ['types', 'lint', 'unit', 'component', 'process', 'integration', 'ui'] as const;
type Part = (typeof parts)[number];

const {
  values: { grep, file: fileName, 'no-retry': noRetry, busy, ...values },
  positionals,
} = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string', short: 'g' },
    file: { type: 'string' },
    repeat: { type: 'string', default: '1' },
    busy: { type: 'boolean' },
    'no-retry': { type: 'boolean' },
  },
});
const repeat = Number(values.repeat);
const retries = !noRetry && repeat === 1;
const unknown = positionals.filter(part => !(parts as readonly string[]).includes(part));
if (unknown.length > 0) usage(`There is no part "${unknown.join('", "')}". The parts are: ${parts.join(', ')}.`);
if (!Number.isInteger(repeat) || repeat < 1) usage(`--repeat takes a whole number from 1 on, not "${values.repeat}".`);
const chosen = grep !== undefined || fileName !== undefined;
// Where tests are chosen, steps without tests are left out.
const wanted = new Set<Part>(
  (positionals.length > 0 ? (positionals as Part[]) : parts.filter(part => !chosen || (part !== 'types' && part !== 'lint'))).filter(
    part => fileName === undefined || filesOf(part).length > 0,
  ),
);
if (wanted.size === 0) usage(`No test file has "${fileName}" in its path.`);

const cancelled = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => cancelled.abort());

const outcomes: Outcome[] = [];
const times: (readonly [name: string, seconds: string])[] = [];
const started = performance.now();
if (positionals.length === 0) await rm(output, { recursive: true, force: true });
await rm(join(output, 'flaky.json'), { force: true });
await mkdir(output, { recursive: true });
// Temporary files of an aborted test are removed with this folder. On macOS the path of its temporary folder is so long that paths of VS
// Code's sockets would exceed the limit.
const temporary = process.platform === 'darwin' ? undefined : await mkdtemp(join(tmpdir(), 'a2a-test-'));
const environment = {
  ...(temporary === undefined ? {} : { TMPDIR: temporary, TEMP: temporary, TMP: temporary }),
  // Tests start thousands of programs of ours: each finds its modules compiled and without types. Node compares the source with what is kept.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
};
const loop: ChildProcess | undefined = busy ? spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }) : undefined;

const needsBuild = wanted.has('process') || wanted.has('integration') || wanted.has('ui');
/** Steps for one processor while the linter, which takes as long as all of them, uses the other. */
const besideLint = async (): Promise<boolean> => {
  if (wanted.has('types')) await step('Types', checkTypes);
  const built = needsBuild && (await step('Build', build));
  if (wanted.has('unit')) await repeated('Unit tests', unitTests);
  if (wanted.has('component')) await repeated('Component tests, of parts with real servers and files', componentTests);
  return built;
};
const [built] = await Promise.all([besideLint(), wanted.has('lint') && step('Lint', lint)]);
// One VS Code leaves half of the processors to the programs that are killed meanwhile.
await Promise.all([
  ...(wanted.has('process')
    ? [repeated('Process tests, of programs that start and are killed', built ? processTests : async () => notBuilt('process'))]
    : []),
  ...(wanted.has('integration')
    ? [repeated('Integration tests, inside VS Code', built ? integrationTests : async () => notBuilt('integration'))]
    : []),
]);
if (wanted.has('ui')) await repeated('UI tests, in front of VS Code', built ? uiTests : async () => notBuilt('ui'));
loop?.kill('SIGKILL');
if (temporary !== undefined) await rm(temporary, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
await finish();

function usage(message: string): never {
  console.error(message);
  process.exit(2);
}

/** Runs one step under its heading. Of steps that run at the same time, at most one prints while it runs. */
async function step(name: string, run: () => Promise<Outcome>): Promise<boolean> {
  if (cancelled.signal.aborted) return false;
  const begin = performance.now();
  console.log(`\n== ${name}`);
  const outcome = await run().catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    console.log(`${error.message}\n${error.nextStep}`);
    return failedOnce(`${name}: ${error.message}`);
  });
  outcomes.push(outcome);
  const { passed, failed, pending = 0 } = outcome;
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  times.push([name, seconds]);
  console.log(
    `-- ${name}: ${failed === 0 ? 'ok' : 'FAILED'} (${passed} passed, ${failed} failed${pending > 0 ? `, ${pending} skipped` : ''}, ${seconds} s)`,
  );
  return failed === 0;
}

async function repeated(name: string, run: () => Promise<Outcome>): Promise<void> {
  for (let round = 1; round <= repeat; round += 1) await step(repeat === 1 ? name : `${name} (${round} of ${repeat})`, run);
}

async function checkTypes(): Promise<Outcome> {
  let failures = '';
  for (const project of ['tsconfig.json', 'src/chat/tsconfig.json', 'test/ui/tsconfig.json']) {
    const { code, output: text } = await node(
      [tsc, '--noEmit', '--pretty', String(process.stdout.isTTY === true), '-p', project],
      'collect',
      minutes(5),
    );
    if (code !== 0) failures += text;
  }
  if (failures === '') return passedOnce;
  console.log(failures.trimEnd());
  return failedOnce('types');
}

async function lint(): Promise<Outcome> {
  const failures: string[] = [];
  for (const linter of linters) {
    const { code, output: text } = await node(linter, 'collect', minutes(10));
    if (code !== 0) failures.push(text.trimEnd());
  }
  if (failures.length === 0) return passedOnce;
  console.log(failures.join('\n'));
  return failedOnce('lint');
}

async function build(): Promise<Outcome> {
  const { code } = await node([join(root, 'esbuild.mjs'), '--tests'], 'inherit', minutes(3));
  return code === 0 ? passedOnce : failedOnce('build');
}

function notBuilt(name: string): Outcome {
  return failedOnce(`${name}: not run, because the build failed`);
}

/** The test files of a part that are wanted. Those with the most text first, which take longest: at the end no processor waits for the other then. */
function filesOf(part: Part): string[] {
  const size = (path: string): number => statSync(join(root, path)).size;
  return globSync(`test/${part}/**/*.test.ts`, { cwd: root })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => fileName === undefined || path.includes(fileName))
    .sort((a, b) => size(b) - size(a));
}

function unitTests(): Promise<Outcome> {
  // They wait for nothing: more processes than processors would only load the same modules once more.
  return mochaTests('unit', filesOf('unit'), { timeoutMs: 10_000, jobs: availableParallelism() });
}

function componentTests(): Promise<Outcome> {
  return mochaTests('component', filesOf('component'), { jobs: 4 });
}

function processTests(): Promise<Outcome> {
  return mochaTests('process', filesOf('process'), { jobs: 3 });
}

/** Two files at a time: a workbench waits, too, and each file has a window, agents and folders of its own. */
async function uiTests(): Promise<Outcome> {
  // Before the files that need them: a second "apt-get" beside the first one fails.
  await findChromium();
  await vscodeServerProgram();
  const files = filesOf('ui');
  // After all others: the package is built in the folder that their windows load the extension from, and the attacks take every processor there is.
  const last = files.filter(path => ['test/ui/vsix.test.ts', 'test/ui/panel/hostile.test.ts'].includes(path));
  // Those that open a VS Code first: what comes last is short then, so that no processor is left without work for long.
  const first = files.filter(path => !last.includes(path)).sort((a, b) => Number(a.includes('/panel/')) - Number(b.includes('/panel/')));
  const options = { timeoutMs: uiTimeoutMs, ui: true, jobs: 2 };
  const outcomes: Outcome[] = [];
  if (first.length > 0) outcomes.push(await mochaTests('ui', first, options));
  if (last.length > 0) outcomes.push(await mochaTests('ui-last', last, options));
  return together(outcomes);
}

function mochaTests(name: string, files: readonly string[], options: MochaOptions): Promise<Outcome> {
  return runFiles({
    name,
    folder: output,
    mayBeEmpty: grep !== undefined,
    retry: name !== 'unit' && retries,
    idleMs,
    run: async (env, hangs, file) => {
      const args = mochaArguments(file === undefined ? files : [file], {
        ...options,
        grep,
        jobs: file === undefined ? options.jobs : undefined,
      });
      return (await node(args, 'inherit', hangs, env)).code;
    },
  });
}

/**
 * The tests print through a file: the console they share with VS Code is full of VS Code's own messages, and kept beside it. Beside the
 * process tests, which print as they run, it is shown at the end.
 */
async function integrationTests(): Promise<Outcome> {
  const report = join(output, 'integration.txt');
  const consoleLog = join(output, 'integration-vscode.log');
  await rm(report, { force: true });
  const following = wanted.has('process') ? undefined : follow(report);
  const outcome = await runFiles({
    name: 'integration',
    folder: output,
    mayBeEmpty: grep !== undefined,
    retry: retries,
    // Longer than a test with its hooks. VS Code's console is no sign of life: it may say nothing for minutes while tests pass.
    idleMs: 6 * 60_000,
    run: async (env, hangs, file) => {
      const { code } = await node([join(root, 'scripts', 'integrationTests.ts'), consoleLog], 'inherit', hangs, {
        ...env,
        A2A_REPORT: report,
        A2A_GREP: grep,
        A2A_FILE: file ?? fileName,
        ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
      });
      return code;
    },
  });
  if (following === undefined) await follow(report).stop();
  else await following.stop();
  if (outcome.failed > 0 && !existsSync(report)) {
    console.log(
      `The tests did not start. The end of ${consoleLog}:\n${(await readFile(consoleLog, 'utf8').catch(() => '')).slice(-4_000)}`,
    );
  }
  return outcome;
}

function minutes(count: number): AbortSignal {
  return AbortSignal.timeout(count * 60_000);
}

/** Runs a Node program of ours until its deadline or until the whole run is cancelled. */
function node(
  args: readonly string[],
  show: 'inherit' | 'collect',
  deadline: AbortSignal,
  env: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const signal = AbortSignal.any([cancelled.signal, deadline]);
  return runCommand(process.execPath, args, { cwd: root, output: show, signal, env: { ...process.env, ...environment, ...env } });
}

async function finish(): Promise<never> {
  const { passed, failed: counted, failures: lines, files = [], flaky = [] } = together(outcomes);
  const flakyFiles = new Set(flaky.map(({ file }) => file)).size;
  const failures = [
    ...lines,
    ...(flakyFiles > maxFlakyFiles ? [`${flakyFiles} files had flaky tests: at most ${maxFlakyFiles} may`] : []),
    ...(cancelled.signal.aborted ? ['the run was cancelled'] : []),
    ...(passed + counted === 0 ? ['there was nothing to run'] : []),
  ];
  const failed = Math.max(counted, failures.length);
  const slowest = [...files].sort(([, a], [, b]) => b - a).slice(0, 10);
  const row = (seconds: string, name: string): string => `${seconds.padStart(8)} s  ${name}`;
  console.log(
    [
      '\nStages',
      ...times.map(([name, seconds]) => row(seconds, name)),
      row(((performance.now() - started) / 1000).toFixed(1), 'all'),
      ...(slowest.length > 0 ? ['Slowest files', ...slowest.map(([file, ms]) => row((ms / 1000).toFixed(1), file))] : []),
      ...flaky.map(({ file, title, error }) => {
        const picture = failurePicture(title);
        return `flaky: ${file} › ${title}: ${error}${existsSync(join(root, picture)) ? ` (${picture})` : ''}`;
      }),
      ...untranslated().map(line => `no Chinese yet: ${line}`),
      ...failures.map(line => `FAILED  ${line}`),
      `${passed} passed, ${failed} failed`,
    ].join('\n'),
  );
  if (flaky.length > 0) await writeFile(join(output, 'flaky.json'), `${JSON.stringify(flaky, null, 2)}\n`);
  process.exit(failed === 0 ? 0 : 1);
}
