import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Counts } from '../test/support/countsReporter.ts';
import { findChromium } from './chromium.ts';
import { vscodeServerFolder } from './codeServer.ts';
import { type CommandResult, runCommand } from './command.ts';
import { Failure } from './failure.ts';
import { follow } from './follow.ts';
import { mochaArguments, uiArguments, uiTimeoutMs } from './mocha.ts';

// Everything that has to hold, in one run: types, lint, unit tests, tests of parts together with servers and files, tests of whole programs, the build, tests inside VS Code, tests that
// use it like a person. "npm test" runs all of it; "npm test -- unit", "… component", "… process", "… integration", "… ui", "… types", "… lint" a part,
// and "--grep TEXT" only the tests whose title matches. The last line is "N passed, N failed", where types, lint and build count as one test each.

const root = join(import.meta.dirname, '..');
const output = join(root, 'test-output');
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
/** knip: finds unused exports, files and dependencies. */
const linters = [
  [join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'format', '--error-on-warnings'],
  [join(root, 'node_modules', 'eslint', 'bin', 'eslint.js'), '--max-warnings', '0', '.'],
  [join(root, 'node_modules', 'knip', 'bin', 'knip.js'), '--no-progress'],
];

/** Those that open a VS Code first: what comes last is short then, so that no processor is left without work for long. */
const uiFiles = ['test/ui/{.,history}/*.test.ts', 'test/ui/panel/*.test.ts'];
/** After all others: the package is built in the folder that their windows load the extension from, and the attacks take every processor there is. */
const lastUiFiles = ['test/ui/vsix.test.ts', 'test/ui/panel/hostile.test.ts'];

const parts = ['types', 'lint', 'unit', 'component', 'process', 'integration', 'ui'] as const;
type Part = (typeof parts)[number];

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly pending?: number;
  /** Failed tests, one per line, for the summary. */
  readonly failures: readonly string[];
}

const passedOnce: Outcome = { passed: 1, failed: 0, failures: [] };
const failedOnce = (why: string): Outcome => ({ passed: 0, failed: 1, failures: [why] });

const {
  values: { grep },
  positionals,
} = parseArgs({ allowPositionals: true, options: { grep: { type: 'string', short: 'g' } } });
const unknown = positionals.filter(part => !(parts as readonly string[]).includes(part));
if (unknown.length > 0) {
  console.error(`There is no part "${unknown.join('", "')}". The parts are: ${parts.join(', ')}.`);
  process.exit(2);
}
// With a title to search for, steps without tests are left out.
const wanted = new Set<Part>(
  positionals.length > 0 ? (positionals as Part[]) : parts.filter(part => !grep || !['types', 'lint'].includes(part)),
);

const cancelled = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => cancelled.abort());

const outcomes: Outcome[] = [];
const started = performance.now();
if (positionals.length === 0) await rm(output, { recursive: true, force: true });
await mkdir(output, { recursive: true });
// Temporary files of an aborted test are removed with this folder. On macOS the path of its temporary folder is so long that paths of VS
// Code's sockets would exceed the limit.
const temporary = process.platform === 'darwin' ? undefined : await mkdtemp(join(tmpdir(), 'a2a-test-'));
const temporaryEnvironment = temporary === undefined ? {} : { TMPDIR: temporary, TEMP: temporary, TMP: temporary };

const needsBuild = wanted.has('integration') || wanted.has('ui');
/** Steps for one processor while the linter, which takes as long as all of them, uses the other. */
const besideLint = async (): Promise<boolean> => {
  if (wanted.has('types')) await step('Types', checkTypes);
  const built = needsBuild && (await step('Build', build));
  if (wanted.has('unit')) await step('Unit tests', unitTests);
  if (wanted.has('component')) await step('Component tests, of parts with real servers and files', componentTests);
  return built;
};
const [built] = await Promise.all([besideLint(), wanted.has('lint') && step('Lint', lint)]);
// One VS Code leaves half of the processors to the programs that are killed meanwhile.
await Promise.all([
  ...(wanted.has('process') ? [step('Process tests, of programs that start and are killed', processTests)] : []),
  ...(wanted.has('integration')
    ? [step('Integration tests, inside VS Code', built ? integrationTests : async () => notBuilt('integration'))]
    : []),
]);
if (wanted.has('ui')) await step('UI tests, in front of VS Code', built ? uiTests : async () => notBuilt('ui'));
if (temporary !== undefined) await rm(temporary, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
finish();

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
  const time = `${((performance.now() - begin) / 1000).toFixed(1)} s`;
  console.log(
    `-- ${name}: ${failed === 0 ? 'ok' : 'FAILED'} (${passed} passed, ${failed} failed${pending > 0 ? `, ${pending} skipped` : ''}, ${time})`,
  );
  return failed === 0;
}

async function checkTypes(): Promise<Outcome> {
  let failures = '';
  for (const project of ['tsconfig.json', 'src/chat/tsconfig.json', 'test/ui/tsconfig.json']) {
    const { code, output: text } = await node(
      [tsc, '--noEmit', '--pretty', String(process.stdout.isTTY === true), '-p', project],
      'collect',
      5,
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
    const { code, output: text } = await node(linter, 'collect', 10);
    if (code !== 0) failures.push(text.trimEnd());
  }
  if (failures.length === 0) return passedOnce;
  console.log(failures.join('\n'));
  return failedOnce('lint');
}

async function build(): Promise<Outcome> {
  const { code } = await node([join(root, 'esbuild.mjs'), '--tests'], 'inherit', 3);
  return code === 0 ? passedOnce : failedOnce('build');
}

function notBuilt(name: string): Outcome {
  return failedOnce(`${name}: not run, because the build failed`);
}

function unitTests(): Promise<Outcome> {
  return counted('unit', env =>
    // They wait for nothing: more processes than processors only load the same modules once more.
    node(
      [...mochaArguments(['test/unit/**/*.test.ts'], 10_000, grep), '--parallel', '--jobs', String(availableParallelism())],
      'inherit',
      10,
      env,
    ),
  );
}

function componentTests(): Promise<Outcome> {
  return counted('component', env =>
    node([...mochaArguments(['test/component/**/*.test.ts'], 40_000, grep), '--parallel', '--jobs', '4'], 'inherit', 15, env),
  );
}

function processTests(): Promise<Outcome> {
  return counted('process', env =>
    node([...mochaArguments(['test/process/**/*.test.ts'], 40_000, grep), '--parallel', '--jobs', '3'], 'inherit', 20, env),
  );
}

/** Two files at a time: a workbench waits, too, and each file has a window, agents and folders of its own. */
async function uiTests(): Promise<Outcome> {
  // Before the files that need them: a second "apt-get" beside the first one fails.
  await findChromium();
  await vscodeServerFolder();
  const mochaOf = (files: readonly string[]): string[] => [
    ...mochaArguments(files, uiTimeoutMs, grep),
    ...uiArguments,
    '--parallel',
    '--jobs',
    '2',
  ];
  const outcomes = [
    await counted('ui', env => node([...mochaOf(uiFiles), ...lastUiFiles.flatMap(file => ['--ignore', file])], 'inherit', 35, env)),
    await counted('ui-last', env => node(mochaOf(lastUiFiles), 'inherit', 10, env)),
  ];
  const sum = (count: (outcome: Outcome) => number): number => outcomes.reduce((all, outcome) => all + count(outcome), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    pending: sum(({ pending = 0 }) => pending),
    failures: outcomes.flatMap(({ failures }) => failures),
  };
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
  const outcome = await counted('integration', env =>
    node([join(root, 'scripts', 'integrationTests.ts'), consoleLog], 'inherit', 10, {
      ...env,
      A2A_REPORT: report,
      A2A_GREP: grep,
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
    }),
  );
  if (following === undefined) await follow(report).stop();
  else await following.stop();
  if (outcome.failed > 0 && !existsSync(report)) {
    console.log(
      `The tests did not start. The end of ${consoleLog}:\n${(await readFile(consoleLog, 'utf8').catch(() => '')).slice(-4_000)}`,
    );
  }
  return outcome;
}

/** Runs tests and reads what they counted. A run that ended badly without a failed test, or that broke off, is a failure by itself. */
async function counted(name: string, run: (env: NodeJS.ProcessEnv) => Promise<CommandResult>): Promise<Outcome> {
  const path = join(output, `${name}.json`);
  await rm(path, { force: true });
  const { code } = await run({ A2A_COUNTS: path });
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return failedOnce(`${name}: the run broke off (exit code ${code})`);
  const { passed, failed, pending, failures } = JSON.parse(text) as Counts;
  if (failed === 0 && code !== 0) return { passed, failed: 1, pending, failures: [`${name}: the run ended with exit code ${code}`] };
  if (passed + failed === 0 && grep === undefined) return failedOnce(`${name}: there was no test`);
  return { passed, failed, pending, failures: failures.map(title => `${name}: ${title}`) };
}

/** Runs a Node program of ours until its deadline or until the whole run is cancelled. */
function node(args: readonly string[], show: 'inherit' | 'collect', minutes: number, env: NodeJS.ProcessEnv = {}): Promise<CommandResult> {
  const signal = AbortSignal.any([cancelled.signal, AbortSignal.timeout(minutes * 60_000)]);
  return runCommand(process.execPath, args, { cwd: root, output: show, signal, env: { ...process.env, ...temporaryEnvironment, ...env } });
}

function finish(): never {
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  let failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  const failures = outcomes.flatMap(outcome => outcome.failures);
  if (cancelled.signal.aborted) failures.push('the run was cancelled');
  if (passed + failed === 0) failures.push('there was nothing to run');
  failed = Math.max(failed, failures.length);
  console.log(`\n${[...failures.map(line => `FAILED  ${line}`), `in ${((performance.now() - started) / 1000).toFixed(1)} s`].join('\n')}`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
