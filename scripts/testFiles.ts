import { globSync, statSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Counts, type FailedTest, totalOf } from '../test/support/countsReporter.ts';

/** What a stage came to. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly pending?: number;
  /** Failures, one line each. */
  readonly failures: readonly string[];
  /** Time of each test file, in milliseconds. */
  readonly files?: readonly (readonly [file: string, ms: number])[];
  readonly flaky?: readonly FlakyTest[];
}

/** A test that failed, and passed when its file was run once more by itself. */
export interface FlakyTest extends FailedTest {
  readonly file: string;
}

export const passedOnce: Outcome = { passed: 1, failed: 0, failures: [] };
export const failedOnce = (why: string): Outcome => ({ passed: 0, failed: 1, failures: [why] });

/** Adds up what several runs came to. */
export function together(outcomes: readonly Outcome[]): Outcome {
  const sum = (count: (outcome: Outcome) => number): number => outcomes.reduce((all, outcome) => all + count(outcome), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    pending: sum(({ pending = 0 }) => pending),
    failures: outcomes.flatMap(({ failures }) => failures),
    files: outcomes.flatMap(({ files = [] }) => files),
    flaky: outcomes.flatMap(({ flaky = [] }) => flaky),
  };
}

/** Most test files of a run that may fail at first: more than that is no chance. */
export const maxFlakyFiles = 3;

export interface FilesRun {
  /** Name of the stage, in front of its failures. */
  readonly name: string;
  /** Where counts and notes are kept while it runs. */
  readonly folder: string;
  /** A run without any test is no failure: tests are chosen by title. */
  readonly mayBeEmpty: boolean;
  /** Whether a file in which a test failed is run once more. */
  readonly retry: boolean;
  /** How long no test may begin or end before the run counts as hanging and is ended, in milliseconds. How fast the machine is does not matter. */
  readonly idleMs: number;
  /** Runs all files, or one of them, until the signal; resolves to the exit code. */
  readonly run: (env: NodeJS.ProcessEnv, hangs: AbortSignal, file?: string) => Promise<number>;
}

/** Runs test files. A run that breaks off, or ends badly without a failed test, is a failure of its own. */
export async function runFiles(options: FilesRun): Promise<Outcome> {
  const first = await runOnce(options);
  const failed = Object.entries(first.counts.files).filter(([, file]) => file.failed.length > 0);
  if (first.fault !== undefined || !options.retry || failed.length > maxFlakyFiles) return outcomeOf(options, first);
  const files = { ...first.counts.files };
  const flaky: FlakyTest[] = [];
  for (const [file, before] of failed) {
    console.log(`\n   ${file} once more, by itself`);
    const second = await runOnce(options, file);
    const again = second.counts.files[file];
    if (second.fault !== undefined || again === undefined || again.failed.length > 0) continue;
    files[file] = { ...again, ms: before.ms + again.ms };
    flaky.push(...before.failed.map(test => ({ file, ...test })));
  }
  const left = Object.values(files).some(file => file.failed.length > 0);
  return { ...outcomeOf(options, { counts: { complete: true, files }, fault: left ? undefined : first.fault }), flaky };
}

interface Once {
  readonly counts: Counts;
  /** Why the run failed apart from its tests. */
  readonly fault: string | undefined;
}

async function runOnce({ name, folder, mayBeEmpty, idleMs, run }: FilesRun, file?: string): Promise<Once> {
  const path = join(folder, `${name}.json`);
  const running = join(folder, 'running', name);
  await rm(path, { force: true });
  await rm(running, { recursive: true, force: true });
  const hangs = new AbortController();
  const started = Date.now();
  const timer = setInterval(() => {
    const last = Math.max(started, ...globSync(join(running, '*')).map(note => statSync(note).mtimeMs));
    if (Date.now() - last > idleMs) hangs.abort();
  }, idleMs / 10);
  const code = await run({ A2A_COUNTS: path, A2A_RUNNING: running }, hangs.signal, file);
  clearInterval(timer);
  const text = await readFile(path, 'utf8').catch(() => '{"complete":false,"files":{}}');
  const counts = JSON.parse(text) as Counts;
  const { passed, failures } = totalOf(counts);
  if (!counts.complete) {
    const what = await endRunning(running);
    const why = hangs.signal.aborted ? `no test began or ended for ${idleMs / 1000} s` : `exit code ${code}`;
    return { counts, fault: `the run broke off (${why})${what.length > 0 ? `, while ${what.join('; ')}` : ''}` };
  }
  if (failures.length === 0 && code !== 0) return { counts, fault: `the run ended with exit code ${code}` };
  return { counts, fault: passed + failures.length === 0 && !mayBeEmpty ? 'there was no test' : undefined };
}

/** Ends what is left of test processes, and names the tests that they were at. */
async function endRunning(folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const pid of await readdir(folder).catch(() => [])) {
    const test = (await readFile(join(folder, pid), 'utf8')).trim();
    if (test === '') continue;
    names.push(test);
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  return names;
}

function outcomeOf({ name }: FilesRun, { counts, fault }: Once): Outcome {
  const { passed, pending, failures } = totalOf(counts);
  const all = [...failures, ...(fault === undefined ? [] : [fault])];
  return {
    passed,
    failed: all.length,
    pending,
    failures: all.map(line => `${name}: ${line}`),
    files: Object.entries(counts.files).map(([file, { ms }]) => [file, ms]),
  };
}
